//! Zendesk: tickets. Sources: docs/import-export.md.

use super::{CellValues, ColumnNames};

pub(super) const TICKETS: ColumnNames = &[
    ("Subject", "title"),
    ("Description", "description"),
    ("Status", "status"),
    ("Priority", "priority"),
    ("Requester email", "~requester"),
    ("Requester", "~requester"),
    ("Requester name", "~requester"),
    ("Assignee", "owner_by_email"),
    ("Tags", "labels"),
    ("Due date", "due_at"),
    ("Solved at", "~closed"),
    ("Solved", "~closed"),
    ("Updated at", "~modified"),
    ("Updated", "~modified"),
    ("Id", "description+"),
    ("Ticket ID", "description+"),
    ("Ticket type", "description+"),
    ("Type", "description+"),
    ("Group", "description+"),
    ("Organization", "description+"),
    ("Via", "description+"),
    ("Created at", "description+"),
    ("Requested", "description+"),
];

pub(super) const VALUES: CellValues = &[
    ("status", "New", "open"),
    ("status", "Open", "open"),
    ("status", "Pending", "pending"),
    ("status", "On-hold", "on_hold"),
    ("status", "Hold", "on_hold"),
    ("status", "Solved", "resolved"),
    ("status", "Closed", "closed"),
    ("priority", "Normal", "medium"),
];
