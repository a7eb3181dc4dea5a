//! Appends events to the log and queues them for webhooks, in one statement.
//!
//! The statement calls a database function that queues deliveries and catches errors in a block, which is a savepoint without
//! another round trip. So a failing queue does not undo the writes of a use case, but a log that cannot be written does.

use const_format::formatcp;
use diesel::sql_types::{BigInt, Nullable, Text};
use domain::WorkspaceId;
use domain::events::Event;
use domain::limits::day_of;
use domain::ports::StoreError;
use domain::tools::Tool;
use domain::webhooks::DEFAULT_MAX_WAITING;
use uuid::Uuid;

use super::chunk_rows;
use crate::engine::pending::{PendingWrite, WriteName};
use crate::engine::pool::MAX_WAITING_SETTING;
use crate::engine::queued::QueuedRow;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Maximum number of waiting deliveries per workspace: a session setting (`pool.rs`).
pub(crate) const MAX_WAITING: &str =
    formatcp!("coalesce(nullif(current_setting('{MAX_WAITING_SETTING}', true), '')::bigint, {DEFAULT_MAX_WAITING})");

/// The number of queued deliveries and of events left for later, and the error message.
type Enqueued = (BigInt, BigInt, Nullable<Text>);

/// Appends events to the log and queues them for the subscriptions that match them.
pub(crate) fn emit(tx: &mut PgTx<'_>, events: &[Event]) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let workspace = WorkspaceId(tx.workspace);
    if let (Some(event_bytes), Some(event)) = (&tx.event_bytes, events.first()) {
        event_bytes.check(workspace, event.at)?;
    }
    tx.has_events = true;
    let stored = chunk_rows::store(tx, events)?;
    let bytes: u64 = stored.iter().map(|stored| stored.bytes).sum();
    let before = tx.log_bytes.map_or(0, |(_, before)| before);
    tx.log_bytes = events.first().map(|event| (day_of(event.at), before + bytes));
    if let ([event], [stored]) = (events, &*stored)
        && tx.batches_writes()
    {
        let write = PendingWrite::new(WriteName::Events, append_one_query(tx.workspace, event, &stored.payload));
        return tx.write_later(write.then(APPENDED).queue(QUEUE));
    }
    // In a cluster, the function appends step by step.
    let payloads: Vec<_> = stored.iter().map(|stored| &*stored.payload).collect();
    let sql = match (events, &*payloads) {
        ([event], [payload]) if !tx.is_cluster => append_one_query(tx.workspace, event, payload),
        _ => append_many_query(tx.workspace, events, &payloads),
    };
    // If earlier writes fail, the log is not at fault: an assumption may not hold, and then the use case runs again.
    tx.flush()?;
    let appended = tx.value::<_, QueuedRow>(sql);
    let queued = appended.map_err(|error| match error {
        // The request is not at fault if the log cannot be written.
        StoreError::Internal(reason) => StoreError::Unavailable(format!("the event log cannot be written: {reason}")),
        other => other,
    })?;
    tx.record_queued(queued);
    Ok(())
}

/// `$1` is the workspace; then module, name, scope, former scope; record type, record id, version, whether internal; actor
/// type, actor id, actor name; request id, tool, payload, time. Nothing is appended if `gate` has no row.
const APPENDED: &str = "incoming AS MATERIALIZED (SELECT event_id($16, 1) AS id FROM gate), appended AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
        SELECT $1, id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16 FROM incoming
    ), unnumbered AS (
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT $1, id FROM incoming
    )";
/// The function takes the id from the row of `incoming`, so it is not called without one.
const QUEUE: &str = formatcp!(
    "incoming CROSS JOIN LATERAL queue_webhook_deliveries($1, ARRAY[incoming.id], ARRAY[$2], ARRAY[$3], ARRAY[$4], ARRAY[$5],
         ARRAY[$9], ARRAY[$16], {MAX_WAITING})"
);

/// For the common case of one event: single values take the database a third less time than arrays.
fn append_one_query(workspace: Uuid, event: &Event, payload: &str) -> Statement<Enqueued> {
    let sql = sql!("WITH gate AS (SELECT), {APPENDED} SELECT queued, behind, failure FROM {QUEUE}");
    let sql = sql.returns().bind(workspace).bind(event.module.as_str()).bind(event.name.clone()).bind(event.scope);
    let sql = sql.bind(event.former_scope).bind(event.record.map(|record| record.noun));
    let sql = sql.bind(event.record.map(|record| record.id)).bind(event.version).bind(event.is_internal);
    let sql = sql.bind(event.by.actor_type()).bind(event.by.actor.id).bind(event.by.name.to_string());
    let sql = sql.bind(event.by.request_id.as_deref().map(str::to_owned)).bind(event.by.tool.map(Tool::as_str));
    sql.bind(payload.to_owned()).bind(event.at)
}

pub(crate) fn append_many_query(workspace: Uuid, events: &[Event], payloads: &[&str]) -> Statement<Enqueued> {
    // Workspace, modules, names, scopes, former scopes; record types, record ids, versions, whether internal; actor types,
    // actor ids, actor names; request ids, tools, payloads, times.
    let sql = sql!(
        "SELECT queued, behind, failure FROM append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
            $15, $16, {MAX_WAITING})"
    );
    let sql = sql.returns().bind(workspace).bind_each(events, |event| event.module.as_str());
    let sql = sql.bind_each(events, |event| event.name.clone()).bind_each(events, |event| event.scope);
    let sql = sql.bind_each(events, |event| event.former_scope);
    let sql = sql.bind_each(events, |event| event.record.map(|record| record.noun));
    let sql = sql.bind_each(events, |event| event.record.map(|record| record.id));
    let sql = sql.bind_each(events, |event| event.version).bind_each(events, |event| event.is_internal);
    let sql = sql.bind_each(events, |event| event.by.actor_type()).bind_each(events, |event| event.by.actor.id);
    let sql = sql.bind_each(events, |event| event.by.name.to_string());
    let sql = sql.bind_each(events, |event| event.by.request_id.as_deref().map(str::to_owned));
    let sql = sql.bind_each(events, |event| event.by.tool.map(Tool::as_str));
    sql.bind_each(payloads, |payload| (*payload).to_owned()).bind_each(events, |event| event.at)
}
