//! The two kinds of issue, which permissions, tools and records all speak of.

use super::input::{choices, readable_choices};

choices! {
    /// Which of the two collections an issue lives in; never changes.
    pub enum IssueKind {
        /// Work on a project.
        Task = "task",
        /// A customer's request.
        Ticket = "ticket",
    }
}

readable_choices!(IssueKind);

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IssueKinds {
    task: bool,
    ticket: bool,
}

impl IssueKinds {
    /// Neither.
    pub const NONE: Self = Self { task: false, ticket: false };
    /// Both.
    pub const ALL: Self = Self { task: true, ticket: true };

    /// One kind, or none.
    pub const fn of(kind: Option<IssueKind>) -> Self {
        Self { task: matches!(kind, Some(IssueKind::Task)), ticket: matches!(kind, Some(IssueKind::Ticket)) }
    }

    /// These and those.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { task: self.task || other.task, ticket: self.ticket || other.ticket }
    }

    /// Whether a kind is one of them.
    pub const fn has(self, kind: IssueKind) -> bool {
        match kind {
            IssueKind::Task => self.task,
            IssueKind::Ticket => self.ticket,
        }
    }
}
