//! Managing subscriptions (interface 16.3, 16.4).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::custom_headers::SealedHeaders;
use super::reach::WebhookReach;
use super::subscription_fields::{SubscriptionFields, note_target};
use super::{DisabledReason, MakerAccess, Subscription};
use crate::events::Module;
use crate::identity::access::{Actor, DeleteWebhooks, Permit, ReadWebhooks};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::input::{CreatedFilter, Field, Problems};
use crate::kernel::paging::{ListName, Page, PageRequest, Paginated, paginated};
use crate::kernel::sealing::{MasterKeys, SealedPlace};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Random, Tx, statement, transact};
use crate::{Error, ProjectId, Reference, References, SubscriptionId, WorkspaceId};

/// A subscription as shown in the API.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Webhook")]
pub struct SubscriptionView {
    pub id: SubscriptionId,
    /// Shared by the webhooks that one request created for several modules, with url, headers and secret; null for others.
    #[schemars(extend("x-contract" = "additional"))]
    pub group_id: Option<SubscriptionId>,
    pub module: Module,
    pub url: String,
    pub description: Option<String>,
    pub events: Vec<String>,
    pub scope: Option<Map<String, Json>>,
    pub enabled: bool,
    pub disabled_reason: Option<DisabledReason>,
    /// The start of the current run of failures without a success.
    #[serde(with = "OptionalTimestampText")]
    pub failing_since: Option<OffsetDateTime>,
    /// The end of the overlap in which the previous secret also signs.
    #[serde(with = "OptionalTimestampText")]
    pub overlap_ends_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
    /// Who created it or last saved it.
    pub maker: Actor,
    /// Whether the creator's key is no longer active, or the creator can no longer read what is sent. The webhook still
    /// sends events; saving it makes the caller its creator.
    pub creator_gone: bool,
    /// The names of its custom headers. Their values are never shown, so each is null.
    pub headers: Map<String, Json>,
}

/// A stored subscription with the state of its maker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionRecord {
    pub subscription: Subscription,
    pub maker_access: MakerAccess,
}

impl SubscriptionRecord {
    /// The subscription without its secrets.
    pub fn to_view(&self, now: OffsetDateTime) -> SubscriptionView {
        SubscriptionView { creator_gone: self.maker_has_ended(now), ..self.subscription.to_view(now) }
    }

    pub(super) fn maker_has_ended(&self, now: OffsetDateTime) -> bool {
        self.maker_access.has_ended(self.subscription.module, &self.subscription.events, now)
    }
}

impl Paginated for SubscriptionRecord {
    const LIST: ListName = ListName::SUBSCRIPTIONS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        self.subscription.cursor_key()
    }
}

paginated!(SubscriptionView: SUBSCRIPTIONS);

impl Subscription {
    /// Adds the group, if it has one, to the details of an audit entry about the subscription.
    pub(super) fn with_group_id(&self, mut details: Json) -> Json {
        if let Some(group) = self.group {
            details["group_id"] = json!(group);
        }
        details
    }

    /// The subscription without its secrets, for its maker; `now` decides whether an overlap is still shown.
    pub fn to_view(&self, now: OffsetDateTime) -> SubscriptionView {
        let column = self.module.scope_column().zip(self.scope);
        SubscriptionView {
            id: self.id,
            group_id: self.group,
            module: self.module,
            url: self.url.clone(),
            description: self.description.clone(),
            events: self.events.clone(),
            scope: column.map(|(column, id)| Map::from_iter([(column.to_owned(), json!(id))])),
            enabled: self.enabled,
            disabled_reason: self.disabled_reason,
            failing_since: self.failing_since,
            overlap_ends_at: self.secrets.overlap_ends_at(now),
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: self.created_by,
            maker: self.maker.actor,
            creator_gone: false,
            headers: self.headers.as_ref().map(SealedHeaders::shown).unwrap_or_default(),
        }
    }

    /// Applies the sent fields, except sealed ones.
    pub(super) fn apply(&mut self, fields: SubscriptionFields) {
        if fields.events.set().is_some() {
            self.events = fields.events_of(self.module);
        }
        fields.url.store_or(self.url.clone(), &mut self.url);
        fields.description.store(&mut self.description);
        match fields.scope {
            Field::Absent => {}
            Field::Null => self.scope = None,
            Field::Set(scope) => self.scope = Some(scope.id),
        }
        let was_enabled = self.enabled;
        fields.enabled.store_or(true, &mut self.enabled);
        // Enabling it again resets the failure history.
        if self.enabled && !was_enabled {
            self.disabled_reason = None;
            self.failing_since = None;
        }
    }

