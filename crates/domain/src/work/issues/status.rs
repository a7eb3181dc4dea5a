//! The statuses of tasks and tickets, and which changes are allowed (interface 11.5, 11.6).

use time::OffsetDateTime;

use super::Issue;
use crate::Error;
use crate::kernel::IssueKind;
use crate::kernel::input::json::Json;
use crate::kernel::input::schema::enum_schema;
use crate::kernel::input::{choices, readable_choices};

choices! {
    /// The status of a task or a ticket. The kinds have no status in common.
    pub enum IssueStatus {
        /// A task for later.
        Backlog = "backlog",
        Todo = "todo",
        InProgress = "in_progress",
        InReview = "in_review",
        Done = "done",
        Cancelled = "cancelled",
        /// A ticket that needs a response.
        Open = "open",
        /// A ticket that waits for the customer.
        Pending = "pending",
        OnHold = "on_hold",
        Resolved = "resolved",
        Closed = "closed",
    }
}

readable_choices!(IssueStatus);

impl IssueStatus {
    /// The kind that has this status.
    pub const fn kind(self) -> IssueKind {
        match self {
            Self::Backlog | Self::Todo | Self::InProgress | Self::InReview | Self::Done | Self::Cancelled => {
                IssueKind::Task
            }
            Self::Open | Self::Pending | Self::OnHold | Self::Resolved | Self::Closed => IssueKind::Ticket,
        }
    }

    /// The initial status of a kind.
    pub const fn default_of(kind: IssueKind) -> Self {
        match kind {
            IssueKind::Task => Self::Todo,
            IssueKind::Ticket => Self::Open,
        }
    }

    /// Whether an issue in this status needs no more work: a finished task, a resolved or closed ticket.
    pub const fn is_completed(self) -> bool {
        matches!(self, Self::Done | Self::Resolved | Self::Closed)
    }

    /// Whether work on it remains: it is neither completed nor abandoned.
    pub const fn is_open(self) -> bool {
        !self.is_completed() && !matches!(self, Self::Cancelled)
    }

    /// The statuses of a kind.
    pub fn all_of(kind: IssueKind) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |status| status.kind() == kind)
    }

    /// The statuses of a kind, comma-separated for messages.
    pub fn allowed_values_of(kind: IssueKind) -> String {
        Self::all_of(kind).map(Self::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The schema of a status of this kind.
    pub fn schema_of(kind: IssueKind) -> Json {
        enum_schema(Self::all_of(kind).map(Self::as_str))
    }

    /// Whether an issue may move from this status to `next`; both are of the same kind.
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Closed => matches!(next, Self::Closed | Self::Open),
            Self::Resolved => !matches!(next, Self::Pending | Self::OnHold),
            _ => true,
        }
    }

    /// Checks that the status belongs to the kind.
    ///
    /// # Errors
    /// [`Error::Malformed`] at `field`: for a client, a status of the other kind is not an allowed value.
    pub fn check_kind(self, kind: IssueKind, field: &str) -> Result<(), Error> {
        if self.kind() == kind {
            return Ok(());
        }
        Err(Error::malformed(
            field,
            "invalid_value",
            format!("the status of a {kind} must be one of {}", Self::allowed_values_of(kind)),
        ))
    }
}

impl Issue {
    /// Changes the status. Completing the issue sets `completed_at` of a task or `resolved_at` of a ticket, and reopening clears it.
    /// Closing a resolved ticket keeps the time.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`].
    pub(crate) fn move_to(&mut self, next: IssueStatus, now: OffsetDateTime) -> Result<(), Error> {
        if !self.status.may_become(next) {
            let ways = if self.status == IssueStatus::Closed { "open" } else { "open or closed" };
            return Err(Error::InvalidStateChange(format!(
                "a {} ticket cannot become {next}, only {ways}",
                self.status
            )));
        }
        if next.is_completed() != self.status.is_completed() {
            let at = next.is_completed().then_some(now);
            match self.kind {
                IssueKind::Task => self.completed_at = at,
                IssueKind::Ticket => self.resolved_at = at,
            }
            self.conversation.status_changed(next.is_completed());
        }
        self.status = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use time::Duration;

    #[test]
    fn statuses_change_only_as_allowed() {
        for kind in IssueKind::ALL.iter().copied() {
            for from in IssueStatus::all_of(kind) {
                for to in IssueStatus::all_of(kind) {
                    let allowed = match (from.as_str(), to.as_str()) {
                        ("closed", to) => matches!(to, "closed" | "open"),
                        ("resolved", "pending" | "on_hold") => false,
                        _ => true,
                    };
                    let mut issue = testing::issue(kind, from);
                    assert_eq!(issue.move_to(to, OffsetDateTime::UNIX_EPOCH).is_ok(), allowed, "{from} -> {to}");
                }
            }
        }
    }

    #[test]
    fn done_sets_the_completion_time_once_and_reopening_clears_it() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let mut task = testing::issue(IssueKind::Task, IssueStatus::Todo);
        task.move_to(IssueStatus::Done, now).unwrap();
        task.move_to(IssueStatus::Done, now + Duration::HOUR).unwrap();
        assert_eq!(task.completed_at, Some(now));
        task.move_to(IssueStatus::Cancelled, now).unwrap();
        assert_eq!(task.completed_at, None);
        assert_eq!(task.resolved_at, None);
    }

    #[test]
    fn closing_keeps_the_time_of_the_resolution_and_reopening_clears_it() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let mut ticket = testing::issue(IssueKind::Ticket, IssueStatus::Open);
        for (after, status, resolved_at) in [
            (1, IssueStatus::Pending, None),
            (2, IssueStatus::Resolved, Some(2)),
            (3, IssueStatus::Closed, Some(2)),
            (4, IssueStatus::Open, None),
            (5, IssueStatus::Closed, Some(5)),
        ] {
            ticket.move_to(status, now + Duration::hours(after)).unwrap();
            let expected = resolved_at.map(|hours| now + Duration::hours(hours));
            assert_eq!((ticket.resolved_at, ticket.completed_at), (expected, None), "{status}");
        }
    }
}
