//! Searches published articles.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{MissedTerm, excerpt, searchable};
use crate::identity::access::{Credential, Permit, SearchKb};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{Problems, Read, Value};
use crate::ports::{JobProfile, Ports, Settings, Weight, read_only_in, statement_in};
use crate::{Error, KbArticleId};

/// Maximum length of a query, in characters.
const MAX_LENGTH: usize = 200;
/// The number of hits by default.
pub const DEFAULT_LIMIT: u32 = 10;
/// The maximum number of hits.
pub const MAX_LIMIT: u32 = 50;

/// A search query: an article must contain all of the words; the last one may be a prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbQuery {
    words: Vec<String>,
}

impl KbQuery {
    /// Parses the query parameter and collects its errors.
    pub fn parse(field: &str, text: Option<&str>, problems: &mut Problems) -> Option<Self> {
        let text = text.unwrap_or_default().trim();
        if text.is_empty() {
            problems.shape(field, "required", format!("{field} is required and must not be blank"));
            return None;
        }
        if text.chars().count() > MAX_LENGTH {
            problems.shape(field, "too_long", format!("must be at most {MAX_LENGTH} characters long"));
            return None;
        }
        let text = searchable(text);
        let words = text.split(|character: char| character.is_whitespace() || character.is_control());
        let words = words.filter(|word| word.chars().any(char::is_alphanumeric)).map(ToOwned::to_owned).collect();
        Some(Self { words })
    }

    /// The words in lower case; empty if the text has neither letters nor digits.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

impl Value for KbQuery {
    fn schema() -> Json {
        let mut schema = text_schema(MAX_LENGTH);
        schema["pattern"] = json!(r"[^\s\u0085]");
        schema
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else {
            problems.shape(at, "invalid_type", "must be a string");
            return Read::Invalid;
        };
        Self::parse(at, Some(&text), problems).map_or(Read::Invalid, Read::Value)
    }
}

/// Parses the number of hits. An invalid one is an error and never clamped.
pub fn parse_limit(text: Option<&str>, problems: &mut Problems) -> u32 {
    let Some(text) = text else { return DEFAULT_LIMIT };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten().filter(|number| (1..=MAX_LIMIT).contains(number));
    number.unwrap_or_else(|| {
        problems.shape("limit", "invalid_value", format!("must be an integer from 1 to {MAX_LIMIT}"));
        DEFAULT_LIMIT
    })
}

/// An article found by the store.
#[derive(Debug, Clone, PartialEq)]
pub struct KbMatch {
    pub id: KbArticleId,
    pub title: String,
    pub slug: String,
    /// The plain text of its body, in one line.
    pub text: String,
    /// The relevance, from 0 to 1.
    pub score: f32,
    /// The words of the article that match the query, folded (see `kb_fold`).
    pub forms: Vec<String>,
}

/// A search hit as shown in the API.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KbHit {
    /// The article's id.
    pub id: KbArticleId,
    /// Its title, as text.
    pub title: String,
    /// Its name in URLs.
    pub slug: String,
    /// A part of its body as HTML; `<mark>` around matches is the only tag.
    pub excerpt: String,
    /// The URL of the article for readers.
    pub url: String,
    /// The relevance, from 0 to 1; comparable only within one response.
    pub score: f32,
}

/// The maximum number of listed articles, the newest ones. Older ones are found by searching.
pub const MAX_LISTED: u32 = 500;
/// The maximum number of tags that are listed with an article, so that one with many tags does not make the list long.
pub const MAX_LISTED_TAGS: u32 = 10;

/// A published article in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedArticle {
    pub title: String,
    pub slug: String,
    /// Its first tags, at most [`MAX_LISTED_TAGS`].
    pub tags: Vec<String>,
}

/// The address of an article for readers: its page in the help centre.
pub(crate) fn address(settings: &Settings, workspace: &str, slug: &str) -> String {
    format!("{}/kb/{workspace}/{slug}", settings.public_url.trim_end_matches('/'))
}

/// The best matching published articles, best first.
///
/// # Errors
/// [`Error::SearchTooSlow`], and those of the store.
pub async fn search(ports: &Ports, permit: &Permit<SearchKb>, query: KbQuery, limit: u32) -> Result<Vec<KbHit>, Error> {
    let holder = permit.credential().map(Credential::holder);
    search_in(ports, permit.workspace(), holder, query, limit).await
}

/// Like [`search`], for callers that need no permit. A search without results is recorded, which takes one more statement.
pub(crate) async fn search_in(
    ports: &Ports,
    workspace: &Workspace,
    holder: Option<Uuid>,
    query: KbQuery,
    limit: u32,
) -> Result<Vec<KbHit>, Error> {
    if query.words.is_empty() {
        return Ok(Vec::new());
    }
    let (limit, now) = (limit.min(MAX_LIMIT), ports.clock.now());
    // Excerpts of many long articles take a while, so they are made on a blocking thread.
    let with_excerpts = |found: Vec<KbMatch>| {
        let excerpt = |it: &KbMatch| excerpt(&it.text, &it.forms);
        found.into_iter().map(|it| (excerpt(&it), it)).collect::<Vec<_>>()
    };
    let missed = MissedTerm::of(&query);
    let profile = JobProfile { holder, weight: Weight::Search };
    let found = read_only_in(ports, workspace.id, profile, move |tx| {
        Ok(with_excerpts(tx.kb_articles().search(&query, limit)?))
    })
    .await?;
    if let Some(term) = missed.filter(|_| found.is_empty()) {
        statement_in(ports, workspace.id, move |tx| Ok(tx.kb_articles().note_missed_search(&term, now)?)).await?;
    }
    let show = |(excerpt, it): (String, KbMatch)| KbHit {
        id: it.id,
        excerpt,
        url: address(&ports.settings, &workspace.slug, &it.slug),
        title: it.title,
        slug: it.slug,
        score: it.score,
    };
    Ok(found.into_iter().map(show).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: Option<&str>) -> Result<Vec<String>, &'static str> {
        let mut problems = Problems::default();
        let query = KbQuery::parse("q", text, &mut problems);
        match problems.into_result() {
            Ok(()) => Ok(query.map(|query| query.words).unwrap_or_default()),
            Err(error) => Err(error.details()[0].code),
        }
    }

    #[test]
    fn queries_are_bounded_and_split_into_words() {
        assert_eq!(parsed(Some(" Reset  my\u{0}pass & word's ")).unwrap(), ["reset", "my", "pass", "word's"]);
        assert_eq!(parsed(Some("& -")).unwrap(), Vec::<String>::new());
        assert_eq!((parsed(None), parsed(Some("  "))), (Err("required"), Err("required")));
        assert!(parsed(Some(&"ä".repeat(200))).is_ok());
        assert_eq!(parsed(Some(&"ä".repeat(201))), Err("too_long"));
    }

    #[test]
    fn limits_are_never_clamped() {
        for (text, limit) in
            [(None, Some(10)), (Some("1"), Some(1)), (Some("50"), Some(50)), (Some("51"), None), (Some("0"), None)]
                .into_iter()
                .chain(["", "+1", "-1", "1.0", "99999999999"].map(|bad| (Some(bad), None)))
        {
            let mut problems = Problems::default();
            let read = parse_limit(text, &mut problems);
            assert_eq!(problems.into_result().is_ok().then_some(read), limit, "{text:?}");
        }
    }
}
