//! `/api/public/kb`.

use domain::identity::access::SearchKb;
use domain::kernel::input::Value as _;
use domain::limits::Class;
use domain::support::kb::{self, KbHit, KbQuery};
use http_core::description::{Described, Parameter, Shown};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::query::{Query, QueryReader};
use http_core::{LimitPolicy, operation, responses};
use serde_json::json;

/// The query of a knowledge base search, here and in the widget.
pub(crate) struct SearchQuery {
    /// `None` only if a problem was reported.
    pub(crate) query: Option<KbQuery>,
    /// Maximum number of hits.
    pub(crate) limit: u32,
}

impl Query for SearchQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self {
            query: query.parsed_by("q", KbQuery::parse),
            limit: query.parsed_by("limit", |_, text, problems| kb::parse_limit(text, problems)),
        }
    }
}

impl Described for SearchQuery {
    fn parameters() -> Vec<Parameter> {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": kb::MAX_LIMIT, "default": kb::DEFAULT_LIMIT });
        vec![
            Parameter::new("q", "The words to search for.", KbQuery::schema()).required(),
            Parameter::new("limit", "Maximum number of hits.", limit),
        ]
    }
}

operation! {
    /// Search the published articles.
    Search = "GET /api/public/kb/search",
    limits: LimitPolicy::new(Class::Read).with_public(Class::PublicKbSearches), access: SearchKb, query: SearchQuery
    => search -> Shown<Vec<KbHit>>
}

async fn search(call: EndpointRequest<Search>) -> HandlerResult {
    let hits = match call.query.query {
        Some(query) => kb::search(&call.ports, &call.permit, query, call.query.limit).await?,
        None => Vec::new(),
    };
    Ok(responses::ok(&hits))
}
