//! Full-text search of the knowledge base (docs/adr/0014): how terms are matched, and which articles are ranked.

use diesel::sql_types::{Array, Float, Nullable, Text, Uuid as SqlUuid};
use domain::KbArticleId;
use domain::kernel::search::is_lone_character;
use domain::ports::StoreError;
use domain::support::kb::{KbMatch, KbQuery, MAX_LIMIT, plain_text, query_words};
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::types::Tsvector;
use crate::support::tsvector::{PositionedLexemes, SearchLexemes};

/// How many of the newest articles are scanned before the index is used.
const HEAD: u32 = 100;
/// With this many title matches in the head, titles match too often to use the index.
const COMMON_IN_TITLES: u32 = 5;
/// How many matches of each index lookup are ranked, unless the request asks for more.
const RANKED: u32 = 25;
/// With this many matches in the head, the words are too common to use the index: the next newest articles are scanned first.
const COMMON: u32 = 3;
/// Maximum number of the next newest articles that are scanned.
const MAX_NEXT_NEWEST: u32 = 300;
/// The score of an article: title before tags before body, scaled below 1.
const RANK: &str = "ts_rank_cd('{0.05,0.05,0.3,1}', words, (SELECT words FROM asked), 33)";
/// Lexemes in the index are cut to this many characters.
const MAX_LEXEME: usize = 64;
/// Shorter prefixes are not looked up in the index together with other words: they would match nearly everything.
const MIN_START: usize = 3;

/// A search term as its stems and as its word forms: lower case, without accents.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    stems: Vec<String>,
    forms: Vec<String>,
    /// Whether the term may be a prefix.
    starts: bool,
}

/// The tsqueries of a search, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchTerms {
    /// All terms, anywhere.
    words: String,
    /// All terms, in title and tags.
    titles: String,
    /// The queries for the index: first for whole words, then for prefixes.
    index: IndexKeys,
    /// Whether the index must collect all matches of the last prefix, to intersect them with the other terms.
    has_prefix_beside_words: bool,
    terms: Vec<Term>,
}

/// The tsqueries for the index, which preselects.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IndexKeys {
    whole_words: String,
    words: String,
    whole_titles: String,
    titles: String,
}

impl SearchTerms {
    /// `None` if no term is left. Stop words are ignored if there are other terms; otherwise they are searched for.
    fn of(workspace: Uuid, mut terms: Vec<Term>) -> Option<Self> {
        terms.retain(|term| !term.forms.is_empty());
        if terms.iter().any(|term| !term.stems.is_empty()) {
            terms.retain(|term| !term.stems.is_empty());
        }
        let mut startable: Vec<_> = terms.iter().filter(|term| terms.len() == 1 || !term.is_short()).cloned().collect();
        if startable.is_empty() {
            startable.clone_from(&terms);
        }
        let whole_terms: Vec<_> = terms.iter().map(Term::as_whole).collect();
        let join = |terms: &[Term], start: &str, weights: &str| {
            let texts: Vec<_> = terms.iter().map(|term| term.query(start, weights)).collect();
            texts.join(" & ")
        };
        let text = workspace.to_string();
        let key = text.get(28..)?;
        (!terms.is_empty()).then(|| Self {
            words: join(&terms, "", ""),
            titles: join(&terms, "", "AB"),
            index: IndexKeys {
                whole_words: join(&whole_terms, &format!("{key}w"), ""),
                words: join(&startable, &format!("{key}w"), ""),
                whole_titles: join(&whole_terms, &format!("{key}t"), ""),
                titles: join(&startable, &format!("{key}t"), ""),
            },
            has_prefix_beside_words: terms.len() > 1 && terms.iter().any(|term| term.starts && !term.is_short()),
            terms,
        })
    }

