//! Webhook subscriptions.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::SubscriptionId;
use domain::events::Module;
use domain::identity::access::Actor;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::kernel::sealing::SealedSecret;
use domain::ports::{StoreError, SubscriptionRepo};
use domain::webhooks::{
    DisabledReason, FormerSecret, Maker, SealedHeaders, SigningSecrets, Subscription, SubscriptionRecord,
    WebhookNotice, WebhookReach,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Class;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::{PgTx, deletion};
use crate::kernel::workspace_lock::lock_workspace;
use crate::schema::webhook_subscriptions;
use crate::webhooks::makers::{MAKER_COLUMNS, RecordColumns, RecordRow, into_record, with_makers};
use crate::webhooks::{notices, replays};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhook_subscriptions, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct SubscriptionRow {
    pub(crate) workspace_id: Uuid,
    id: Uuid,
    group_id: Option<Uuid>,
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
    next_secret_ends_at: Option<OffsetDateTime>,
    last_secret_key_id: Option<String>,
    last_secret: Option<Vec<u8>>,
    header_names: Option<Vec<String>>,
    headers_key_id: Option<String>,
    headers: Option<Vec<u8>>,
    failing_since: Option<OffsetDateTime>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    pub(super) created_by_type: String,
    pub(super) created_by_id: Option<Uuid>,
    pub(super) maker_type: Option<String>,
    pub(super) maker_id: Option<Uuid>,
    maker_notice_at: Option<OffsetDateTime>,
}

/// The secrets in column order: oldest first, each with its end unless it is the current one.
fn secret_columns(secrets: &SigningSecrets) -> impl Iterator<Item = (&SealedSecret, Option<OffsetDateTime>)> {
    let (former, current) = secrets.parts();
    former.iter().map(|former| (&former.secret, Some(former.signs_until))).chain([(current, None)])
}

impl SubscriptionRow {
    fn of(workspace: Uuid, it: &Subscription) -> Self {
        let secrets: Vec<_> = secret_columns(&it.secrets).collect();
        let (oldest, oldest_end) = secrets.first().copied().unwrap_or((it.secrets.parts().1, None));
        let (next, last) = (secrets.get(1), secrets.get(2));
        Self {
            workspace_id: workspace,
            id: it.id.0,
            group_id: it.group.map(|group| group.0),
            module: it.module.as_str().to_owned(),
            url: it.url.clone(),
            description: it.description.clone(),
            events: it.events.clone(),
            scope_id: it.scope,
            enabled: it.enabled,
            disabled_reason: it.disabled_reason.map(|reason| reason.as_str().to_owned()),
            secret_key_id: oldest.key_id.clone(),
            secret: oldest.sealed.clone(),
            next_secret_key_id: next.map(|(secret, _)| secret.key_id.clone()),
            next_secret: next.map(|(secret, _)| secret.sealed.clone()),
            overlap_ends_at: oldest_end,
            next_secret_ends_at: next.and_then(|(_, end)| *end),
            last_secret_key_id: last.map(|(secret, _)| secret.key_id.clone()),
            last_secret: last.map(|(secret, _)| secret.sealed.clone()),
            header_names: it.headers.as_ref().map(|headers| headers.names.clone()),
            headers_key_id: it.headers.as_ref().map(|headers| headers.sealed.key_id.clone()),
            headers: it.headers.as_ref().map(|headers| headers.sealed.sealed.clone()),
            failing_since: it.failing_since,
            version: it.version,
            created_at: it.created_at,
            updated_at: it.updated_at,
            created_by_type: it.created_by.kind.as_str().to_owned(),
            created_by_id: it.created_by.id,
            maker_type: Some(it.maker.actor.kind.as_str().to_owned()),
            maker_id: it.maker.actor.id,
            maker_notice_at: it.maker.notice_at,
        }
    }

    pub(crate) fn into_subscription(self) -> Result<Subscription, StoreError> {
        let sealed = |(key_id, sealed)| SealedSecret { key_id, sealed };
        let first = SealedSecret { key_id: self.secret_key_id, sealed: self.secret };
        let next = self.next_secret_key_id.zip(self.next_secret).map(sealed);
        let last = self.last_secret_key_id.zip(self.last_secret).map(sealed);
        let former = |secret, end: Option<OffsetDateTime>| end.map(|signs_until| FormerSecret { secret, signs_until });
        let (former, current) = match (next, last) {
            (Some(next), Some(last)) => {
                (vec![former(first, self.overlap_ends_at), former(next, self.next_secret_ends_at)], last)
            }
            (Some(next), None) => (vec![former(first, self.overlap_ends_at)], next),
            (None, _) => (Vec::new(), first),
        };
        let created_by = convert::actor(&self.created_by_type, self.created_by_id)?;
        let maker = match &self.maker_type {
            Some(kind) => convert::actor(kind, self.maker_id)?,
            None => created_by,
        };
        let headers = self.headers_key_id.zip(self.headers).map(sealed).zip(self.header_names);
        Ok(Subscription {
            id: SubscriptionId(self.id),
            group: self.group_id.map(SubscriptionId),
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
            secrets: SigningSecrets::stored(former.into_iter().flatten().collect(), current),
            headers: headers.map(|(sealed, names)| SealedHeaders { names, sealed }),
            failing_since: self.failing_since,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by,
            maker: Maker { actor: maker, notice_at: self.maker_notice_at },
        })
    }
}

const SUBSCRIPTION_COLUMNS: &str = columns!(SubscriptionRow);
const RECORD_COLUMNS: &str = formatcp!("{SUBSCRIPTION_COLUMNS}, {MAKER_COLUMNS}");

impl SubscriptionRepo for PgTx<'_> {
    fn count_for_update(&mut self) -> Result<u64, StoreError> {
        let workspace = self.workspace;
        // The count is a separate statement, so that it sees what previous holders of the lock inserted.
        lock_workspace(self, Class::Sharded)?;
        let count = sql!("SELECT count(*) FROM webhook_subscriptions WHERE workspace_id = $1 AND deleted_at IS NULL");
        convert::count(self.value(count.returns::<BigInt>().bind(workspace))?)
    }

    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        let row = SubscriptionRow::of(self.workspace, subscription);
        self.execute(diesel::insert_into(webhook_subscriptions::table).values(row)).map(drop)
    }

    fn list(
        &mut self,
        reach: &WebhookReach,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<SubscriptionRecord>, StoreError> {
        if self.is_cluster {
            let rows = self.page(list_in_cluster_query(self.workspace, reach, filter, page), page)?;
            return with_makers(self, rows);
        }
        let rows: Vec<RecordRow> = self.page(list_query(self.workspace, reach, filter, page), page)?;
        rows.into_iter().map(into_record).collect()
    }

    fn get(&mut self, id: SubscriptionId) -> Result<Option<SubscriptionRecord>, StoreError> {
        if self.is_cluster {
            let rows = self.load(get_in_cluster_query(self.workspace, id))?;
            return Ok(with_makers(self, rows)?.into_iter().next());
        }
        let row: Option<RecordRow> = self.first(get_query(self.workspace, id))?;
        row.map(into_record).transpose()
    }

    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        let live = webhook_subscriptions::deleted_at.is_null();
        let query = webhook_subscriptions::table.find((self.workspace, id.0)).filter(live);
        let query = query.select(SubscriptionRow::as_select()).for_no_key_update();
        self.first(query)?.map(SubscriptionRow::into_subscription).transpose()
    }

    fn group_for_update(&mut self, id: SubscriptionId) -> Result<Vec<Subscription>, StoreError> {
        let rows: Vec<SubscriptionRow> = self.load(group_query(self.workspace, id))?;
        rows.into_iter().map(SubscriptionRow::into_subscription).collect()
    }

    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        let live = webhook_subscriptions::deleted_at.is_null();
        let target = webhook_subscriptions::table.find((self.workspace, subscription.id.0)).filter(live);
        let row = SubscriptionRow::of(self.workspace, subscription);
        let affected = self.execute(diesel::update(target).set(row))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError> {
        // Takes the lock of a real deletion, which waits for transactions that are queueing; their deliveries are then visible.
        if !self.mark_deleted(deletion!("webhook_subscriptions"), id.0, now)? {
            return Ok(());
        }
        let sql = sql!(
            "UPDATE webhook_deliveries SET state = 'cancelled', next_attempt_at = NULL, lease_owner = NULL,
                 lease_until = NULL, finished_at = $1
             WHERE workspace_id = $2 AND subscription_id = $3 AND state IN ('pending', 'retrying', 'delivering')"
        );
        self.execute(sql.bind(now).bind(self.workspace).bind(id.0))?;
        replays::cancel_of(self, id, now)
    }

    fn maker_ended(&mut self, makers: &[Actor], now: OffsetDateTime) -> Result<(), StoreError> {
        self.execute(notices::maker_ended_query(self.workspace, makers, now)).map(drop)
    }

    fn take_notices(
        &mut self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
    ) -> Result<Vec<WebhookNotice>, StoreError> {
        notices::take(self, now, failing_before)
    }
}

