//! Events on their way into the queue.
//!
//! Two functions in the database do it, each within a block that catches what goes wrong: a savepoint at no round trip
//! of its own. So a queue that is broken undoes nothing of what a use case wrote.

use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::WorkspaceId;
use domain::webhooks::{Event, Module, body_suffix};

use crate::statement::{Statement, sql};
use crate::tx::PgTx;

/// Counts the times that events could not be queued.
pub const ENQUEUE_FAILURES: &str = "service_webhook_enqueue_failures_total";

/// Queued deliveries, and what went wrong.
type Enqueued = (BigInt, Nullable<Text>);

/// Whether anybody listens to a module; also where that cannot be told, since whoever emits then reports it.
pub(crate) fn has_listeners(tx: &mut PgTx<'_>, module: Module) -> bool {
    let sql = sql!("SELECT has_webhook_listeners($1, $2)").returns::<Bool>();
    tx.value(sql.bind::<SqlUuid, _>(tx.workspace).bind::<Text, _>(module.as_str())).unwrap_or(true)
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

pub(crate) fn enqueue_query(workspace: uuid::Uuid, events: &[Event]) -> Statement<Enqueued> {
    // Workspace, modules, names, scopes, endings of bodies, times.
    let sql = sql!("SELECT queued, failure FROM enqueue_webhook_events($1, $2, $3, $4, $5, $6)");
    let sql = sql.returns().bind::<SqlUuid, _>(workspace);
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| event.module.as_str()));
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| event.name.clone()));
    let sql = sql.bind::<Array<Nullable<SqlUuid>>, _>(each(events, |event| event.scope));
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| body_suffix(WorkspaceId(workspace), event)));
    sql.bind::<Array<Timestamptz>, _>(each(events, |event| event.at))
}

fn each<T>(events: &[Event], value: impl Fn(&Event) -> T) -> Vec<T> {
    events.iter().map(value).collect()
}

/// Without the events: payloads are people's data.
fn report(failure: &str) {
    log::error!("events could not be queued for webhooks: {failure}");
    metrics::counter!(ENQUEUE_FAILURES).increment(1);
}