    /// Reseals secrets and headers that a former master key or release sealed, since the row is written anyway.
    pub(super) fn renew_seals(&mut self, keys: &MasterKeys, workspace: WorkspaceId, random: &dyn Random) {
        let secrets = self.secrets.each_mut().map(|sealed| (SealedPlace::WebhookSecret(workspace, self.id), sealed));
        let headers = self.headers.as_mut().map(|it| (SealedPlace::WebhookHeaders(workspace, self.id), &mut it.sealed));
        for (place, sealed) in secrets.chain(headers) {
            if let Some(renewed) = keys.renew(place, sealed, random) {
                *sealed = renewed;
            }
        }
    }

    pub(super) const fn touch(&mut self, now: OffsetDateTime) {
        self.version += 1;
        self.updated_at = now;
    }
}

pub(super) fn check_target(ports: &Ports, fields: &SubscriptionFields) -> Result<(), Error> {
    let mut problems = Problems::default();
    note_target(fields, ports.settings.targets, &mut problems);
    problems.into_result()
}

/// A project must exist; booking links and contracts are kept in other systems.
pub(super) fn check_scope_exists(tx: &mut dyn Tx, module: Module, scope: Option<Uuid>) -> Result<(), Error> {
    let mut references = References::default();
    let project = scope.filter(|_| module == Module::Projects).map(ProjectId);
    references.add("scope.project_id", project, None, Reference::Project);
    references.check(tx)
}

/// Lists the subscriptions that the caller reaches and that match a filter, newest first.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<SubscriptionView>, Error> {
    let reach = WebhookReach::for_permit(permit);
    let rows = statement(ports, permit, move |tx| Ok(tx.subscriptions().list(&reach, &filter, &page)?)).await?;
    let now = ports.clock.now();
    Ok(Page::from_rows(rows, &page).map(|record| record.to_view(now)))
}

/// Reads a subscription.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadWebhooks>, id: SubscriptionId) -> Result<SubscriptionView, Error> {
    let record = statement(ports, permit, move |tx| Ok(tx.subscriptions().get(id)?)).await?;
    Ok(WebhookReach::for_permit(permit).find_record(record)?.to_view(ports.clock.now()))
}

/// Deletes a subscription and cancels its queued deliveries. Its history is kept for the retention of deliveries. The other
/// subscriptions of its group stay.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteWebhooks>,
    id: SubscriptionId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    delete_all(ports, permit, id, expected, |tx, id| Ok(tx.subscriptions().get_for_update(id)?.into_iter().collect()))
        .await
}

/// Deletes a subscription, which must have the expected version, and the other subscriptions of its group, like [`delete`].
///
/// # Errors
/// [`Error::NotFound`], including for a group with a subscription that the caller does not reach; [`Error::ConcurrentUpdate`].
pub async fn delete_group(
    ports: &Ports,
    permit: &Permit<DeleteWebhooks>,
    id: SubscriptionId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    delete_all(ports, permit, id, expected, |tx, id| Ok(tx.subscriptions().group_for_update(id)?)).await
}

/// Deletes the subscriptions that `find` returns for an id.
async fn delete_all(
    ports: &Ports,
    permit: &Permit<DeleteWebhooks>,
    id: SubscriptionId,
    expected: ExpectedVersion,
    find: fn(&mut dyn Tx, SubscriptionId) -> Result<Vec<Subscription>, Error>,
) -> Result<(), Error> {
    let (now, reach) = (ports.clock.now(), WebhookReach::for_permit(permit));
    let (acting, owned_ports) = (permit.clone(), ports.clone());
    transact(ports, permit, move |tx| {
        acting.confirm_alive(tx, now)?;
        let group = find(tx, id)?;
        if group.is_empty() {
            return Err(Error::NotFound("webhook"));
        }
        for stored in group {
            let stored = reach.find(Some(stored))?;
            if stored.id == id {
                expected.check(stored.version)?;
            }
            tx.subscriptions().delete(stored.id, now)?;
            let (subject, details) =
                (AuditSubject::subscription(stored.id), stored.with_group_id(json!({ "url": stored.url })));
            let entry =
                AuditEntry::new(&owned_ports, &acting.principal(), AuditAction::WebhookDeleted, subject, details);
            tx.audit().append(&entry)?;
        }
        Ok(())
    })
    .await
}
