//! Limits of audit entries per actor, action and hour, and what happens above them (interface 17.24).
//!
//! The audit log cannot be cleaned up, so callers must not be able to fill it. Stores count the entries of each actor, action and
//! hour in the transaction of the action ([`AuditRepo::append`](crate::ports::AuditRepo::append)), so counts are exact across
//! parallel requests and instances.

use time::OffsetDateTime;

use super::AuditAction::{
    AccountUpdated, ArticleCreated, ArticleDeleted, ArticleRestored, ArticleUpdated, CommentDeleted, CommentUpdated,
    ContactErased, EntriesLeftOut, ExportFinished, ImportFinished, ImportStarted, KeyCreated, KeyRenamed, KeyRevoked,
    KeyUpdated, MemberCreated, MemberInvited, MemberJoined, MemberRemoved, MemberRoleChanged, OperatorAdded,
    OperatorRemoved, PasswordChanged, PasswordReset, RecordsExported, RefusalsLeftOut, RequestRefused,
    SecondFactorDisabled, SecondFactorEnabled, SecondFactorFailed, SecondFactorReset, SessionEnded, SessionRefused,
    SessionStarted, SignInLinkIssued, WebhookCreated, WebhookCreatorGone, WebhookDeleted, WebhookDisabled,
    WebhookFailing, WebhookReplayed, WebhookSecretRotated, WebhookUpdated, WorkspaceActivated, WorkspaceCreated,
    WorkspaceDeleted, WorkspaceRestricted, WorkspaceSuspended, WorkspaceUpdated,
};
use super::{AuditAction, AuditEntry};
use crate::identity::access::ActorKind;
use crate::kernel::StoreError;
use crate::limits::Window;

/// Maximum entries per hour about refusals of a kind in a workspace, and about wrong second factors of a user.
pub const REFUSALS_PER_HOUR: u32 = 20;
/// Entries about an actor's own sessions and account. A user who signs in every few minutes causes 30.
const OWN_PER_HOUR: u32 = 60;
/// Entries about content. A person causes a few dozen, an import of articles more.
const CONTENT_PER_HOUR: u32 = 200;
/// Entries about rights, members, keys, webhooks and exports. A session may send ten such requests per minute, that is 600 per
/// hour.
const PROTECTED_PER_HOUR: u32 = 1_000;

/// What happens to an action above its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditClass {
    /// The action is done and counted; after the hour, one entry records the count.
    Routine,
    /// The action is refused, so that every action that is done has an entry.
    Protected,
    /// [`RefusalSamples`](super::RefusalSamples) limits the entries before they are written.
    Sampled,
    /// Unlimited: the service writes one summary instead of many entries.
    Summary,
}

/// The limit of an action's entries per actor and hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditBound {
    pub class: AuditClass,
    pub per_hour: u32,
}

const fn routine(per_hour: u32) -> AuditBound {
    AuditBound { class: AuditClass::Routine, per_hour }
}

const fn protected(per_hour: u32) -> AuditBound {
    AuditBound { class: AuditClass::Protected, per_hour }
}

impl AuditAction {
    /// The limit of each action. An action without a limit does not compile.
    pub const fn bound(self) -> AuditBound {
        match self {
            SessionRefused | RequestRefused => AuditBound { class: AuditClass::Sampled, per_hour: REFUSALS_PER_HOUR },
            SecondFactorFailed => routine(REFUSALS_PER_HOUR),
            SessionStarted | SessionEnded | AccountUpdated => routine(OWN_PER_HOUR),
            ArticleCreated | ArticleUpdated | ArticleDeleted | ArticleRestored | CommentUpdated | CommentDeleted
            | ImportStarted | ImportFinished => routine(CONTENT_PER_HOUR),
            // As many as exports that start. Not protected, because the data has already been sent when this entry is written.
            ExportFinished => routine(PROTECTED_PER_HOUR),
            PasswordChanged | PasswordReset | SecondFactorEnabled | SecondFactorDisabled => protected(OWN_PER_HOUR),
            WorkspaceCreated | WorkspaceUpdated | WorkspaceSuspended | WorkspaceRestricted | WorkspaceDeleted
            | WorkspaceActivated | MemberCreated | MemberInvited | MemberJoined | MemberRoleChanged | MemberRemoved
            | KeyCreated | KeyRenamed | KeyUpdated | KeyRevoked | SignInLinkIssued | SecondFactorReset
            | OperatorAdded | OperatorRemoved | WebhookCreated | WebhookUpdated | WebhookSecretRotated
            | WebhookReplayed | WebhookDeleted | WebhookFailing | WebhookDisabled | WebhookCreatorGone
            | ContactErased | RecordsExported => protected(PROTECTED_PER_HOUR),
            RefusalsLeftOut | EntriesLeftOut => AuditBound { class: AuditClass::Summary, per_hour: u32::MAX },
        }
    }
}

impl AuditEntry {
    /// The limit that a store counts the entry against; `None` if it is always written. The service and the command line are never
    /// refused, because they could not wait.
    pub fn counting_bound(&self) -> Option<AuditBound> {
        let bound = self.action.bound();
        let is_service = self.actor.actor.kind == ActorKind::System;
        match bound.class {
            AuditClass::Routine => Some(bound),
            AuditClass::Protected => (!is_service).then_some(bound),
            AuditClass::Sampled | AuditClass::Summary => None,
        }
    }

    /// The hour that the entry counts in.
    pub fn hour(&self) -> OffsetDateTime {
        Window::Hour.start_of(self.created_at)
    }

    /// What a store does with an entry above the limit after counting it: it omits a routine entry.
    ///
    /// # Errors
    /// [`StoreError::AuditBound`] for a protected entry, whose action is rolled back.
    pub const fn above_limit(&self, bound: AuditBound) -> Result<(), StoreError> {
        match bound.class {
            AuditClass::Protected => {
                let retry_after = Window::Hour.around(self.created_at).seconds_left(self.created_at);
                Err(StoreError::AuditBound { limit: bound.per_hour, retry_after })
            }
            AuditClass::Routine | AuditClass::Sampled | AuditClass::Summary => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_limit_that_legitimate_use_does_not_reach() {
        for action in AuditAction::ALL {
            let AuditBound { class, per_hour } = action.bound();
            let (subject, _) = action.as_str().split_once('.').unwrap();
            let is_protected =
                matches!(subject, "workspace" | "member" | "api_key" | "webhook" | "operator" | "contact")
                    || matches!(action, RecordsExported | SignInLinkIssued | PasswordChanged | PasswordReset)
                    || matches!(action, SecondFactorEnabled | SecondFactorDisabled | SecondFactorReset);
            let expected = match action {
                RefusalsLeftOut | EntriesLeftOut => AuditClass::Summary,
                SessionRefused | RequestRefused => AuditClass::Sampled,
                _ if is_protected => AuditClass::Protected,
                _ => AuditClass::Routine,
            };
            assert_eq!(class, expected, "{action}");
            assert!(per_hour >= 20, "{action}");
            // A script that creates all 200 keys of a workspace, or invites 100 members.
            let is_scripted = matches!(subject, "api_key" | "member" | "webhook");
            assert!(!is_scripted || per_hour >= 600, "{action}");
        }
    }
}
