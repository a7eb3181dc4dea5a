//! Webhook deliveries and their attempts, for workspaces; `queue/` is the dispatchers' view.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::kernel::paging::PageRequest;
use domain::ports::{DeliveryRepo, StoreError};
use domain::webhooks::{
    Attempt, Backlog, Delivery, DeliveryFilter, DeliverySample, DeliveryState, FailedReason, compose_body,
};
use domain::{DeliveryId, EventId, ReplayId, SubscriptionId, WorkspaceId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::events::append::MAX_WAITING;
use crate::events::chunk_rows::{self, Stored};
use crate::schema::{webhook_attempts, webhook_deliveries};
use crate::webhooks::samples;

const DELIVERY_COLUMNS: &str = columns!(DeliveryRow);

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub(crate) struct DeliveryRow {
    pub(crate) workspace_id: Uuid,
    pub(crate) id: Uuid,
    pub(crate) subscription_id: Uuid,
    event: String,
    event_id: Option<Uuid>,
    body: Option<String>,
    state: String,
    attempts: i32,
    attempts_before: i32,
    next_attempt_at: Option<OffsetDateTime>,
    redelivered_at: Option<OffsetDateTime>,
    replay_id: Option<Uuid>,
    failed_reason: Option<String>,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
}

/// The columns for lists, without the body.
const WITHOUT_BODY: &str = "workspace_id, id, subscription_id, event, event_id, NULL, state, attempts, attempts_before, \
                            next_attempt_at, redelivered_at, replay_id, failed_reason, created_at, finished_at";

/// Payload, time and record of a delivery's event, if it has one.
pub(crate) type StoredEvent = (Option<String>, Option<OffsetDateTime>, Option<Uuid>);

impl DeliveryRow {
    /// The stored payload of its event, which may refer to long values.
    pub(crate) fn stored<'p>(&self, (payload, _, record): &'p mut StoredEvent) -> Stored<'p> {
        Stored { workspace: self.workspace_id, event: self.event_id.unwrap_or_default(), record: *record, payload }
    }

    /// Whether the body is stored or can be composed from the event.
    pub(crate) const fn has_content(&self, event: &StoredEvent) -> bool {
        self.body.is_some() || event.0.is_some()
    }

    pub(crate) fn into_delivery(self, (payload, at, _): StoredEvent) -> Result<Delivery, StoreError> {
        let (id, workspace) = (DeliveryId(self.id), WorkspaceId(self.workspace_id));
        let event_id = self.event_id.map(EventId);
        let event = (&*self.event, event_id);
        let composed = payload.zip(at).map(|(payload, at)| compose_body(id, workspace, event, at, &payload));
        Ok(Delivery {
            id,
            subscription_id: SubscriptionId(self.subscription_id),
            event: self.event,
            event_id,
            body: self.body.or(composed).unwrap_or_default(),
            state: convert::parse_stored(&self.state, DeliveryState::parse)?,
            attempts: convert::small(i64::from(self.attempts))?,
            attempts_before: convert::small(i64::from(self.attempts_before))?,
            next_attempt_at: self.next_attempt_at,
            redelivered_at: self.redelivered_at,
            replay_id: self.replay_id.map(ReplayId),
            failed_reason: self
                .failed_reason
                .map(|text| convert::parse_stored(&text, FailedReason::parse))
                .transpose()?,
            created_at: self.created_at,
            finished_at: self.finished_at,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_attempts)]
struct AttemptRow {
    number: i32,
    started_at: OffsetDateTime,
    duration_ms: i64,
    status: Option<i32>,
    error: Option<String>,
    response: Option<String>,
    manual: bool,
}

impl AttemptRow {
    fn into_attempt(self) -> Result<Attempt, StoreError> {
        Ok(Attempt {
            number: convert::small(i64::from(self.number))?,
            started_at: self.started_at,
            duration_ms: convert::small(self.duration_ms)?,
            status: self.status.map(|status| convert::small(i64::from(status))).transpose()?,
            error: self.error,
            response: self.response,
            manual: self.manual,
        })
    }
}

impl DeliveryRepo for PgTx<'_> {
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError> {
        // The lock waits for a concurrent deletion, so nothing is queued for a deleted subscription; the retry sees the deletion.
        let sql = sql!(
            "INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, event_id, body, state, attempts,
                 next_attempt_at, created_at)
             SELECT workspace_id, $1, id, $2, $3, $4, 'pending', 0, $5, $6
             FROM webhook_subscriptions
             WHERE workspace_id = $7 AND id = $8 AND deleted_at IS NULL
             FOR KEY SHARE"
        );
        let sql = sql.bind(delivery.id.0).bind(delivery.event.clone());
        let body = delivery.event_id.is_none().then(|| delivery.body.clone());
        let sql = sql.bind(delivery.event_id.map(|id| id.0)).bind(body);
        let sql = sql.bind(delivery.next_attempt_at.unwrap_or(delivery.created_at));
        let sql = sql.bind(delivery.created_at).bind(self.workspace);
        if self.execute(sql.bind(delivery.subscription_id.0))? == 0 {
            return Err(StoreError::Contended);
        }
        self.has_deliveries = true;
        Ok(())
    }

    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError> {
        let rows: Vec<DeliveryRow> = self.page(list_query(self.workspace, subscription, filter, page), page)?;
        rows.into_iter().map(|row| row.into_delivery((None, None, None))).collect()
    }

    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let sql = get_query(self.workspace, id);
        let Some((row, payload, at, record)) = self.first::<_, RowWithEvent>(sql)? else { return Ok(None) };
        let mut event = (payload, at, record);
        chunk_rows::complete(self, vec![row.stored(&mut event)])?;
        row.into_delivery(event).map(Some)
    }

    fn redeliver(&mut self, id: DeliveryId, now: OffsetDateTime) -> Result<bool, StoreError> {
        let is_done = self.execute(redeliver_query(self.workspace, id, now))? > 0;
        self.has_deliveries |= is_done;
        Ok(is_done)
    }

    fn samples(
        &mut self,
        subscription: SubscriptionId,
        starts: &[OffsetDateTime],
        length: Duration,
        most: u32,
    ) -> Result<Vec<DeliverySample>, StoreError> {
        samples::load(self, subscription, starts, length, most)
    }

    fn backlog(&mut self) -> Result<Backlog, StoreError> {
        let (waiting, backlog, oldest_behind_at, max_waiting) = if self.is_cluster {
            // On nodes with rows of the queue, functions cannot read it and do not see this connection's settings.
            let (waiting, most): (i64, i64) = self.value(waiting_in_cluster_query(self.workspace))?;
            let (backlog, oldest) = self.value(behind_in_cluster_query(self.workspace, most))?;
            (waiting, backlog, oldest, most)
        } else {
            self.value(backlog_query(self.workspace))?
        };
        Ok(Backlog {
            waiting: convert::count(waiting)?,
            behind: convert::count(backlog)?,
            oldest_behind_at,
            max_waiting: convert::count(max_waiting)?,
        })
    }

    fn attempts(&mut self, id: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        let query = webhook_attempts::table
            .filter(webhook_attempts::workspace_id.eq(self.workspace))
            .filter(webhook_attempts::delivery_id.eq(id.0))
            .order(webhook_attempts::number)
            .select(AttemptRow::as_select());
        self.load(query)?.into_iter().map(AttemptRow::into_attempt).collect()
    }
}

