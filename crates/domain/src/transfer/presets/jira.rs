//! Jira: issues, as tasks. Sources: docs/import-export.md.

use super::{CellValues, ColumnNames};

pub(super) const ISSUES: ColumnNames = &[
    ("Summary", "title"),
    ("Description", "description"),
    ("Status", "status"),
    ("Status Category", "~category"),
    ("Resolution", "~resolution"),
    ("Priority", "priority"),
    ("Due date", "due_at"),
    ("Due", "due_at"),
    ("Labels", "labels"),
    ("Assignee", "owner_by_email"),
    ("Resolved", "~closed"),
    ("Resolution date", "~closed"),
    ("Status Category Changed", "~modified"),
    ("Updated", "~modified"),
    ("Issue key", "description+"),
    ("Issue Type", "description+"),
    ("Parent key", "description+"),
    ("Reporter", "description+"),
    ("Created", "description+"),
    ("Sprint", "description+"),
    ("Component/s", "description+"),
    ("Components", "description+"),
    ("Fix Version/s", "description+"),
    ("Fix versions", "description+"),
];

/// Priorities of new and older sites; statuses of the default workflows and of Jira's templates; status categories.
pub(super) const VALUES: CellValues = &[
    ("priority", "Blocker", "urgent"),
    ("priority", "Critical", "urgent"),
    ("priority", "Highest", "urgent"),
    ("priority", "Major", "high"),
    ("priority", "High", "high"),
    ("priority", "Medium", "medium"),
    ("priority", "Minor", "low"),
    ("priority", "Low", "low"),
    ("priority", "Lowest", "low"),
    ("priority", "Trivial", "low"),
    ("status", "Backlog", "backlog"),
    ("status", "To Do", "todo"),
    ("status", "Open", "todo"),
    ("status", "New", "todo"),
    ("status", "Reopened", "todo"),
    ("status", "Selected for Development", "todo"),
    ("status", "Ready for Development", "todo"),
    ("status", "In Progress", "in_progress"),
    ("status", "In Development", "in_progress"),
    ("status", "Blocked", "in_progress"),
    ("status", "In Review", "in_review"),
    ("status", "Under Review", "in_review"),
    ("status", "Code Review", "in_review"),
    ("status", "Ready for Review", "in_review"),
    ("status", "In Testing", "in_review"),
    ("status", "Testing", "in_review"),
    ("status", "QA", "in_review"),
    ("status", "Resolved", "done"),
    ("status", "Closed", "done"),
    ("status", "Complete", "done"),
    ("status", "Completed", "done"),
    ("status", "Done", "done"),
    ("status", "Won't Do", "cancelled"),
    ("status", "Won\u{2019}t Do", "cancelled"),
    ("status", "Won't Fix", "cancelled"),
    ("status", "Cancelled", "cancelled"),
    ("status", "Canceled", "cancelled"),
    ("status", "Declined", "cancelled"),
    ("status", "Rejected", "cancelled"),
];

/// Resolutions of issues that were abandoned.
pub(super) const ABANDONED: &[&str] = &[
    "won't do",
    "won\u{2019}t do",
    "won't fix",
    "won\u{2019}t fix",
    "declined",
    "duplicate",
    "cannot reproduce",
    "known error",
    "cancelled",
    "canceled",
];

/// The statuses of each category: To Do, In Progress and Done.
const CATEGORIES: [&[&str]; 3] = [&["backlog", "todo"], &["in_progress", "in_review"], &["done", "cancelled"]];

/// Whether a status belongs to a category, which is given by one of its statuses.
pub(super) fn is_of_category(status: &str, category: &str) -> bool {
    CATEGORIES.iter().any(|statuses| statuses.contains(&status) && statuses.contains(&category))
}
