//! Drafts of comments.

use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::crm::comments::CrmRecord;
use domain::ports::{DraftRepo, StoreError};
use domain::work::comments::{CommentedRecord, Visibility};
use domain::work::drafts::{Draft, MAX_DRAFT_BYTES, MAX_DRAFTS};
use domain::{CompanyId, ContactId, DealId, IssueId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::rows::Column;

/// The record by its kind, and the other members.
type DraftColumns = (Columns, Text, Text, BigInt, Timestamptz);
type Columns = (Nullable<SqlUuid>, Nullable<SqlUuid>, Nullable<SqlUuid>, Nullable<SqlUuid>);
type DraftRow = (Ids, String, String, i64, OffsetDateTime);
/// Issue, contact, company, deal.
type Ids = (Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<Uuid>);

const fn ids_of(record: CommentedRecord) -> Ids {
    match record {
        CommentedRecord::Issue(id) => (Some(id.0), None, None, None),
        CommentedRecord::Crm(CrmRecord::Contact(id)) => (None, Some(id.0), None, None),
        CommentedRecord::Crm(CrmRecord::Company(id)) => (None, None, Some(id.0), None),
        CommentedRecord::Crm(CrmRecord::Deal(id)) => (None, None, None, Some(id.0)),
    }
}

fn record_of(ids: Ids) -> Result<CommentedRecord, StoreError> {
    match ids {
        (Some(id), None, None, None) => Ok(CommentedRecord::Issue(IssueId(id))),
        (None, Some(id), None, None) => Ok(CommentedRecord::Crm(CrmRecord::Contact(ContactId(id)))),
        (None, None, Some(id), None) => Ok(CommentedRecord::Crm(CrmRecord::Company(CompanyId(id)))),
        (None, None, None, Some(id)) => Ok(CommentedRecord::Crm(CrmRecord::Deal(DealId(id)))),
        _ => Err(StoreError::Internal("a draft is on no record, or on several".to_owned())),
    }
}

fn draft_of((ids, body, visibility, version, updated_at): DraftRow) -> Result<Draft, StoreError> {
    Ok(Draft { record: record_of(ids)?, body, visibility: Column::into_member(visibility)?, version, updated_at })
}

/// Writes a draft, and removes the user's drafts that exceed the limits with it.
pub(crate) fn save_query(workspace: Uuid, user: UserId, draft: &Draft) -> Statement<BigInt> {
    let sql = sql!(
        "WITH surplus AS (
             DELETE FROM drafts USING (
                 SELECT record_id, visibility, row_number() OVER latest AS place,
                     sum(octet_length(body)) OVER latest AS bytes
                 FROM drafts WHERE workspace_id = $1 AND user_id = $2 AND (record_id <> $3 OR visibility <> $9)
                 WINDOW latest AS (ORDER BY updated_at DESC, record_id DESC, visibility DESC)
             ) AS other
             WHERE workspace_id = $1 AND user_id = $2
                 AND drafts.record_id = other.record_id AND drafts.visibility = other.visibility
                 AND (other.place >= {MAX_DRAFTS} OR other.bytes + octet_length($8) > {MAX_DRAFT_BYTES})
         )
         INSERT INTO drafts AS draft
             (workspace_id, user_id, issue_id, contact_id, company_id, deal_id, body, visibility, version, updated_at)
             VALUES ($1, $2, $4, $5, $6, $7, $8, $9, 1, $10)
         ON CONFLICT (workspace_id, user_id, record_id, visibility) DO UPDATE SET body = excluded.body,
             version = draft.version + 1, updated_at = excluded.updated_at
         RETURNING version"
    );
    let (issue, contact, company, deal) = ids_of(draft.record);
    let visibility: String = Column::from_member(draft.visibility);
    sql.returns()
        .bind(workspace)
        .bind(user.0)
        .bind(draft.record.id())
        .bind(issue)
        .bind(contact)
        .bind(company)
        .bind(deal)
        .bind(draft.body.clone())
        .bind(visibility)
        .bind(draft.updated_at)
}

pub(crate) fn list_query(workspace: Uuid, user: UserId) -> Statement<DraftColumns> {
    let sql = sql!(
        "SELECT issue_id, contact_id, company_id, deal_id, body, visibility, version, updated_at
         FROM drafts WHERE workspace_id = $1 AND user_id = $2
         ORDER BY updated_at DESC, record_id DESC, visibility DESC LIMIT {MAX_DRAFTS}"
    );
    sql.returns().bind(workspace).bind(user.0)
}

pub(crate) fn delete_on_query(workspace: Uuid, records: &[Uuid]) -> Statement {
    let sql = sql!("DELETE FROM drafts WHERE workspace_id = $1 AND record_id = ANY ($2)");
    sql.bind(workspace).bind(records.to_vec())
}

impl DraftRepo for PgTx<'_> {
    fn save(&mut self, user: UserId, draft: &Draft) -> Result<i64, StoreError> {
        self.value(save_query(self.workspace, user, draft))
    }

    fn on(&mut self, user: UserId, record: CommentedRecord) -> Result<Vec<Draft>, StoreError> {
        let sql = sql!(
            "SELECT issue_id, contact_id, company_id, deal_id, body, visibility, version, updated_at
             FROM drafts WHERE workspace_id = $1 AND user_id = $2 AND record_id = $3 ORDER BY visibility"
        );
        let sql = sql.returns::<DraftColumns>().bind(self.workspace).bind(user.0);
        let rows: Vec<DraftRow> = self.load(sql.bind(record.id()))?;
        rows.into_iter().map(draft_of).collect()
    }

    fn list(&mut self, user: UserId) -> Result<Vec<Draft>, StoreError> {
        let rows: Vec<DraftRow> = self.load(list_query(self.workspace, user))?;
        rows.into_iter().map(draft_of).collect()
    }

    fn delete(&mut self, user: UserId, record: CommentedRecord, kind: Visibility) -> Result<bool, StoreError> {
        let sql =
            sql!("DELETE FROM drafts WHERE workspace_id = $1 AND user_id = $2 AND record_id = $3 AND visibility = $4");
        let kind: String = Column::from_member(kind);
        Ok(self.execute(sql.bind(self.workspace).bind(user.0).bind(record.id()).bind(kind))? > 0)
    }

    fn delete_on(&mut self, records: &[Uuid]) -> Result<(), StoreError> {
        self.execute(delete_on_query(self.workspace, records)).map(drop)
    }
}
