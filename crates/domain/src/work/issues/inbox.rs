//! How many tickets wait, and for whom: the head of the inbox.

use super::IssueStatus;
use crate::Error;
use crate::UserId;
use crate::identity::access::{Permit, ReadIssues};
use crate::kernel::IssueKind;
use crate::ports::{Ports, read_only};

/// The statuses of tickets that are not finished.
pub const WAITING: [IssueStatus; 3] = [IssueStatus::Open, IssueStatus::Pending, IssueStatus::OnHold];
/// The most tickets of a status that are counted, the newest ones: a count costs the same however many there are.
pub const MAX_COUNTED: u32 = 500;

/// Whose tickets are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    Nobody,
    /// The member who asks.
    Asking,
    Other,
}

/// Tickets of a status that are assigned to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WaitingPart {
    pub status: IssueStatus,
    pub holder: Holder,
    pub count: u64,
}

/// A number of tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    pub count: u64,
    /// Whether there may be more: not all tickets were looked at.
    pub is_least: bool,
}

/// How many tickets wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InboxCounts {
    pub open: Counted,
    pub pending: Counted,
    pub on_hold: Counted,
    /// Of all three.
    pub unassigned: Counted,
    /// Those of the member who asks, of all three.
    pub mine: Counted,
}

impl InboxCounts {
    fn of(parts: &[WaitingPart]) -> Self {
        let sum = |is_meant: &dyn Fn(&WaitingPart) -> bool| -> u64 {
            parts.iter().filter(|part| is_meant(part)).map(|part| part.count).sum()
        };
        let of_status = |status: IssueStatus| {
            let count = sum(&|part| part.status == status);
            Counted { count, is_least: count >= u64::from(MAX_COUNTED) }
        };
        let is_least = WAITING.iter().any(|status| of_status(*status).is_least);
        let of_holder = |holder: Holder| Counted { count: sum(&|part| part.holder == holder), is_least };
        Self {
            open: of_status(IssueStatus::Open),
            pending: of_status(IssueStatus::Pending),
            on_hold: of_status(IssueStatus::OnHold),
            unassigned: of_holder(Holder::Nobody),
            mine: of_holder(Holder::Asking),
        }
    }
}

/// Counts the tickets that are not finished, and those of the person who asks. One statement.
///
/// # Errors
/// [`Error::SessionNeeded`] for an API key; those of a caller who reads no tickets.
pub async fn count_waiting(ports: &Ports, permit: &Permit<ReadIssues>) -> Result<InboxCounts, Error> {
    permit.check_kind(IssueKind::Ticket)?;
    let (_, user): (_, UserId) = permit.session().ok_or(Error::SessionNeeded)?;
    let counted = read_only(ports, permit, move |tx| Ok(tx.issues().count_waiting(user)?)).await?;
    Ok(InboxCounts::of(&counted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_sums_and_say_where_they_end() {
        let part = |status, holder, count| WaitingPart { status, holder, count };
        let counts = InboxCounts::of(&[
            part(IssueStatus::Open, Holder::Nobody, 3),
            part(IssueStatus::Open, Holder::Asking, 2),
            part(IssueStatus::Pending, Holder::Asking, 5),
            part(IssueStatus::OnHold, Holder::Other, 7),
        ]);
        let exactly = |count| Counted { count, is_least: false };
        assert_eq!(
            counts,
            InboxCounts {
                open: exactly(5),
                pending: exactly(5),
                on_hold: exactly(7),
                unassigned: exactly(3),
                mine: exactly(7)
            }
        );
        let many = InboxCounts::of(&[part(IssueStatus::Open, Holder::Other, u64::from(MAX_COUNTED))]);
        assert_eq!((many.open.is_least, many.pending.is_least, many.mine.is_least), (true, false, true));
    }
}
