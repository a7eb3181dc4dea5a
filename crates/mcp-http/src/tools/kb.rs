//! Articles of the knowledge base.

use domain::identity::access::SearchKb;
use domain::kernel::input::Integer;
use domain::records;
use domain::support::kb::{self, Article, ArticleStatus, KbHit, KbQuery};
use domain::tools::Tool;
use domain::{Error, KbArticleId, fields};
use schemars::JsonSchema;
use serde::Serialize;

use crate::long_texts::long_texts;
use crate::outputs::{ListedRow, ToolOutput, leading_rows, row};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

long_texts!(Article, Some(Tool::GetKbArticle), body: OptionalText);

row! {
    /// An article in a list.
    Row of Article {
        id: KbArticleId,
        title: String,
        slug: String,
        status: ArticleStatus,
        tags: Vec<String>,
    }
}

/// The hits of a search, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchHits {
    data: Vec<KbHit>,
    /// A note about these hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl ToolOutput for SearchHits {
    /// Keeps the best hits.
    fn tighten(&mut self) {
        let total = self.data.len();
        self.data.truncate(leading_rows(&self.data));
        self.note = Some(format!(
            "Only the best {} of {total} hits are shown: add words to narrow the search.",
            self.data.len()
        ));
    }
}

fields! {
    /// What to look for.
    pub(crate) struct Search {
        /// Words that must all occur; the last may be a prefix.
        q: KbQuery = required,
        /// Maximum number of hits.
        /// Default: 10.
        limit: Integer<1, 50>,
    }
}

async fn search(call: ToolRequest<SearchKb, Search>) -> Result<ToolResult<SearchHits>, Error> {
    let query = call.arguments.q.set().cloned().ok_or(Error::NotFound("article"))?;
    let limit = call.arguments.limit.set().map_or(kb::DEFAULT_LIMIT, |limit| limit.get().unsigned_abs());
    let data = kb::search(&call.ports, &call.permit, query, limit).await?;
    Ok(ToolResult::Fresh(SearchHits { data, note: None }))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::SearchKb, "Search knowledge base", "Searches published articles, best first, with excerpts.")
            .run(search),
        entry(Tool::ListKbArticles, "List articles", "Lists articles, drafts too, newest first.")
            .list(records::list_or_deleted::<Article>, |article| ListedRow::of(article, Row::of)),
        entry(Tool::GetKbArticle, "Get article", "Reads one help article in full.").get(records::read::<Article>),
        entry(
            Tool::CreateKbArticle,
            "Create article",
            "Writes an article. Customers see it once published: get approval.",
        )
        .create(records::create::<Article>),
        entry(
            Tool::UpdateKbArticle,
            "Update article",
            "Changes an article; null clears a field. Customers see published ones.",
        )
        .update(records::update::<Article>),
        entry(
            Tool::DeleteKbArticle,
            "Delete article",
            "Deletes an article. Confirm first; restorable for 30 days. To hide one, set draft.",
        )
        .delete(records::delete::<Article>),
    ]
}
