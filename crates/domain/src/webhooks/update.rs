//! Changing a subscription. A change of the host replaces the secret and notifies the owners (interface 16.34). The caller becomes
//! the maker.

use serde_json::json;
use time::OffsetDateTime;
use url::{Origin, Url};

use super::custom_headers::PlainHeaders;
use super::notices;
use super::reach::{WebhookReach, check_readable};
use super::subscription_fields::{SubscriptionFields, check_events, check_scope};
use super::subscriptions::{check_scope_exists, check_target};
use super::{Maker, PlainSecret, SealedHeaders, SigningSecrets, Subscription};
use crate::email::EmailPurpose;
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::{Field, Problems, format_timestamp};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::{Error, SubscriptionId};

/// A changed subscription.
#[derive(Debug)]
pub struct UpdatedSubscription {
    pub subscription: Subscription,
    /// The new secret if the host of the URL changed; shown only once.
    pub secret: Option<PlainSecret>,
}

/// Changes a subscription. Deliveries that are queued already stay. If the host of its URL changes, its secret is replaced
/// immediately, so that the previous one cannot sign for the new receiver. Another scheme, host or port removes its custom
/// headers unless their values are sent again. A change of what a group shares applies to the whole group.
///
/// # Errors
/// [`Error::NotFound`], [`Error::EventsUnreadable`] for events that the caller may not read, including those of subscriptions of
/// the group that change too, [`Error::ConcurrentUpdate`], [`Error::Invalid`] for an invalid target, events of another module, or a
/// change of the module.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    id: SubscriptionId,
    expected: ExpectedVersion,
    fields: SubscriptionFields,
) -> Result<UpdatedSubscription, Error> {
    check_target(ports, &fields)?;
    let change = Change { ports: ports.clone(), permit: permit.clone(), id, now: ports.clock.now() };
    let reach = WebhookReach::for_permit(permit);
    transact(ports, permit, move |tx| {
        let maker = Maker::confirm(&change.permit, tx, change.now)?;
        let mut group = tx.subscriptions().group_for_update(id)?;
        let index = group.iter().position(|it| it.id == id);
        let stored = reach.find(index.map(|index| group.remove(index)))?;
        check_module(&stored, &fields)?;
        let mut subscription = stored.clone();
        subscription.apply(fields.clone());
        // Another port of the same host may belong to someone else.
        let moves = origin_of(&stored.url) != origin_of(&subscription.url);
        check_readable(&change.permit, subscription.module, &subscription.events)?;
        subscription.headers = change.headers(&stored, &fields, moves)?;
        if subscription.scope != stored.scope {
            check_scope_exists(tx, subscription.module, subscription.scope)?;
        }
        expected.check(stored.version)?;
        let is_same_maker = stored.maker.actor == maker.actor;
        if subscription == stored && (is_same_maker || !change.has_lost_its_maker(tx)?) {
            return Ok(UpdatedSubscription { subscription, secret: None });
        }
        subscription.maker = maker;
        let is_shared = stored.url != subscription.url || stored.headers != subscription.headers;
        let secret = change.save(tx, &stored, &mut subscription)?;
        if is_shared {
            for other in group {
                change.apply_to_other(tx, other, (&subscription, &fields, moves), secret.as_ref())?;
            }
        }
        Ok(UpdatedSubscription { subscription, secret })
    })
    .await
}

fn check_module(stored: &Subscription, fields: &SubscriptionFields) -> Result<(), Error> {
    let mut problems = Problems::default();
    let changes_module = fields.module.set().is_some_and(|module| *module != stored.module);
    for (name, is_sent) in [("module", changes_module), ("modules", fields.modules.set().is_some())] {
        if is_sent {
            problems.rule(name, "immutable", "the module of a webhook cannot change: create a new webhook");
        }
    }
    check_events(&[stored.module], fields, &mut problems);
    check_scope(&[stored.module], fields, &mut problems);
    problems.into_result()
}

/// One request to change a subscription; its transaction may run more than once.
#[derive(Clone)]
struct Change {
    ports: Ports,
    permit: Permit<UpdateWebhooks>,
    id: SubscriptionId,
    now: OffsetDateTime,
}

impl Change {
    /// The headers after the change; the stored ones if neither the headers nor the receiver change.
    fn headers(
        &self,
        stored: &Subscription,
        fields: &SubscriptionFields,
        moves: bool,
    ) -> Result<Option<SealedHeaders>, Error> {
        let sent = match &fields.headers {
            Field::Absent if !moves => return Ok(stored.headers.clone()),
            Field::Absent | Field::Null => return Ok(None),
            Field::Set(sent) => sent,
        };
        let (keys, ids) = (&self.ports.master_keys, (self.permit.workspace_id(), self.id));
        let before = stored.headers.as_ref().map(|headers| headers.open(keys, ids)).transpose()?;
        let after = PlainHeaders::merged(sent, before.as_ref(), moves)?;
        if after == before {
            return Ok(stored.headers.clone());
        }
        Ok(after.map(|headers| headers.seal(keys, ids, &*self.ports.random)).transpose()?)
    }

    /// Whether the maker is no longer active. If so, this caller becomes the maker, even if nothing else changes.
    fn has_lost_its_maker(&self, tx: &mut dyn Tx) -> Result<bool, Error> {
        Ok(tx.subscriptions().get(self.id)?.is_some_and(|record| record.maker_has_ended(self.now)))
    }

