//! Comments on issues.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use domain::IssueId;
use domain::kernel::paging::PageRequest;
use domain::ports::{CommentRepo, StoreError};
use domain::work::comments::Comment;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cached_sql::{CachedSql, RowOf};
use crate::page_query::PageQuery;
use crate::rows::row;
use crate::schema::comments;
use crate::tx::PgTx;

row! {
    pub(crate) struct CommentRow in comments, into_comment -> Comment {
        id: Uuid,
        issue_id: Uuid,
        body: String,
        visibility: String,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { author: (author_type, author_id), created_by: (created_by_type, created_by_id) }
}

impl CommentRepo for PgTx<'_> {
    fn insert(&mut self, comment: &Comment) -> Result<(), StoreError> {
        let row = CommentRow::of(self.workspace, comment);
        self.execute(diesel::insert_into(comments::table).values(row)).map(drop)
    }

    fn list(&mut self, issue: IssueId, page: &PageRequest) -> Result<Vec<Comment>, StoreError> {
        let rows: Vec<CommentRow> = self.page(list_query(self.workspace, issue, page), page)?;
        rows.into_iter().map(CommentRow::into_comment).collect()
    }
}

pub(crate) fn list_query(workspace: Uuid, issue: IssueId, page: &PageRequest) -> CachedSql<RowOf<CommentRow>> {
    PageQuery::oldest_first("comments", workspace, page)
        .of::<SqlUuid, _>("issue_id", issue.0)
        .only_of_live_issue(issue.0)
        .build::<CommentRow>()
}
