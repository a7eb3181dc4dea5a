//! Comments as events of the record that they are on.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{CrmRecord, RecordComment};
use crate::CommentId;
use crate::events::example::{self, ADA, CHANGED, MADE};
use crate::events::{Event, EventSource};
use crate::records::RecordKind;

impl EventSource for RecordComment {
    fn kind(&self) -> RecordKind {
        self.record.kind()
    }

    fn record_id(&self) -> Uuid {
        self.record.id()
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn updated_at(&self) -> OffsetDateTime {
        self.updated_at
    }

    fn verb_of(&self, _: &Self, _: &str) -> Option<&'static str> {
        Some("comment_updated")
    }
}

/// An example of each event about a comment on the record.
pub(crate) fn examples(record: impl Into<CrmRecord>) -> Vec<Event> {
    let comment = RecordComment {
        body: "Called: they decide after Easter.".to_owned(),
        ..RecordComment::blank(CommentId(example::id(12)), record.into(), ADA, ADA, MADE)
    };
    let edited = RecordComment {
        body: "Called: they decide in May.".to_owned(),
        edited_at: Some(CHANGED),
        version: 2,
        updated_at: CHANGED,
        ..comment.clone()
    };
    let deleted = RecordComment { version: 3, ..edited.clone() };
    let mut events = vec![example::at_creation().happened(&comment, "comment_added")];
    events.extend(example::at_change().updated(&comment, &edited));
    events.push(example::at_change().happened(&deleted, "comment_deleted"));
    events
}
