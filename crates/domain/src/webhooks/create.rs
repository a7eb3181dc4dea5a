//! Creating subscriptions: one, or one for each of several modules (interface 16.4, 16.46).

use serde_json::json;
use time::OffsetDateTime;

use super::custom_headers::PlainHeaders;
use super::reach::check_readable;
use super::subscription_fields::SubscriptionFields;
use super::subscriptions::{check_scope_exists, check_target};
use super::{Maker, PlainSecret, SigningSecrets, Subscription};
use crate::events::Module;
use crate::identity::access::{CreateWebhooks, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, StoreError, Tx, transact_idempotent};
use crate::{Error, SubscriptionId};

/// Maximum number of subscriptions per workspace.
pub const MAX_SUBSCRIPTIONS: u64 = 100;

/// A new subscription with its plain secret, which is shown only once.
#[derive(Debug)]
pub struct CreatedSubscription {
    pub subscription: Subscription,
    /// The other subscriptions of its group, which share its URL, headers and secret.
    pub others: Vec<Subscription>,
    pub secret: PlainSecret,
}

/// Creates a subscription, or one for each named module. Only this response contains the secret.
///
/// # Errors
/// [`Error::EventsUnreadable`] for events of records that the caller may not read, [`Error::Invalid`] for an invalid target,
/// [`Error::Conflict`] above [`MAX_SUBSCRIPTIONS`].
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateWebhooks>,
    fields: SubscriptionFields,
) -> Result<CreatedSubscription, Error> {
    create_once(ports, permit, None, fields).await?.made_now()
}

/// Like [`create`], once per idempotency key. The stored response has the first subscription without its secret, so a replay does
/// not show the secret again.
///
/// # Errors
/// The errors of [`create`] and of [`transact_idempotent`].
pub async fn create_once(
    ports: &Ports,
    permit: &Permit<CreateWebhooks>,
    once: Option<IdempotentRequest<Subscription>>,
    fields: SubscriptionFields,
) -> Result<IdempotentResult<CreatedSubscription>, Error> {
    let modules = fields.modules();
    for module in &modules {
        check_readable(permit, *module, &fields.events_of(*module))?;
    }
    check_target(ports, &fields)?;
    let now = ports.clock.now();
    let secret = PlainSecret::generate(&*ports.random);
    let subscriptions = build(ports, permit, &fields, (&modules, &secret, now))?;
    let Some((first, others)) = subscriptions.split_first() else {
        return Err(Error::malformed("module", "required", "module is required"));
    };
    let (first, others) = (first.clone(), others.to_vec());
    let entries: Vec<_> = subscriptions.iter().map(|subscription| created_entry(ports, permit, subscription)).collect();
    let acting = permit.clone();
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        let maker = Maker::confirm(&acting, tx, now)?;
        check_limit_and_scopes(tx, &subscriptions)?;
        for (subscription, entry) in subscriptions.iter().zip(&entries) {
            tx.subscriptions().insert(&Subscription { maker, ..subscription.clone() })?;
            tx.audit().append(entry)?;
        }
        Ok(Subscription { maker, ..first.clone() })
    });
    Ok(outcome.await?.map(|subscription| CreatedSubscription { subscription, others, secret }))
}

/// Builds the subscriptions of a request, each with the secret and the headers sealed for it.
fn build(
    ports: &Ports,
    permit: &Permit<CreateWebhooks>,
    fields: &SubscriptionFields,
    (modules, secret, now): (&[Module], &PlainSecret, OffsetDateTime),
) -> Result<Vec<Subscription>, Error> {
    let headers = fields.headers.set().map(|sent| PlainHeaders::merged(sent, None, false)).transpose()?.flatten();
    let ids: Vec<_> = modules.iter().map(|_| SubscriptionId(ports.ids.new_id())).collect();
    let group = ids.first().copied().filter(|_| modules.len() > 1);
    let build_one = |(id, module): (&SubscriptionId, &Module)| -> Result<Subscription, StoreError> {
        let (keys, row) = (&ports.master_keys, (permit.workspace_id(), *id));
        let mut subscription = Subscription {
            id: *id,
            group,
            module: *module,
            url: String::new(),
            description: None,
            events: Vec::new(),
            scope: None,
            enabled: true,
            disabled_reason: None,
            secrets: SigningSecrets::new(secret.seal(keys, row, &*ports.random)?),
            headers: headers.as_ref().map(|plain| plain.seal(keys, row, &*ports.random)).transpose()?,
            failing_since: None,
            version: 1,
            created_at: now,
            updated_at: now,
            created_by: permit.actor(),
            maker: Maker { actor: permit.actor(), notice_at: None },
        };
        subscription.apply(fields.clone());
        Ok(subscription)
    };
    Ok(ids.iter().zip(modules).map(build_one).collect::<Result<_, _>>()?)
}

fn created_entry(ports: &Ports, permit: &Permit<CreateWebhooks>, new: &Subscription) -> AuditEntry {
    let details = new.with_group_id(json!({ "module": new.module, "url": new.url, "events": new.events }));
    let subject = AuditSubject::subscription(new.id);
    AuditEntry::new(ports, &permit.principal(), AuditAction::WebhookCreated, subject, details)
}

/// Checks that the workspace has room for the new subscriptions, and that their scopes exist.
fn check_limit_and_scopes(tx: &mut dyn Tx, subscriptions: &[Subscription]) -> Result<(), Error> {
    for subscription in subscriptions {
        check_scope_exists(tx, subscription.module, subscription.scope)?;
    }
    if tx.subscriptions().count_for_update()? + subscriptions.len() as u64 > MAX_SUBSCRIPTIONS {
        let message = format!("a workspace has at most {MAX_SUBSCRIPTIONS} webhooks: delete one first");
        return Err(Error::Conflict(message));
    }
    Ok(())
}
