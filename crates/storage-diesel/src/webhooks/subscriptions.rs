//! Webhook subscriptions.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid};
use domain::SubscriptionId;
use domain::kernel::paging::PageRequest;
use domain::kernel::sealing::SealedSecret;
use domain::ports::{StoreError, SubscriptionRepo};
use domain::webhooks::{DisabledReason, Module, Subscription, WebhookReach};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::errors::expect_rows;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::webhook_subscriptions;
use crate::statement::{RowOf, SameText, Statement, sql};
use crate::tx::{PgTx, deletion};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhook_subscriptions, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct SubscriptionRow {
    pub(crate) workspace_id: Uuid,
    id: Uuid,
    module: String,
    url: String,
    description: Option<String>,
    events: Vec<String>,
    scope_id: Option<Uuid>,
    enabled: bool,
    disabled_reason: Option<String>,
    secret_key_id: String,
    secret: Vec<u8>,
    next_secret_key_id: Option<String>,
    next_secret: Option<Vec<u8>>,
    overlap_ends_at: Option<OffsetDateTime>,
    failing_since: Option<OffsetDateTime>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl SubscriptionRow {
    fn of(workspace: Uuid, it: &Subscription) -> Self {
        Self {
            workspace_id: workspace,
            id: it.id.0,
            module: it.module.as_str().to_owned(),
            url: it.url.clone(),
            description: it.description.clone(),
            events: it.events.clone(),
            scope_id: it.scope,
            enabled: it.enabled,
            disabled_reason: it.disabled_reason.map(|reason| reason.as_str().to_owned()),
            secret_key_id: it.secret.key_id.clone(),
            secret: it.secret.sealed.clone(),
            next_secret_key_id: it.next_secret.as_ref().map(|next| next.key_id.clone()),
            next_secret: it.next_secret.as_ref().map(|next| next.sealed.clone()),
            overlap_ends_at: it.overlap_ends_at,
            failing_since: it.failing_since,
            version: it.version,
            created_at: it.created_at,
            updated_at: it.updated_at,
            created_by_type: it.created_by.kind.as_str().to_owned(),
            created_by_id: it.created_by.id,
        }
    }

    pub(crate) fn into_subscription(self) -> Result<Subscription, StoreError> {
        let next = self.next_secret_key_id.zip(self.next_secret);
        Ok(Subscription {
            id: SubscriptionId(self.id),
            module: convert::parse_stored(&self.module, Module::parse)?,
            url: self.url,
            description: self.description,
            events: self.events,
            scope: self.scope_id,
            enabled: self.enabled,
            disabled_reason: self
                .disabled_reason
                .map(|text| convert::parse_stored(&text, DisabledReason::parse))
                .transpose()?,
            secret: SealedSecret { key_id: self.secret_key_id, sealed: self.secret },
            next_secret: next.map(|(key_id, sealed)| SealedSecret { key_id, sealed }),
            overlap_ends_at: self.overlap_ends_at,
            failing_since: self.failing_since,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl SubscriptionRepo for PgTx<'_> {
    fn count_for_update(&mut self) -> Result<u64, StoreError> {
        let workspace = self.workspace;
        // This lock does not block references of other rows to the workspace. The count is a separate statement, which
        // sees what previous holders of the lock inserted.
        let lock = sql!("SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE").returns::<SqlUuid>();
        self.load::<_, Uuid>(lock.bind::<SqlUuid, _>(workspace))?;
        let count = sql!("SELECT count(*) FROM webhook_subscriptions WHERE workspace_id = $1 AND deleted_at IS NULL");
        convert::count(self.value(count.returns::<BigInt>().bind::<SqlUuid, _>(workspace))?)
    }

    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        let row = SubscriptionRow::of(self.workspace, subscription);
        self.execute(diesel::insert_into(webhook_subscriptions::table).values(row)).map(drop)
    }

    fn list(&mut self, reach: &WebhookReach, page: &PageRequest) -> Result<Vec<Subscription>, StoreError> {
        let rows: Vec<SubscriptionRow> = self.page(list_query(self.workspace, reach, page), page)?;
        rows.into_iter().map(SubscriptionRow::into_subscription).collect()
    }

    fn get(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        let live = webhook_subscriptions::deleted_at.is_null();
        let query = webhook_subscriptions::table.find((self.workspace, id.0)).filter(live);
        self.first(query.select(SubscriptionRow::as_select()))?.map(SubscriptionRow::into_subscription).transpose()
    }

    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        let live = webhook_subscriptions::deleted_at.is_null();
        let query = webhook_subscriptions::table.find((self.workspace, id.0)).filter(live);
        let query = query.select(SubscriptionRow::as_select()).for_no_key_update();
        self.first(query)?.map(SubscriptionRow::into_subscription).transpose()
    }

    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        let live = webhook_subscriptions::deleted_at.is_null();
        let target = webhook_subscriptions::table.find((self.workspace, subscription.id.0)).filter(live);
        let row = SubscriptionRow::of(self.workspace, subscription);
        let affected = self.execute(SameText(diesel::update(target).set(row)))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError> {
        // The lock of a real deletion waits for transactions that are queueing; their deliveries are then visible.
        if !self.mark_deleted(deletion!("webhook_subscriptions"), id.0, now)? {
            return Ok(());
        }
        let sql = sql!(
            "UPDATE webhook_deliveries SET state = 'cancelled', next_attempt_at = NULL, lease_owner = NULL,
                 lease_until = NULL, finished_at = $1
             WHERE workspace_id = $2 AND subscription_id = $3 AND state IN ('pending', 'retrying', 'delivering')"
        );
        let sql = sql.bind::<Timestamptz, _>(now).bind::<SqlUuid, _>(self.workspace);
        self.execute(sql.bind::<SqlUuid, _>(id.0)).map(drop)
    }
}

const LIST: List = List {
    select: columns!(SubscriptionRow),
    from: "webhook_subscriptions",
    // Of the service's own modules, an event name belongs to one. Others name their events themselves.
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND (module = ANY ($2)
        OR (module IN ('projects', 'support', 'crm') AND events <@ $3))",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(
    workspace: Uuid,
    reach: &WebhookReach,
    page: &PageRequest,
) -> Statement<RowOf<SubscriptionRow>> {
    let modules: Vec<_> = reach.modules().iter().map(|module| module.as_str()).collect();
    PageQuery::new(&LIST, workspace, page)
        .bind::<Array<Text>, _>(modules)
        .bind::<Array<Text>, _>(reach.events().to_vec())
        .build()
}
