//! What a history asks of the log (interface 24.6).

use time::OffsetDateTime;
use uuid::Uuid;

/// Whose events a history shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    pub record: Uuid,
    /// The nouns that the record can have; with another one, it is a record of another kind.
    pub nouns: Vec<&'static str>,
    /// Whether comments on the record are part of it.
    pub has_comments: bool,
    /// When it is asked: no event is more than a day newer, which spares looking into later months.
    pub now: OffsetDateTime,
}
