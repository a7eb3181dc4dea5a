//! The two kinds of issue, shared by permissions, tools and records.

use super::input::{choices, readable_choices};

choices! {
    /// Which of the two collections an issue belongs to; never changes.
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
    pub const NONE: Self = Self { task: false, ticket: false };
    pub const ALL: Self = Self { task: true, ticket: true };

    /// The given kind, or none.
    pub const fn of(kind: Option<IssueKind>) -> Self {
        Self { task: matches!(kind, Some(IssueKind::Task)), ticket: matches!(kind, Some(IssueKind::Ticket)) }
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { task: self.task || other.task, ticket: self.ticket || other.ticket }
    }

    pub const fn has(self, kind: IssueKind) -> bool {
        match kind {
            IssueKind::Task => self.task,
            IssueKind::Ticket => self.ticket,
        }
    }
}
