//! The inbox: the tickets with their unread marks, and the numbers of unfinished tickets by status and assignee.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Issue, IssueFilter, IssueOrder, IssueStatus, UNREAD_FOR};
use crate::identity::access::{Permit, ReadIssues};
use crate::kernel::IssueKind;
use crate::kernel::input::Problems;
use crate::kernel::paging::{
    KeyPosition, ListName, ListOrder, MAX_LIMIT, Page, PageRequest, Paginated, Position, Sort, SortKey, Sorted,
    cursor_at,
};
use crate::ports::{Ports, read_only, statement, weighed_read_only};
use crate::records::weight_of;
use crate::{Error, IssueId, UserId};

/// The statuses of tickets that are not finished.
pub const UNFINISHED: [IssueStatus; 3] = [IssueStatus::Open, IssueStatus::Pending, IssueStatus::OnHold];
/// The maximum number of tickets that are counted per status, so that a count costs the same however many there are.
pub const MAX_COUNTED: u32 = 500;

/// The maximum number of read marks per user. Beyond that, those of the oldest messages are removed.
pub const MAX_READS: u32 = 10_000;

/// A ticket in the inbox of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxTicket {
    pub ticket: Issue,
    /// Whether it has messages that the reader has not read.
    pub is_unread: bool,
}

impl Paginated for InboxTicket {
    const LIST: ListName = Issue::LIST;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        self.ticket.cursor_key()
    }
}

impl Sorted for InboxTicket {
    fn sort_key(&self, by: Sort) -> SortKey {
        self.ticket.sort_key(by)
    }
}

/// The reader of an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboxReader {
    pub user: UserId,
    /// Messages up to this time count as read.
    pub unread_since: OffsetDateTime,
}

impl InboxReader {
    fn new(ports: &Ports, permit: &Permit<ReadIssues>) -> Result<Self, Error> {
        let user = permit.session_user()?;
        Ok(Self { user, unread_since: ports.clock.now() - UNREAD_FOR })
    }
}

/// To whom the counted tickets are assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssigneeGroup {
    Unassigned,
    Caller,
    Other,
}

/// The number of tickets with one status and one assignee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WaitingPart {
    pub status: IssueStatus,
    pub holder: AssigneeGroup,
    pub count: u64,
}

/// A number of tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TicketCount {
    pub count: u64,
    /// Whether there may be more, because the count reached [`MAX_COUNTED`].
    pub is_lower_bound: bool,
}

/// The numbers of unfinished tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InboxCounts {
    pub open: TicketCount,
    pub pending: TicketCount,
    pub on_hold: TicketCount,
    /// The unassigned tickets with any of these statuses.
    pub unassigned: TicketCount,
    /// The caller's tickets with any of these statuses.
    pub mine: TicketCount,
}

impl InboxCounts {
    fn of(parts: &[WaitingPart]) -> Self {
        let sum = |is_meant: &dyn Fn(&WaitingPart) -> bool| -> u64 {
            parts.iter().filter(|part| is_meant(part)).map(|part| part.count).sum()
        };
        let of_status = |status: IssueStatus| {
            let count = sum(&|part| part.status == status);
            TicketCount { count, is_lower_bound: count >= u64::from(MAX_COUNTED) }
        };
        let is_lower_bound = UNFINISHED.iter().any(|status| of_status(*status).is_lower_bound);
        let of_holder =
            |holder: AssigneeGroup| TicketCount { count: sum(&|part| part.holder == holder), is_lower_bound };
        Self {
            open: of_status(IssueStatus::Open),
            pending: of_status(IssueStatus::Pending),
            on_hold: of_status(IssueStatus::OnHold),
            unassigned: of_holder(AssigneeGroup::Unassigned),
            mine: of_holder(AssigneeGroup::Caller),
        }
    }
}

/// Counts the unfinished tickets by status, and the unassigned tickets and the caller's among them. One statement.
///
/// # Errors
/// [`Error::SessionNeeded`] for an API key; [`Error::Forbidden`] for a caller who may not read tickets.
pub async fn count_waiting(ports: &Ports, permit: &Permit<ReadIssues>) -> Result<InboxCounts, Error> {
    permit.check_kind(IssueKind::Ticket)?;
    let user = permit.session_user()?;
    let counted = read_only(ports, permit, move |tx| Ok(tx.issues().count_waiting(user)?)).await?;
    Ok(InboxCounts::of(&counted))
}

/// A page of the caller's inbox: the tickets that match a filter, by whose turn it is unless the filter has another order. The order by
/// change is ignored, because it is for readers who follow a list. One statement.
///
/// # Errors
/// Those of [`list`](super::list); [`Error::SessionNeeded`] for an API key.
pub async fn inbox(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
) -> Result<Page<InboxTicket>, Error> {
    permit.check_kind(IssueKind::Ticket)?;
    let order = order_of_inbox(filter.order);
    let filter = IssueFilter { kind: Some(IssueKind::Ticket), order: Some(order), ..filter };
    filter.check_kind()?;
    let (order, reading) = (filter.sorted_by(), InboxReader::new(ports, permit)?);
    page.check_order(order)?;
    let filter = filter.of_caller(permit, ports.clock.now());
    let weight = weight_of(&filter, &page);
    let rows =
        weighed_read_only(ports, permit, weight, move |tx| Ok(tx.issues().inbox(&filter, &page, reading)?)).await?;
    Ok(match order {
        ListOrder::By(by, direction) => Page::by_key(rows, &page, by, direction),
        ListOrder::Created | ListOrder::Value | ListOrder::Changed => Page::from_rows(rows, &page),
    })
}

