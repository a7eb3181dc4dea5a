//! The repositories of tickets as customers see them, of links to tickets and sessions, and of knowledge-base articles.

use time::OffsetDateTime;

use super::StoreError;
use crate::kernel::paging::PageRequest;
use crate::support::kb::{Article, KbMatch, KbQuery, MissedSearch, MissedTerm, PublishedArticle};
use crate::support::{PortalSession, Ticket, TicketFilter};
use crate::work::comments::Comment;
use crate::work::issues::TrackingLink;
use crate::{ContactId, IssueId, KbArticleId, LinkRequestId};

/// Tickets opened from outside. [`RecordRepo`](super::RecordRepo) adds and changes them.
pub trait TicketRepo {
    /// The live ticket with this reference, if it was opened from outside. Uses an index.
    fn find(&mut self, reference: &str) -> Result<Option<Ticket>, StoreError>;
    /// Live tickets opened from outside, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &TicketFilter, page: &PageRequest) -> Result<Vec<Ticket>, StoreError>;
    /// The newest `limit` of a live ticket's public comments, oldest first. One statement.
    fn public_comments(&mut self, id: IssueId, limit: u32) -> Result<Vec<Comment>, StoreError>;
    /// The live contact with this address in lower case, protected from deletion until the transaction ends.
    fn contact_with(&mut self, email_key: &str) -> Result<Option<ContactId>, StoreError>;
    /// Stores links to tickets. One statement.
    fn add_links(&mut self, links: &[TrackingLink]) -> Result<(), StoreError>;
    fn add_link(&mut self, link: &TrackingLink) -> Result<(), StoreError> {
        self.add_links(std::slice::from_ref(link))
    }
    /// Whether the ticket has an unused link that its customer requested and that expires after `expires_after`.
    fn has_requested_link(&mut self, issue: IssueId, expires_after: OffsetDateTime) -> Result<bool, StoreError>;
    /// Consumes a link if it is unused; returns whether it was. Of several concurrent calls, exactly one gets `true`.
    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Stores a customer's session.
    fn add_session(&mut self, session: &PortalSession) -> Result<(), StoreError>;
}

/// Requests for ticket links of the workspace. Later steps cross workspaces: see [`Directory`](super::Directory).
pub trait LinkRequestRepo {
    /// Completes a request in the transaction that handles it; returns whether it still existed. Of several concurrent
    /// calls, exactly one gets `true`.
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError>;
}

/// Operations that only articles need. Writers call `lock` first.
pub trait KbArticleRepo {
    /// Blocks other writers of the workspace's articles, and changes of its language, until the transaction ends.
    /// Otherwise two articles could get the same slug, or miss a change of language.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// The newest live published articles with their first [`MAX_LISTED_TAGS`](crate::support::kb::MAX_LISTED_TAGS) tags, newest
    /// first. One statement.
    fn list_published(&mut self, limit: u32) -> Result<Vec<PublishedArticle>, StoreError>;
    /// The live published article with this slug. One statement.
    fn get_published(&mut self, slug: &str) -> Result<Option<Article>, StoreError>;
    /// The slugs that live articles other than `except` already use. One statement.
    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError>;
    /// Published articles that contain all words of the query, the last one at least as a prefix: best first, then
    /// newest first. Stemming and ranking are up to the store; title weighs more than tags, and tags more than body.
    /// For very frequent words, a bounded number of articles is ranked. An article is found by the language that its
    /// workspace had when it was written, until [`reindex_articles`](super::Directory::reindex_articles) rebuilds its
    /// index. One statement.
    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError>;
    /// Counts a search without results. The workspace keeps at most [`MAX_MISSED_TERMS`](crate::support::kb::MAX_MISSED_TERMS)
    /// terms: this one, and the others with the most searches, then the latest. Concurrent searches may leave a few more until the
    /// next one. Two statements, which wait only for searches of the same term.
    fn note_missed_search(&mut self, term: &MissedTerm, now: OffsetDateTime) -> Result<(), StoreError>;
    /// The terms searched since a time, by number of searches, then latest first. One statement.
    fn missed_searches(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<MissedSearch>, StoreError>;
}
