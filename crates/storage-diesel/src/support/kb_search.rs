//! Searching the knowledge base (docs/adr/0014): how the words are asked for, and which articles are looked at.

use diesel::sql_types::{Array, BigInt, Float, Nullable, Text, Uuid as SqlUuid};
use domain::KbArticleId;
use domain::ports::StoreError;
use domain::support::kb::{KbMatch, KbQuery, MAX_LIMIT, plain_text};
use uuid::Uuid;

use crate::schema::types::Tsvector;
use crate::statement::{Statement, sql};
use crate::support::tsvector::{PositionedLexemes, SearchLexemes};
use crate::tx::PgTx;

/// How many of the newest articles are looked through before the index is asked.
const HEAD: u32 = 100;
/// With so many of them in the head, those with the words in their titles are too many to ask the index for.
const COMMON_IN_TITLES: u32 = 5;
/// How many of those that the index finds at a time are ranked, where no more are asked for.
const RANKED: u32 = 25;
/// With so many of them in the head, there are too many to ask the index for: the next newest are looked through first.
const COMMON: u32 = 3;
/// How many of the next newest are looked through at the most.
const FURTHER: u32 = 300;
/// How well an article fits: title before tags before body, brought below 1.
const RANK: &str = "ts_rank_cd('{0.05,0.05,0.3,1}', words, (SELECT words FROM asked), 33)";
/// Lexemes are indexed up to this many characters.
const MAX_LEXEME: usize = 64;
/// Shorter beginnings are not asked of the index beside other words: it would collect nearly everything.
const MIN_START: usize = 3;

/// A word of a search as its stems, and as its forms: lower case, without accents.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    stems: Vec<String>,
    forms: Vec<String>,
    /// Whether it may be the beginning of a word.
    starts: bool,
}

/// What an article must have, as the texts of tsqueries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchTerms {
    /// All words, anywhere.
    words: String,
    /// All words, in title and tags.
    titles: String,
    /// The same for the index, which is asked for whole words before it is asked for beginnings.
    index: IndexKeys,
    terms: Vec<Term>,
}

/// What the index is asked for; a first cut.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IndexKeys {
    whole_words: String,
    words: String,
    whole_titles: String,
    titles: String,
}

impl SearchTerms {
    /// None where nothing is left to ask for. A word that the language leaves out as too common says nothing beside
    /// others; alone, it may be the beginning of a longer one.
    fn of(workspace: Uuid, mut terms: Vec<Term>) -> Option<Self> {
        terms.retain(|term| !term.forms.is_empty());
        if terms.iter().any(|term| !term.stems.is_empty()) {
            terms.retain(|term| !term.stems.is_empty());
        }
        let startable: Vec<_> = terms.iter().filter(|term| terms.len() == 1 || !term.is_short()).cloned().collect();
        let whole: Vec<_> = terms.iter().map(Term::as_whole).collect();
        let all = |terms: &[Term], start: &str, weights: &str| {
            let texts: Vec<_> = terms.iter().map(|term| term.query(start, weights)).collect();
            texts.join(" & ")
        };
        let text = workspace.to_string();
        let key = text.get(28..)?;
        (!terms.is_empty()).then(|| Self {
            words: all(&terms, "", ""),
            titles: all(&terms, "", "AB"),
            index: IndexKeys {
                whole_words: all(&whole, &format!("{key}w"), ""),
                words: all(&startable, &format!("{key}w"), ""),
                whole_titles: all(&whole, &format!("{key}t"), ""),
                titles: all(&startable, &format!("{key}t"), ""),
            },
            terms,
        })
    }

