//! Replays, for workspaces; `queue/replays.rs` is the dispatchers' view.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Uuid as SqlUuid};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{ReplayRepo, StoreError};
use domain::webhooks::{Replay, ReplayCount, ReplaySelection, ReplayState};
use domain::{EventId, ReplayId, SubscriptionId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Class;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::kernel::workspace_lock::lock_workspace;
use crate::schema::webhook_replays;

const REPLAY_COLUMNS: &str = columns!(ReplayRow);

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_replays)]
pub(crate) struct ReplayRow {
    workspace_id: Uuid,
    id: Uuid,
    subscription_id: Uuid,
    since: OffsetDateTime,
    until: Option<OffsetDateTime>,
    events: Option<Vec<String>>,
    only_failed: bool,
    state: String,
    matched: i64,
    queued: i64,
    last_event_id: Uuid,
    created_by_type: String,
    created_by_id: Option<Uuid>,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
}

impl ReplayRow {
    fn of(workspace: Uuid, replay: &Replay) -> Self {
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        Self {
            workspace_id: workspace,
            id: replay.id.0,
            subscription_id: replay.subscription_id.0,
            since: replay.since,
            until: replay.until,
            events: replay.events.clone(),
            only_failed: replay.only_failed,
            state: replay.state.as_str().to_owned(),
            matched: count(replay.matched),
            queued: count(replay.queued),
            last_event_id: replay.last_event.map_or(Uuid::nil(), |id| id.0),
            created_by_type: replay.created_by.kind.as_str().to_owned(),
            created_by_id: replay.created_by.id,
            created_at: replay.created_at,
            finished_at: replay.finished_at,
        }
    }

    fn into_replay(self) -> Result<Replay, StoreError> {
        Ok(Replay {
            id: ReplayId(self.id),
            subscription_id: SubscriptionId(self.subscription_id),
            since: self.since,
            until: self.until,
            events: self.events,
            only_failed: self.only_failed,
            state: convert::parse_stored(&self.state, ReplayState::parse)?,
            matched: convert::count(self.matched)?,
            queued: convert::count(self.queued)?,
            last_event: Some(EventId(self.last_event_id)).filter(|id| !id.0.is_nil()),
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
            created_at: self.created_at,
            finished_at: self.finished_at,
        })
    }
}

/// A lower bound on the ids of all events since a time. Ids from before the log have only the milliseconds of the time.
fn id_floor(at: OffsetDateTime) -> Uuid {
    let millis = u128::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or_default();
    Uuid::from_u128(millis << 80)
}

/// An upper bound on the ids of all events before a time.
fn id_ceiling(until: Option<OffsetDateTime>) -> Uuid {
    until.map_or(Uuid::max(), |until| id_floor(until + time::Duration::MILLISECOND))
}

impl ReplayRepo for PgTx<'_> {
    fn count(&mut self, selection: &ReplaySelection, most: u32) -> Result<ReplayCount, StoreError> {
        let (examined, matched, last) = self.value(count_query(self.workspace, selection, most))?;
        let last: Option<Uuid> = last;
        Ok(ReplayCount {
            examined: convert::count(examined)?,
            matched: convert::count(matched)?,
            last: last.map(EventId),
        })
    }

    fn running_for_update(&mut self) -> Result<Vec<SubscriptionId>, StoreError> {
        // A separate statement, as in the count of subscriptions.
        lock_workspace(self, Class::Sharded)?;
        let running: Vec<Uuid> = self.load(running_query(self.workspace))?;
        Ok(running.into_iter().map(SubscriptionId).collect())
    }

    fn insert(&mut self, replay: &Replay) -> Result<(), StoreError> {
        let row = ReplayRow::of(self.workspace, replay);
        let values = (row, webhook_replays::examined_to.eq(id_floor(replay.since)));
        self.execute(diesel::insert_into(webhook_replays::table).values(values)).map(drop)
    }

    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<Replay>, StoreError> {
        let rows: Vec<ReplayRow> = self.page(list_query(self.workspace, subscription, filter, page), page)?;
        rows.into_iter().map(ReplayRow::into_replay).collect()
    }

    fn get(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        let query = webhook_replays::table.find((self.workspace, id.0));
        let query = query.filter(webhook_replays::subscription_id.eq(subscription.0));
        self.first(query.select(ReplayRow::as_select()))?.map(ReplayRow::into_replay).transpose()
    }

    fn get_for_update(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        let query = webhook_replays::table.find((self.workspace, id.0));
        let query = query.filter(webhook_replays::subscription_id.eq(subscription.0));
        self.first(query.select(ReplayRow::as_select()).for_update())?.map(ReplayRow::into_replay).transpose()
    }

    fn cancel(&mut self, id: ReplayId, now: OffsetDateTime) -> Result<(), StoreError> {
        let sql = sql!(
            "UPDATE webhook_replays SET state = 'cancelled', finished_at = $1
             WHERE workspace_id = $2 AND id = $3 AND state = 'running'"
        );
        self.execute(sql.bind(now).bind(self.workspace).bind(id.0)).map(drop)
    }
}

