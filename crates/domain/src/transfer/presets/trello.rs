//! Trello: cards, as tasks. Sources: docs/import-export.md.

use super::{CellValues, ColumnNames};

pub(super) const CARDS: ColumnNames = &[
    ("Card Name", "title"),
    ("Card Description", "description"),
    ("List Name", "status"),
    ("Labels", "labels"),
    ("Start Date", "start_date"),
    ("Due Date", "due_at"),
    ("Due Complete", "~complete"),
    ("Archived", "~archived"),
    ("Closed", "~archived"),
    ("Last Activity Date", "~modified"),
    ("Members", "description+"),
    ("Card URL", "description+"),
];

/// The default lists of boards and of their templates.
pub(super) const LISTS: CellValues = &[
    ("status", "Backlog", "backlog"),
    ("status", "To Do", "todo"),
    ("status", "To-Do", "todo"),
    ("status", "Todo", "todo"),
    ("status", "Doing", "in_progress"),
    ("status", "In Progress", "in_progress"),
    ("status", "Review", "in_review"),
    ("status", "In Review", "in_review"),
    ("status", "Code Review", "in_review"),
    ("status", "Testing", "in_review"),
    ("status", "Done", "done"),
    ("status", "Done \u{1f389}", "done"),
];

/// Colours of labels, which an export has in brackets after the name.
const COLOURS: [&str; 11] =
    ["green", "yellow", "orange", "red", "purple", "blue", "sky", "lime", "pink", "black", "null"];

/// A label without its colour; the colour itself, if the label has no name.
pub(super) fn label(text: &str) -> &str {
    let Some((name, colour)) = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) else { return text };
    let shade = colour.split(['_', ' ']).next().unwrap_or_default();
    if !COLOURS.contains(&shade) {
        return text;
    }
    let name = name.trim();
    if name.is_empty() { colour } else { name }
}
