//! `/api/public`: what a workspace's own programs do for its customers.

mod search_kb;
pub(crate) mod tickets;

pub(crate) use search_kb::SearchKb;

use domain::support::kb::{self, KbQuery};
use http_core::query::{Query, QueryReader};

/// What a search of the knowledge base takes, here and in the widget.
pub(crate) struct KbParameters {
    /// What is looked for; only missing where a problem was noted.
    pub(crate) query: Option<KbQuery>,
    /// How many hits.
    pub(crate) limit: u32,
}

impl Query for KbParameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self {
            query: query.parsed_by("q", KbQuery::parse),
            limit: query.parsed_by("limit", |_, text, problems| kb::parse_limit(text, problems)),
        }
    }
}
