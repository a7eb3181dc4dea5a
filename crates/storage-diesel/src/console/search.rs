//! Search across all kinds of records: one statement with a part per kind.

use std::collections::BTreeMap;

use const_format::formatcp;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::console::{FoundComment, FoundRecord, MAX_RESULTS_PER_KIND, Names, RecordSearch, WantedNames};
use domain::kernel::IssueKind;
use domain::kernel::search::{Alternative, SearchQuery};
use domain::ports::{RecordSearchRepo, StoreError};
use domain::records::{MatchedComment, RecordById, RecordKind};
use domain::support::kb::{form, is_of_word};
use domain::{CommentId, with_kinds};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::console::matched_comments::{MatchedRow, matched_query};
use crate::crm::comments;
use crate::engine::convert;
use crate::engine::page_query::{CommentTable, List, comments_with, fill, newest_matches};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::kinds::{table_of, union_all};
use crate::records::StoredKind;
use crate::support::lexemes::{Prefix, quote};
use crate::work::issues::prefix_of;

/// Kind, id, title, detail and creation time of a record; id, creation time and text of the comment that matched.
pub(crate) type FoundColumns =
    (Text, SqlUuid, Text, Nullable<Text>, Timestamptz, Nullable<SqlUuid>, Nullable<Timestamptz>, Nullable<Text>);
type FoundRow =
    (String, Uuid, String, Option<String>, OffsetDateTime, Option<Uuid>, Option<OffsetDateTime>, Option<String>);

const MAX_PER_KIND: &str = formatcp!("{MAX_RESULTS_PER_KIND}");
/// The comment columns of a record whose own words matched.
pub(crate) const NO_COMMENT: &str = "NULL::uuid AS comment_id, NULL::timestamptz AS said_at, NULL::text AS body";

/// How to search records of a kind.
pub(crate) struct SearchedKind {
    pub(crate) part: Part,
    /// The placeholder of the words of records: `$2`, or `$3` for tasks and `$4` for tickets.
    pub(crate) words: &'static str,
    /// The comments on these records, and the placeholder of their words; `None` if records of the kind have no comments.
    pub(crate) comments: Option<(CommentTable, &'static str)>,
}

/// One table in the search.
pub(crate) struct Part {
    /// The condition, as for a list.
    pub(crate) list: List,
    /// The columns that are shown.
    pub(crate) shown: &'static str,
}

/// A [`Part`], from a kind's code as SQL, the column to show next to the title, and a condition if the table has several kinds.
macro_rules! search_part {
    ($record:ident, $word:literal, $detail:literal $(, $condition:literal)?) => {{
        const _: () = assert!(!<$record as domain::records::Kind>::HAS_OWNERS, "the search does not know who its reader is");
        const SHOWN: &str = const_format::formatcp!(
            "{word}::text AS kind, id, {title} AS title, {detail} AS detail, created_at",
            word = $word,
            title = <$record as $crate::records::StoredKind>::TITLE,
            detail = $detail
        );
        const LIST: $crate::engine::page_query::List = $crate::engine::page_query::List {
            select: const_format::formatcp!("{}, {}", SHOWN, $crate::console::search::NO_COMMENT),
            from: <$record as $crate::records::StoredKind>::TABLE,
            conditions: concat!("workspace_id = $1 AND deleted_at IS NULL" $(, " AND ", $condition)?),
            order: $crate::engine::page_query::Order::Newest,
        };
        $crate::console::search::Part { list: LIST, shown: SHOWN }
    }};
}
pub(crate) use search_part;

/// Records that lack the words but have comments with them, ordered by the latest such comment. The OFFSET makes Postgres
/// look up records by id.
const COMMENTED: &str = "(SELECT kind, id, title, detail, created_at, comment_id, said_at, said.body
    FROM (
        SELECT {shown}, comment_id, said_at
        FROM (
            SELECT DISTINCT ON (record_id) record_id, comment_id, said_at FROM ({found}) AS found
            ORDER BY record_id, said_at DESC, comment_id DESC
        ) AS latest
        CROSS JOIN LATERAL (
            SELECT * FROM {table} WHERE workspace_id = $1 AND id = latest.record_id OFFSET 0
        ) AS {table}
        WHERE {conditions} AND (search @@ (SELECT {words})) IS NOT TRUE
        ORDER BY said_at DESC, comment_id DESC LIMIT {most}
    ) AS commented
    CROSS JOIN LATERAL (
        SELECT body FROM {comments} WHERE workspace_id = $1 AND {comments}.id = commented.comment_id LIMIT 1
    ) AS said)";

