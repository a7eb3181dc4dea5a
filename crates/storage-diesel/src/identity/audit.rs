//! The audit log.

pub(crate) mod counts;

use diesel::data_types::PgInterval;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use domain::AuditEntryId;
use domain::identity::audit::{
    AuditAction, AuditActor, AuditEntry, AuditFilter, AuditRetention, AuditSubject, AuditSubjectKind, LeftOutCount,
};
use domain::kernel::paging::PageRequest;
use domain::ports::{AuditRepo, StoreError};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::audit_log;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = audit_log, treat_none_as_default_value = false)]
pub(crate) struct AuditRow {
    workspace_id: Uuid,
    id: Uuid,
    action: String,
    actor_type: String,
    actor_id: Option<Uuid>,
    actor_name: String,
    subject_type: String,
    subject_id: Uuid,
    details: Value,
    ip: Option<String>,
    created_at: OffsetDateTime,
}

impl AuditRow {
    fn of(workspace: Uuid, entry: &AuditEntry) -> Self {
        let entry = entry.clone();
        Self {
            workspace_id: workspace,
            id: entry.id.0,
            action: entry.action.as_str().to_owned(),
            actor_type: entry.actor.actor.kind.as_str().to_owned(),
            actor_id: entry.actor.actor.id,
            actor_name: entry.actor.name,
            subject_type: entry.subject.kind.as_str().to_owned(),
            subject_id: entry.subject.id,
            details: Value::Object(entry.details),
            ip: entry.ip,
            created_at: entry.created_at,
        }
    }

    fn into_entry(self) -> Result<AuditEntry, StoreError> {
        let kind = convert::parse_stored(&self.subject_type, AuditSubjectKind::parse)?;
        Ok(AuditEntry {
            id: AuditEntryId(self.id),
            action: convert::parse_stored(&self.action, AuditAction::parse)?,
            actor: AuditActor { actor: convert::actor(&self.actor_type, self.actor_id)?, name: self.actor_name },
            subject: AuditSubject { kind, id: self.subject_id },
            details: convert::object(self.details)?,
            ip: self.ip,
            created_at: self.created_at,
        })
    }
}

/// Appends an entry to the audit log of any workspace, within the limit for its action.
pub(crate) fn append_in(tx: &mut PgTx<'_>, workspace: Uuid, entry: &AuditEntry) -> Result<(), StoreError> {
    if let Some(bound) = entry.counting_bound()
        && tx.value(counts::count_query(workspace, entry, bound))?
    {
        return entry.above_limit(bound);
    }
    tx.execute(diesel::insert_into(audit_log::table).values(AuditRow::of(workspace, entry))).map(drop)
}

/// Creates partitions in one transaction and drops others in the next, because the function does only one per call. It runs with
/// its owner's rights, so the service needs no rights to change the schema.
pub(crate) fn maintain_months(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    keep: AuditRetention,
) -> Result<bool, StoreError> {
    for keep in [None, keep.days().map(PgInterval::from_days)] {
        let sql = sql!("SELECT maintain_audit_partitions($1, $2)").returns::<Bool>();
        if !tx.value::<_, bool>(sql.bind(now).bind(keep))? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl AuditRepo for PgTx<'_> {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        append_in(self, self.workspace, entry)
    }

    fn take_left_out(&mut self, before: OffsetDateTime, limit: u32) -> Result<Vec<LeftOutCount>, StoreError> {
        counts::take_left_out(self, before, limit)
    }

    fn list(&mut self, filter: &AuditFilter, page: &PageRequest) -> Result<Vec<AuditEntry>, StoreError> {
        let rows: Vec<AuditRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(AuditRow::into_entry).collect()
    }
}

const LIST: List =
    List { select: columns!(AuditRow), from: "audit_log", conditions: "workspace_id = $1", order: Order::Newest };

pub(crate) fn list_query(workspace: Uuid, filter: &AuditFilter, page: &PageRequest) -> Statement<RowOf<AuditRow>> {
    let actions: Vec<_> = filter.action.0.iter().map(|action| action.as_str()).collect();
    // A newer release may have written entries that this one does not know. A filter contains only known actions.
    let has_all = actions.is_empty();
    let known_actions: Vec<_> = AuditAction::ALL.iter().map(|action| action.as_str()).collect();
    let subjects: Vec<_> = AuditSubjectKind::ALL.iter().map(|kind| kind.as_str()).collect();
    PageQuery::new(&LIST, workspace, page)
        .any_text("action", actions)
        .equal("actor_id = $n", filter.actor_id)
        .bound("created_at >= $n", filter.since)
        .bound("created_at < $n", filter.until)
        .bound("action = ANY ($n)", has_all.then_some(known_actions))
        .bound("subject_type = ANY ($n)", Some(subjects))
        .build()
}