    /// Combines two queries with OR.
    fn or(self, other: Self) -> Self {
        let either = |one: &str, other: &str| format!("({one}) | ({other})");
        Self {
            words: either(&self.words, &other.words),
            titles: either(&self.titles, &other.titles),
            index: IndexKeys {
                whole_words: either(&self.index.whole_words, &other.index.whole_words),
                words: either(&self.index.words, &other.index.words),
                whole_titles: either(&self.index.whole_titles, &other.index.whole_titles),
                titles: either(&self.index.titles, &other.index.titles),
            },
            terms: [self.terms, other.terms].concat(),
            ..self
        }
    }

    /// The lexemes to find in an article for the excerpt.
    fn search_lexemes(&self) -> SearchLexemes<'_> {
        let lexemes = |term| Term::lexemes(term).map(|lexeme| (lexeme.as_bytes(), term.starts));
        SearchLexemes::of(self.terms.iter().flat_map(lexemes))
    }

    /// For tests of the query plan.
    #[cfg(test)]
    pub(crate) fn for_plan(workspace: Uuid, words: &[&str]) -> Option<Self> {
        let lexemes = |word: &str| vec![word.to_owned()];
        let count = words.len();
        let term = |(index, word): (usize, &&str)| Term {
            stems: lexemes(word),
            forms: lexemes(word),
            starts: index + 1 == count,
        };
        Self::of(workspace, words.iter().enumerate().map(term).collect())
    }
}

impl Term {
    fn lexemes(&self) -> impl Iterator<Item = &String> {
        self.stems.iter().chain(&self.forms)
    }

    fn as_whole(&self) -> Self {
        Self { starts: false, ..self.clone() }
    }

    fn is_short(&self) -> bool {
        self.starts && self.forms.iter().all(|form| form.chars().count() < MIN_START)
    }

    /// Matches all stems or all forms: a word may be split into several.
    fn query(&self, start: &str, weights: &str) -> String {
        let mark = match (self.starts, weights) {
            (false, "") => String::new(),
            (starts, weights) => format!(":{}{weights}", if starts { "*" } else { "" }),
        };
        // Only quotes and backslashes are special between quotes; doubling escapes them.
        let quoted = |lexeme: &String| {
            let cut: String = if start.is_empty() { lexeme.clone() } else { lexeme.chars().take(MAX_LEXEME).collect() };
            format!("'{start}{}'{mark}", cut.replace('\\', "\\\\").replace('\'', "''"))
        };
        let all_of = |lexemes: &[String]| format!("({})", lexemes.iter().map(quoted).collect::<Vec<_>>().join(" & "));
        match (self.stems.is_empty(), self.stems == self.forms) {
            (false, false) => format!("({} | {})", all_of(&self.stems), all_of(&self.forms)),
            _ => all_of(&self.forms),
        }
    }
}

/// Parses words with the workspace's text search configuration, split as in articles. Only the last part may be a prefix, and so
/// may a single character of a script without spaces between words, which may begin a pair.
fn terms(tx: &mut PgTx<'_>, words: Vec<String>) -> Result<Vec<Term>, StoreError> {
    // The subquery hides the number of words from the planner, which would otherwise plan for it each time.
    let sql = sql!(
        "SELECT tsvector_to_array(to_tsvector(('pg_catalog.' || kb_language)::regconfig, word)),
             tsvector_to_array(to_tsvector('pg_catalog.simple', kb_fold(word)))
         FROM workspaces
         CROSS JOIN unnest((SELECT $2::text[])) WITH ORDINALITY AS asked (text, place)
         CROSS JOIN LATERAL unnest(string_to_array(kb_bare(text), ' ')) WITH ORDINALITY AS cut (word, part)
         WHERE id = $1
         ORDER BY place, part"
    );
    let sql = sql.returns::<(Array<Text>, Array<Text>)>().bind(tx.workspace);
    let rows: Vec<(Vec<String>, Vec<String>)> = tx.load(sql.bind(words))?;
    let last = rows.iter().rposition(|(_, forms)| !forms.is_empty());
    let term = |(index, (stems, forms)): (usize, (Vec<String>, Vec<String>))| {
        let starts = Some(index) == last || forms.iter().any(|form| is_lone_character(form));
        Term { stems, forms, starts }
    };
    Ok(rows.into_iter().enumerate().map(term).collect())
}

