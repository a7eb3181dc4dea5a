//! Pending events for records that were deleted or restored with their project.

use std::sync::Arc;

use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::events::{Cascade, EventCause};
use domain::identity::access::Principal;
use domain::ports::{CascadeRepo, StoreError};
use domain::tools::Tool;
use domain::work::cascades::{CascadeVerb, CascadedRecords, ProjectChange};
use domain::work::cycles::{Cycle, CycleCounts};
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::{CycleId, IssueId, ProjectId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::work::cycles::CycleRow;
use crate::work::issues::IssueRow;

/// A record changed with its project: kind, id and new version.
type CascadeRow = (String, Uuid, i64);
/// Id of an event; kind, id and name of its actor; request and tool.
type CauseRow = (Uuid, String, Option<Uuid>, String, Option<String>, Option<String>);
type CauseTypes = (SqlUuid, Text, Nullable<SqlUuid>, Text, Nullable<Text>, Nullable<Text>);

impl CascadeRepo for PgTx<'_> {
    fn take(&mut self, most: u32) -> Result<Option<CascadedRecords>, StoreError> {
        let next: Option<(Uuid, i64, String)> = self.first(next_query(self.workspace))?;
        let Some((project, version, verb)) = next else { return Ok(None) };
        let change = ProjectChange {
            project: ProjectId(project),
            version,
            verb: convert::parse_stored(&verb, CascadeVerb::parse)?,
        };
        let mut rows: Vec<CascadeRow> = self.load(take_query(self.workspace, &change, most))?;
        rows.sort_unstable_by_key(|(_, id, _)| *id);
        let (mut cycles, mut tasks) = (Vec::new(), Vec::new());
        for (kind, id, version) in rows {
            if kind == "cycle" {
                cycles.push((CycleId(id), version));
            } else {
                tasks.push((IssueId(id), version));
            }
        }
        Ok(Some(CascadedRecords { change, cycles, tasks }))
    }

    fn cause(&mut self, change: &ProjectChange) -> Result<Option<(EventCause, Principal)>, StoreError> {
        let event = format!("project.{}", change.verb);
        let cause: Option<CauseRow> = self.first(cause_query(self.workspace, change, &event))?;
        let Some((id, kind, actor, name, request_id, tool)) = cause else { return Ok(None) };
        let is_trial = kind == "trial";
        let by = Principal {
            actor: convert::actor(if is_trial { "api_key" } else { &kind }, actor)?,
            name: Arc::from(name),
            address: None,
            is_trial,
            request_id: request_id.map(Arc::from),
            // A later release may have had a tool that this one does not have.
            tool: tool.as_deref().and_then(Tool::parse),
        };
        Ok(Some((EventCause { event, id }, by)))
    }

    fn tasks(&mut self, ids: &[IssueId]) -> Result<Vec<(Issue, Option<OffsetDateTime>)>, StoreError> {
        let ids = ids.iter().map(|id| id.0).collect();
        let rows: Vec<(IssueRow, Option<OffsetDateTime>)> = self.load(tasks_query(self.workspace, ids))?;
        rows.into_iter().map(|(row, deleted_at)| Ok((row.into_issue()?, deleted_at))).collect()
    }

    fn cycles(&mut self, ids: &[CycleId]) -> Result<Vec<(Cycle, CycleCounts, Option<OffsetDateTime>)>, StoreError> {
        let ids = ids.iter().map(|id| id.0).collect();
        let rows: Vec<(CycleRow, Option<OffsetDateTime>, i64, i64)> = self.load(cycles_query(self.workspace, ids))?;
        let cycle = |(row, deleted_at, issues, completed): (CycleRow, _, _, _)| {
            Ok((row.into_cycle()?, CycleCounts { issues, completed }, deleted_at))
        };
        rows.into_iter().map(cycle).collect()
    }
}

/// Records the project's rows of a table that were deleted at the time `$3`, as deleted by the project's next version.
macro_rules! deleted_within {
    ($table:literal, $kind:literal) => {
        sql!(
            "INSERT INTO cascades (workspace_id, project_id, project_version, record_id, kind, version, verb)
             SELECT {table}.workspace_id, {table}.project_id, projects.version + 1, {table}.id, '{kind}', {table}.version + 1,
                 'deleted'
             FROM {table} JOIN projects
                 ON projects.workspace_id = {table}.workspace_id AND projects.id = {table}.project_id
             WHERE {table}.workspace_id = $1 AND {table}.project_id = $2 AND {table}.deleted_at = $3
                 AND {table}.deleted_at > '-infinity' AND {table}.erased_at IS NULL",
            table = $table,
            kind = $kind
        )
    };
}

/// Records the cycles and tasks that were just deleted with a project, and counts them.
pub(crate) fn note_deleted(
    tx: &mut PgTx<'_>,
    project: ProjectId,
    deleted_at: OffsetDateTime,
) -> Result<Cascade, StoreError> {
    let [cycles, tasks] = deleted_queries(tx.workspace, project, deleted_at);
    Ok(Cascade { cycles: tx.execute(cycles)? as u64, tasks: tx.execute(tasks)? as u64 })
}

pub(crate) fn deleted_queries(workspace: Uuid, project: ProjectId, deleted_at: OffsetDateTime) -> [Statement; 2] {
    [deleted_within!("cycles", "cycle"), deleted_within!("issues", "task")]
        .map(|sql| sql.bind(workspace).bind(project.0).bind(deleted_at).planned_each_time())
}

