//! Articles of the knowledge base.

use domain::identity::access::{CreateArticles, DeleteArticles, ReadArticles, SearchKb as MaySearch, UpdateArticles};
use domain::kernel::input::Integer;
use domain::support::kb::{self, Article, ArticleFields, ArticleFilter, ArticleStatus, KbHit, KbQuery};
use domain::tools::Tool;
use domain::{Error, KbArticleId, fields};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{Delete, Get, Paged, Update};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing, ToolOutput, leading_rows};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

impl LongTexts for Article {
    const NAMES: &'static [&'static str] = &["body"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetKbArticle)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.body)]
    }
}

/// An article in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: KbArticleId,
    title: String,
    slug: String,
    status: ArticleStatus,
    tags: Vec<String>,
}

impl Row {
    fn of(article: &Article) -> Self {
        Self {
            id: article.id,
            title: article.title.clone(),
            slug: article.slug.clone(),
            status: article.status,
            tags: article.tags.clone(),
        }
    }
}

/// What a search found, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchHits {
    data: Vec<KbHit>,
    /// What to know about these hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl ToolOutput for SearchHits {
    /// The best stay.
    fn tighten(&mut self) {
        let found = self.data.len();
        self.data.truncate(leading_rows(&self.data));
        self.note = Some(format!(
            "These are the best {} of {found} hits, to stay small: look for more words to narrow it down.",
            self.data.len()
        ));
    }
}

fields! {
    /// What to look for.
    pub(crate) struct Search {
        /// Words that all must occur; the last may be the beginning of one.
        q: KbQuery = required,
        /// How many hits at the most: 10 unless given.
        limit: Integer<1, 50>,
    }
}

fields! {
    /// Which articles.
    pub(crate) struct Filter {
        /// In this status.
        status: ArticleStatus,
    }
}

/// Searches published articles.
pub(crate) struct SearchKb;

impl ToolCall for SearchKb {
    const TOOL: Tool = Tool::SearchKb;
    const TITLE: &'static str = "Search knowledge base";
    const DESCRIPTION: &'static str = "Searches the published help articles by full text, best first, each with an excerpt. Use it before you answer a customer; get_kb_article reads a hit in full. Cheap.";
    type Permission = MaySearch;
    type Arguments = Search;
    type Output = SearchHits;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let query = call.arguments.q.set().cloned().ok_or(Error::NotFound("article"))?;
        let limit = call.arguments.limit.set().map_or(kb::DEFAULT_LIMIT, |limit| limit.get().unsigned_abs());
        let data = kb::search(&call.ports, &call.permit, query, limit).await?;
        Ok(ToolResult::Fresh(SearchHits { data, note: None }))
    }
}

/// Lists articles.
pub(crate) struct ListKbArticles;

impl ToolCall for ListKbArticles {
    const TOOL: Tool = Tool::ListKbArticles;
    const TITLE: &'static str = "List articles";
    const DESCRIPTION: &'static str = "Lists help articles, newest first, as compact rows, drafts too; filter by status. To find something by its words use search_kb. Cheap.";
    type Permission = ReadArticles;
    type Arguments = Paged<Filter, Article>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let filter = ArticleFilter { status: filter.status.set().copied() };
        let page = kb::list(&call.ports, &call.permit, filter, page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a article.
pub(crate) struct GetKbArticle;

impl ToolCall for GetKbArticle {
    const TOOL: Tool = Tool::GetKbArticle;
    const TITLE: &'static str = "Get article";
    const DESCRIPTION: &'static str = "Reads one help article in full by its id; the body is Markdown. Cheap.";
    type Permission = ReadArticles;
    type Arguments = Get<Article>;
    type Output = Detail<Article>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = kb::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a article.
pub(crate) struct CreateKbArticle;

impl ToolCall for CreateKbArticle {
    const TOOL: Tool = Tool::CreateKbArticle;
    const TITLE: &'static str = "Create article";
    const DESCRIPTION: &'static str = "Writes a help article. It starts as a draft that customers do not see: set status to published only with approval.";
    type Permission = CreateArticles;
    type Arguments = ArticleFields;
    type Output = Detail<Article>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(kb::create(&call.ports, &call.permit, once, call.arguments).await?))
    }
}

/// Changes a article.
pub(crate) struct UpdateKbArticle;

impl ToolCall for UpdateKbArticle {
    const TOOL: Tool = Tool::UpdateKbArticle;
    const TITLE: &'static str = "Update article";
    const DESCRIPTION: &'static str = "Changes an article. Fields that are absent stay; null clears one. Setting status to published shows it to customers.";
    type Permission = UpdateArticles;
    type Arguments = Update<ArticleFields>;
    type Output = Detail<Article>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = kb::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a article.
pub(crate) struct DeleteKbArticle;

impl ToolCall for DeleteKbArticle {
    const TOOL: Tool = Tool::DeleteKbArticle;
    const TITLE: &'static str = "Delete article";
    const DESCRIPTION: &'static str = "Deletes an article. To hide one instead, set status to draft. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteArticles;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        kb::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
