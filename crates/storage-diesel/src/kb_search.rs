//! Searching the knowledge base (docs/adr/0014): how the words are asked for, and which articles are looked at.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};
use diesel::sql_types::{Array, BigInt, Float, Nullable, Text, Uuid as SqlUuid};
use domain::KbArticleId;
use domain::kb::{KbMatch, KbQuery};
use domain::ports::StoreError;
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::schema::types::Tsvector;
use crate::tx::PgTx;

/// How many of the newest articles are looked through before the index is asked.
const HEAD: u32 = 100;
/// With so many of them in the head, those with the words in their titles are too many to ask the index for.
const COMMON_IN_TITLES: u32 = 5;
/// How many of those that the index finds by their titles are ranked.
const RANKED_TITLES: u32 = 50;
/// How many of those that the index finds by all of their words are ranked; no fewer than may be asked for.
const RANKED: u32 = 100;
/// Lexemes are indexed up to this many characters.
const MAX_LEXEME: usize = 64;
/// Shorter beginnings are not asked of the index beside other words: it would collect nearly everything.
const MIN_START: usize = 3;
/// A place of a tsvector that stands for all that come behind.
const LAST_PLACE: u16 = 16_383;

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
pub(crate) struct Asked {
    /// All words, anywhere.
    words: String,
    /// All words, in title and tags.
    titles: String,
    /// Words as the index has them; a first cut.
    words_key: String,
    /// Words as the index has those of title and tags.
    titles_key: String,
    terms: Vec<Term>,
}

impl Asked {
    /// None where nothing is left to ask for. A word that the language leaves out as too common says nothing beside
    /// others; alone, it may be the beginning of a longer one.
    fn of(workspace: Uuid, mut terms: Vec<Term>) -> Option<Self> {
        terms.retain(|term| !term.forms.is_empty());
        if terms.iter().any(|term| !term.stems.is_empty()) {
            terms.retain(|term| !term.stems.is_empty());
        }
        let indexed: Vec<_> = terms.iter().filter(|term| terms.len() == 1 || !term.is_short()).cloned().collect();
        let all = |terms: &[Term], start: &str, weights: &str| {
            let texts: Vec<_> = terms.iter().map(|term| term.query(start, weights)).collect();
            texts.join(" & ")
        };
        let text = workspace.to_string();
        let key = text.get(28..)?;
        (!terms.is_empty()).then(|| Self {
            words: all(&terms, "", ""),
            titles: all(&terms, "", "AB"),
            words_key: all(&indexed, &format!("{key}w"), ""),
            titles_key: all(&indexed, &format!("{key}t"), ""),
            terms,
        })
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

    fn is_met_by(&self, lexeme: &str) -> bool {
        let mut own = self.stems.iter().chain(&self.forms);
        own.any(|wanted| lexeme == wanted || (self.starts && lexeme.starts_with(wanted)))
    }
}

/// The words of an article with their places, as Postgres sends a tsvector.
#[derive(Debug, FromSqlRow)]
pub(crate) struct Placed(Vec<u8>);

impl FromSql<Tsvector, Pg> for Placed {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(value.as_bytes().to_vec()))
    }
}

/// Walks over a tsvector: their number, then each lexeme up to a NUL, the number of its places, and these.
struct Walk<'p> {
    left: u32,
    rest: &'p [u8],
}

impl<'p> Iterator for Walk<'p> {
    type Item = (&'p str, &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let end = self.rest.iter().position(|byte| *byte == 0)?;
        let lexeme = std::str::from_utf8(&self.rest[..end]).ok()?;
        let (count, behind) = self.rest[end + 1..].split_first_chunk()?;
        let (places, rest) = behind.split_at_checked(2 * usize::from(u16::from_be_bytes(*count)))?;
        self.rest = rest;
        Some((lexeme, places))
    }
}

/// The places of a lexeme; their upper bits are weights.
fn numbers(places: &[u8]) -> impl Iterator<Item = u16> {
    places.as_chunks().0.iter().map(|place| u16::from_be_bytes(*place) & LAST_PLACE)
}

