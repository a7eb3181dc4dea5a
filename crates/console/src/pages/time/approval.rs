//! The approval of submitted time, by member and week.

use std::collections::BTreeMap;

use askama::Template;
use domain::console::undos::{self, Undo};
use domain::identity::access::{ApproveTimeEntries, Permit, ReadTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Parameters, Several, parse_uuid};
use domain::kernel::paging::{PageRequest as Paging, Paginated};
use domain::ports::Ports;
use domain::records::{self, FormerValues, RecordKind};
use domain::work::time_entries::{self, EntryIds, EntryStatus, MAX_ENTRIES_AT_ONCE, TimeEntry, TimeEntryFilter};
use domain::{Error, TimeEntryId};
use http_core::query::{Query, QueryReader};

use super::grid::Week;
use super::{day_label, link_to, period, shortened, target_of, wanted_names};
use crate::errors::message_of;
use crate::filters;
use crate::form::hours_of;
use crate::layout::{Browser, Shell};
use crate::lists::{ListView, NoFilter};
use crate::page::{PageRequest, PageResult, page};
use crate::parts::people;
use crate::responses::{self, Notice, is_own_path};
use crate::texts::{label, text, text_with};

page! {
    List = "GET /time/approval", access: ApproveTimeEntries, query: ApprovalQuery => list;
    Decide = "POST /time/approval", access: ApproveTimeEntries => decide;
}

const PATH: &str = "/time/approval";
/// The statuses with a tab, the entries that wait for a decision first.
const STATUSES: [EntryStatus; 2] = [EntryStatus::Submitted, EntryStatus::Approved];

/// The selected tab and page.
pub(crate) struct ApprovalQuery {
    status: EntryStatus,
    page: Paging,
}

impl Query for ApprovalQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let status = Parameters::single(query, "status").and_then(|text| EntryStatus::parse(&text));
        let status = status.filter(|status| STATUSES.contains(status)).unwrap_or(EntryStatus::Submitted);
        Self { status, page: query.page(TimeEntry::LIST) }
    }
}

struct Tab {
    label: String,
    href: String,
    is_current: bool,
}

struct Entry {
    id: String,
    day: String,
    /// Tells the entry from others, for screen readers.
    label: String,
    about: Option<(String, String)>,
    note: String,
    time: String,
    is_billable: bool,
}

/// A member's time in a week.
struct Group {
    member: String,
    period: String,
    total: String,
    entries: Vec<Entry>,
}

#[derive(Template)]
#[template(path = "time/approval.html")]
struct ApprovalPage {
    shell: Shell,
    tabs: Vec<Tab>,
    list: ListView,
    groups: Vec<Group>,
    is_submitted: bool,
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, query, browser, .. } = request;
    let reader = browser.permit::<ReadTimeEntries>().ok_or(Error::RoleNeeded)?;
    // The default order has an index by status.
    let filter = TimeEntryFilter { status: Several(vec![query.status]), ..TimeEntryFilter::default() };
    let page = records::list::<TimeEntry>(&ports, &reader, filter, query.page).await?;
    let list = ListView::new::<NoFilter, _>(&browser.address, &page, &browser.preferences.zone);
    let mut wanted = wanted_names(&page.items);
    wanted.people.extend(page.items.iter().map(|entry| entry.member_id.0));
    let names = people::names(&ports, &browser, wanted).await?;
    let mut weeks: BTreeMap<_, Vec<&TimeEntry>> = BTreeMap::new();
    for entry in page.items.iter().rev() {
        let member = names.people.get(&entry.member_id.0).cloned().unwrap_or_else(|| text("unknown-member"));
        weeks.entry((member, entry.member_id, Week::of(entry.date))).or_default().push(entry);
    }
    let entry = |entry: &&TimeEntry| {
        let about = target_of(entry).map(|target| link_to(target, &names));
        let name = about.as_ref().map_or_else(|| text("time-nothing"), |(_, name)| name.clone());
        let day = day_label(entry.date);
        Entry {
            id: entry.id.to_string(),
            label: text_with("time-cell", [("name", name.into()), ("day", day.clone().into())]),
            day,
            about,
            note: shortened(&entry.note),
            time: hours_of(entry.seconds.unwrap_or_default()),
            is_billable: entry.billable,
        }
    };
    let groups = weeks.into_iter().map(|((member, _, week), entries)| Group {
        member,
        period: period(week),
        total: hours_of(entries.iter().filter_map(|entry| entry.seconds).sum::<i32>()),
        entries: entries.iter().map(entry).collect(),
    });
    let tab = |status: EntryStatus| Tab {
        label: label("value", status.as_str()),
        href: format!("{PATH}?status={status}"),
        is_current: status == query.status,
    };
    let view = ApprovalPage {
        shell: browser.shell(text("time-approval")),
        tabs: STATUSES.map(tab).into(),
        groups: groups.collect(),
        is_submitted: query.status == EntryStatus::Submitted,
        list,
    };
    responses::page(&browser, view)
}

