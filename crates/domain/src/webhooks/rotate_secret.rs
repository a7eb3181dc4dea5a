//! Rotation of a subscription's secret (interface 16.25).

use std::sync::Arc;

use serde_json::json;
use time::Duration;

use super::reach::check_readable;
use super::{CreatedSubscription, Maker, PlainSecret, Subscription, WebhookReach};
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Integer, fields};
use crate::ports::{Ports, transact_idempotent};
use crate::{Error, SubscriptionId};

/// How long the previous secret keeps signing by default.
const DEFAULT_OVERLAP_SECONDS: i32 = 86_400;
/// A week, in seconds.
const MAX_OVERLAP_SECONDS: i32 = 604_800;

fields! {
    /// The body of a secret rotation.
    pub struct RotateFields {
        /// How long the previous secret also signs; 0 ends it immediately.
        /// Note: How long the old secret signs too; a day by default.
        /// Default: a day.
        overlap_seconds: Integer<0, MAX_OVERLAP_SECONDS>,
    }
}

/// Rotates the secret of a subscription and of its whole group. Until the overlap ends, both the previous and the new secret sign.
/// The caller, who gets the new secret, becomes the maker.
///
/// # Errors
/// [`Error::NotFound`], [`Error::EventsUnreadable`] for a group with events that the caller may not read, [`Error::Conflict`] while
/// the maximum number of secrets sign.
pub async fn rotate_secret(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    id: SubscriptionId,
    fields: RotateFields,
) -> Result<CreatedSubscription, Error> {
    rotate_secret_once(ports, permit, id, None, fields).await?.made_now()
}

/// Like [`rotate_secret`], once per idempotency key. The stored response does not have the secret, so a replay does not show it
/// again.
///
/// # Errors
/// The errors of [`rotate_secret`] and of [`transact_idempotent`].
pub async fn rotate_secret_once(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    id: SubscriptionId,
    once: Option<IdempotentRequest<Subscription>>,
    fields: RotateFields,
) -> Result<IdempotentResult<CreatedSubscription>, Error> {
    let now = ports.clock.now();
    let seconds = fields.overlap_seconds.set().map_or(DEFAULT_OVERLAP_SECONDS, |seconds| seconds.get());
    let secret = PlainSecret::generate(&*ports.random);
    let owned_ports = ports.clone();
    let (acting, keys, random) = (permit.clone(), Arc::clone(&ports.master_keys), Arc::clone(&ports.random));
    let (reach, new) = (WebhookReach::for_permit(permit), secret.clone());
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        let maker = Maker::confirm(&acting, tx, now)?;
        let mut group = tx.subscriptions().group_for_update(id)?;
        reach.find(group.iter().find(|it| it.id == id).cloned())?;
        for subscription in &mut group {
            check_readable(&acting, subscription.module, &subscription.events)?;
            let sealed = new.seal(&keys, (acting.workspace_id(), subscription.id), &*random)?;
            subscription.secrets.rotate(sealed, Duration::seconds(i64::from(seconds)), now)?;
            subscription.maker = maker;
            subscription.renew_seals(&keys, acting.workspace_id(), &*random);
            subscription.touch(now);
            tx.subscriptions().save(subscription)?;
            let subject = AuditSubject::subscription(subscription.id);
            let details = subscription.with_group_id(json!({ "overlap_seconds": seconds }));
            let action = AuditAction::WebhookSecretRotated;
            tx.audit().append(&AuditEntry::new(&owned_ports, &acting.principal(), action, subject, details))?;
        }
        group.into_iter().find(|it| it.id == id).ok_or(Error::NotFound("webhook"))
    });
    Ok(outcome.await?.map(|subscription| CreatedSubscription { subscription, others: Vec::new(), secret }))
}
