//! The inbox.

use askama::Template;
use domain::console::WantedNames;
use domain::console::views::ViewPage;
use domain::identity::access::{CreateIssues, ListMembers, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::work::issues::{self, Counted, InboxCounts, Issue, IssueFilter};
use time::OffsetDateTime;

use super::{Tickets, Tinted, path_of, statuses, tinted_priority, tinted_status};
use crate::answers;
use crate::filters;
use crate::form::{FieldKind, Form};
use crate::layout::{Browser, Shell};
use crate::lists::{ListQuery, ListView, exports_of, totals_of, with};
use crate::page::{PageRequest, PageResult, page};
use crate::parts::people;
use crate::parts::views::{self, Tabs};
use crate::records::{Action, Panel, blank_panel};
use crate::texts::{self, text};

page! {
    List = "GET /tickets", access: ReadIssues, query: ListQuery<IssueFilter, Issue> => list
}

/// The filters that have a field; the others come from links.
const FILTERS: [&str; 6] = ["status", "assignee", "priority", "label", "requester", "reference"];
/// The columns that the rows show.
const SHOWN: [&str; 7] = ["title", "reference", "status", "priority", "requester", "assignee_id", "updated_at"];
/// What a view of tickets that are not finished asks for.
const WAITING: &str = "status=open&status=pending&status=on_hold";

/// A part of the inbox.
pub(super) struct View {
    pub(super) label: String,
    pub(super) href: String,
    pub(super) is_current: bool,
    /// How many; with a plus sign if there may be more.
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
    pub(super) is_pressing: bool,
    pub(super) requester: String,
    pub(super) assignee: Option<String>,
    pub(super) changed_at: OffsetDateTime,
}

#[derive(Template)]
#[template(path = "tickets/list.html")]
struct ListPage {
    shell: Shell,
    views: Vec<View>,
    tabs: Option<Tabs>,
    list: ListView,
    rows: Vec<Row>,
    /// The same list, those that were not changed for longest first, or the newest first.
    other_order: (String, String),
    more: Vec<Action>,
    /// The URLs of the exports: all columns, and visible columns.
    exports: [String; 2],
    totals: String,
    may_create: bool,
    may_update: bool,
    /// What can be set for many at once.
    panel: Panel,
    me: String,
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let filter = IssueFilter { kind: Some(IssueKind::Ticket), ..query.filter };
    let page = issues::list(&ports, &permit, filter, query.page).await?;
    let counts = issues::count_waiting(&ports, &permit).await?;
    let mut list = ListView::new::<IssueFilter, _>(&browser.address, &page, &browser.preferences.zone);
    if !page.has_more {
        // A list by change never ends; the page does.
        list.next = None;
    }
    let mut wanted = WantedNames::default();
    wanted.people.extend(page.items.iter().filter_map(|ticket| ticket.assignee_id).map(|id| id.0));
    list.note_names(&mut wanted);
    let names = people::names(&ports, &browser, wanted).await?;
    let mut list = list.named(&names).with_wrong(&browser.wrong);
    let me = browser.user().map(|id| id.0.to_string()).unwrap_or_default();
    show_filters(&browser, &mut list, &me);
    let row = |ticket: &Issue| {
        let assignee =
            ticket.assignee_id.map(|id| names.people.get(&id.0).cloned().unwrap_or_else(|| text("somebody")));
        row_of(ticket, assignee)
    };
    let rows = page.items.iter().map(row).collect();
    let view = ListPage {
        views: views_of(&browser, &counts, &me),
        tabs: views::tabs(&ports, &browser, ViewPage::Tickets, Vec::new()).await?,
        rows,
        other_order: other_order(&browser),
        more: Action::import(&browser, "/tickets").into_iter().collect(),
        exports: exports_of(&browser.address, &SHOWN),
        totals: totals_of(&browser.address),
        may_create: browser.may::<CreateIssues>(),
        may_update: browser.may::<UpdateIssues>(),
        panel: Panel::of::<Tickets>(blank_panel::<Tickets>(&browser), &Form::default()),
        shell: browser.shell(text("tickets-title")),
        list,
        me,
    };
    answers::page(&browser, view)
}

pub(super) fn row_of(ticket: &Issue, assignee: Option<String>) -> Row {
    let priority = tinted_priority(ticket.priority);
    Row {
        id: ticket.id.to_string(),
        href: path_of(ticket.id),
        title: ticket.title.clone(),
        reference: ticket.reference.clone().unwrap_or_default(),
        status: tinted_status(ticket.status),
        is_pressing: priority.tone != "secondary",
        priority,
        requester: ticket.requester.as_ref().map(|requester| requester.name.clone()).unwrap_or_default(),
        assignee,
        changed_at: ticket.updated_at,
    }
}

/// The fields of the filters of tickets, with what can be chosen in them.
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
    let current = pairs_of(browser.address.split_once('?').map_or("", |(_, query)| query));
    let view = |label: String, query: &str, count: Option<Counted>| View {
        label,
        href: if query.is_empty() { "/tickets".to_owned() } else { format!("/tickets?{query}") },
        is_current: pairs_of(query) == current,
        count: count.map(|counted| format!("{}{}", counted.count, if counted.is_least { "+" } else { "" })),
    };
    let status =
        |value: &str, count: Option<Counted>| view(texts::label("value", value), &format!("status={value}"), count);
    vec![
        view(text("tickets-unassigned"), &format!("assignee=none&{WAITING}"), Some(counts.unassigned)),
        view(text("tickets-mine"), &format!("assignee={me}&{WAITING}"), Some(counts.mine)),
        view(text("tickets-all"), "", None),
        status("open", Some(counts.open)),
        status("pending", Some(counts.pending)),
        status("on_hold", Some(counts.on_hold)),
        status("resolved", None),
        status("closed", None),
    ]
}

/// The filters of an address, in one order.
fn pairs_of(query: &str) -> Vec<(String, String)> {
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
    let is_filter = |name: &str| !matches!(name, "cursor" | "page" | "limit" | "order" | "columns");
    let mut pairs: Vec<_> = pairs.filter(|(name, value)| !value.is_empty() && is_filter(name)).collect();
    pairs.sort_unstable();
    pairs
}

/// The address of the list in the other order, and what that is.
fn other_order(browser: &Browser) -> (String, String) {
    let query = browser.address.split_once('?').map_or("", |(_, query)| query);
    let is_by_change = pairs_in(query, "order").any(|value| value == "updated");
    let left: Vec<_> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .filter(|(name, _)| !matches!(name.as_str(), "cursor" | "page" | "order"))
        .collect();
    let left = form_urlencoded::Serializer::new(String::new()).extend_pairs(left).finish();
    if is_by_change {
        let href = if left.is_empty() { "/tickets".to_owned() } else { format!("/tickets?{left}") };
        (href, text("tickets-newest"))
    } else {
        (with("/tickets", &left, "order", "updated"), text("tickets-longest"))
    }
}

fn pairs_in<'a>(query: &'a str, name: &'a str) -> impl Iterator<Item = String> + 'a {
    form_urlencoded::parse(query.as_bytes())
        .filter(move |(known, _)| known == name)
        .map(|(_, value)| value.into_owned())
}