pub(crate) fn get_query(workspace: Uuid, id: SubscriptionId) -> Statement<RecordColumns> {
    let sql = sql!(
        "SELECT {RECORD_COLUMNS} FROM webhook_subscriptions WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL"
    );
    sql.returns().bind(workspace).bind(id.0)
}

fn get_in_cluster_query(workspace: Uuid, id: SubscriptionId) -> Statement<RowOf<SubscriptionRow>> {
    let sql = sql!(
        "SELECT {SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL"
    );
    sql.returns().bind(workspace).bind(id.0)
}

/// Most subscriptions have no group, and are found by their id alone.
pub(crate) fn group_query(workspace: Uuid, id: SubscriptionId) -> Statement<RowOf<SubscriptionRow>> {
    let sql = sql!(
        "SELECT {SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions
         WHERE workspace_id = $1 AND deleted_at IS NULL AND (id = $2 OR group_id = (
             SELECT group_id FROM webhook_subscriptions WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL))
         ORDER BY id
         FOR NO KEY UPDATE"
    );
    sql.returns().bind(workspace).bind(id.0)
}

const LIST_IN_CLUSTER: List = List { select: SUBSCRIPTION_COLUMNS, ..LIST };

const LIST: List = List {
    select: RECORD_COLUMNS,
    from: "webhook_subscriptions",
    // An event name belongs to one of the service's own modules. External modules name their events themselves.
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND (module = ANY ($2)
        OR (module IN ('projects', 'support', 'crm') AND events <@ $3))",
    order: Order::Newest,
};

pub(crate) fn list_query(
    workspace: Uuid,
    reach: &WebhookReach,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RecordColumns> {
    listed(PageQuery::new(&LIST, workspace, page), reach, filter).build()
}

fn list_in_cluster_query(
    workspace: Uuid,
    reach: &WebhookReach,
    filter: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RowOf<SubscriptionRow>> {
    listed(PageQuery::new(&LIST_IN_CLUSTER, workspace, page), reach, filter).build()
}

fn listed(query: PageQuery, reach: &WebhookReach, filter: &CreatedFilter) -> PageQuery {
    let modules: Vec<_> = reach.modules().iter().map(|module| module.as_str()).collect();
    query.bind(modules).bind(reach.events().to_vec()).created(filter)
}
