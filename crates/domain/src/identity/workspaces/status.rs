//! The status of a workspace: whether it may be used, and when a deleted one is erased (interface 18.15–18.18).

use time::{Duration, OffsetDateTime};

use super::{Workspace, WorkspaceStatus};
use crate::identity::audit::AuditAction;
use crate::kernel::input::{choices, format_timestamp, readable_choices};
use crate::{Error, WorkspaceId};

/// How long a deleted workspace can be restored.
pub const KEPT_AFTER_DELETION: Duration = Duration::days(30);

/// When a deleted workspace is erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erasure {
    pub due_at: OffsetDateTime,
    /// Whether some of its data is already erased.
    pub has_begun: bool,
}

/// The result of one step of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErasureStep {
    /// How many rows it deleted; 0 if no workspace is due.
    pub rows: u64,
    /// The workspace that is completely erased now.
    pub erased: Option<WorkspaceId>,
}

choices! {
    /// A status that is set without a confirmation.
    pub enum SettableStatus {
        /// Credentials are valid.
        Active = "active",
        /// Suspended by an operator.
        Suspended = "suspended",
        /// Restricted for another reason.
        Restricted = "restricted",
    }
}

readable_choices!(SettableStatus);

impl From<SettableStatus> for WorkspaceStatus {
    fn from(status: SettableStatus) -> Self {
        match status {
            SettableStatus::Active => Self::Active,
            SettableStatus::Suspended => Self::Suspended,
            SettableStatus::Restricted => Self::Restricted,
        }
    }
}

/// A change of a workspace's status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatusChange {
    /// Also restores a deleted workspace.
    Set(SettableStatus),
    Delete {
        /// When to erase it.
        erase_at: OffsetDateTime,
    },
}

impl StatusChange {
    pub(super) const fn action(self) -> AuditAction {
        match self {
            Self::Set(SettableStatus::Active) => AuditAction::WorkspaceActivated,
            Self::Set(SettableStatus::Suspended) => AuditAction::WorkspaceSuspended,
            Self::Set(SettableStatus::Restricted) => AuditAction::WorkspaceRestricted,
            Self::Delete { .. } => AuditAction::WorkspaceDeleted,
        }
    }
}

impl Workspace {
    /// Changes the status, unless the workspace is being erased.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`].
    pub(super) fn change_status(&mut self, change: StatusChange, now: OffsetDateTime) -> Result<(), Error> {
        let has_begun = self.erasure.is_some_and(|erasure| erasure.has_begun || erasure.due_at <= now);
        match (change, self.erasure) {
            (StatusChange::Set(_), _) if has_begun => {
                let message = "the workspace is being erased: it cannot be restored";
                Err(Error::InvalidStateChange(message.to_owned()))
            }
            (StatusChange::Set(status), _) => {
                (self.status, self.erasure) = (status.into(), None);
                Ok(())
            }
            // A deleted workspace can be erased earlier, but not kept longer.
            (StatusChange::Delete { erase_at }, Some(erasure)) if erasure.due_at <= erase_at && !has_begun => {
                let due_at = format_timestamp(erasure.due_at);
                let message = format!("the workspace is already deleted and will be erased after {due_at}");
                Err(Error::InvalidStateChange(message))
            }
            (StatusChange::Delete { .. }, Some(_)) if has_begun => Ok(()),
            (StatusChange::Delete { erase_at }, _) => {
                self.status = WorkspaceStatus::Deleted;
                self.erasure = Some(Erasure { due_at: erase_at, has_begun: false });
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workspace_value;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn deleted(due_in: Duration, has_begun: bool) -> Workspace {
        let erasure = Some(Erasure { due_at: NOW + due_in, has_begun });
        Workspace { status: WorkspaceStatus::Deleted, erasure, ..workspace_value(1) }
    }

    #[test]
    fn a_deleted_workspace_can_be_restored_until_its_erasure() {
        for status in SettableStatus::ALL.iter().copied() {
            for (due_in, has_begun, is_restorable) in [(1, false, true), (0, false, false), (1, true, false)] {
                let mut workspace = deleted(Duration::seconds(due_in), has_begun);
                let before = workspace.clone();
                let changed = workspace.change_status(StatusChange::Set(status), NOW);
                assert_eq!(changed.is_ok(), is_restorable, "{status} {due_in} {has_begun}");
                if is_restorable {
                    assert_eq!((workspace.status, workspace.erasure), (status.into(), None));
                } else {
                    assert_eq!(workspace, before);
                }
            }
        }
    }

    #[test]
    fn a_deletion_happens_once_and_can_only_be_brought_forward() {
        let deletion = StatusChange::Delete { erase_at: NOW + KEPT_AFTER_DELETION };
        let mut workspace = workspace_value(1);
        workspace.change_status(deletion, NOW).unwrap();
        assert_eq!(workspace.status, WorkspaceStatus::Deleted);
        assert_eq!(workspace.erasure.map(|erasure| erasure.due_at), Some(NOW + KEPT_AFTER_DELETION));
        assert!(matches!(workspace.change_status(deletion, NOW), Err(Error::InvalidStateChange(_))));
        workspace.change_status(StatusChange::Delete { erase_at: NOW }, NOW).unwrap();
        assert_eq!(workspace.erasure.map(|erasure| erasure.due_at), Some(NOW));
        // The next command may continue an erasure that was interrupted.
        let mut erasing = deleted(Duration::ZERO, true);
        let before = erasing.clone();
        erasing.change_status(StatusChange::Delete { erase_at: NOW }, NOW).unwrap();
        assert_eq!(erasing, before);
    }
}
