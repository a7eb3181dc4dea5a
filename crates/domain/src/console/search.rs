//! Searches records of all kinds (interface 26.20).

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::{Permit, ReadArticles, SearchRecords};
use crate::kernel::Weight;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, weighed_read_only};
use crate::records::{MatchedComment, RecordKind};
use crate::support::kb::{ExcerptPart, excerpt_of_search};
use crate::{CommentId, Error};

/// The maximum number of records per kind that have the words themselves, and of those found only by a comment.
pub const MAX_RESULTS_PER_KIND: u32 = 5;

/// What to search for, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSearch {
    /// Word prefixes, all of which must match.
    pub words: SearchQuery,
    /// The kinds to search, in the order of the results.
    pub kinds: Vec<RecordKind>,
    /// Whether to include articles that are not published.
    pub drafts: bool,
    /// The kinds whose comments to search too.
    pub comments: Vec<RecordKind>,
}

/// A summary of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundRecord {
    pub kind: RecordKind,
    pub id: Uuid,
    /// What it is called: its name or title; of a contact without a name, the e-mail address.
    pub title: String,
    /// A contact's e-mail address, a company's domain, a deal's stage, a ticket's reference, the status of others.
    pub detail: Option<String>,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// The comment that has the words; `None` if the record itself has them.
    pub comment: Option<FoundComment>,
}

/// The comment by which a record was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundComment {
    pub id: CommentId,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// The part of its text around the words, as plain text.
    pub excerpt: Vec<ExcerptPart>,
}

impl FoundComment {
    /// The comment with its excerpt for a search.
    pub fn new(id: CommentId, created_at: OffsetDateTime, body: &str, words: &SearchQuery) -> Self {
        Self { id, created_at, excerpt: excerpt_of_search(body, words) }
    }
}

impl From<FoundComment> for MatchedComment {
    fn from(found: FoundComment) -> Self {
        Self { id: found.id, excerpt: found.excerpt.into_iter().map(|part| part.text).collect() }
    }
}

/// Finds records by word prefixes, as the lists do. For each kind that the caller may read, returns the newest five, then up to five others
/// ordered by their latest matching comment, if the caller may read those comments.
///
/// # Errors
/// [`Error::SearchTooSlow`].
pub async fn search_all(
    ports: &Ports,
    permit: &Permit<SearchRecords>,
    words: SearchQuery,
) -> Result<Vec<FoundRecord>, Error> {
    let is_searched =
        |kind: &RecordKind| kind.has_list() && permit.may_read_here(kind.reads()) && !words.matches_nothing();
    let kinds: Vec<_> = RecordKind::ALL.iter().copied().filter(is_searched).collect();
    if kinds.is_empty() {
        return Ok(Vec::new());
    }
    let reads_comments = |kind: &RecordKind| kind.reads_comments().is_some_and(|needs| permit.may_read_here(needs));
    let comments = kinds.iter().copied().filter(reads_comments).collect();
    let search = RecordSearch { words, kinds, drafts: permit.covers::<ReadArticles>(), comments };
    weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.record_search().search_records(&search)?)).await
}
