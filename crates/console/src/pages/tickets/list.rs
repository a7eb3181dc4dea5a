//! The inbox.

use domain::console::WantedNames;
use domain::identity::access::{CreateIssues, ListMembers, ReadIssues, UpdateIssues};
use domain::records::RecordKind;
use domain::work::issues::{self, InboxCounts, InboxTicket, Issue, IssueFilter, TicketCount};
use time::OffsetDateTime;

use super::position::ListPosition;
use super::{Tinted, statuses, tinted_priority, tinted_status};
use crate::form::FieldKind;
use crate::lists::{ListQuery, ListView, exports_of, sorted, totals_of};
use crate::parts::people;
use crate::parts::views::{self, Tabs};
use crate::prelude::*;
use crate::records::Action;
use crate::texts;

page! {
    List = "GET /tickets", access: ReadIssues, query: ListQuery<IssueFilter, Issue> => list
}

/// The filters with a field. Others come from links.
const FILTERS: [&str; 10] = [
    "status",
    "assignee",
    "priority",
    "label",
    "due_after",
    "due_before",
    "created_since",
    "created_before",
    "requester",
    "reference",
];
/// The columns that the rows show.
const SHOWN: [&str; 7] = ["title", "reference", "status", "priority", "requester", "assignee_id", "updated_at"];
/// The orders with their texts. The first one is the default.
const ORDERS: [(&str, &str); 3] =
    [("", "tickets-order-waiting"), (BY_DUE, "tickets-order-due"), ("newest", "tickets-newest")];
const BY_DUE: &str = "due_asc";
/// The query for tickets that are not finished.
pub(super) const WAITING: &str = "status=open&status=pending&status=on_hold";

/// A view of the inbox.
pub(super) struct View {
    pub(super) label: String,
    pub(super) href: String,
    pub(super) is_current: bool,
    /// The number of tickets, with a plus sign if there may be more.
    pub(super) count: Option<String>,
}

/// A ticket in the list.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) href: String,
    pub(super) title: String,
    pub(super) reference: String,
    pub(super) status: Tinted,
    pub(super) priority: Tinted,
    pub(super) is_urgent: bool,
    pub(super) requester: String,
    pub(super) assignee: Option<String>,
    pub(super) is_unread: bool,
    /// Since when the customer has been waiting for an answer.
    pub(super) waiting_since: Option<OffsetDateTime>,
    pub(super) last_message_at: OffsetDateTime,
    /// Only set while the ticket is not finished.
    pub(super) due_at: Option<OffsetDateTime>,
}

/// A link to the list in another order.
struct OrderLink {
    label: String,
    href: String,
    is_current: bool,
}

#[derive(Template)]
#[template(path = "tickets/list.html")]
struct ListPage {
    shell: Shell,
    views: Vec<View>,
    tabs: Option<Tabs>,
    list: ListView,
    rows: Vec<Row>,
    orders: Vec<OrderLink>,
    more: Vec<Action>,
    /// The URLs of the exports: all columns, and visible columns.
    exports: [String; 2],
    totals: String,
    may_create: bool,
    may_update: bool,
    me: String,
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = issues::inbox(&ports, &permit, query.filter, query.page).await?;
    let counts = issues::count_waiting(&ports, &permit).await?;
    let list = ListView::new::<IssueFilter, _>(&browser.address, &page, &browser.preferences.zone);
    let mut wanted = WantedNames::default();
    wanted.people.extend(page.items.iter().filter_map(|row| row.ticket.assignee_id).map(|id| id.0));
    list.note_names(&mut wanted);
    let names = people::names(&ports, &browser, wanted).await?;
    let mut list = list.with_names(&names).with_problems(&browser.wrong);
    let me = browser.user().map(|id| id.0.to_string()).unwrap_or_default();
    show_filters(&browser, &mut list, &me);
    let position = ListPosition::in_list(query_of(&browser));
    let row = |row: &InboxTicket| {
        let assignee = row.ticket.assignee_id;
        let assignee = assignee.map(|id| names.people.get(&id.0).cloned().unwrap_or_else(|| text("unknown-member")));
        row_of(row, assignee, &position)
    };
    let rows = page.items.iter().map(row).collect();
    let view = ListPage {
        views: views_of(&browser, &counts, &me),
        tabs: views::tabs(&ports, &browser, RecordKind::Ticket, Vec::new()).await?,
        rows,
        orders: orders(&browser),
        more: Action::import(&browser, "/tickets").into_iter().collect(),
        exports: exports_of(&browser.address, &SHOWN),
        totals: totals_of(&browser.address),
        may_create: browser.may::<CreateIssues>(),
        may_update: browser.may::<UpdateIssues>(),
        shell: browser.shell(text("tickets-title")),
        list,
        me,
    };
    responses::page(&browser, view)
}

