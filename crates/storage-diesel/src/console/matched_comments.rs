//! The comments by which a list's search found the records of a page.

use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use domain::kernel::IssueKind;
use domain::kernel::search::SearchQuery;
use domain::records::RecordKind;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::crm::comments;
use crate::engine::page_query::{ON_COMPANIES, ON_CONTACTS, ON_DEALS, ON_ISSUES, comments_with, fill};
use crate::engine::statement::Statement;
use crate::support::lexemes::Prefix;
use crate::work::issues::prefix_of;

/// The record; id, creation and text of the comment.
pub(crate) type MatchedColumns = (SqlUuid, SqlUuid, Timestamptz, Text);
pub(crate) type MatchedRow = (Uuid, Uuid, OffsetDateTime, String);

/// The latest comment with the words `$4` on each record of `$2` that lacks the words `$3`. Records are looked up one by one,
/// so that tables without statistics are not scanned. No comment is read if no record lacks the words.
const MATCHED: &str = "WITH lacking AS MATERIALIZED (
        SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (
            SELECT id FROM {table}
            WHERE workspace_id = $1 AND id = wanted.id AND (search @@ (SELECT $3::text::tsquery)) IS NOT TRUE LIMIT 1
        ) AS {table}
    )
    SELECT latest.record_id, latest.comment_id, latest.said_at, said.body
    FROM (
        SELECT DISTINCT ON (record_id) record_id, comment_id, said_at FROM ({found}) AS found
        WHERE record_id = ANY (ARRAY(SELECT id FROM lacking)) AND (SELECT count(*) > 0 FROM lacking)
        ORDER BY record_id, said_at DESC, comment_id DESC
    ) AS latest
    CROSS JOIN LATERAL (
        SELECT body FROM {comments} WHERE workspace_id = $1 AND {comments}.id = latest.comment_id LIMIT 1
    ) AS said";

/// The statement; `None` if nothing can match or if records of the kind have no comments. Like every search, it is planned for
/// its words.
pub(crate) fn matched_query(
    workspace: Uuid,
    kind: RecordKind,
    records: &[Uuid],
    words: &SearchQuery,
) -> Option<Statement<MatchedColumns>> {
    let plain = Prefix::of(workspace);
    // Words of records and words of comments have different prefixes.
    let (table, comment_table, record_words, comment_words) = match kind {
        RecordKind::Contact => ("contacts", ON_CONTACTS, plain, comments::on_contacts(workspace)),
        RecordKind::Company => ("companies", ON_COMPANIES, plain, comments::on_companies(workspace)),
        RecordKind::Deal => ("deals", ON_DEALS, plain, comments::on_deals(workspace)),
        RecordKind::Task => ("issues", ON_ISSUES, prefix_of(workspace, IssueKind::Task), plain),
        RecordKind::Ticket => ("issues", ON_ISSUES, prefix_of(workspace, IssueKind::Ticket), plain),
        // There are no comments on records of other kinds.
        _ => return None,
    };
    let text = |is_cluster| {
        let matches = comments_with(comment_table, "$4::text::tsquery", is_cluster);
        Statement::new(fill(MATCHED, |name| match name {
            "table" => table,
            "comments" => comment_table.name,
            "found" => &matches,
            _ => "",
        }))
    };
    let (record_words, comment_words) = (record_words.query(words)?, comment_words.query(words)?);
    let sql = text(false).or_in_cluster(Some(text(true))).returns().planned_each_time().bind(workspace);
    Some(sql.bind(records.to_vec()).bind(record_words).bind(comment_words))
}
