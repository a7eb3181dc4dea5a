//! The audit log: every administrative act with who, what, when and from where. Nothing in it is ever changed.

mod list;

pub use list::list;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::{Actor, Principal};
use crate::kernel::input::{choices, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::ports::Ports;
use crate::{ApiKeyId, AuditEntryId, KbArticleId, SubscriptionId, UserId, WorkspaceId};

choices! {
    /// What was done.
    pub enum AuditAction {
        /// A workspace was made.
        WorkspaceCreated = "workspace.created",
        /// Its settings, plan or limits were changed.
        WorkspaceUpdated = "workspace.updated",
        /// It was suspended.
        WorkspaceSuspended = "workspace.suspended",
        /// It was activated.
        WorkspaceActivated = "workspace.activated",
        /// A person was made a member by an operator.
        MemberCreated = "member.created",
        /// A person was invited.
        MemberInvited = "member.invited",
        /// An invitation was accepted.
        MemberJoined = "member.joined",
        /// A member got another role.
        MemberRoleChanged = "member.role_changed",
        /// A member was removed, or an invitation withdrawn.
        MemberRemoved = "member.removed",
        /// A key was made.
        KeyCreated = "api_key.created",
        /// A key got another name.
        KeyRenamed = "api_key.renamed",
        /// A key was revoked.
        KeyRevoked = "api_key.revoked",
        /// A person signed in.
        SessionStarted = "session.started",
        /// A person signed out.
        SessionEnded = "session.ended",
        /// A person changed their password.
        PasswordChanged = "password.changed",
        /// A person set a new password with a mailed link.
        PasswordReset = "password.reset",
        /// A webhook was made.
        WebhookCreated = "webhook.created",
        /// A webhook was changed.
        WebhookUpdated = "webhook.updated",
        /// A webhook got a new secret.
        WebhookSecretRotated = "webhook.secret_rotated",
        /// A webhook was deleted.
        WebhookDeleted = "webhook.deleted",
        /// An article of the knowledge base was written.
        ArticleCreated = "kb_article.created",
        /// An article was changed.
        ArticleUpdated = "kb_article.updated",
        /// An article was deleted.
        ArticleDeleted = "kb_article.deleted",
    }
}

choices! {
    /// What kind of thing it was done to.
    pub enum AuditSubjectKind {
        /// The workspace.
        Workspace = "workspace",
        /// A member, by the person's id.
        Member = "member",
        /// An API key.
        ApiKey = "api_key",
        /// A webhook subscription.
        Webhook = "webhook",
        /// An article of the knowledge base.
        Article = "kb_article",
    }
}

/// What it was done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AuditSubject {
    /// The kind of thing.
    #[serde(rename = "type")]
    pub kind: AuditSubjectKind,
    /// Its id.
    pub id: Uuid,
}

impl AuditSubject {
    /// An API key.
    pub const fn key(id: ApiKeyId) -> Self {
        Self { kind: AuditSubjectKind::ApiKey, id: id.0 }
    }

    /// A webhook subscription.
    pub const fn subscription(id: SubscriptionId) -> Self {
        Self { kind: AuditSubjectKind::Webhook, id: id.0 }
    }

    /// An article of the knowledge base.
    pub const fn article(id: KbArticleId) -> Self {
        Self { kind: AuditSubjectKind::Article, id: id.0 }
    }

    /// A member.
    pub const fn member(id: UserId) -> Self {
        Self { kind: AuditSubjectKind::Member, id: id.0 }
    }

    /// The workspace.
    pub const fn workspace(id: WorkspaceId) -> Self {
        Self { kind: AuditSubjectKind::Workspace, id: id.0 }
    }
}

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditActor {
    /// The kind of caller and its id.
    #[serde(flatten)]
    pub actor: Actor,
    /// Its name at the time.
    pub name: String,
}

/// One act.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditEntry {
    /// Its id.
    pub id: AuditEntryId,
    /// What was done.
    pub action: AuditAction,
    /// By whom.
    pub actor: AuditActor,
    /// To what.
    pub subject: AuditSubject,
    /// What else there is to know; never a secret.
    pub details: Map<String, Json>,
    /// The address that the request came from; none for the command line.
    pub ip: Option<String>,
    /// When.
    #[serde(with = "timestamp_json")]
    pub created_at: OffsetDateTime,
}

impl AuditEntry {
    /// An act that happens now.
    pub fn new(
        ports: &Ports,
        principal: &Principal,
        action: AuditAction,
        subject: AuditSubject,
        details: Json,
    ) -> Self {
        let blank = Self {
            id: AuditEntryId(ports.ids.new_id()),
            action,
            actor: AuditActor { actor: principal.actor, name: principal.name.as_ref().to_owned() },
            subject,
            details: Map::new(),
            ip: principal.address.map(|address| address.to_canonical().to_string()),
            created_at: ports.clock.now(),
        };
        blank.with(details)
    }

    /// The same act with other details.
    #[must_use]
    pub fn with(&self, details: Json) -> Self {
        let details = match details {
            Json::Object(details) => details,
            _ => Map::new(),
        };
        Self { details, ..self.clone() }
    }
}

impl Paginated for AuditEntry {
    const LIST: ListName = ListName::AuditLog;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
