//! How many e-mails a workspace may cause, and how many a mailbox may receive.
//!
//! The limit per mailbox covers all workspaces, which could otherwise flood a mailbox together. Each purpose has its own limit, so
//! that answers to tickets cannot use up the limit of password resets.

use ring::digest;
use time::{Duration, OffsetDateTime};

use crate::WorkspaceId;
use crate::kernel::input::{EmailKey, choices};
use crate::limits::Window;

/// How long counts are kept: longer than the longest window.
pub const COUNT_RETENTION: Duration = Duration::days(2);
/// Domains of mailboxes that ignore dots in the local part.
const IGNORES_DOTS: [&str; 2] = ["gmail.com", "googlemail.com"];

choices! {
    /// Why an e-mail is sent.
    pub enum EmailPurpose {
        /// Comments on a ticket, to the customer.
        Answer = "answer",
        /// An invitation to a workspace.
        Invitation = "invitation",
        /// That a ticket was received, to the address that its requester gave.
        Acknowledgement = "acknowledgement",
        /// That a ticket was resolved or closed, to the customer.
        Resolution = "resolution",
        /// To members, about their own work.
        Notification = "notification",
        /// A link to a ticket that the customer requested.
        TicketLink = "ticket_link",
        /// To owners, about a change that may be an attack.
        Notice = "notice",
        /// To owners and admins, about webhooks that fail or whose creator is no longer active. Keys can cause it, so it must not
        /// use up the limit of notices about attacks.
        Webhook = "webhook",
        /// About a user's own account, such as a password reset.
        Account = "account",
    }
}

impl EmailPurpose {
    /// Whether it counts against the limit of the workspace. E-mails about accounts and attacks do not: an attacker who uses up the
    /// limit must not keep users from signing in, or owners from noticing.
    pub const fn counts_for_workspace(self) -> bool {
        !matches!(self, Self::Notice | Self::Webhook | Self::Account)
    }

    /// Whether it is sent only while half of the workspace's limit is left. The service writes these e-mails by itself, so
    /// unauthenticated clients that open tickets, or a change of many records, must not block answers and invitations.
    pub const fn is_low_priority(self) -> bool {
        matches!(self, Self::Acknowledgement | Self::Resolution | Self::Notification)
    }

    /// Whether it is sent to the requester of a ticket, rather than to a member or an invited person.
    pub const fn is_to_customer(self) -> bool {
        matches!(self, Self::Answer | Self::Acknowledgement | Self::Resolution | Self::TicketLink)
    }

    /// The maximum number of e-mails to one mailbox, and the window that it applies to. Does not depend on the plan.
    pub const fn per_mailbox(self) -> (u32, Window) {
        match self {
            // Anyone can open a ticket in someone else's name.
            Self::Acknowledgement | Self::Invitation => (10, Window::Day),
            Self::Resolution => (20, Window::Day),
            Self::Answer => (50, Window::Day),
            // A link to reset a password is valid for an hour, so the last one within the limit still works.
            Self::Account => (6, Window::Hour),
            Self::Webhook => (10, Window::Hour),
            Self::TicketLink | Self::Notice => (20, Window::Hour),
            Self::Notification => (60, Window::Hour),
        }
    }
}

/// The limits of e-mails to one mailbox that the operator can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailBounds {
    /// Answers to tickets, per day.
    pub answers: u32,
}

impl Default for EmailBounds {
    fn default() -> Self {
        Self { answers: EmailPurpose::Answer.per_mailbox().0 }
    }
}

/// What an e-mail counts against: the mailbox, in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailboxCount {
    /// SHA-256 of the mailbox.
    pub mailbox: [u8; 32],
    pub purpose: EmailPurpose,
    /// Start of the window.
    pub since: OffsetDateTime,
    /// Maximum e-mails in the window.
    pub limit: u32,
}