/// How many of the newest articles are scanned before the index is used, and how many of the index's matches are sorted, as
/// for [`kb_search`](crate::support::kb_search).
const HEAD: u32 = 100;
const RANKED: u32 = 25;

/// `{published}` excludes drafts, which are not in the index. A word of an article matches by its form or its stem.
macro_rules! articles {
    ($published:literal) => {
        formatcp!(
            "(WITH head AS MATERIALIZED (
                SELECT id, title, status, created_at, words @@ $5::text::tsquery AS is_hit FROM kb_articles
                WHERE workspace_id = $1 AND deleted_at IS NULL {published}
                ORDER BY created_at DESC, id DESC LIMIT {HEAD}
            )
            SELECT 'article'::text AS kind, id, title, status AS detail, created_at, {NO_COMMENT}
            FROM (
                SELECT id, title, status, created_at FROM head WHERE is_hit
                UNION ALL
                (
                    SELECT id, title, status, created_at FROM kb_articles
                    WHERE workspace_id = $1 AND deleted_at IS NULL AND status = 'published'
                        AND kb_lexemes(workspace_id, words) @@ $6::text::tsquery AND words @@ $5::text::tsquery
                        AND (created_at, id) < (SELECT created_at, id FROM head ORDER BY created_at, id LIMIT 1)
                        AND (SELECT count(*) = {HEAD} AND count(*) FILTER (WHERE is_hit) < {MAX_PER_KIND} FROM head)
                    LIMIT {RANKED}
                )
            ) AS kb_articles
            ORDER BY created_at DESC, id DESC LIMIT {MAX_PER_KIND})",
            published = $published
        )
    };
}

const PUBLISHED_ARTICLES: &str = articles!("AND status = 'published'");
const ALL_ARTICLES: &str = articles!("");

impl RecordSearchRepo for PgTx<'_> {
    fn search_records(&mut self, request: &RecordSearch) -> Result<Vec<FoundRecord>, StoreError> {
        let Some(query) = search_query(self.workspace, request) else { return Ok(Vec::new()) };
        let rows: Vec<FoundRow> = self.load(self.placed(query))?;
        let records = rows.into_iter().map(|row| into_found(row, &request.words));
        let mut records = records.collect::<Result<Vec<_>, _>>()?;
        let kind_rank = |kind: RecordKind| request.kinds.iter().position(|kind_searched| *kind_searched == kind);
        let latest = |record: &FoundRecord| record.comment.as_ref().map(|comment| (comment.created_at, comment.id.0));
        records.sort_by(|one, other| {
            // Records whose own words match come first.
            let by_comment = one.comment.is_some().cmp(&other.comment.is_some()).then(latest(other).cmp(&latest(one)));
            let newest_first = (other.created_at, other.id).cmp(&(one.created_at, one.id));
            kind_rank(one.kind).cmp(&kind_rank(other.kind)).then(by_comment).then(newest_first)
        });
        Ok(records)
    }

    fn matched_comments(
        &mut self,
        kind: RecordKind,
        records: &[Uuid],
        words: &SearchQuery,
    ) -> Result<BTreeMap<Uuid, MatchedComment>, StoreError> {
        let Some(query) = matched_query(self.workspace, kind, records, words) else { return Ok(BTreeMap::new()) };
        let rows: Vec<MatchedRow> = self.load(self.placed(query))?;
        let to_comment = |(record, comment, said_at, body): MatchedRow| {
            (record, MatchedComment::from(FoundComment::new(CommentId(comment), said_at, &body, words)))
        };
        Ok(rows.into_iter().map(to_comment).collect())
    }

    fn names_of(&mut self, wanted: &WantedNames) -> Result<Names, StoreError> {
        let rows: Vec<(Option<String>, Uuid, String)> = if self.is_cluster {
            // In a cluster, keys and records are on different nodes.
            let mut rows = self.load(bound_names(sql!("{NAMES_OF_PEOPLE}"), self.workspace, wanted))?;
            // Not a literal, because it does not use the second placeholder.
            rows.extend(self.load(bound_names(Statement::new(TITLES_OF_RECORDS), self.workspace, wanted))?);
            rows
        } else {
            self.load(names_query(self.workspace, wanted))?
        };
        let mut names = Names::default();
        for (kind, id, name) in rows {
            match kind {
                None => drop(names.people.insert(id, name)),
                Some(kind) => {
                    drop(names.records.insert((convert::parse_stored(&kind, RecordKind::parse)?, id), name));
                }
            }
        }
        Ok(names)
    }

    fn find_by_id(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<RecordById>, StoreError> {
        let row: Option<(String, Option<OffsetDateTime>)> = self.first(by_id_query(self.workspace, id, since))?;
        let record = |(kind, deleted_at): (String, _)| {
            Ok(RecordById { kind: convert::parse_stored(&kind, RecordKind::parse)?, deleted_at })
        };
        row.map(record).transpose()
    }
}

