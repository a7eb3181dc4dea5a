//! Comments on issues.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz, Uuid as SqlUuid};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{CommentRepo, StoreError};
use domain::work::comments::{Comment, LATEST, LastSeen, MAX_CROSSED};
use domain::work::issues::MessageTimes;
use domain::{CommentId, IssueId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::rows::row;
use crate::schema::{array_to_tsvector, comments};
use crate::support::lexemes::Prefix;

row! {
    pub(crate) struct CommentRow in comments, into_comment -> Comment {
        id: Uuid,
        issue_id: Uuid,
        body: String,
        visibility: String,
        edited_at: Option<OffsetDateTime>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { author: (author_type, author_id), created_by: (created_by_type, created_by_id) }
}

/// The search words of a comment on a task or a ticket.
pub(crate) fn lexemes(workspace: Uuid, words: &[String]) -> Vec<String> {
    Prefix::of(workspace).lexemes(words)
}

impl CommentRepo for PgTx<'_> {
    fn insert(&mut self, comment: &Comment) -> Result<(), StoreError> {
        let lexemes = lexemes(self.workspace, &comment.search_words());
        let search = comments::search.eq(array_to_tsvector(lexemes).nullable());
        let row = (CommentRow::of(self.workspace, comment), search);
        self.insert_one(Insertion::new::<comments::table, _, _>("comments", row), &[])
    }

    fn list(&mut self, issue: IssueId, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<Comment>, StoreError> {
        let rows: Vec<CommentRow> = self.page(list_query(self.workspace, issue, filter, page), page)?;
        rows.into_iter().map(CommentRow::into_comment).collect()
    }

    fn public_after(&mut self, issue: IssueId, last_seen: LastSeen) -> Result<Vec<CommentId>, StoreError> {
        let ids: Vec<Uuid> = self.load(public_after_query(self.workspace, issue, last_seen))?;
        Ok(ids.into_iter().map(CommentId).collect())
    }

    fn latest(&mut self, issue: IssueId) -> Result<Vec<Comment>, StoreError> {
        let rows: Vec<CommentRow> = self.load(latest_query(self.workspace, issue))?;
        rows.into_iter().rev().map(CommentRow::into_comment).collect()
    }

    fn message_times(&mut self, issue: IssueId, since: Option<OffsetDateTime>) -> Result<MessageTimes, StoreError> {
        let row: TimesRow = self.value(message_times_query(self.workspace, issue, since))?;
        let (customer_wrote_at, answered_at, last_at, unanswered_at) = row;
        Ok(MessageTimes { customer_wrote_at, answered_at, last_at, unanswered_at })
    }

    fn get_for_update(&mut self, id: CommentId) -> Result<Option<Comment>, StoreError> {
        let query = comments::table.find((self.workspace, id.0)).select(CommentRow::as_select());
        self.first(query.for_update())?.map(CommentRow::into_comment).transpose()
    }

    fn save(&mut self, comment: &Comment) -> Result<(), StoreError> {
        let lexemes = lexemes(self.workspace, &comment.search_words());
        let changes = (
            comments::body.eq(comment.body.clone()),
            comments::search.eq(array_to_tsvector(lexemes).nullable()),
            comments::edited_at.eq(comment.edited_at),
            comments::version.eq(comment.version),
            comments::updated_at.eq(comment.updated_at),
        );
        let target = comments::table.find((self.workspace, comment.id.0));
        let affected = self.execute(diesel::update(target).set(changes))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError> {
        Ok(self.execute(diesel::delete(comments::table.find((self.workspace, id.0))))? > 0)
    }
}

const LIST: List = List {
    select: columns!(CommentRow),
    from: "comments",
    conditions: "workspace_id = $1 AND issue_id = $2
        AND EXISTS (SELECT FROM issues WHERE num_nonnulls(deleted_at) = 0 AND workspace_id = $1 AND id = $2)",
    order: Order::Oldest,
};

pub(crate) fn list_query(
    workspace: Uuid,
    issue: IssueId,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RowOf<CommentRow>> {
    PageQuery::new(&LIST, workspace, page).bind(issue.0).created(filter).build()
}

/// Public comments after a position. No comment is older than the epoch.
pub(crate) fn public_after_query(workspace: Uuid, issue: IssueId, last_seen: LastSeen) -> Statement<SqlUuid> {
    let (created_at, id) = match last_seen {
        LastSeen::Nothing => (OffsetDateTime::UNIX_EPOCH, Uuid::nil()),
        LastSeen::Until { created_at, id } => (created_at, id.0),
    };
    let sql = sql!(
        "SELECT id FROM comments
         WHERE workspace_id = $1 AND issue_id = $2 AND visibility = 'public' AND (created_at, id) > ($3, $4)
         ORDER BY created_at, id LIMIT {MAX_CROSSED}"
    );
    sql.returns().bind(workspace).bind(issue.0).bind(created_at).bind(id)
}

type Time = Nullable<Timestamptz>;
type TimesRow = (Option<OffsetDateTime>, Option<OffsetDateTime>, Option<OffsetDateTime>, Option<OffsetDateTime>);

/// The times of the last public messages of the customer, of the team and of anyone, and of the customer's first unanswered one.
pub(crate) fn message_times_query(
    workspace: Uuid,
    issue: IssueId,
    since: Option<OffsetDateTime>,
) -> Statement<(Time, Time, Time, Time)> {
    let sql = sql!(
        "SELECT max(created_at) FILTER (WHERE is_customers), max(answered_at), max(created_at),
             min(created_at) FILTER (WHERE is_customers AND (answered_at IS NULL OR created_at > answered_at)
                 AND ($3::timestamptz IS NULL OR created_at >= $3))
         FROM (
             SELECT created_at, visibility = 'public' AND author_type = 'customer' AS is_customers,
                 max(created_at) FILTER (WHERE visibility = 'public' AND author_type <> 'customer') OVER () AS answered_at
             FROM comments WHERE workspace_id = $1 AND issue_id = $2
         ) AS message"
    );
    sql.returns().bind(workspace).bind(issue.0).bind(since)
}

/// Newest first. The limit is a literal, because a bound limit would be planned as a tenth of the table.
pub(crate) fn latest_query(workspace: Uuid, issue: IssueId) -> Statement<RowOf<CommentRow>> {
    const COLUMNS: &str = columns!(CommentRow);
    const COMMENTS_TO_READ: u32 = LATEST + 1;
    let sql = sql!(
        "SELECT {COLUMNS} FROM comments
         WHERE workspace_id = $1 AND issue_id = $2
             AND EXISTS (SELECT FROM issues WHERE num_nonnulls(deleted_at) = 0 AND workspace_id = $1 AND id = $2)
         ORDER BY created_at DESC, id DESC LIMIT {COMMENTS_TO_READ}"
    );
    sql.returns().bind(workspace).bind(issue.0)
}
