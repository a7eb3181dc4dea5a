//! Zammad: tickets. Sources: docs/import-export.md.

use super::{CellValues, ColumnNames};

pub(super) const TICKETS: ColumnNames = &[
    ("Title", "title"),
    ("State", "status"),
    ("Priority", "priority"),
    ("Customer", "~requester"),
    ("Owner", "owner_by_email"),
    ("Tags", "labels"),
    ("Closed At", "~closed"),
    ("Close Time", "~closed"),
    ("Updated At", "~modified"),
    ("#", "description+"),
    ("Group", "description+"),
    ("Organization", "description+"),
    ("Create Channel", "description+"),
    ("Created At", "description+"),
];

/// The default states and priorities of an installation.
pub(super) const VALUES: CellValues = &[
    ("status", "new", "open"),
    ("status", "open", "open"),
    ("status", "pending reminder", "pending"),
    ("status", "pending close", "pending"),
    ("status", "merged", "closed"),
    ("status", "closed", "closed"),
    ("priority", "1 low", "low"),
    ("priority", "2 normal", "medium"),
    ("priority", "3 high", "high"),
];