macro_rules! by_id {
    ($kind:ty) => {
        formatcp!(
            "SELECT {kind}::text AS kind, deleted_at, erased_at FROM {table} WHERE workspace_id = $1 AND id = $2",
            kind = <$kind as StoredKind>::KIND_SQL,
            table = <$kind as StoredKind>::TABLE
        )
    };
}

macro_rules! title {
    ($kind:ty) => {
        formatcp!(
            "SELECT {title} AS name FROM {table}
             WHERE wanted.kind = {kind} AND workspace_id = $1 AND id = wanted.id AND deleted_at IS NULL AND {seen}",
            title = <$kind as StoredKind>::TITLE,
            table = <$kind as StoredKind>::TABLE,
            kind = <$kind as StoredKind>::KIND_SQL,
            seen = <$kind as StoredKind>::SEEN_BY_ALL
        )
    };
}

/// Kind and time of deletion of the record with an id. Each part looks it up by the primary key of its table.
pub(crate) fn by_id_query(
    workspace: Uuid,
    id: Uuid,
    since: OffsetDateTime,
) -> Statement<(Text, Nullable<Timestamptz>)> {
    const RECORDS: &str = with_kinds!(union_all!(by_id));
    let sql = sql!(
        "SELECT kind, deleted_at FROM ({RECORDS}) AS records
         WHERE erased_at IS NULL AND (deleted_at IS NULL OR deleted_at > $3)"
    );
    sql.returns().bind(workspace).bind(id).bind(since)
}