    /// What stands in an article for what was asked for.
    fn wanted(&self) -> SearchLexemes<'_> {
        let lexemes = |term| Term::lexemes(term).map(|lexeme| (lexeme.as_bytes(), term.starts));
        SearchLexemes::of(self.terms.iter().flat_map(lexemes))
    }

    /// Whether the index has to collect all that begins with the last word, to compare it with what has the others.
    fn has_prefix_beside_words(&self) -> bool {
        self.terms.len() > 1 && self.terms.iter().any(|term| term.starts && !term.is_short())
    }

    /// For tests of the plan.
    #[cfg(test)]
    pub(crate) fn for_plan(workspace: Uuid, words: &[&str]) -> Option<Self> {
        let lexemes = |word: &str| vec![word.to_owned()];
        let count = words.len();
        let term = |(place, word): (usize, &&str)| Term {
            stems: lexemes(word),
            forms: lexemes(word),
            starts: place + 1 == count,
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

    /// All stems or all forms: a word may be cut into several.
    fn query(&self, start: &str, weights: &str) -> String {
        let mark = match (self.starts, weights) {
            (false, "") => String::new(),
            (starts, weights) => format!(":{}{weights}", if starts { "*" } else { "" }),
        };
        // Only quotes and backslashes mean something between quotes, and doubled they stand for themselves.
        let quoted = |lexeme: &String| {
            let cut: String = if start.is_empty() { lexeme.clone() } else { lexeme.chars().take(MAX_LEXEME).collect() };
            format!("'{start}{}'{mark}", cut.replace('\\', "\\\\").replace('\'', "''"))
        };
        let all = |lexemes: &[String]| format!("({})", lexemes.iter().map(quoted).collect::<Vec<_>>().join(" & "));
        match (self.stems.is_empty(), self.stems == self.forms) {
            (false, false) => format!("({} | {})", all(&self.stems), all(&self.forms)),
            _ => all(&self.forms),
        }
    }
}

/// What the words of a search are to the workspace's language. What is cut apart in an article is here, too, and of that
/// the last alone may be the beginning of a word.
fn terms(tx: &mut PgTx<'_>, query: &KbQuery) -> Result<Vec<Term>, StoreError> {
    // In a query of its own the words are not seen by the planner, who would plan for their number each time.
    let sql = sql!(
        "SELECT tsvector_to_array(to_tsvector(('pg_catalog.' || kb_language)::regconfig, word)),
             tsvector_to_array(to_tsvector('pg_catalog.simple', kb_fold(word)))
         FROM workspaces
         CROSS JOIN unnest((SELECT $2::text[])) WITH ORDINALITY AS asked (text, place)
         CROSS JOIN LATERAL unnest(string_to_array(kb_bare(text), ' ')) WITH ORDINALITY AS cut (word, part)
         WHERE id = $1
         ORDER BY place, part"
    );
    let sql = sql.returns::<(Array<Text>, Array<Text>)>().bind::<SqlUuid, _>(tx.workspace);
    let rows: Vec<(Vec<String>, Vec<String>)> = tx.load(sql.bind::<Array<Text>, _>(query.words().to_vec()))?;
    let last = rows.iter().rposition(|(_, forms)| !forms.is_empty());
    let numbered = rows.into_iter().enumerate();
    Ok(numbered.map(|(place, (stems, forms))| Term { stems, forms, starts: Some(place) == last }).collect())
}

/// Id, title, slug, what is shown of a long body or else the body, score and words.
type HitRow = (Uuid, String, String, Option<String>, Option<String>, f32, PositionedLexemes);
type HitColumns = (SqlUuid, Text, Text, Nullable<Text>, Nullable<Text>, Float, Tsvector);

pub(crate) fn search(tx: &mut PgTx<'_>, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError> {
    let terms = terms(tx, query)?;
    let Some(asked) = SearchTerms::of(tx.workspace, terms) else { return Ok(Vec::new()) };
    let rows: Vec<HitRow> = tx.load(search_query(tx.workspace, &asked, limit))?;
    let wanted = asked.wanted();
    let found = |(id, title, slug, shown, body, score, words): HitRow| KbMatch {
        id: KbArticleId(id),
        title,
        slug,
        text: shown.unwrap_or_else(|| plain_text(body.as_deref().unwrap_or_default())),
        score,
        forms: words.forms(&wanted),
    };
    Ok(rows.into_iter().map(found).collect())
}

/// The statement of a search: `$1` is the workspace, `$2` how many are wanted, `$3` fewer than how many whole words have to
/// have found before beginnings are asked for, and `$4` and those that follow are [`SearchTerms`].
///
/// The queries are values of one row: a cast in the place where a query is used would read its text again for each article.
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
                     ORDER BY created_at DESC, id DESC LIMIT {FURTHER} OFFSET {HEAD}
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

/// First a look through the newest. Where they have few titles with the words, the index is asked for such titles;
/// where that is less than was asked for, for the words anywhere, unless they are common and some more of the newest are
/// enough; both times for whole words before beginnings, and for beginnings beside other words where these found nothing.
/// So the index is never asked for what nearly every article has, and what is ranked is bounded.
pub(crate) fn search_query(workspace: Uuid, asked: &SearchTerms, limit: u32) -> Statement<HitColumns> {
    let sql = if limit <= RANKED { search_sql!(RANKED) } else { search_sql!(MAX_LIMIT) };
    let enough_whole = if asked.has_prefix_beside_words() { 1 } else { limit };
    let sql = sql.returns().bind::<SqlUuid, _>(workspace).bind::<BigInt, _>(i64::from(limit));
    let sql = sql.bind::<BigInt, _>(i64::from(enough_whole));
    let sql = sql.bind::<Text, _>(asked.words.clone()).bind::<Text, _>(asked.titles.clone());
    let IndexKeys { whole_words, words, whole_titles, titles } = asked.index.clone();
    let sql = sql.bind::<Text, _>(whole_titles).bind::<Text, _>(titles);
    sql.bind::<Text, _>(whole_words).bind::<Text, _>(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKSPACE: Uuid = Uuid::from_u128(0xAB);

    fn term(stems: &[&str], forms: &[&str], starts: bool) -> Term {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        Term { stems: texts(stems), forms: texts(forms), starts }
    }

    #[test]
    fn each_word_is_asked_for_by_stem_or_form() {
        let terms = vec![term(&["studi"], &["studies"], false), term(&["run"], &["run"], true)];
        let asked = SearchTerms::of(WORKSPACE, terms).unwrap();
        assert_eq!(asked.words, "(('studi') | ('studies')) & ('run':*)");
        assert_eq!(asked.titles, "(('studi':AB) | ('studies':AB)) & ('run':*AB)");
        let IndexKeys { whole_words, words, whole_titles, titles } = asked.index;
        assert_eq!(words, "(('000000abwstudi') | ('000000abwstudies')) & ('000000abwrun':*)");
        assert_eq!(whole_words, "(('000000abwstudi') | ('000000abwstudies')) & ('000000abwrun')");
        assert_eq!(titles, "(('000000abtstudi') | ('000000abtstudies')) & ('000000abtrun':*)");
        assert_eq!(whole_titles, "(('000000abtstudi') | ('000000abtstudies')) & ('000000abtrun')");
    }

    #[test]
    fn what_is_too_common_counts_only_alone_and_short_beginnings_do_not_ask_the_index() {
        let the = || term(&[], &["the"], true);
        assert_eq!(SearchTerms::of(WORKSPACE, vec![the()]).unwrap().words, "('the':*)");
        let key = term(&["key"], &["key"], false);
        assert_eq!(SearchTerms::of(WORKSPACE, vec![key.clone(), the()]).unwrap().words, "('key')");
        let asked = SearchTerms::of(WORKSPACE, vec![key, term(&["d"], &["d"], true)]).unwrap();
        assert_eq!((&*asked.words, &*asked.index.words), ("('key') & ('d':*)", "('000000abwkey')"));
        assert_eq!(asked.index.whole_words, "('000000abwkey') & ('000000abwd')");
        assert_eq!(SearchTerms::of(WORKSPACE, vec![term(&[], &[], true)]), None);
    }

    #[test]
    fn hostile_lexemes_stay_lexemes_and_long_ones_are_cut_for_the_index() {
        let long = "'".repeat(70);
        let asked = SearchTerms::of(WORKSPACE, vec![term(&[r"o'b\r"], &[&long], true)]).unwrap();
        assert_eq!(asked.words, format!(r"(('o''b\\r':*) | ('{}':*))", "''".repeat(70)));
        assert_eq!(asked.index.words, format!(r"(('000000abwo''b\\r':*) | ('000000abw{}':*))", "''".repeat(64)));
    }
}