/// The order of an inbox for a requested order.
fn order_of_inbox(order: Option<IssueOrder>) -> IssueOrder {
    order.filter(|order| *order != IssueOrder::Updated).unwrap_or(IssueOrder::Waiting)
}

/// The cursor after a ticket in an inbox with this requested order.
pub fn inbox_cursor(ticket: &Issue, order: Option<IssueOrder>) -> String {
    let id = ticket.id.0;
    let position = match ListOrder::from(order_of_inbox(order)) {
        ListOrder::By(by, direction) => Position::AfterKey(KeyPosition { by, direction, key: ticket.sort_key(by), id }),
        ListOrder::Created | ListOrder::Value | ListOrder::Changed => Position::After(ticket.created_at, id),
    };
    cursor_at(Issue::LIST, position).unwrap_or_default()
}

/// Whether a text is a cursor of an inbox with this requested order.
pub fn is_inbox_cursor(text: &str, order: Option<IssueOrder>) -> bool {
    let mut problems = Problems::default();
    let page = PageRequest::parse(Issue::LIST, None, None, Some(text), &mut problems);
    problems.is_empty() && page.check_order(order_of_inbox(order).into()).is_ok()
}

/// The next ticket of an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextInInbox {
    pub id: IssueId,
    /// Whether the inbox starts over, because no ticket was left from the page on.
    pub starts_over: bool,
}

/// The first ticket of the inbox from a page on, except the one that the caller has open. If there is none, the search starts over at
/// the first page. At most two statements.
///
/// # Errors
/// Those of [`inbox`].
pub async fn next_in_inbox(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
    open_id: IssueId,
) -> Result<Option<NextInInbox>, Error> {
    for (starts_over, position) in [(false, page.position), (true, Position::Page(1))] {
        let found = inbox(ports, permit, filter.clone(), PageRequest::at(position, 2)).await?;
        let next = found.items.into_iter().map(|row| row.ticket.id).find(|id| *id != open_id);
        if let Some(id) = next {
            return Ok(Some(NextInInbox { id, starts_over }));
        }
    }
    Ok(None)
}

/// The ticket before the one that the caller has open. `None` if they are not both on the first page of maximum size.
///
/// # Errors
/// Those of [`inbox`].
pub async fn previous_in_inbox(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    open_id: IssueId,
) -> Result<Option<IssueId>, Error> {
    let found = inbox(ports, permit, filter, PageRequest::first(MAX_LIMIT)).await?;
    let ids: Vec<_> = found.items.into_iter().map(|row| row.ticket.id).collect();
    let index = ids.iter().position(|id| *id == open_id);
    Ok(index.and_then(|index| index.checked_sub(1)).map(|before| ids[before]))
}

/// Reads a ticket to show it to the caller, and marks its messages as read. One statement.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::SessionNeeded`] for an API key.
pub async fn open_ticket(ports: &Ports, permit: &Permit<ReadIssues>, id: IssueId) -> Result<Issue, Error> {
    let reading = InboxReader::new(ports, permit)?;
    if !permit.reaches(IssueKind::Ticket) {
        return Err(Error::NotFound("ticket"));
    }
    statement(ports, permit, move |tx| tx.issues().open_ticket(id, reading)?.ok_or(Error::NotFound("ticket"))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_valid_for_one_order_only() {
        let filter = |order| IssueFilter { order, ..IssueFilter::default() };
        let position = Position::After(OffsetDateTime::UNIX_EPOCH, Uuid::nil());
        let newest = cursor_at(Issue::LIST, position).unwrap();
        let by_creation = Some(IssueOrder::Newest);
        assert_eq!(filter(by_creation).sorted_by(), ListOrder::Created);
        assert!(is_inbox_cursor(&newest, by_creation) && !is_inbox_cursor(&newest, None));
        for text in ["", "zzz", "%", "xyz="] {
            assert!(!is_inbox_cursor(text, by_creation) && !is_inbox_cursor(text, None), "{text}");
        }
    }

    #[test]
    fn counts_are_sums_and_say_whether_there_may_be_more() {
        let part = |status, holder, count| WaitingPart { status, holder, count };
        let counts = InboxCounts::of(&[
            part(IssueStatus::Open, AssigneeGroup::Unassigned, 3),
            part(IssueStatus::Open, AssigneeGroup::Caller, 2),
            part(IssueStatus::Pending, AssigneeGroup::Caller, 5),
            part(IssueStatus::OnHold, AssigneeGroup::Other, 7),
        ]);
        let exactly = |count| TicketCount { count, is_lower_bound: false };
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
        let many = InboxCounts::of(&[part(IssueStatus::Open, AssigneeGroup::Other, u64::from(MAX_COUNTED))]);
        assert_eq!(
            (many.open.is_lower_bound, many.pending.is_lower_bound, many.mine.is_lower_bound),
            (true, false, true)
        );
    }
}
