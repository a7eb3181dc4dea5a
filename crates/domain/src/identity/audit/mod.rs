//! The audit log: every administrative action with actor, subject, time and address. Entries are never changed.

mod bounds;
mod left_out;
mod list;
mod refusals;

pub use bounds::{AuditBound, AuditClass, REFUSALS_PER_HOUR};
pub use left_out::{LeftOutCount, prune_counts, write_left_out};
pub use list::{AuditFilter, AuditRetention, list};
pub use refusals::{RefusalSamples, note_refused_request, write_refusals};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::{Actor, Principal};
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{choices, readable_choices};
use crate::kernel::paging::paginated;
use crate::ports::Ports;
use crate::{ApiKeyId, AuditEntryId, CommentId, ErasureId, KbArticleId, SubscriptionId, UserId, WorkspaceId};

choices! {
    /// The action that an entry records (interface 17.19).
    pub enum AuditAction {
        WorkspaceCreated = "workspace.created",
        /// The workspace's settings, plan or limits were changed.
        WorkspaceUpdated = "workspace.updated",
        WorkspaceSuspended = "workspace.suspended",
        WorkspaceRestricted = "workspace.restricted",
        WorkspaceDeleted = "workspace.deleted",
        WorkspaceActivated = "workspace.activated",
        /// An operator added a user as a member.
        MemberCreated = "member.created",
        /// A user was invited.
        MemberInvited = "member.invited",
        /// An invitation was accepted.
        MemberJoined = "member.joined",
        /// A member's role was changed.
        MemberRoleChanged = "member.role_changed",
        /// A member was removed, or an invitation withdrawn.
        MemberRemoved = "member.removed",
        KeyCreated = "api_key.created",
        KeyRenamed = "api_key.renamed",
        /// The networks of an API key were changed.
        KeyUpdated = "api_key.updated",
        KeyRevoked = "api_key.revoked",
        /// A user signed in.
        SessionStarted = "session.started",
        /// An operator made a link by which a user signs in on the machine itself.
        SignInLinkIssued = "sign_in_link.issued",
        /// A sign-in failed: wrong password, or a workspace that the user cannot enter.
        SessionRefused = "session.refused",
        /// A user signed out.
        SessionEnded = "session.ended",
        /// A user changed their name.
        AccountUpdated = "account.updated",
        /// A user switched their second factor on.
        SecondFactorEnabled = "second_factor.enabled",
        /// A user switched their second factor off.
        SecondFactorDisabled = "second_factor.disabled",
        /// An operator switched a user's second factor off.
        SecondFactorReset = "second_factor.reset",
        /// A sign-in with the right password failed at the second factor.
        SecondFactorFailed = "second_factor.failed",
        /// A user became an operator of the service.
        OperatorAdded = "operator.added",
        /// A user is no longer an operator of the service.
        OperatorRemoved = "operator.removed",
        /// A user changed their password.
        PasswordChanged = "password.changed",
        /// A user set a new password with an e-mailed link.
        PasswordReset = "password.reset",
        WebhookCreated = "webhook.created",
        WebhookUpdated = "webhook.updated",
        /// A webhook's secret was rotated.
        WebhookSecretRotated = "webhook.secret_rotated",
        /// Past events were queued again for a webhook.
        WebhookReplayed = "webhook.replayed",
        WebhookDeleted = "webhook.deleted",
        /// A webhook has failed for a day.
        WebhookFailing = "webhook.failing",
        /// The service disabled a webhook.
        WebhookDisabled = "webhook.disabled",
        /// The key or member that made a webhook has ended.
        WebhookCreatorGone = "webhook.creator_gone",
        /// A knowledge-base article was created.
        ArticleCreated = "kb_article.created",
        ArticleUpdated = "kb_article.updated",
        ArticleDeleted = "kb_article.deleted",
        /// A deleted article was restored.
        ArticleRestored = "kb_article.restored",
        /// The comment of somebody else was changed.
        CommentUpdated = "comment.updated",
        /// The comment of somebody else was deleted.
        CommentDeleted = "comment.deleted",
        /// A person's data was erased.
        ContactErased = "contact.erased",
        /// An import of a file began.
        ImportStarted = "import.started",
        /// An import of a file ended.
        ImportFinished = "import.finished",
        /// An export of records into files began.
        RecordsExported = "records.exported",
        /// An export of records ended, complete or not.
        ExportFinished = "export.finished",
        /// A valid credential was refused: it may not do this, or not from this network.
        RequestRefused = "request.refused",
        /// Refusals of an hour beyond those that have an entry of their own.
        RefusalsLeftOut = "refusals.left_out",
        /// What an actor did in an hour beyond what has an entry each.
        EntriesLeftOut = "entries.left_out",
    }
}

readable_choices!(AuditAction);

choices! {
    /// The kind of an entry's subject.
    pub enum AuditSubjectKind {
        Workspace = "workspace",
        /// A member, identified by the user's id.
        Member = "member",
        ApiKey = "api_key",
        /// A webhook subscription.
        Webhook = "webhook",
        /// A knowledge-base article.
        Article = "kb_article",
        /// A comment on a record.
        Comment = "comment",
        /// An erasure of a person's data.
        Erasure = "erasure",
    }
}

/// The subject of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditSubject {
    #[serde(rename = "type")]
    pub kind: AuditSubjectKind,
    pub id: Uuid,
}

impl AuditSubject {
    pub const fn key(id: ApiKeyId) -> Self {
        Self { kind: AuditSubjectKind::ApiKey, id: id.0 }
    }

    pub const fn subscription(id: SubscriptionId) -> Self {
        Self { kind: AuditSubjectKind::Webhook, id: id.0 }
    }

    pub const fn article(id: KbArticleId) -> Self {
        Self { kind: AuditSubjectKind::Article, id: id.0 }
    }

    pub const fn comment(id: CommentId) -> Self {
        Self { kind: AuditSubjectKind::Comment, id: id.0 }
    }

    pub const fn erasure(id: ErasureId) -> Self {
        Self { kind: AuditSubjectKind::Erasure, id: id.0 }
    }

    pub const fn member(id: UserId) -> Self {
        Self { kind: AuditSubjectKind::Member, id: id.0 }
    }

    pub const fn workspace(id: WorkspaceId) -> Self {
        Self { kind: AuditSubjectKind::Workspace, id: id.0 }
    }
}

/// The actor of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditActor {
    /// Kind and id.
    #[serde(flatten)]
    pub actor: Actor,
    /// The name at the time of the action.
    pub name: String,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AuditEntry {
    pub id: AuditEntryId,
    pub action: AuditAction,
    pub actor: AuditActor,
    pub subject: AuditSubject,
    /// Further details; never a secret.
    pub details: Map<String, Json>,
    /// The client's address; null for the command line.
    pub ip: Option<String>,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
}

impl AuditEntry {
    /// An entry for an action that happens now.
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

    /// Adds details to the entry.
    #[must_use]
    pub fn with(&self, details: Json) -> Self {
        let details = match details {
            Json::Object(details) => details,
            _ => Map::new(),
        };
        Self { details, ..self.clone() }
    }
}

/// The details of a change: the fields that differ between two objects, each with its old and new value.
pub(in crate::identity) fn differences(from: &Json, to: &Json) -> Json {
    let changed = from.as_object().into_iter().flatten().filter(|(name, value)| to[name.as_str()] != **value);
    changed.map(|(name, value)| (name.clone(), json!({ "from": value, "to": to[name.as_str()] }))).collect()
}

paginated!(AuditEntry: AUDIT_LOG);