type RowWithEvent = (DeliveryRow, Option<String>, Option<OffsetDateTime>, Option<Uuid>);
type WithEvent = (RowOf<DeliveryRow>, Nullable<Text>, Nullable<Timestamptz>, Nullable<SqlUuid>);

pub(crate) fn get_query(workspace: Uuid, id: DeliveryId) -> Statement<WithEvent> {
    let sql = sql!(
        "SELECT {DELIVERY_COLUMNS}, stored.payload, stored.happened_at, stored.record_id
         FROM webhook_deliveries
         LEFT JOIN LATERAL (
             SELECT payload, created_at AS happened_at, record_id FROM events
             WHERE workspace_id = $1 AND id = webhook_deliveries.event_id
             OFFSET 0
         ) AS stored ON true
         WHERE workspace_id = $1 AND id = $2"
    );
    sql.returns().bind(workspace).bind(id.0)
}

/// Locks the subscription first, like every other statement; this waits for a concurrent deletion. A parallel call waits for the
/// row and then finds it pending. A delivery in flight keeps its lease and gets another attempt after the current one.
pub(crate) fn redeliver_query(workspace: Uuid, id: DeliveryId, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "WITH live AS MATERIALIZED (
             SELECT id FROM webhook_subscriptions
             WHERE workspace_id = $1 AND deleted_at IS NULL AND id = (
                 SELECT subscription_id FROM webhook_deliveries WHERE workspace_id = $1 AND id = $2)
             FOR KEY SHARE
         )
         UPDATE webhook_deliveries SET redelivered_at = $3, finished_at = NULL, failed_reason = NULL,
             attempt_again = (state = 'delivering'),
             state = CASE state WHEN 'delivering' THEN state ELSE 'pending' END,
             next_attempt_at = CASE state WHEN 'delivering' THEN next_attempt_at ELSE $3 END,
             attempts_before = CASE state WHEN 'delivering' THEN attempts_before ELSE attempts END,
             first_attempt_at = CASE state WHEN 'delivering' THEN first_attempt_at END
         FROM live
         WHERE workspace_id = $1 AND webhook_deliveries.id = $2 AND subscription_id = live.id
             AND state IN ('succeeded', 'failed', 'retrying', 'delivering')"
    );
    sql.bind(workspace).bind(id.0).bind(now)
}

