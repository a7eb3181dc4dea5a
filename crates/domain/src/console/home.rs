//! The console's home page: open work and recent changes (interface 26.71).

use rust_decimal::Decimal;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Error;
use crate::UserId;
use crate::events::{EventActor, EventReach};
use crate::identity::access::{FollowEvents, ManageOwnAccount, Permit};
use crate::ports::{Ports, read_only};
use crate::records::RecordKind;

/// The maximum number of records in each part of the page.
pub const MAX_OF_A_PART: u32 = 8;
/// The maximum number of changes.
pub const MAX_CHANGES: u32 = 12;
/// The number of latest events that are searched for those that the caller may read.
pub const CHANGES_LOOKED_AT: u32 = 200;
/// How far the expected closing day of an open deal may be in the future or in the past.
const CLOSING_SOON: Duration = Duration::days(14);

/// Which records a user's home page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeQuery {
    /// The assignee of the tasks.
    pub user: UserId,
    pub has_tasks: bool,
    pub has_tickets: bool,
    pub has_deals: bool,
    /// The first and the last expected closing day of deals.
    pub closing: (Date, Date),
}

/// A summary of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeRecord {
    pub kind: RecordKind,
    pub id: Uuid,
    pub title: String,
    /// A task's status, a ticket's reference, a deal's stage.
    pub detail: Option<String>,
    /// When a task is due, when the wait for an answer to a ticket began, or the day (UTC) on which a deal is expected to close.
    pub at: Option<OffsetDateTime>,
    /// A deal's value with its currency.
    pub value: Option<(Decimal, String)>,
}

/// The open work of a user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// The caller's open tasks, the first due first. Tasks without a due time come last.
    pub tasks: Vec<HomeRecord>,
    /// Tickets whose customer waits for an answer, the longest wait first.
    pub tickets: Vec<HomeRecord>,
    /// Open deals with an expected closing day in the near future or recent past, by that day.
    pub deals: Vec<HomeRecord>,
}

/// The open work of the caller on a day, without kinds that they may not read. One statement.
pub async fn home(ports: &Ports, permit: &Permit<ManageOwnAccount>, today: Date) -> Result<Home, Error> {
    let reads = |kind: RecordKind| permit.may_read_here(kind.reads());
    let query = HomeQuery {
        user: permit.session_user()?,
        has_tasks: reads(RecordKind::Task),
        has_tickets: reads(RecordKind::Ticket),
        has_deals: reads(RecordKind::Deal),
        closing: (today.saturating_sub(CLOSING_SOON), today.saturating_add(CLOSING_SOON)),
    };
    let records = read_only(ports, permit, move |tx| Ok(tx.home().waiting(&query)?)).await?;
    let mut home = Home::default();
    for record in records {
        match record.kind {
            RecordKind::Task => home.tasks.push(record),
            RecordKind::Ticket => home.tickets.push(record),
            _ => home.deals.push(record),
        }
    }
    Ok(home)
}

/// Something that happened to a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentChange {
    /// The event's name, such as `deal.won`.
    pub event: String,
    pub kind: RecordKind,
    pub record: Uuid,
    /// The current title of the record; `None` if it is deleted.
    pub title: Option<String>,
    pub actor: EventActor,
    /// The tool that made the change, if any.
    pub tool: Option<String>,
    pub at: OffsetDateTime,
}

/// The latest changes of records that the caller may read, the most recent first. One statement.
pub async fn recent_changes(ports: &Ports, permit: &Permit<FollowEvents>) -> Result<Vec<RecentChange>, Error> {
    let reach = EventReach::for_permit(permit);
    read_only(ports, permit, move |tx| Ok(tx.home().changes(&reach)?)).await
}
