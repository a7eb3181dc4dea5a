//! Comments on issues.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use domain::kernel::paging::PageRequest;
use domain::ports::{CommentRepo, StoreError};
use domain::work::comments::{Comment, Visibility};
use domain::{CommentId, IssueId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::comments;
use crate::statement::{RowOf, Statement};
use crate::tx::PgTx;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = comments, treat_none_as_default_value = false)]
pub(crate) struct CommentRow {
    workspace_id: Uuid,
    id: Uuid,
    issue_id: Uuid,
    body: String,
    visibility: String,
    author_type: String,
    author_id: Option<Uuid>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl CommentRow {
    fn of(workspace: Uuid, comment: &Comment) -> Self {
        Self {
            workspace_id: workspace,
            id: comment.id.0,
            issue_id: comment.issue_id.0,
            body: comment.body.clone(),
            visibility: comment.visibility.as_str().to_owned(),
            author_type: comment.author.kind.as_str().to_owned(),
            author_id: comment.author.id,
            version: comment.version,
            created_at: comment.created_at,
            updated_at: comment.updated_at,
            created_by_type: comment.created_by.kind.as_str().to_owned(),
            created_by_id: comment.created_by.id,
        }
    }

    pub(crate) fn into_comment(self) -> Result<Comment, StoreError> {
        Ok(Comment {
            id: CommentId(self.id),
            issue_id: IssueId(self.issue_id),
            body: self.body,
            visibility: convert::word(&self.visibility, Visibility::from_word)?,
            author: convert::actor(&self.author_type, self.author_id)?,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
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

const LIST: List = List {
    select: columns!(CommentRow),
    from: "comments",
    conditions: "workspace_id = $1 AND issue_id = $2
        AND EXISTS (SELECT FROM issues WHERE deleted_at IS NULL AND workspace_id = $1 AND id = $2)",
    order: Order::OldestFirst,
};

pub(crate) fn list_query(workspace: Uuid, issue: IssueId, page: &PageRequest) -> Statement<RowOf<CommentRow>> {
    PageQuery::new(&LIST, workspace, page).bind::<SqlUuid, _>(issue.0).build()
}
