//! Stores events and queues them for webhooks.
//!
//! Two functions in the database do it, each in a block that catches errors: a savepoint without a round trip of its
//! own. So a failing queue does not undo what a use case wrote.

use const_format::formatcp;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::webhooks::{DEFAULT_MAX_WAITING, Event, Module};

use crate::pool::MAX_WAITING_SETTING;
use crate::statement::{Statement, sql};
use crate::tx::PgTx;

/// Counts failures to queue events.
pub const ENQUEUE_FAILURES: &str = "service_webhook_enqueue_failures_total";

/// How many deliveries of a workspace may wait: a setting of the session (`pool.rs`).
pub(crate) const MAX_WAITING: &str =
    formatcp!("coalesce(nullif(current_setting('{MAX_WAITING_SETTING}', true), '')::bigint, {DEFAULT_MAX_WAITING})");

/// The number of queued deliveries and of events left for later, and the error message.
type Enqueued = (BigInt, BigInt, Nullable<Text>);

/// Whether a module has subscriptions. Also true if that cannot be determined, since `emit` then reports the failure.
pub(crate) fn has_listeners(tx: &mut PgTx<'_>, module: Module) -> bool {
    let sql = sql!("SELECT has_webhook_listeners($1, $2)").returns::<Bool>();
    tx.value(sql.bind::<SqlUuid, _>(tx.workspace).bind::<Text, _>(module.as_str())).unwrap_or(true)
}

/// Queues events for the subscriptions that match them.
pub(crate) fn emit(tx: &mut PgTx<'_>, events: &[Event]) {
    if events.is_empty() {
        return;
    }
    match tx.value::<_, (i64, i64, Option<String>)>(enqueue_query(tx.workspace, events)) {
        Ok((queued, _, None)) => tx.queued |= queued > 0,
        Ok((_, behind, Some(failure))) => report(&format!("{failure}; {behind} of {} wait for later", events.len())),
        // The statement itself failed or was cancelled: the transaction has failed as well.
        Err(error) => report(&error.to_string()),
    }
}

pub(crate) fn enqueue_query(workspace: uuid::Uuid, events: &[Event]) -> Statement<Enqueued> {
    // Workspace, modules, names, scopes, former scopes, payloads, times.
    let sql =
        sql!("SELECT queued, behind, failure FROM enqueue_webhook_events($1, $2, $3, $4, $5, $6, $7, {MAX_WAITING})");
    let sql = sql.returns().bind::<SqlUuid, _>(workspace);
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| event.module.as_str()));
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| event.name.clone()));
    let sql = sql.bind::<Array<Nullable<SqlUuid>>, _>(each(events, |event| event.scope));
    let sql = sql.bind::<Array<Nullable<SqlUuid>>, _>(each(events, |event| event.former_scope));
    let sql = sql.bind::<Array<Text>, _>(each(events, |event| event.payload.clone()));
    sql.bind::<Array<Timestamptz>, _>(each(events, |event| event.at))
}

fn each<T>(events: &[Event], value: impl Fn(&Event) -> T) -> Vec<T> {
    events.iter().map(value).collect()
}

/// Logs the failure without the events, since payloads are personal data.
fn report(failure: &str) {
    log::error!("could not queue events for webhooks: {failure}");
    metrics::counter!(ENQUEUE_FAILURES).increment(1);
}
