//! The notice about a card that was moved on a board, with a form that moves it back.

use domain::UndoId;
use domain::kernel::input::json::Json;

use crate::responses::Notice;
use crate::texts::{label, text_named, text_with};

/// The message for a card that was not moved.
pub(crate) fn not_moved(title: &str, why: &str) -> String {
    format!("{} {why}", text_named("moved-not", title))
}

/// A completed move.
pub(crate) struct MoveNotice {
    pub(crate) message: String,
    /// The id of the card.
    pub(crate) id: String,
    /// The path to which the form is sent that moves it back.
    pub(crate) action: String,
    /// The fields of that form; empty if the card cannot simply be moved back.
    pub(crate) fields: Vec<(&'static str, String)>,
    /// The undo of the move, for browsers without scripts, and for changes that moving the card back does not undo.
    pub(crate) undo: Option<UndoId>,
}

impl MoveNotice {
    /// `record` is the record after the move, and `from` the column that it left. It can be moved back until someone
    /// changes it.
    pub(crate) fn new(record: &Json, member: &'static str, from: Option<&str>) -> Self {
        let text_of = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let (title, column) = (text_of("title"), text_of(member));
        let fields = from.filter(|from| *from != column).map(|from| {
            let version = record["version"].as_i64().unwrap_or_default().to_string();
            vec![(member, from.to_owned()), ("_from", column.clone()), ("_version", version)]
        });
        Self {
            message: text_with("moved", [("title", title.into()), ("name", label("value", &column).into())]),
            id: text_of("id"),
            action: String::new(),
            fields: fields.unwrap_or_default(),
            undo: None,
        }
    }

    /// Whether the form moves the card back without leaving the page.
    pub(crate) fn moves_back_live(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Sets the path and additional fields of the form.
    pub(crate) fn with_fields(
        mut self,
        action: String,
        more: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        if self.moves_back_live() {
            self.fields.extend(more);
        }
        Self { action, ..self }
    }

    /// The notice on the next page, for browsers without scripts.
    pub(crate) fn into_notice(self) -> Notice {
        Notice::new(self.message).with_undo_of(self.undo)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn moving_back_sends_the_version_after_the_move() {
        let task = json!({"id": "1", "title": "Roast", "status": "done", "version": 3});
        let moved = MoveNotice::new(&task, "status", Some("todo")).with_fields("/tasks/1/status".to_owned(), []);
        assert_eq!(moved.message, "Moved “Roast” to Done.");
        let fields: Vec<_> = moved.fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(fields, [("status", "todo"), ("_from", "done"), ("_version", "3")]);
        for from in [None, Some("done")] {
            let moved = MoveNotice::new(&task, "status", from).with_fields(String::new(), [("_next", "/".to_owned())]);
            assert!(!moved.moves_back_live(), "{from:?}: it cannot be moved back");
        }
    }
}