impl MailboxCount {
    pub(super) fn new(address: &str, purpose: EmailPurpose, bounds: EmailBounds, now: OffsetDateTime) -> Self {
        let (limit, window) = purpose.per_mailbox();
        let limit = if purpose == EmailPurpose::Answer { bounds.answers } else { limit };
        let hash = digest::digest(&digest::SHA256, mailbox_of(address).as_bytes());
        let mut mailbox = [0; 32];
        mailbox.copy_from_slice(hash.as_ref());
        Self { mailbox, purpose, since: window.start_of(now), limit }
    }
}

/// The mailbox that an address reaches: many servers ignore case, and a tag after a plus sign.
fn mailbox_of(address: &str) -> String {
    let address = String::from(EmailKey::of(address));
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let local = match local.split_once('+') {
        Some((name, _)) if !name.is_empty() => name,
        _ => local,
    };
    let local = if IGNORES_DOTS.contains(&domain) { local.replace('.', "") } else { local.to_owned() };
    format!("{local}@{domain}")
}

/// The workspace on whose behalf e-mails are sent, and their purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailSource {
    pub workspace: WorkspaceId,
    /// E-mails that the workspace may cause per hour; `None` for those that do not count against it.
    pub per_hour: Option<u64>,
    pub purpose: EmailPurpose,
}

impl EmailSource {
    /// For e-mails about a user's account, which count against no workspace's limit.
    pub(crate) const fn account(workspace: WorkspaceId) -> Self {
        Self { workspace, per_hour: None, purpose: EmailPurpose::Account }
    }
}

/// The result of queueing an e-mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enqueued {
    Queued,
    /// Its batch has an open e-mail, to which the text can be added.
    AlreadyOpen,
    /// The workspace has reached its hourly limit.
    WorkspaceLimit,
    /// The mailbox has reached its limit for this purpose.
    MailboxLimit,
    /// The queue of the workspace is full.
    QueueFull,
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn addresses_of_one_mailbox_count_together() {
        for (address, mailbox) in [
            ("Ann@Example.com", "ann@example.com"),
            ("ann+news@example.com", "ann@example.com"),
            ("ann+a+b@example.com", "ann@example.com"),
            ("+ann@example.com", "+ann@example.com"),
            ("a.n.n@example.com", "a.n.n@example.com"),
            ("a.n.n+x@gmail.com", "ann@gmail.com"),
            ("a.n.n@GoogleMail.com", "ann@googlemail.com"),
            ("a.n.n@gmail。com", "ann@gmail.com"),
            ("Ann+x@MÜNCHEN.example", "ann@xn--mnchen-3ya.example"),
            ("ann@mu\u{308}nchen.example", "ann@xn--mnchen-3ya.example"),
        ] {
            assert_eq!(mailbox_of(address), mailbox, "{address}");
        }
    }

    #[test]
    fn each_purpose_has_its_window_and_limit() {
        let now = datetime!(2030-01-31 13:45:10.5 UTC);
        let (day, hour) = (datetime!(2030-01-31 00:00 UTC), datetime!(2030-01-31 13:00 UTC));
        for (purpose, since, limit) in [
            (EmailPurpose::Answer, day, 50),
            (EmailPurpose::Invitation, day, 10),
            (EmailPurpose::Acknowledgement, day, 10),
            (EmailPurpose::Resolution, day, 20),
            (EmailPurpose::Notification, hour, 60),
            (EmailPurpose::TicketLink, hour, 20),
            (EmailPurpose::Notice, hour, 20),
            (EmailPurpose::Webhook, hour, 10),
            (EmailPurpose::Account, hour, 6),
        ] {
            let count = MailboxCount::new("ann@example.com", purpose, EmailBounds::default(), now);
            assert_eq!((count.since, count.limit), (since, limit), "{purpose}");
            let counts = !matches!(purpose, EmailPurpose::Notice | EmailPurpose::Webhook | EmailPurpose::Account);
            assert_eq!(purpose.counts_for_workspace(), counts);
        }
    }
}
