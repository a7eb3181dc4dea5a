//! Webhook deliveries and their attempts, as a workspace sees them; `queue/` is the dispatchers' view.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::kernel::paging::PageRequest;
use domain::ports::{DeliveryRepo, StoreError};
use domain::webhooks::{Attempt, Delivery, DeliveryFilter, DeliveryState};
use domain::{DeliveryId, SubscriptionId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::convert;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::{webhook_attempts, webhook_deliveries};
use crate::statement::{RowOf, Statement, sql};
use crate::tx::PgTx;

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub(crate) struct DeliveryRow {
    pub(crate) workspace_id: Uuid,
    id: Uuid,
    pub(crate) subscription_id: Uuid,
    event: String,
    body: String,
    state: String,
    attempts: i32,
    next_attempt_at: Option<OffsetDateTime>,
    redelivery_of: Option<Uuid>,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
}

/// The columns of a row in a list, without the body.
const WITHOUT_BODY: &str = "workspace_id, id, subscription_id, event, '', state, attempts, next_attempt_at, \
                            redelivery_of, created_at, finished_at";

impl DeliveryRow {
    pub(crate) fn into_delivery(self) -> Result<Delivery, StoreError> {
        Ok(Delivery {
            id: DeliveryId(self.id),
            subscription_id: SubscriptionId(self.subscription_id),
            event: self.event,
            body: self.body,
            state: convert::parse_stored(&self.state, DeliveryState::parse)?,
            attempts: convert::small(i64::from(self.attempts))?,
            next_attempt_at: self.next_attempt_at,
            redelivery_of: self.redelivery_of.map(DeliveryId),
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
        })
    }
}

impl DeliveryRepo for PgTx<'_> {
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError> {
        // The lock waits for a concurrent deletion, so nothing is queued for a deleted subscription. A retry sees that.
        let sql = sql!(
            "INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, body, state, attempts,
                 next_attempt_at, redelivery_of, created_at)
             SELECT workspace_id, $1, id, $2, $3, 'pending', 0, $4, $5, $6
             FROM webhook_subscriptions
             WHERE workspace_id = $7 AND id = $8 AND deleted_at IS NULL
             FOR KEY SHARE"
        );
        let sql = sql.bind::<SqlUuid, _>(delivery.id.0).bind::<Text, _>(delivery.event.clone());
        let sql = sql.bind::<Text, _>(delivery.body.clone());
        let sql = sql.bind::<Timestamptz, _>(delivery.next_attempt_at.unwrap_or(delivery.created_at));
        let sql = sql.bind::<Nullable<SqlUuid>, _>(delivery.redelivery_of.map(|id| id.0));
        let sql = sql.bind::<Timestamptz, _>(delivery.created_at).bind::<SqlUuid, _>(self.workspace);
        if self.execute(sql.bind::<SqlUuid, _>(delivery.subscription_id.0))? == 0 {
            return Err(StoreError::Contended);
        }
        self.queued = true;
        Ok(())
    }

    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError> {
        let rows: Vec<DeliveryRow> = self.page(list_query(self.workspace, subscription, filter, page), page)?;
        rows.into_iter().map(DeliveryRow::into_delivery).collect()
    }

    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let query = webhook_deliveries::table.find((self.workspace, id.0)).select(DeliveryRow::as_select());
        self.first(query)?.map(DeliveryRow::into_delivery).transpose()
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

const LIST: List = List {
    select: WITHOUT_BODY,
    from: "webhook_deliveries",
    conditions: "workspace_id = $1 AND subscription_id = $2",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(
    workspace: Uuid,
    subscription: SubscriptionId,
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Statement<RowOf<DeliveryRow>> {
    PageQuery::new(&LIST, workspace, page)
        .bind::<SqlUuid, _>(subscription.0)
        .any_text("state", filter.states.iter().map(|state| state.as_str()).collect())
        .equal::<Text, _>("event = $n", filter.event.clone())
        .build()
}
