//! How many entries of each action an actor makes in an hour, and what happens beyond (interface 17.24).
//!
//! The audit log cannot be cleaned up, so nobody may fill it. Stores count the entries of each actor, action and hour in the
//! transaction of the action ([`AuditRepo::append`](crate::ports::AuditRepo::append)), so counts are exact however many
//! requests run in parallel, on however many instances.

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

/// Refusals of a kind that get an entry in an hour: in the sample of a workspace, and wrong second factors of a user.
pub const REFUSALS_PER_HOUR: u32 = 20;
/// Entries about an actor's own sessions and account. One who signs in every few minutes makes 30.
const OWN_PER_HOUR: u32 = 60;
/// Entries about content, of which a person makes a few dozen; a file of articles has more.
const CONTENT_PER_HOUR: u32 = 200;
/// Entries about rights, members, keys, webhooks and exports. A session is allowed ten such requests a minute, which is 600.
const PROTECTED_PER_HOUR: u32 = 1_000;

/// What becomes of an action beyond its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditClass {
    /// It is done and counted; after the hour, one entry says how many there were.
    Routine,
    /// It is refused: each that is done has an entry.
    Protected,
    /// The sample of refusals has bounded it before it is written ([`RefusalSamples`](super::RefusalSamples)).
    Sampled,
    /// It has no bound: the service writes one for many others.
    Summary,
}

/// How many entries of an action an actor makes in an hour.
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
    /// The table of bounds: an action without a row does not compile.
    pub const fn bound(self) -> AuditBound {
        match self {
            SessionRefused | RequestRefused => AuditBound { class: AuditClass::Sampled, per_hour: REFUSALS_PER_HOUR },
            SecondFactorFailed => routine(REFUSALS_PER_HOUR),
            SessionStarted | SessionEnded | AccountUpdated => routine(OWN_PER_HOUR),
            ArticleCreated | ArticleUpdated | ArticleDeleted | ArticleRestored | CommentUpdated | CommentDeleted
            | ImportStarted | ImportFinished => routine(CONTENT_PER_HOUR),
            // As many as can begin, because the data has already been sent when this is written.
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
    /// What a store counts the entry by; `None` if it is written in any case. The service and the command line are never
    /// refused anything: they act for nobody who could be asked to wait.
    pub fn counted(&self) -> Option<AuditBound> {
        let bound = self.action.bound();
        let is_service = self.actor.actor.kind == ActorKind::System;
        match bound.class {
            AuditClass::Routine => Some(bound),
            AuditClass::Protected => (!is_service).then_some(bound),
            AuditClass::Sampled | AuditClass::Summary => None,
        }
    }

    /// The hour in which it counts.
    pub fn hour(&self) -> OffsetDateTime {
        Window::Hour.start_of(self.created_at)
    }

    /// What a store does with an entry beyond the bound, which it has counted: nothing more for a routine one.
    ///
    /// # Errors
    /// [`StoreError::AuditBound`] for a protected one: the action is undone.
    pub const fn beyond(&self, bound: AuditBound) -> Result<(), StoreError> {
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
    fn every_action_has_a_bound_that_honest_use_does_not_reach() {
        for action in AuditAction::ALL {
            let AuditBound { class, per_hour } = action.bound();
            let (subject, _) = action.as_str().split_once('.').unwrap();
            let is_of_rights =
                matches!(subject, "workspace" | "member" | "api_key" | "webhook" | "operator" | "contact")
                    || matches!(action, RecordsExported | SignInLinkIssued | PasswordChanged | PasswordReset)
                    || matches!(action, SecondFactorEnabled | SecondFactorDisabled | SecondFactorReset);
            let expected = match action {
                RefusalsLeftOut | EntriesLeftOut => AuditClass::Summary,
                SessionRefused | RequestRefused => AuditClass::Sampled,
                _ if is_of_rights => AuditClass::Protected,
                _ => AuditClass::Routine,
            };
            assert_eq!(class, expected, "{action}");
            assert!(per_hour >= 20, "{action}");
            // A script that makes all 200 keys of a workspace, or invites 100 members.
            let is_scripted = matches!(subject, "api_key" | "member" | "webhook");
            assert!(!is_scripted || per_hour >= 600, "{action}");
        }
    }
}