impl Placed {
    fn walk(&self) -> Walk<'_> {
        match self.0.split_first_chunk() {
            Some((left, rest)) => Walk { left: u32::from_be_bytes(*left), rest },
            None => Walk { left: 0, rest: &[] },
        }
    }

    /// The words that were asked for as the article has them: with a stem goes the form that stands at its place.
    fn forms(&self, asked: &Asked) -> Vec<String> {
        let met = |lexeme: &str| asked.terms.iter().any(|term| term.is_met_by(lexeme));
        let meeting = self.walk().filter(|(lexeme, _)| met(lexeme));
        let mut places: Vec<u16> = meeting.flat_map(|(_, places)| numbers(places)).collect();
        places.sort_unstable();
        let stands_there = |place: u16| place != LAST_PLACE && places.binary_search(&place).is_ok();
        let forms = self.walk().filter(|(lexeme, own)| numbers(own).any(stands_there) || met(lexeme));
        forms.map(|(lexeme, _)| lexeme.to_owned()).collect()
    }
}

/// What the words of a search are to the workspace's language. What is cut apart in an article is here, too, and of that
/// the last alone may be the beginning of a word.
fn terms(tx: &mut PgTx<'_>, query: &KbQuery) -> Result<Vec<Term>, StoreError> {
    let sql = CachedSql::<(Array<Text>, Array<Text>)>::new(
        "SELECT tsvector_to_array(to_tsvector(('pg_catalog.' || kb_language)::regconfig, word)), \
         tsvector_to_array(to_tsvector('pg_catalog.simple', kb_fold(word))) FROM workspaces CROSS JOIN unnest(",
    );
    let sql = sql.bind::<Array<Text>, _>(query.words().to_vec()).text(
        ") WITH ORDINALITY AS asked (text, place) \
         CROSS JOIN LATERAL unnest(string_to_array(kb_bare(text), ' ')) WITH ORDINALITY AS cut (word, part) WHERE id = ",
    );
    let sql = sql.bind::<SqlUuid, _>(tx.workspace);
    let rows: Vec<(Vec<String>, Vec<String>)> = tx.load(sql.text(" ORDER BY place, part"))?;
    let last = rows.iter().rposition(|(_, forms)| !forms.is_empty());
    let numbered = rows.into_iter().enumerate();
    Ok(numbered.map(|(place, (stems, forms))| Term { stems, forms, starts: Some(place) == last }).collect())
}

type Found = (SqlUuid, Text, Text, Nullable<Text>, Float, Tsvector);

pub(crate) fn search(tx: &mut PgTx<'_>, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError> {
    let terms = terms(tx, query)?;
    let Some(asked) = Asked::of(tx.workspace, terms) else { return Ok(Vec::new()) };
    let rows: Vec<(Uuid, String, String, Option<String>, f32, Placed)> =
        tx.load(search_query(tx.workspace, &asked, limit))?;
    let found = |(id, title, slug, body, score, words): (Uuid, _, _, _, _, Placed)| KbMatch {
        id: KbArticleId(id),
        title,
        slug,
        body,
        score,
        forms: words.forms(&asked),
    };
    Ok(rows.into_iter().map(found).collect())
}