/// Cancels the running replays of a subscription that is being deleted.
pub(super) fn cancel_of(tx: &mut PgTx<'_>, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError> {
    let sql = sql!(
        "UPDATE webhook_replays SET state = 'cancelled', finished_at = $1
         WHERE workspace_id = $2 AND subscription_id = $3 AND state = 'running'"
    );
    tx.execute(sql.bind(now).bind(tx.workspace).bind(id.0)).map(drop)
}

/// The number of events read, the number of matches, and the last event of the range.
type CountColumns = (BigInt, BigInt, Nullable<SqlUuid>);

/// The conditions of `queue_webhook_replay`, for a subscription that was read before.
const MATCHES: &str = "module = $4 AND internal IS NOT TRUE AND created_at >= $5
                 AND ($6::timestamptz IS NULL OR created_at < $6) AND ($7::text[] IS NULL OR event = ANY ($7))
                 AND ($8::uuid IS NULL OR $8 IN (scope_id, former_scope_id))";
const LAST: &str = "SELECT id FROM events WHERE workspace_id = $1 AND id > $2 AND id < $3 ORDER BY id DESC LIMIT 1";

pub(crate) fn count_query(workspace: Uuid, selection: &ReplaySelection, most: u32) -> Statement<CountColumns> {
    let sql = if selection.only_failed { failed_sql() } else { all_sql() };
    let sql = sql.bind(workspace).bind(id_floor(selection.since)).bind(id_ceiling(selection.until));
    let sql = sql.bind(selection.module.as_str()).bind(selection.since).bind(selection.until);
    let sql = sql.bind(selection.names.clone()).bind(selection.scope).bind(i64::from(most) + 1);
    if selection.only_failed { sql.bind(selection.subscription.0) } else { sql }
}

/// Unordered: it stops at the bound, whichever events come first.
fn all_sql() -> Statement<CountColumns> {
    let sql = sql!(
        "SELECT count(*), count(*) FILTER (WHERE matches), ({LAST})
         FROM (
             SELECT {MATCHES} AS matches FROM events WHERE workspace_id = $1 AND id > $2 AND id < $3 LIMIT $9
         ) AS examined"
    );
    sql.returns()
}

fn failed_sql() -> Statement<CountColumns> {
    let sql = sql!(
        "SELECT count(*), count(*) FILTER (WHERE event.matches), ({LAST})
         FROM (
             SELECT event_id FROM webhook_deliveries
             WHERE workspace_id = $1 AND subscription_id = $10 AND event_id > $2 AND event_id < $3
                 AND (state = 'failed' OR replay_id IS NOT NULL)
             GROUP BY event_id HAVING (array_agg(state ORDER BY created_at DESC, id DESC))[1] = 'failed'
             ORDER BY event_id LIMIT $9
         ) AS failed
         LEFT JOIN LATERAL (
             SELECT {MATCHES} AS matches FROM events WHERE workspace_id = $1 AND id = failed.event_id OFFSET 0
         ) AS event ON true"
    );
    sql.returns()
}

pub(crate) fn running_query(workspace: Uuid) -> Statement<SqlUuid> {
    let sql = sql!("SELECT subscription_id FROM webhook_replays WHERE workspace_id = $1 AND state = 'running'");
    sql.returns().bind(workspace)
}

const LIST: List = List {
    select: REPLAY_COLUMNS,
    from: "webhook_replays",
    conditions: "workspace_id = $1 AND subscription_id = $2",
    order: Order::Newest,
};

pub(crate) fn list_query(
    workspace: Uuid,
    subscription: SubscriptionId,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RowOf<ReplayRow>> {
    PageQuery::new(&LIST, workspace, page).bind(subscription.0).created(filter).build()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn ids_are_bounded_by_times_of_any_year() {
        let at = datetime!(2030-01-01 00:00:00.123456 UTC);
        let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap();
        let first = uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid();
        let last = uuid::Builder::from_unix_timestamp_millis(millis, &[255; 10]).into_uuid();
        assert!(id_floor(at) < first && last < id_ceiling(Some(at)));
        assert_eq!(id_floor(datetime!(0001-01-01 00:00 UTC)), Uuid::nil());
        assert!(id_ceiling(Some(datetime!(9999-12-31 23:59:59 UTC))) > last && id_ceiling(None) > last);
    }
}