/// The query; `None` if it is empty.
fn search_terms(tx: &mut PgTx<'_>, query: &KbQuery) -> Result<Option<SearchTerms>, StoreError> {
    let cut: Vec<_> = query.words().iter().map(|word| query_words(word)).collect();
    let is_cut = cut != query.words();
    let terms_of_cut = terms(tx, cut)?;
    let Some(current) = SearchTerms::of(tx.workspace, terms_of_cut) else { return Ok(None) };
    if !is_cut {
        return Ok(Some(current));
    }
    // Articles that are not reindexed yet have each run of characters as a single word.
    let terms_of_runs = terms(tx, query.words().to_vec())?;
    Ok(Some(match SearchTerms::of(tx.workspace, terms_of_runs) {
        Some(former) => current.or(former),
        None => current,
    }))
}

/// Id, title, slug, the displayed text of a long body, otherwise the body, score and search vector.
type HitRow = (Uuid, String, String, Option<String>, Option<String>, f32, PositionedLexemes);
type HitColumns = (SqlUuid, Text, Text, Nullable<Text>, Nullable<Text>, Float, Tsvector);

pub(crate) fn search(tx: &mut PgTx<'_>, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError> {
    let Some(terms) = search_terms(tx, query)? else { return Ok(Vec::new()) };
    let rows: Vec<HitRow> = tx.load(search_query(tx.workspace, &terms, limit))?;
    let lexemes = terms.search_lexemes();
    let to_match = |(id, title, slug, shown, body, score, words): HitRow| KbMatch {
        id: KbArticleId(id),
        title,
        slug,
        text: shown.unwrap_or_else(|| plain_text(body.as_deref().unwrap_or_default())),
        score,
        forms: words.forms(&lexemes),
    };
    Ok(rows.into_iter().map(to_match).collect())
}

