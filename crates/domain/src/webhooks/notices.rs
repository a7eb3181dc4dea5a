//! Notices about webhooks that fail, were disabled by the service, or whose maker is no longer active: by e-mail and in the audit
//! log (interface 16.36).

use std::fmt::Write;

use serde_json::{Value as Json, json};
use time::{Duration, OffsetDateTime};

use super::update::host_of;
use super::{DISABLE_AFTER, DisabledReason};
use crate::email::{EmailMessage, EmailPurpose, EmailSource, QueuedEmail};
use crate::events::Module;
use crate::identity::access::{Actor, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::format_timestamp;
use crate::ports::{Ports, StoreError, Tx, transact_in};
use crate::{Error, SubscriptionId, WorkspaceId};

/// Owners and admins are notified of a webhook that has failed for this long without a success.
pub const NOTIFY_FAILING_AFTER: Duration = Duration::days(1);
/// Maximum workspaces per call of [`send_notices`], each in its own transaction.
const WORKSPACES_PER_STEP: u32 = 50;

/// What happened to a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// It has failed since then.
    Failing { since: OffsetDateTime },
    /// The service disabled it.
    Disabled { reason: DisabledReason },
    /// Its maker was revoked or removed, or has expired.
    MakerEnded { maker: Actor },
}

/// A notice about a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookNotice {
    pub subscription: SubscriptionId,
    pub module: Module,
    pub url: String,
    pub kind: NoticeKind,
}

impl WebhookNotice {
    fn audit(&self, ports: &Ports) -> AuditEntry {
        let (action, mut details) = match self.kind {
            NoticeKind::Failing { since } => (AuditAction::WebhookFailing, json!({ "since": format_timestamp(since) })),
            NoticeKind::Disabled { reason } => (AuditAction::WebhookDisabled, json!({ "reason": reason })),
            NoticeKind::MakerEnded { maker } => (AuditAction::WebhookCreatorGone, json!({ "maker": maker })),
        };
        // The path of a URL may be a secret of the receiver.
        details["host"] = Json::String(host_of(&self.url));
        let service = Principal::service();
        AuditEntry::new(ports, &service, action, AuditSubject::subscription(self.subscription), details)
    }

    /// A paragraph of the e-mail.
    fn describe(&self, text: &mut String) {
        let explanation = match self.kind {
            NoticeKind::Failing { since } => format!(
                "Every delivery has failed since {}. After {} days without a success, it will be disabled.",
                format_timestamp(since),
                DISABLE_AFTER.whole_days()
            ),
            NoticeKind::Disabled { reason: DisabledReason::Gone } => {
                "It was disabled because the receiver answered 410.".to_owned()
            }
            NoticeKind::Disabled { reason: DisabledReason::Failing } => {
                format!("It was disabled because every delivery failed for {} days.", DISABLE_AFTER.whole_days())
            }
            NoticeKind::MakerEnded { .. } => {
                "The API key or member that created it is no longer active. It still sends events.".to_owned()
            }
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\nWebhook: {}\nModule: {}\nHost: {}\n{explanation}\n",
            self.subscription,
            self.module,
            host_of(&self.url)
        );
    }
}

/// Sends the due notices of some workspaces; returns how many. A workspace that fails does not stop the others.
///
/// # Errors
/// The first store error, after all workspaces were tried.
pub async fn send_notices(ports: &Ports) -> Result<usize, StoreError> {
    let now = ports.clock.now();
    let failing_before = now - NOTIFY_FAILING_AFTER;
    let due = ports.directory.workspaces_with_webhook_notices(now, failing_before, WORKSPACES_PER_STEP).await?;
    let (mut sent, mut failure) = (0, None);
    for workspace in due {
        match send_in(ports, workspace, now).await {
            Ok(count) => sent += count,
            Err(Error::Store(error)) => failure = failure.or(Some(error)),
            Err(other) => failure = failure.or_else(|| Some(StoreError::Internal(other.to_string()))),
        }
    }
    failure.map_or(Ok(sent), Err)
}

async fn send_in(ports: &Ports, workspace: WorkspaceId, now: OffsetDateTime) -> Result<usize, Error> {
    let owned_ports = ports.clone();
    transact_in(ports, workspace, move |tx| {
        let workspace = tx.workspace().get()?;
        send_due(tx, &owned_ports, &workspace, now)
    })
    .await
}

/// Queues the e-mails and writes the audit entries of the notices that are due in a workspace, each once; returns how many notices.
pub(super) fn send_due(
    tx: &mut dyn Tx,
    ports: &Ports,
    workspace: &Workspace,
    now: OffsetDateTime,
) -> Result<usize, Error> {
    let notices = tx.subscriptions().take_notices(now, now - NOTIFY_FAILING_AFTER)?;
    for notice in &notices {
        tx.audit().append(&notice.audit(ports))?;
    }
    let is_about_maker = |notice: &&WebhookNotice| matches!(notice.kind, NoticeKind::MakerEnded { .. });
    let (about_makers, about_failures): (Vec<_>, Vec<_>) = notices.iter().partition(is_about_maker);
    if !about_failures.is_empty() {
        let to = tx.members().administrator_addresses()?;
        let intro = "Webhooks of the workspace {} are not reaching their receivers, which are missing events.";
        let advice = "The delivery history in the settings shows the responses. Once the receiver works again, enable \
                      the webhook and resend the failed events.";
        queue(tx, ports, workspace, &to, &about_failures, ("Webhooks of {} are failing", intro, advice))?;
    }
    if !about_makers.is_empty() {
        let to = tx.members().owner_addresses()?;
        let intro = "The creators of these webhooks of the workspace {} can no longer read what they send.";
        let advice = "If you only rotated a key, there is no need to worry. If these events should no longer be sent, \
                      disable or delete the webhook in the settings. Otherwise, save it there to become its creator.";
        queue(tx, ports, workspace, &to, &about_makers, ("Webhooks of {}: creator no longer active", intro, advice))?;
    }
    Ok(notices.len())
}

/// Queues one e-mail with all notices to each address. `{}` in a text is the name of the workspace.
fn queue(
    tx: &mut dyn Tx,
    ports: &Ports,
    workspace: &Workspace,
    to: &[String],
    notices: &[&WebhookNotice],
    (subject, intro, advice): (&str, &str, &str),
) -> Result<(), Error> {
    let fill_in = |text: &str| text.replacen("{}", &workspace.name, 1);
    let mut text = fill_in(intro);
    text.push('\n');
    for notice in notices {
        notice.describe(&mut text);
    }
    let _ = writeln!(text, "\n{advice}");
    send_to(tx, ports, workspace.email_source(EmailPurpose::Webhook), to, &fill_in(subject), &text)
}

/// Queues the same e-mail to each address.
pub(super) fn send_to(
    tx: &mut dyn Tx,
    ports: &Ports,
    source: EmailSource,
    to: &[String],
    subject: &str,
    text: &str,
) -> Result<(), Error> {
    let emails = to.iter().filter_map(|address| EmailMessage::to_stored(address, subject, text));
    let queued: Result<Vec<_>, _> = emails.map(|email| QueuedEmail::seal(ports, source, &email)).collect();
    tx.emails().enqueue_all(&queued?)?;
    Ok(())
}
