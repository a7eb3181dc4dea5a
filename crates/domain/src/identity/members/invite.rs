//! Inviting a user to the workspace.

use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::{Member, MemberStatus, MemberView, check_may_grant};
use crate::email::{EmailMessage, EmailPurpose, Enqueued, QueuedEmail, footer};
use crate::identity::access::{HashedSecret, ManageMembers, Permit, PlainToken, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::notifications::NotificationChoices;
use crate::identity::workspaces::{Role, User};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{EmailAddress, fields};
use crate::limits::Window;
use crate::ports::{Ports, StoreError, Tx, transact_idempotent};
use crate::{Error, UserId};

/// How long an open invitation cannot be sent again.
const COOLDOWN: Duration = Duration::minutes(10);
pub const INVITATION_TTL: Duration = Duration::days(7);

fields! {
    /// The body of an invitation.
    pub struct InvitationFields {
        /// The address to invite; the link is e-mailed to it.
        email: EmailAddress = required,
        /// The role to grant.
        role: Role = required,
    }
}

/// An open or accepted invitation; at most one per member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub user_id: UserId,
    /// The part of the token by which it is looked up.
    pub lookup_id: String,
    /// Hash of the token's secret.
    pub secret: HashedSecret,
    pub expires_at: OffsetDateTime,
    pub accepted_at: Option<OffsetDateTime>,
    /// The member who sent it; `None` for an operator of the service.
    pub invited_by: Option<UserId>,
}

/// Invites a user, or invites them again with a new link that replaces the previous one. E-mails the link.
///
/// # Errors
/// [`Error::Forbidden`] for a role above the caller's own, [`Error::Duplicate`] for `email` if the user is already a member,
/// [`Error::TooManyEmails`] if the address was invited recently or a limit of e-mails is reached.
pub async fn invite(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    once: Option<IdempotentRequest<MemberView>>,
    fields: InvitationFields,
) -> Result<IdempotentResult<MemberView>, Error> {
    let prepared = PreparedInvitation::from_fields(ports, permit, &fields)?;
    transact_idempotent(ports, permit, once, move |tx| prepared.send(tx)).await
}

/// An invitation, with its link if the caller must pass it on.
pub struct InvitationWithLink {
    pub member: MemberView,
    /// The link is a secret. `None` if a mail server sends it, or if the caller could take over an account with it.
    pub link: Option<String>,
}

/// Like [`invite`], and returns the link if there is no mail server, so that the page can show it to the caller. A user with access to
/// another workspace but without a password gets no such link: whoever opens it sets the password.
///
/// # Errors
/// Like [`invite`].
pub async fn invite_with_link(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    once: Option<IdempotentRequest<MemberView>>,
    fields: InvitationFields,
) -> Result<IdempotentResult<InvitationWithLink>, Error> {
    let prepared = PreparedInvitation::from_fields(ports, permit, &fields)?;
    let link = if !ports.settings.has_mail_server && cannot_open_account(ports, &prepared.user).await? {
        Some(prepared.link.clone())
    } else {
        None
    };
    let sent = transact_idempotent(ports, permit, once, move |tx| prepared.send(tx)).await?;
    Ok(sent.map(|member| InvitationWithLink { member, link }))
}

/// Whether a link for this user gives no access to an existing account: an account with a password asks for the password.
async fn cannot_open_account(ports: &Ports, invited: &User) -> Result<bool, Error> {
    let account = ports.directory.find_account(&invited.email_key()).await?;
    Ok(account.is_none_or(|account| {
        account.user.password.is_some() || (account.memberships.is_empty() && !account.is_operator)
    }))
}

/// An invitation that was prepared outside the transaction.
pub(in crate::identity) struct PreparedInvitation {
    acting: Permit<ManageMembers>,
    role: Role,
    now: OffsetDateTime,
    /// The user, who is created unless the address has an account.
    user: User,
    lookup_id: String,
    secret: HashedSecret,
    entry: AuditEntry,
    /// The link, including its secret.
    link: String,
    queued: QueuedEmail,
}

impl PreparedInvitation {
    fn from_fields(ports: &Ports, permit: &Permit<ManageMembers>, fields: &InvitationFields) -> Result<Self, Error> {
        let (Some(email), Some(role)) = (fields.email.set(), fields.role.set().copied()) else {
            return Err(Error::invalid("email", "required", "an e-mail address and a role are required"));
        };
        Self::new(ports, permit, email, role)
    }