/// The names of members and keys, `$2`.
const NAMES_OF_PEOPLE: &str = "SELECT NULL::text AS kind, wanted.id, named.name
         FROM unnest($2::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (
             SELECT CASE WHEN members.joined_at IS NULL THEN lower(users.email) ELSE users.name END AS name
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.workspace_id = $1 AND members.user_id = wanted.id
             UNION ALL
             SELECT name FROM api_keys WHERE workspace_id = $1 AND id = wanted.id
             LIMIT 1
         ) AS named";
/// The titles of records of the kinds `$3` with the ids `$4`, as in search results.
const TITLES_OF_RECORDS: &str = formatcp!(
    "SELECT wanted.kind, wanted.id, named.name
         FROM unnest($3::text[], $4::uuid[]) AS wanted (kind, id)
         CROSS JOIN LATERAL ({TITLES}) AS named"
);
const TITLES: &str = with_kinds!(union_all!(title));

/// Each part looks up its ids one by one, so that tables without statistics are not scanned.
pub(crate) fn names_query(workspace: Uuid, wanted: &WantedNames) -> Statement<NameColumns> {
    bound_names(sql!("{NAMES_OF_PEOPLE} UNION ALL {TITLES_OF_RECORDS}"), workspace, wanted)
}

type NameColumns = (Nullable<Text>, SqlUuid, Text);

/// `$1` is the workspace, followed by the ids of people and the kinds and ids of records.
fn bound_names(sql: Statement, workspace: Uuid, wanted: &WantedNames) -> Statement<NameColumns> {
    let kinds: Vec<_> = wanted.records.iter().map(|(kind, _)| kind.as_str()).collect();
    let ids: Vec<_> = wanted.records.iter().map(|(_, id)| *id).collect();
    sql.returns().bind(workspace).bind(wanted.people.clone()).bind(kinds).bind(ids)
}

fn into_found(row: FoundRow, words: &SearchQuery) -> Result<FoundRecord, StoreError> {
    let (kind, id, title, detail, created_at, comment, said_at, body) = row;
    let kind = convert::parse_stored(&kind, RecordKind::parse)?;
    let comment = match (comment, said_at, body) {
        (Some(id), Some(said_at), Some(body)) => Some(FoundComment::new(CommentId(id), said_at, &body, words)),
        _ => None,
    };
    Ok(FoundRecord { kind, id, title, detail, created_at, comment })
}

/// The part of the query for records of a kind that match only by comments.
fn commented(part: &Part, comments: CommentTable, words: &str, comment_query: &str, is_cluster: bool) -> String {
    let matches = comments_with(comments, comment_query, is_cluster);
    fill(COMMENTED, |name| match name {
        "shown" => part.shown,
        "found" => &matches,
        "table" => part.list.from,
        "conditions" => part.list.conditions,
        "words" => words,
        "comments" => comments.name,
        "most" => MAX_PER_KIND,
        _ => "",
    })
}

/// The statement; `None` if nothing can match. It is planned for its words, like every search.
pub(crate) fn search_query(workspace: Uuid, request: &RecordSearch) -> Option<Statement<FoundColumns>> {
    let words = Prefix::of(workspace).query(&request.words)?;
    let issues = |kind| prefix_of(workspace, kind).query(&request.words);
    let (tasks, tickets) = (issues(IssueKind::Task)?, issues(IssueKind::Ticket)?);
    let articles = article_queries(workspace, &request.words);
    let part = |kind: &RecordKind, is_cluster: bool| {
        if *kind == RecordKind::Article {
            let text = if request.drafts { ALL_ARTICLES } else { PUBLISHED_ARTICLES };
            return articles.as_ref().map(|_| text.to_owned());
        }
        // Words of records and words of comments have separate placeholders.
        let SearchedKind { part, words, comments } = (table_of(kind.as_str())?.searched_kind)(*kind)?;
        let newest = format!("({})", newest_matches(&part.list, words, MAX_PER_KIND, is_cluster));
        let comments = comments.filter(|_| request.comments.contains(kind));
        let commented = comments.map(|(table, query)| commented(&part, table, words, query, is_cluster));
        Some([newest].into_iter().chain(commented).collect::<Vec<_>>().join(" UNION ALL "))
    };
    let text = |is_cluster| {
        let parts: Vec<_> = request.kinds.iter().filter_map(|kind| part(kind, is_cluster)).collect();
        (!parts.is_empty()).then(|| parts.join(" UNION ALL "))
    };
    let sql = Statement::new(text(false)?).or_in_cluster(text(true).map(Statement::new)).returns().planned_each_time();
    let sql = sql.bind(workspace).bind(words).bind(tasks).bind(tickets);
    let (words, key) = articles.unwrap_or_default();
    let sql = sql.bind(words).bind(key);
    let prefixes = [comments::on_contacts, comments::on_companies, comments::on_deals];
    let queries = prefixes.map(|prefix| prefix(workspace).query(&request.words).unwrap_or_default());
    Some(queries.into_iter().fold(sql, Statement::bind))
}

/// The words as one tsquery for articles and one for their index; `None` if nothing can match. Words are split as in
/// articles, and each may be a prefix.
fn article_queries(workspace: Uuid, words: &SearchQuery) -> Option<(String, String)> {
    let text = workspace.to_string();
    let key = text.get(28..)?;
    let both = |start: &str| {
        let all = |alternative: &Alternative| {
            let all = alternative.iter().map(|chunk| parts_of(chunk, start)).collect::<Option<Vec<_>>>()?;
            Some(if all.len() == 1 { all.concat() } else { format!("({})", all.join(" & ")) })
        };
        let token = |alternatives: &Vec<Alternative>| {
            let any: Vec<_> = alternatives.iter().filter_map(all).collect();
            (!any.is_empty()).then(|| format!("({})", any.join(" | ")))
        };
        let tokens = words.tokens().iter().map(token).collect::<Option<Vec<_>>>()?;
        Some(tokens.join(" & "))
    };
    Some((both("")?, both(&format!("{key}w"))?))
}

/// The words of a chunk; the last one may be a prefix.
fn parts_of(chunk: &str, start: &str) -> Option<String> {
    let folded = form(chunk);
    let parts: Vec<_> = folded.split(|c: char| !is_of_word(c)).filter(|part| !part.is_empty()).collect();
    let (last, whole) = parts.split_last()?;
    let whole = whole.iter().map(|part| format!("'{start}{}'", quote(part)));
    Some(format!("({})", whole.chain([format!("'{start}{}':*", quote(last))]).collect::<Vec<_>>().join(" & ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_articles_are_split_and_escaped() {
        let queries = |text: &str| article_queries(Uuid::from_u128(0xAB), &SearchQuery::parse(text).unwrap().unwrap());
        let (words, key) = queries(r"Wi-Fi o'b\r").unwrap();
        assert_eq!(words, "(('wi' & 'fi':*)) & (('o' & 'b' & 'r':*))");
        assert_eq!(key, "(('000000abwwi' & '000000abwfi':*)) & (('000000abwo' & '000000abwb' & '000000abwr':*))");
        assert_eq!(queries("ann -").unwrap().0, "(('ann':*))");
        assert_eq!(queries("重置密").unwrap().0, "(('重置密':*) | (('重置':*) & ('置密':*)))");
    }
}
