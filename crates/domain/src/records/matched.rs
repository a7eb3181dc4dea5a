//! The comments by which searches in lists find records (interface 3.8).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::{ListedKind, RecordFilter};
use crate::CommentId;
use crate::events::EventSource;
use crate::ports::{StoreError, Tx};

/// A comment by which a search finds a record that does not have the words itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchedComment {
    pub id: CommentId,
    /// About 200 characters of its text around the words, as plain text on one line.
    pub excerpt: String,
}

/// Comments by the records that they are on.
pub(crate) type MatchedComments = BTreeMap<Uuid, MatchedComment>;

/// The comments by which a search found these records, which are of one kind. Empty if the list does not show comments, or if the
/// search does not include them: the caller may not read them, or the kind has none.
pub(crate) fn matched_comments<K: ListedKind>(
    tx: &mut dyn Tx,
    filter: &K::Filter,
    records: &[K],
) -> Result<MatchedComments, StoreError> {
    let words = filter.search().filter(|words| words.shows_comments());
    let kind = records.first().map(EventSource::kind);
    let (Some(words), Some(kind)) = (words, kind) else { return Ok(MatchedComments::new()) };
    let ids: Vec<_> = records.iter().map(K::uuid).collect();
    tx.record_search().matched_comments(kind, &ids, words)
}