/// Records the project's rows of a table that were deleted at the time `$3`, as restored by version `$4` of the project.
macro_rules! restored_within {
    ($table:literal, $kind:literal) => {
        sql!(
            "INSERT INTO cascades (workspace_id, project_id, project_version, record_id, kind, version, verb)
             SELECT workspace_id, project_id, $4::bigint, id, '{kind}', version + 2, 'restored'
             FROM {table}
             WHERE workspace_id = $1 AND project_id = $2 AND deleted_at = $3 AND deleted_at > '-infinity' AND erased_at IS NULL",
            table = $table,
            kind = $kind
        )
    };
}

/// Records the cycles and tasks that were deleted with a project and are about to be restored with it.
pub(crate) fn note_restored(
    tx: &mut PgTx<'_>,
    project: &Project,
    deleted_at: OffsetDateTime,
) -> Result<(), StoreError> {
    for sql in restored_queries(tx.workspace, project.id, deleted_at, project.version) {
        tx.execute(sql)?;
    }
    Ok(())
}

pub(crate) fn restored_queries(
    workspace: Uuid,
    project: ProjectId,
    deleted_at: OffsetDateTime,
    version: i64,
) -> [Statement; 2] {
    [restored_within!("cycles", "cycle"), restored_within!("issues", "task")]
        .map(|sql| sql.bind(workspace).bind(project.0).bind(deleted_at).bind(version).planned_each_time())
}

/// Workspaces with pending cascades, found one by one, because some have very many.
pub(crate) fn workspaces(tx: &mut PgTx<'_>, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
    let rows = tx.load::<_, Uuid>(workspaces_query(limit, tx.is_cluster))?;
    Ok(rows.into_iter().map(WorkspaceId).collect())
}

pub(crate) fn workspaces_query(limit: u32, is_cluster: bool) -> Statement<SqlUuid> {
    // A cluster cannot walk across shards.
    let grouped = sql!("SELECT workspace_id FROM cascades GROUP BY workspace_id ORDER BY workspace_id LIMIT $1");
    let sql = sql!(
        "WITH RECURSIVE walk AS (
             (SELECT workspace_id FROM cascades ORDER BY workspace_id LIMIT 1)
             UNION ALL
             SELECT (SELECT workspace_id FROM cascades
                     WHERE workspace_id > walk.workspace_id ORDER BY workspace_id LIMIT 1)
             FROM walk WHERE walk.workspace_id IS NOT NULL
         )
         SELECT workspace_id FROM walk WHERE workspace_id IS NOT NULL LIMIT $1"
    );
    let sql = if is_cluster { grouped } else { sql };
    sql.returns().bind(i64::from(limit))
}

/// The next change with pending cascades.
pub(crate) fn next_query(workspace: Uuid) -> Statement<(SqlUuid, BigInt, Text)> {
    let sql = sql!(
        "SELECT project_id, project_version, verb FROM cascades
         WHERE workspace_id = $1
         ORDER BY project_id, project_version, record_id LIMIT 1
         FOR UPDATE SKIP LOCKED"
    );
    sql.returns().bind(workspace)
}

pub(crate) fn take_query(workspace: Uuid, change: &ProjectChange, most: u32) -> Statement<(Text, SqlUuid, BigInt)> {
    let sql = sql!(
        "DELETE FROM cascades
         WHERE workspace_id = $1 AND project_id = $2 AND project_version = $3 AND record_id = ANY (ARRAY(
             SELECT record_id FROM cascades
             WHERE workspace_id = $1 AND project_id = $2 AND project_version = $3
             ORDER BY record_id LIMIT $4
             FOR UPDATE SKIP LOCKED
         ))
         RETURNING kind, record_id, version"
    );
    sql.returns().bind(workspace).bind(change.project.0).bind(change.version).bind(i64::from(most))
}

/// Usually this is the project's newest event.
fn cause_query(workspace: Uuid, change: &ProjectChange, event: &str) -> Statement<CauseTypes> {
    let sql = sql!(
        "SELECT id, coalesce(actor_type, 'system'), actor_id, coalesce(actor_name, 'service'), request_id, tool FROM events
         WHERE workspace_id = $1 AND record_id = $2 AND version = $3 AND event = $4
         ORDER BY id DESC LIMIT 1"
    );
    sql.returns().bind(workspace).bind(change.project.0).bind(change.version).bind(event.to_owned())
}

/// Locks in id order, like every other statement.
fn tasks_query(workspace: Uuid, ids: Vec<Uuid>) -> Statement<(RowOf<IssueRow>, Nullable<Timestamptz>)> {
    const COLUMNS: &str = columns!(IssueRow);
    let sql = sql!(
        "SELECT {columns}, deleted_at FROM issues
         WHERE workspace_id = $1 AND id = ANY ($2)
         ORDER BY id
         FOR NO KEY UPDATE",
        columns = COLUMNS
    );
    sql.returns().bind(workspace).bind(ids)
}

type CycleTypes = (RowOf<CycleRow>, Nullable<Timestamptz>, BigInt, BigInt);

fn cycles_query(workspace: Uuid, ids: Vec<Uuid>) -> Statement<CycleTypes> {
    const COLUMNS: &str = columns!(CycleRow);
    let sql = sql!(
        "SELECT {columns}, deleted_at,
             (SELECT count(*) FROM issues
              WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL),
             (SELECT count(*) FROM issues
              WHERE issues.workspace_id = $1 AND issues.cycle_id = cycles.id AND issues.deleted_at IS NULL
                  AND issues.status IN ('done', 'resolved', 'closed'))
         FROM cycles
         WHERE workspace_id = $1 AND id = ANY ($2)
         ORDER BY id
         FOR NO KEY UPDATE",
        columns = COLUMNS
    );
    sql.returns().bind(workspace).bind(ids)
}
