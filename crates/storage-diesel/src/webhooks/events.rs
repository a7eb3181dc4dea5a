//! Events on their way into the queue.
//!
//! Two functions in the database do it, each within a block that catches what goes wrong: a savepoint at no round trip
//! of its own. So a queue that is broken undoes nothing of what a use case wrote.

use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::webhooks::{Event, Module, body_suffix};

use crate::cached_sql::CachedSql;
use crate::tx::PgTx;

/// Counts the times that events could not be queued.
pub const ENQUEUE_FAILURES: &str = "service_webhook_enqueue_failures_total";

/// Queued deliveries, and what went wrong.
type Enqueued = (BigInt, Nullable<Text>);

/// Whether anybody listens to a module; also where that cannot be told, since whoever emits then reports it.
pub(crate) fn has_listeners(tx: &mut PgTx<'_>, module: Module) -> bool {
    let sql = CachedSql::<Bool>::new("SELECT has_webhook_listeners(").bind::<SqlUuid, _>(tx.workspace);
    tx.value(sql.text(", ").bind::<Text, _>(module.as_str()).text(")")).unwrap_or(true)
}

/// Queues events for whoever asks for them.
pub(crate) fn emit(tx: &mut PgTx<'_>, events: &[Event]) {
    if events.is_empty() {
        return;
    }
    match tx.value::<_, (i64, Option<String>)>(enqueue_query(tx.workspace, events)) {
        Ok((queued, None)) => tx.queued |= queued > 0,
        Ok((_, Some(failure))) => report(&failure),
        // The statement itself did not run, or was cancelled: the transaction is as lost as after any other.
        Err(error) => report(&error.to_string()),
    }
}

pub(crate) fn enqueue_query(workspace: uuid::Uuid, events: &[Event]) -> CachedSql<Enqueued> {
    let endings: Vec<_> = events.iter().map(|event| body_suffix(WorkspaceId(workspace), event)).collect();
    let sql = CachedSql::new("SELECT queued, failure FROM enqueue_webhook_events(").bind::<SqlUuid, _>(workspace);
    let modules = events.iter().map(|event| event.module.as_str()).collect::<Vec<_>>();
    let sql = sql.text(", ").bind::<Array<Text>, _>(modules).text(", ");
    let sql = sql.bind::<Array<Text>, _>(events.iter().map(|event| event.name.clone()).collect::<Vec<_>>()).text(", ");
    let scopes = events.iter().map(|event| event.scope).collect::<Vec<_>>();
    let sql = sql.bind::<Array<Nullable<SqlUuid>>, _>(scopes).text(", ").bind::<Array<Text>, _>(endings).text(", ");
    sql.bind::<Array<Timestamptz>, _>(events.iter().map(|event| event.at).collect::<Vec<_>>()).text(")")
}

/// Without the events: payloads are people's data.
fn report(failure: &str) {
    log::error!("events could not be queued for webhooks: {failure}");
    metrics::counter!(ENQUEUE_FAILURES).increment(1);
}