fn row_of(row: &InboxTicket, assignee: Option<String>, position: &ListPosition) -> Row {
    let ticket: &Issue = &row.ticket;
    let priority = tinted_priority(ticket.priority);
    Row {
        id: ticket.id.to_string(),
        href: position.ticket(ticket.id),
        title: ticket.title.clone(),
        reference: ticket.reference.clone().unwrap_or_default(),
        status: tinted_status(ticket.status),
        is_urgent: priority.tone != "secondary",
        priority,
        requester: ticket.requester.as_ref().map(|requester| requester.name.clone()).unwrap_or_default(),
        assignee,
        is_unread: row.is_unread,
        waiting_since: ticket.conversation.waiting_since,
        last_message_at: ticket.last_message_at(),
        due_at: ticket.due_at.filter(|_| ticket.status.is_open()),
    }
}

/// Adjusts the filters to tickets, and adds their choices.
fn show_filters(browser: &Browser, list: &mut ListView, me: &str) {
    list.filters.fields.retain(|field| FILTERS.contains(&field.name));
    if browser.may::<ListMembers>() {
        list.search_members(&["none", me]);
    }
    if let Some(status) = list.filters.field_mut("status") {
        status.choices.retain(|choice| statuses().any(|known| known.as_str() == choice.value));
    }
    for chip in &mut list.chips {
        if chip.value == "none" {
            chip.value = text("tickets-nobody");
        }
    }
    let choices = [("none".to_owned(), text("tickets-nobody")), (me.to_owned(), text("tickets-me"))];
    if let Some(assignee) = list.filters.field_mut("assignee") {
        assignee.kind = FieldKind::Choice;
        assignee.help = String::new();
        list.filters = std::mem::take(&mut list.filters).with_choices("assignee", choices);
    }
}

fn views_of(browser: &Browser, counts: &InboxCounts, me: &str) -> Vec<View> {
    let current = pairs_of(query_of(browser));
    let view = |label: String, query: &str, count: Option<TicketCount>| View {
        label,
        href: if query.is_empty() { "/tickets".to_owned() } else { format!("/tickets?{query}") },
        is_current: pairs_of(query) == current,
        count: count.map(|counted| format!("{}{}", counted.count, if counted.is_lower_bound { "+" } else { "" })),
    };
    let status =
        |value: &str, count: Option<TicketCount>| view(texts::label("value", value), &format!("status={value}"), count);
    vec![
        view(text("tickets-unassigned"), &format!("assignee=none&{WAITING}"), Some(counts.unassigned)),
        view(text("tickets-mine"), &format!("assignee={me}&{WAITING}"), Some(counts.mine)),
        view(text("tickets-waiting-for-us"), "waiting=true", None),
        view(text("tickets-overdue"), "overdue=true", None),
        view(text("tickets-all"), "", None),
        status("open", Some(counts.open)),
        status("pending", Some(counts.pending)),
        status("on_hold", Some(counts.on_hold)),
        status("resolved", None),
        status("closed", None),
    ]
}

/// The filters of a query, sorted.
fn pairs_of(query: &str) -> Vec<(String, String)> {
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
    let is_filter = |name: &str| !matches!(name, "cursor" | "page" | "limit" | "order" | "columns");
    let mut pairs: Vec<_> = pairs.filter(|(name, value)| !value.is_empty() && is_filter(name)).collect();
    pairs.sort_unstable();
    pairs
}

fn query_of(browser: &Browser) -> &str {
    browser.address.split_once('?').map_or("", |(_, query)| query)
}

/// Links to the list in each order.
fn orders(browser: &Browser) -> Vec<OrderLink> {
    let query = query_of(browser);
    let pairs = || form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty());
    // In the inbox, these orders count as the default.
    let current = pairs().find(|(name, value)| name == "order" && !matches!(&**value, "waiting" | "updated"));
    let current = current.map(|(_, order)| order).unwrap_or_default();
    // Sorted by due time, finished tickets would come first.
    let lists_finished = pairs().all(|(name, value)| match &*name {
        "status" => false,
        "overdue" | "waiting" => value != "true",
        _ => true,
    });
    let unfinished = format!("{query}&{WAITING}");
    let link = |(order, label): &(&str, &str)| OrderLink {
        label: text(label),
        href: sorted("/tickets", if *order == BY_DUE && lists_finished { &unfinished } else { query }, order),
        is_current: *order == current,
    };
    ORDERS.iter().map(link).collect()
}
