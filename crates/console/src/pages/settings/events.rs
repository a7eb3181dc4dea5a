//! The history of the workspace: every change of every record with its author, newest first.

use domain::console::{self, Names, WantedNames};
use domain::events::{self, EventActorKind, EventFilter, EventRecordView, EventView, Module, NewestRequest};
use domain::identity::access::{FollowEvents, ManageWorkspace, SearchRecords};
use domain::kernel::input::Filter;
use domain::records::{HistoryEvent, RecordKind};
use jiff::tz::TimeZone;

use crate::lists::ListView;
use crate::pages::kinds::own_address_of;
use crate::parts::history::{self, Entry};
use crate::prelude::*;

pages! {
    List = "GET /settings/events", access: ManageWorkspace, query: EventsQuery => list
}

/// The modules that every workspace has. Another one is offered where an event of it is shown, or it is chosen.
const OWN_MODULES: [Module; 4] = [Module::Crm, Module::Projects, Module::Support, Module::Time];

/// Filter and pagination.
#[derive(Debug)]
pub(crate) struct EventsQuery {
    filter: EventFilter,
    request: NewestRequest,
}

impl Query for EventsQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = EventFilter::from_parameters(query);
        let (limit, cursor) = (Parameters::single(query, "limit"), Parameters::single(query, "cursor"));
        let request = NewestRequest::parse(limit.as_deref(), cursor.as_deref(), query.problems());
        Self { filter, request }
    }
}

#[derive(Template)]
#[template(path = "settings/events.html")]
struct EventsPage {
    shell: Shell,
    list: ListView,
    rows: Vec<Row>,
    /// Whether older events may match although none on this page did.
    may_have_older: bool,
}

/// An event and its record.
struct Row {
    entry: Entry,
    /// What was done to the record, such as `created`.
    what: String,
    /// `None` for an event reported by another system.
    record: Option<RecordLink>,
}

struct RecordLink {
    kind: String,
    name: String,
    /// `None` for kinds without their own pages.
    path: Option<String>,
}

impl RecordLink {
    fn new(record: &EventRecordView, event: &EventView, names: &Names) -> Self {
        let kind = RecordKind::parse(&record.kind);
        let known = kind.and_then(|kind| names.records.get(&(kind, record.id)).cloned());
        // A deleted record has the name from its event.
        let name_in_event = || {
            let data = event.parsed_data();
            let is_comment = event.event.contains(".comment_");
            let full = ["first_name", "last_name"].iter().filter_map(|member| data[*member].as_str());
            let full = full.collect::<Vec<_>>().join(" ");
            if !is_comment && !full.is_empty() {
                return Some(full);
            }
            let members = ["name", "title", "email"].into_iter().filter(|_| !is_comment);
            members.filter_map(|member| data[member].as_str().map(str::to_owned)).find(|name| !name.is_empty())
        };
        let linked = kind.filter(|_| known.is_some());
        Self {
            kind: label("kind", &record.kind),
            path: linked.and_then(|kind| own_address_of(kind, record.id)),
            name: known.or_else(name_in_event).unwrap_or_else(|| text("record-gone")),
        }
    }
}

async fn list(request: PageRequest<List>) -> PageResult {
    let permit = request.browser.permit::<FollowEvents>().ok_or(Error::Unauthorized)?;
    let (filter, place) = (&request.query.filter, request.query.request);
    let page = events::list_newest(&request.ports, &permit, filter, place).await?;
    let next = page.has_more.then(|| page.next.cursor());
    let modules_in_use: Vec<_> =
        page.items.iter().map(|event| event.module).chain(filter.module.0.iter().copied()).collect();
    let events: Vec<_> = page.items.into_iter().map(HistoryEvent).collect();
    let size = history::size_of(&events);
    let noted = move || {
        let mut wanted = WantedNames::default();
        history::note_names(&events, &mut wanted);
        (events, wanted)
    };
    let (events, mut wanted) = request.renderer.run_on(size, noted).await?;
    let records = events.iter().filter_map(|event| event.0.record.as_ref());
    wanted.records.extend(records.filter_map(|record| Some((RecordKind::parse(&record.kind)?, record.id))));
    let names = match request.browser.permit::<SearchRecords>() {
        Some(permit) => console::names_of(&request.ports, &permit, wanted).await?,
        None => Names::default(),
    };
    let PageRequest { browser, renderer, .. } = request;
    let (is_empty, zone) = (events.is_empty(), browser.preferences.zone.clone());
    let rows = renderer.run_on(size, move || rows(events, &names, &zone)).await?;
    let mut list = ListView::at::<EventFilter>(&browser.address, is_empty, next.as_deref(), &browser.preferences.zone);
    let kinds = EventActorKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), label("value", kind.as_str())));
    list.filters = list.filters.without(&["record_id", "exclude_actor"]).with_choices("actor", kinds);
    if let Some(field) = list.filters.field_mut("module") {
        let is_useful = |module: Module| OWN_MODULES.contains(&module) || modules_in_use.contains(&module);
        field.choices.retain(|choice| Module::parse(&choice.value).is_some_and(is_useful));
    }
    let page = EventsPage {
        shell: browser.shell(text("settings-events")),
        may_have_older: is_empty && next.is_some(),
        list,
        rows,
    };
    responses::page(&browser, page)
}

fn rows(events: Vec<HistoryEvent>, names: &Names, zone: &TimeZone) -> Vec<Row> {
    let described: Vec<_> = events.iter().map(|HistoryEvent(event)| describe(event, names)).collect();
    let entries = history::entries(events, names, zone).into_iter();
    entries.zip(described).map(|(entry, (what, record))| Row { entry, what, record }).collect()
}

/// What was done, and to which record. An event of another system is shown by its own name.
fn describe(event: &EventView, names: &Names) -> (String, Option<RecordLink>) {
    let verb = event.event.split_once('.').map_or(event.event.as_str(), |(_, verb)| verb);
    match &event.record {
        Some(record) => (label("log", verb), Some(RecordLink::new(record, event, names))),
        None => (event.event.clone(), None),
    }
}