/// First a look through the newest. Where they have few titles with the words, the index is asked for such titles;
/// where that is less than was asked for, for the words anywhere. So the index is never asked for what nearly every
/// article has, and what is ranked is bounded.
pub(crate) fn search_query(workspace: Uuid, asked: &Asked, limit: u32) -> CachedSql<Found> {
    let ranked = |sql: CachedSql<Found>| {
        sql.text("ts_rank_cd('{0.05,0.05,0.3,1}', words, ").bind::<Text, _>(asked.words.clone()).text("::tsquery, 33)")
    };
    let public = |sql: CachedSql<Found>| {
        let sql = sql.text(" FROM kb_articles WHERE workspace_id = ").bind::<SqlUuid, _>(workspace);
        sql.text(" AND status = 'published' AND deleted_at IS NULL")
    };
    let matching = |sql: CachedSql<Found>, words: &str| {
        sql.text(" AND words @@ ").bind::<Text, _>(words.to_owned()).text("::tsquery")
    };
    let indexed = |sql: CachedSql<Found>, key: &str, words: &str| {
        let sql = public(ranked(sql.text(" AS MATERIALIZED (SELECT id, created_at, ")).text(" AS score"));
        let sql =
            sql.text(" AND kb_lexemes(workspace_id, words) @@ ").bind::<Text, _>(key.to_owned()).text("::tsquery");
        matching(sql, words)
    };
    let sql = CachedSql::new("WITH head AS MATERIALIZED (SELECT id, created_at, CASE WHEN words @@ ");
    let sql = ranked(sql.bind::<Text, _>(asked.words.clone()).text("::tsquery THEN ")).text(" END AS score, words @@ ");
    let sql = public(sql.bind::<Text, _>(asked.titles.clone()).text("::tsquery AS titled"));
    let sql = sql.built(format!(" ORDER BY created_at DESC, id DESC LIMIT {HEAD}), titled"));
    let sql = indexed(sql, &asked.titles_key, &asked.titles).built(format!(
        " AND (SELECT count(*) = {HEAD} AND count(*) FILTER (WHERE titled) < {COMMON_IN_TITLES} FROM head) \
         LIMIT {RANKED_TITLES}), early AS MATERIALIZED (SELECT id, created_at, score FROM head WHERE score IS NOT NULL \
         UNION SELECT id, created_at, score FROM titled), late"
    ));
    let sql = indexed(sql, &asked.words_key, &asked.words);
    let sql = sql.built(format!(" AND (SELECT count(*) = {HEAD} FROM head) AND (SELECT count(*) FROM early) < "));
    let sql = sql.bind::<BigInt, _>(i64::from(limit)).built(format!(
        " LIMIT {RANKED}), best AS (SELECT * FROM early UNION SELECT * FROM late \
         ORDER BY score DESC, created_at DESC, id DESC LIMIT "
    ));
    let sql = sql.bind::<BigInt, _>(i64::from(limit)).text(
        ") SELECT kb_articles.id, title, slug, body, best.score, words FROM best JOIN kb_articles \
         ON kb_articles.id = best.id AND workspace_id = ",
    );
    let sql = sql.bind::<SqlUuid, _>(workspace);
    sql.text(" ORDER BY best.score DESC, best.created_at DESC, best.id DESC")
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
        let asked = Asked::of(WORKSPACE, terms).unwrap();
        assert_eq!(asked.words, "(('studi') | ('studies')) & ('run':*)");
        assert_eq!(asked.titles, "(('studi':AB) | ('studies':AB)) & ('run':*AB)");
        assert_eq!(asked.words_key, "(('000000abwstudi') | ('000000abwstudies')) & ('000000abwrun':*)");
        assert_eq!(asked.titles_key, "(('000000abtstudi') | ('000000abtstudies')) & ('000000abtrun':*)");
    }

    #[test]
    fn what_is_too_common_counts_only_alone_and_short_beginnings_do_not_ask_the_index() {
        let the = || term(&[], &["the"], true);
        assert_eq!(Asked::of(WORKSPACE, vec![the()]).unwrap().words, "('the':*)");
        let key = term(&["key"], &["key"], false);
        assert_eq!(Asked::of(WORKSPACE, vec![key.clone(), the()]).unwrap().words, "('key')");
        let asked = Asked::of(WORKSPACE, vec![key, term(&["d"], &["d"], true)]).unwrap();
        assert_eq!((asked.words.as_str(), asked.words_key.as_str()), ("('key') & ('d':*)", "('000000abwkey')"));
        assert_eq!(Asked::of(WORKSPACE, vec![term(&[], &[], true)]), None);
    }

    #[test]
    fn hostile_lexemes_stay_lexemes_and_long_ones_are_cut_for_the_index() {
        let long = "'".repeat(70);
        let asked = Asked::of(WORKSPACE, vec![term(&[r"o'b\r"], &[&long], true)]).unwrap();
        assert_eq!(asked.words, format!(r"(('o''b\\r':*) | ('{}':*))", "''".repeat(70)));
        assert_eq!(asked.words_key, format!(r"(('000000abwo''b\\r':*) | ('000000abw{}':*))", "''".repeat(64)));
    }

    #[test]
    fn a_form_is_found_by_the_place_of_its_stem() {
        let words =
            [("run", vec![3, 9]), ("running", vec![3]), ("ran", vec![9]), ("far", vec![4]), ("end", vec![LAST_PLACE])];
        let mut bytes = 5_u32.to_be_bytes().to_vec();
        for (lexeme, places) in words {
            bytes.extend(lexeme.as_bytes());
            bytes.extend([0, 0, u8::try_from(places.len()).unwrap()]);
            // A weight is no part of the place.
            bytes.extend(places.iter().flat_map(|place: &u16| (place | 0xC000).to_be_bytes()));
        }
        let cut = Placed(bytes[..bytes.len() - 1].to_vec());
        let placed = Placed(bytes);
        let asked = Asked::of(WORKSPACE, vec![term(&["run"], &["runs"], false), term(&["en"], &["en"], true)]).unwrap();
        assert_eq!(placed.forms(&asked), ["run", "running", "ran", "end"]);
        assert_eq!(cut.forms(&asked), ["run", "running", "ran"]);
        assert_eq!(Placed(Vec::new()).forms(&asked), Vec::<String>::new());
    }
}
