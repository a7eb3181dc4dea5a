//! The query of a record's history (interface 24.6).

use time::OffsetDateTime;
use uuid::Uuid;

/// The record whose events a history shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    pub record: Uuid,
    /// The nouns of the record's events. An event with another noun is about a record of another kind.
    pub nouns: Vec<&'static str>,
    /// Whether the history includes comments on the record.
    pub has_comments: bool,
    /// The time of the request. No event is more than a day newer, so later months need not be read.
    pub now: OffsetDateTime,
}