/// The statement of a search: `$1` is the workspace, `$2` the limit, `$3` the number of whole-word matches below which
/// prefixes are looked up too, and `$4` onwards are [`SearchTerms`].
///
/// The queries are columns of one row: a cast at the place of use would parse the text again for each article.
macro_rules! search_sql {
    ($ranked:expr) => {
        sql!(
            "WITH asked AS MATERIALIZED (
                 SELECT $4::text::tsquery AS words, $5::text::tsquery AS titles,
                     $6::text::tsquery AS whole_titles_key, $7::text::tsquery AS titles_key,
                     $8::text::tsquery AS whole_words_key, $9::text::tsquery AS words_key
             ), head AS MATERIALIZED (
                 SELECT id, created_at, CASE WHEN words @@ (SELECT words FROM asked) THEN {RANK} END AS score,
                     words @@ (SELECT titles FROM asked) AS titled
                 FROM kb_articles
                 WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                 ORDER BY created_at DESC, id DESC LIMIT {HEAD}
             ), titled AS MATERIALIZED (
                 SELECT id, created_at, {RANK} AS score FROM kb_articles
                 WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                     AND kb_lexemes(workspace_id, words) @@ (SELECT whole_titles_key FROM asked)
                     AND words @@ (SELECT titles FROM asked)
                     AND (SELECT count(*) = {HEAD} AND count(*) FILTER (WHERE titled) < {COMMON_IN_TITLES} FROM head)
                 LIMIT {ranked}
             ), begun AS MATERIALIZED (
                 SELECT id, created_at, {RANK} AS score FROM kb_articles
                 WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                     AND kb_lexemes(workspace_id, words) @@ (SELECT titles_key FROM asked)
                     AND words @@ (SELECT titles FROM asked)
                     AND (SELECT count(*) = {HEAD} AND count(*) FILTER (WHERE titled) < {COMMON_IN_TITLES} FROM head)
                     AND (SELECT count(*) FROM titled) < $3
                 LIMIT {ranked}
             ), early AS MATERIALIZED (
                 SELECT id, created_at, score FROM head WHERE score IS NOT NULL
                 UNION SELECT * FROM titled
                 UNION SELECT * FROM begun
             ), further AS MATERIALIZED (
                 SELECT id, created_at, {RANK} AS score
                 FROM (
                     SELECT id, created_at, words FROM kb_articles
                     WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                     ORDER BY created_at DESC, id DESC LIMIT {MAX_NEXT_NEWEST} OFFSET {HEAD}
                 ) AS next
                 WHERE words @@ (SELECT words FROM asked)
                     AND (SELECT count(*) = {HEAD} AND count(score) >= {COMMON} FROM head)
                     AND (SELECT count(*) FROM early) < $2
                 LIMIT $2
             ), late AS MATERIALIZED (
                 SELECT id, created_at, {RANK} AS score FROM kb_articles
                 WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                     AND kb_lexemes(workspace_id, words) @@ (SELECT whole_words_key FROM asked)
                     AND words @@ (SELECT words FROM asked)
                     AND (SELECT count(*) = {HEAD} FROM head)
                     AND (SELECT count(*) FROM (SELECT FROM early UNION ALL SELECT FROM further) AS found) < $2
                 LIMIT {ranked}
             ), latest AS MATERIALIZED (
                 SELECT id, created_at, {RANK} AS score FROM kb_articles
                 WHERE workspace_id = $1 AND status = 'published' AND deleted_at IS NULL
                     AND kb_lexemes(workspace_id, words) @@ (SELECT words_key FROM asked)
                     AND words @@ (SELECT words FROM asked)
                     AND (SELECT count(*) = {HEAD} FROM head)
                     AND (
                         SELECT count(*)
                         FROM (SELECT FROM early UNION ALL SELECT FROM further UNION ALL SELECT FROM late) AS found
                     ) < $3
                 LIMIT {ranked}
             ), best AS (
                 SELECT * FROM early
                 UNION SELECT * FROM further
                 UNION SELECT * FROM late
                 UNION SELECT * FROM latest
                 ORDER BY score DESC, created_at DESC, id DESC LIMIT $2
             )
             SELECT kb_articles.id, title, slug, shown, CASE WHEN shown IS NULL THEN body END, best.score, words
             FROM best JOIN kb_articles ON kb_articles.id = best.id AND workspace_id = $1
             ORDER BY best.score DESC, best.created_at DESC, best.id DESC",
            ranked = $ranked
        )
    };
}

/// First scans the newest articles. If few of them match in the title, it queries the index for title matches. If there are
/// fewer than the limit, it queries the index for matches anywhere, unless matches are common and scanning some more of the
/// newest articles suffices. Both times whole words come before prefixes; prefixes next to other words are used only if
/// whole words found nothing. So the index is never queried for words in nearly every article, and the ranked set is bounded.
pub(crate) fn search_query(workspace: Uuid, terms: &SearchTerms, limit: u32) -> Statement<HitColumns> {
    let sql = if limit <= RANKED { search_sql!(RANKED) } else { search_sql!(MAX_LIMIT) };
    let enough_whole = if terms.has_prefix_beside_words { 1 } else { limit };
    let sql = sql.returns().bind(workspace).bind(i64::from(limit)).bind(i64::from(enough_whole));
    let sql = sql.bind(terms.words.clone()).bind(terms.titles.clone());
    let IndexKeys { whole_words, words, whole_titles, titles } = terms.index.clone();
    sql.bind(whole_titles).bind(titles).bind(whole_words).bind(words)
}

#[cfg(test)]
mod tests;