    /// Saves a subscription that differs from the stored one; returns its new secret, if any.
    fn save(
        &self,
        tx: &mut dyn Tx,
        stored: &Subscription,
        subscription: &mut Subscription,
    ) -> Result<Option<PlainSecret>, Error> {
        let hosts = (host_of(&stored.url), host_of(&subscription.url));
        let (ports, workspace) = (&self.ports, self.permit.workspace_id());
        let secret = (hosts.0 != hosts.1).then(|| PlainSecret::generate(&*ports.random));
        if let Some(secret) = &secret {
            let sealed = secret.seal(&ports.master_keys, (workspace, self.id), &*ports.random)?;
            subscription.secrets = SigningSecrets::new(sealed);
        }
        if subscription.enabled && stored.disabled_reason.is_some() {
            // Send due notices before the reason is cleared, or no one would learn that the webhook was disabled.
            notices::send_due(tx, ports, self.permit.workspace(), self.now)?;
        }
        subscription.renew_seals(&ports.master_keys, workspace, &*ports.random);
        subscription.touch(self.now);
        tx.subscriptions().save(subscription)?;
        let headers = subscription.headers.as_ref().map(|headers| headers.names.as_slice()).unwrap_or_default();
        let details = json!({
            "url": subscription.url, "events": subscription.events, "enabled": subscription.enabled, "headers": headers,
        });
        tx.audit().append(&self.audit(AuditAction::WebhookUpdated).with(subscription.with_group_id(details)))?;
        if secret.is_some() {
            let details = json!({ "reason": "host_changed", "from": hosts.0, "to": hosts.1 });
            tx.audit()
                .append(&self.audit(AuditAction::WebhookSecretRotated).with(subscription.with_group_id(details)))?;
            self.notify_owners(tx, subscription, [&hosts.0, &hosts.1])?;
        }
        Ok(secret)
    }

    /// Applies the change of what the group shares to another subscription of the group.
    fn apply_to_other(
        &self,
        tx: &mut dyn Tx,
        stored: Subscription,
        (changed, fields, moves): (&Subscription, &SubscriptionFields, bool),
        secret: Option<&PlainSecret>,
    ) -> Result<(), Error> {
        check_readable(&self.permit, stored.module, &stored.events)?;
        let other = Self { id: stored.id, ..self.clone() };
        let (keys, ids) = (&self.ports.master_keys, (self.permit.workspace_id(), stored.id));
        let headers = other.headers(&stored, fields, moves)?;
        let mut updated = Subscription { url: changed.url.clone(), headers, maker: changed.maker, ..stored };
        if let Some(secret) = secret {
            updated.secrets = SigningSecrets::new(secret.seal(keys, ids, &*self.ports.random)?);
        }
        updated.renew_seals(keys, ids.0, &*self.ports.random);
        updated.touch(self.now);
        tx.subscriptions().save(&updated)?;
        let details = updated.with_group_id(json!({ "url": updated.url, "with": changed.id }));
        Ok(tx.audit().append(&other.audit(AuditAction::WebhookUpdated).with(details))?)
    }

    fn audit(&self, action: AuditAction) -> AuditEntry {
        let subject = AuditSubject::subscription(self.id);
        AuditEntry::new(&self.ports, &self.permit.principal(), action, subject, json!({}))
    }

    fn notify_owners(&self, tx: &mut dyn Tx, subscription: &Subscription, [from, to]: [&str; 2]) -> Result<(), Error> {
        let (workspace, principal) = (self.permit.workspace(), self.permit.principal());
        let text = format!(
            "A webhook of the workspace {} now sends its events to another host.\n\nWebhook: {}\nModule: {}\nPrevious \
             host: {from}\nNew host: {to}\nChanged by: {}\nTime: {}\n\nIts secret was replaced, and the stored \
             values of custom headers were removed. If you did not expect this, disable the webhook in the settings \
             and revoke the key or session that changed it.\n",
            workspace.name,
            subscription.id,
            subscription.module,
            principal.name,
            format_timestamp(self.now),
        );
        let subject = format!("A webhook of {} points to another host", workspace.name);
        let source = workspace.email_source(EmailPurpose::Notice);
        let addresses = tx.members().owner_addresses()?;
        notices::send_to(tx, &self.ports, source, &addresses, &subject, &text)
    }
}

/// The host of a stored URL, in lower case and without a trailing dot. Another port of the same host is the same host.
pub(super) fn host_of(url: &str) -> String {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_ascii_lowercase)).unwrap_or_default();
    host.strip_suffix('.').map(str::to_owned).unwrap_or(host)
}

/// Scheme, host and port of a stored URL.
fn origin_of(url: &str) -> Option<Origin> {
    Url::parse(url).ok().map(|url| url.origin())
}

#[cfg(test)]
mod tests {
    use super::{host_of, origin_of};

    #[test]
    fn a_different_scheme_host_or_port_is_a_different_receiver() {
        let stored = origin_of("https://example.com/a");
        for same in ["https://example.com/b?x", "https://EXAMPLE.com:443/"] {
            assert_eq!(origin_of(same), stored, "{same}");
        }
        for other in ["http://example.com/a", "https://example.com:8443/a", "https://example.com.evil.test/"] {
            assert_ne!(origin_of(other), stored, "{other}");
        }
    }

    #[test]
    fn only_a_different_name_or_address_is_a_different_host() {
        for same in ["https://example.com/b", "https://EXAMPLE.com:8443/?x", "http://example.com./a"] {
            assert_eq!(host_of(same), "example.com", "{same}");
        }
        for other in ["https://example.com.evil.test/", "https://hooks.example.com/", "https://[2606:4700::1]/"] {
            assert_ne!(host_of(other), "example.com", "{other}");
        }
    }
}