async fn decide(request: PageRequest<Decide>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let back = form.value("_next").filter(|next| is_own_path(next)).unwrap_or(PATH).to_owned();
    let ids = form.values("selected").filter_map(parse_uuid).map(TimeEntryId);
    let ids: Vec<_> = ids.take(MAX_ENTRIES_AT_ONCE).collect();
    if ids.is_empty() {
        return Ok(responses::redirect(&browser, &back, Some(Notice::refusal(text("time-tick")))));
    }
    let ids = EntryIds { ids: Field::Set(Several(ids)) };
    let notice = match form.value("_action") {
        Some("approve") => approve(&ports, &permit, ids).await?,
        Some("reject") => {
            let rejected = time_entries::reject(&ports, &permit, None, ids).await.and_then(IdempotentResult::made_now);
            decided("time-rejected", rejected)?.0
        }
        _ => return Err(Error::malformed("_action", "invalid_value", "must be approve or reject").into()),
    };
    Ok(responses::redirect(&browser, &back, Some(notice)))
}

async fn approve(ports: &Ports, permit: &Permit<ApproveTimeEntries>, ids: EntryIds) -> Result<Notice, Error> {
    let since = ports.clock.now();
    let approved = time_entries::approve(ports, permit, None, ids).await.and_then(IdempotentResult::made_now);
    let (notice, entries) = decided("time-approved", approved)?;
    // The undo leaves entries alone that were already approved.
    let approved_now = entries.iter().filter(|entry| entry.updated_at >= since).map(submitted).collect();
    // The entries are approved even if the undo cannot be kept.
    let undo = undos::keep(ports, permit, RecordKind::TimeEntry, approved_now).await.unwrap_or_default();
    Ok(notice.with_undo_of(undo))
}

fn decided(key: &str, entries: Result<Vec<TimeEntry>, Error>) -> Result<(Notice, Vec<TimeEntry>), Error> {
    match entries {
        Ok(entries) => Ok((Notice::new(text_with(key, [("count", entries.len().into())])), entries)),
        Err(error @ (Error::InvalidStateChange(_) | Error::Invalid(_))) => {
            Ok((Notice::refusal(message_of(&error)), Vec::new()))
        }
        Err(error) => Err(error),
    }
}

/// The former value that marks an undo as that of an approval.
const STATUS: &str = "status";

/// The former values that undo the approval of an entry.
fn submitted(entry: &TimeEntry) -> FormerValues {
    let patch = std::iter::once((STATUS.to_owned(), Json::from(EntryStatus::Submitted.as_str()))).collect();
    FormerValues { id: entry.id.0, version: entry.version, patch, made: Map::new() }
}

pub(super) fn is_approval(undo: &Undo) -> bool {
    undo.entries.iter().all(|entry| entry.patch.contains_key(STATUS))
}

/// Undoes an approval by rejecting the entries that have not changed since, because only its member can submit an entry.
pub(super) async fn undo_approval(ports: &Ports, browser: &Browser, undo: &Undo, back: &str) -> PageResult {
    let permit = browser.permit::<ApproveTimeEntries>().ok_or(Error::RoleNeeded)?;
    let approved = undo.entries.iter().map(|entry| (TimeEntryId(entry.id), entry.version)).collect();
    let rejected = time_entries::undo_approval(ports, &permit, approved).await;
    let notice = match decided("time-rejected", rejected)? {
        (refusal, _) if refusal.is_refusal => return Ok(responses::redirect(browser, back, Some(refusal))),
        (_, rejected) if rejected.is_empty() => Notice::refusal(text("undo-changed-since")),
        (notice, _) => notice,
    };
    undos::spend(ports, &permit, undo.id, Vec::new()).await.unwrap_or_default();
    Ok(responses::redirect(browser, back, Some(notice)))
}