    pub(in crate::identity) fn new(
        ports: &Ports,
        permit: &Permit<ManageMembers>,
        email: &EmailAddress,
        role: Role,
    ) -> Result<Self, Error> {
        let now = ports.clock.now();
        let token = PlainToken::generate(TokenKind::Invitation, &*ports.random);
        let id = UserId(ports.ids.new_id());
        let address = email.as_str().to_owned();
        let subject = AuditSubject::member(id);
        let source = permit.workspace().email_source(EmailPurpose::Invitation);
        let link = ports.settings.link("accept-invitation", &token);
        let message = invitation_message(ports, permit, &link, email, role);
        Ok(Self {
            acting: permit.clone(),
            role,
            now,
            user: User {
                id,
                email: address.clone(),
                name: address,
                password: None,
                notifications: NotificationChoices::default(),
                created_at: now,
            },
            lookup_id: token.lookup_id().to_owned(),
            secret: token.hashed(),
            entry: AuditEntry::new(ports, &permit.principal(), AuditAction::MemberInvited, subject, json!({})),
            link,
            queued: QueuedEmail::seal(ports, source, &message)?,
        })
    }

    /// Stores the invitation in the transaction's workspace, and queues the e-mail.
    pub(in crate::identity) fn send(&self, tx: &mut dyn Tx) -> Result<MemberView, Error> {
        let (role, now) = (self.role, self.now);
        let own_role = self.acting.confirm(tx, now)?;
        check_may_grant(own_role, role)?;
        let record = match tx.members().find_by_email(&self.user.email_key())? {
            Some(mut record) => {
                if record.member.status() == MemberStatus::Active {
                    return Err(Error::Duplicate { field: "email", existing_id: Some(record.member.user_id.0) });
                }
                super::check_may_manage(own_role, record.member.role)?;
                record.member.reinvite(role, now);
                tx.members().save(&record.member)?;
                record
            }
            // If two members invite the same user concurrently, the later call invites again.
            None => match tx.members().add(&self.user, &Member::invited(self.user.id, role, now)) {
                Err(StoreError::Duplicate { .. }) => return Err(StoreError::Contended.into()),
                result => result?,
            },
        };
        let user_id = record.member.user_id;
        let (lookup_id, expires_at) = (self.lookup_id.clone(), now + INVITATION_TTL);
        let invited_by = self.acting.session().map(|(_, user)| user);
        let invitation =
            Invitation { user_id, lookup_id, secret: self.secret, expires_at, accepted_at: None, invited_by };
        // An open invitation that expires later than this was sent within the cooldown.
        if let Some(ends_at) = tx.members().put_invitation(&invitation, expires_at - COOLDOWN)? {
            let wait = ends_at - (expires_at - COOLDOWN);
            return Err(too_many("this address was invited less than 10 minutes ago", wait));
        }
        let entry = AuditEntry { subject: AuditSubject::member(user_id), ..self.entry.clone() };
        tx.audit().append(&entry.with(json!({ "email": record.email.to_lowercase(), "role": role })))?;
        match tx.emails().enqueue(&self.queued)? {
            Enqueued::Queued | Enqueued::AlreadyOpen => Ok(record.to_view()),
            Enqueued::MailboxLimit => {
                Err(too_many("no more invitations can be sent to this address today", time_left(Window::Day, now)))
            }
            Enqueued::WorkspaceLimit => {
                Err(too_many("the workspace has reached its hourly limit of e-mails", time_left(Window::Hour, now)))
            }
            Enqueued::QueueFull => {
                Err(too_many("too many e-mails of the workspace are waiting to be sent", Duration::MINUTE))
            }
        }
    }
}

fn too_many(reason: &'static str, wait: Duration) -> Error {
    // Rounded up, so that a client that waits this long can send.
    Error::TooManyEmails { reason, retry_after: wait.whole_seconds() + i64::from(wait.subsec_nanoseconds() > 0) }
}

/// The time until the window ends.
fn time_left(window: Window, now: OffsetDateTime) -> Duration {
    Duration::seconds(window.around(now).seconds_left(now))
}

fn invitation_message(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    link: &str,
    to: &EmailAddress,
    role: Role,
) -> EmailMessage {
    let (workspace, principal) = (&permit.workspace().name, permit.principal());
    // Operators act for the service.
    let by = if permit.session().is_some() { &*principal.name } else { "The operator of this service" };
    let text = format!(
        "{by} invites you to the workspace {workspace} as {role}.\n\nTo accept, open this link within 7 days. It works \
         once:\n\n{link}\n\nIf you did not expect this invitation, you can ignore this e-mail.\n\n{}",
        footer(&ports.settings, workspace)
    );
    // The subject has no names, because their owners could put any text there for outsiders to read.
    EmailMessage::new(to, "Your invitation to a workspace", &text)
}
