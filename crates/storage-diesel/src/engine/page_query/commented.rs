//! Finds records by their comments.

use super::templates::fill;
use super::{AnyOf, PageQuery};

/// A table of comments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommentTable {
    pub(crate) name: &'static str,
    /// The column with the id of the commented record.
    pub(crate) record: &'static str,
}

pub(crate) const ON_ISSUES: CommentTable = CommentTable { name: "comments", record: "issue_id" };
pub(crate) const ON_CONTACTS: CommentTable = CommentTable { name: "record_comments", record: "contact_id" };
pub(crate) const ON_COMPANIES: CommentTable = CommentTable { name: "record_comments", record: "company_id" };
pub(crate) const ON_DEALS: CommentTable = CommentTable { name: "record_comments", record: "deal_id" };

/// If fewer comments match, all matches are considered.
const FEW: &str = "1000";
/// If more comments match, only the newest comments of the workspace are searched. They are read from an index in order, so that
/// common words cost no more than this.
const NEWEST: &str = "2000";

/// Matching comments: the record, the comment and its time. `matches` is read only as far as needed, and names no column of
/// another index (see `MATCHES` in the templates); in a cluster, every table has rows of one workspace only.
const COMMENTS: &str = "WITH matches AS MATERIALIZED (
        SELECT {record} AS record_id, id AS comment_id, created_at AS said_at FROM {comments} WHERE {placed}search @@ {words}
    )
    SELECT record_id, comment_id, said_at FROM (SELECT * FROM matches LIMIT {few}) AS few
    WHERE (SELECT count(*) < {few} FROM (SELECT FROM matches LIMIT {few}) AS few)
    UNION ALL
    SELECT {record} AS record_id, id AS comment_id, created_at AS said_at FROM (
        SELECT {record}, id, created_at, search FROM {comments}
        WHERE workspace_id = $1 AND search IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT {newest}
    ) AS newest
    WHERE search @@ (SELECT {words}) AND (SELECT count(*) = {few} FROM (SELECT FROM matches LIMIT {few}) AS few)";

/// The comments of a table that match a tsquery.
pub(crate) fn comments_with(table: CommentTable, words: &str, is_cluster: bool) -> String {
    fill(COMMENTS, |name| match name {
        "record" => table.record,
        "comments" => table.name,
        "placed" if is_cluster => "workspace_id = $1 AND ",
        "words" => words,
        "few" => FEW,
        "newest" => NEWEST,
        _ => "",
    })
}

/// The rows of a list that match only by their comments. The OFFSET makes Postgres look them up by id.
const BY_COMMENTS: &str = "SELECT {columns}
        FROM (SELECT DISTINCT record_id FROM ({comments}) AS found) AS commented
        CROSS JOIN LATERAL (
            SELECT * FROM {table} WHERE workspace_id = $1 AND id = commented.record_id OFFSET 0
        ) AS {table}
        WHERE {conditions} AND (search @@ (SELECT {words})) IS NOT TRUE {order}";

/// Rows that match by their own words or by comments, each once.
const EITHER_WAY: &str = "SELECT *
    FROM (
        ({listed})
        UNION ALL
        ({by_comments})
    ) AS {table}
    {order} {page}";

/// The search in comments.
pub(super) struct CommentSearch {
    comments: CommentTable,
    /// The placeholder of the tsquery for comments.
    words: String,
    /// The placeholder of the tsquery for tags, which a row must have in any case.
    tags: Option<String>,
}

impl CommentSearch {
    /// The rows of `table` that satisfy the conditions and have matching comments, but do not match by their own words.
    fn rows(&self, row: &Row<'_>, is_cluster: bool) -> String {
        let comments = comments_with(self.comments, &self.words, is_cluster);
        let tags = self.tags.as_ref().map(|tags| format!(" AND search @@ (SELECT {tags})")).unwrap_or_default();
        let conditions = [row.conditions, &tags].concat();
        fill(BY_COMMENTS, |name| match name {
            "columns" => row.columns,
            "comments" => &comments,
            "table" => row.table,
            "conditions" => &conditions,
            "words" => row.words,
            "order" => row.order,
            _ => "",
        })
    }
}

/// The columns of a row in the list.
struct Row<'l> {
    columns: &'l str,
    table: &'l str,
    conditions: &'l str,
    /// The placeholder of the tsquery for the row's own words.
    words: &'l str,
    /// Including the limit.
    order: &'l str,
}

/// A page of rows that match in either way; both parts return their first rows in the list's order.
pub(super) fn either_way(listed: &str, by_comments: &str, table: &str, order: &str, page: &str) -> String {
    fill(EITHER_WAY, |name| match name {
        "listed" => listed,
        "by_comments" => by_comments,
        "table" => table,
        "order" => order,
        "page" => page,
        _ => "",
    })
}

impl PageQuery {
    /// Also finds rows by comments that match a tsquery, if there is one; such a row must have the tags of another tsquery. Call
    /// it after [`Self::search`].
    pub(crate) fn or_commented(mut self, comments: CommentTable, words: Option<String>, tags: Option<String>) -> Self {
        let Some(words) = words else { return self };
        self = self.bind(words);
        let words = format!("{}::text::tsquery", self.last());
        let tags = match tags {
            Some(tags) => {
                self = self.bind(tags);
                Some(format!("{}::text::tsquery", self.last()))
            }
            None => None,
        };
        self.commented = Some(CommentSearch { comments, words, tags });
        self
    }

    /// The first rows that match only by comments, among those that satisfy every filter.
    pub(super) fn by_comments(&self, reach: &str, is_cluster: bool) -> Option<String> {
        let order = format!("{} LIMIT {reach}", self.order.by());
        self.commented_rows(self.list.select, &order, is_cluster)
    }

    /// All rows that match only by comments.
    pub(super) fn commented_rows(&self, columns: &str, order: &str, is_cluster: bool) -> Option<String> {
        let (commented, words) = (self.commented.as_ref()?, self.words.as_ref()?);
        let mut conditions = self.conditions();
        if let Some(AnyOf { column, values }) = &self.several {
            conditions.extend([" AND ", *column, " = ANY (", values.as_str(), ")"]);
        }
        if let Some([first, second]) = &self.either {
            conditions.extend([" AND (", first.as_str(), " OR ", second.as_str(), ")"]);
        }
        let row = Row { columns, table: self.list.from, conditions: &conditions, words: &words.query, order };
        Some(commented.rows(&row, is_cluster))
    }
}