/// Waiting deliveries, events in the backlog, the time of the first of them, and the maximum of waiting deliveries.
type BacklogColumns = (BigInt, BigInt, Nullable<Timestamptz>, BigInt);

pub(crate) fn backlog_query(workspace: Uuid) -> Statement<BacklogColumns> {
    let sql = sql!(
        "SELECT count_waiting_webhook_deliveries($1, bound.most),
             (SELECT count(*) FROM (
                 SELECT FROM webhook_backlog WHERE workspace_id = $1 ORDER BY event_id LIMIT bound.most) AS behind),
             (SELECT created_at FROM webhook_backlog WHERE workspace_id = $1 ORDER BY event_id LIMIT 1),
             bound.most
         FROM (SELECT {MAX_WAITING} AS most) AS bound"
    );
    sql.returns().bind(workspace)
}

fn waiting_in_cluster_query(workspace: Uuid) -> Statement<(BigInt, BigInt)> {
    let sql = sql!(
        "SELECT counted, bound.most
         FROM (SELECT {MAX_WAITING} AS most) AS bound CROSS JOIN LATERAL count_waiting_in_cluster($1, bound.most) AS counted"
    );
    sql.returns().bind(workspace)
}

fn behind_in_cluster_query(workspace: Uuid, most: i64) -> Statement<(BigInt, Nullable<Timestamptz>)> {
    let sql = sql!(
        "SELECT (SELECT count(*) FROM (
                 SELECT FROM webhook_backlog WHERE workspace_id = $1 ORDER BY event_id LIMIT $2) AS behind),
             (SELECT created_at FROM webhook_backlog WHERE workspace_id = $1 ORDER BY event_id LIMIT 1)"
    );
    sql.returns().bind(workspace).bind(most)
}

const LIST: List = List {
    select: WITHOUT_BODY,
    from: "webhook_deliveries",
    conditions: "workspace_id = $1 AND subscription_id = $2",
    order: Order::Newest,
};

pub(crate) fn list_query(
    workspace: Uuid,
    subscription: SubscriptionId,
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Statement<RowOf<DeliveryRow>> {
    PageQuery::new(&LIST, workspace, page)
        .bind(subscription.0)
        .any_text("state", filter.states.iter().map(|state| state.as_str()).collect())
        .equal("event = $n", filter.event.clone())
        .created(&filter.created)
        .build()
}
