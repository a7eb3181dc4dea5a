//! The approval of submitted time, by member and week, and what is invoiced of it.

use std::collections::BTreeMap;

use askama::Template;
use domain::console::Names;
use domain::console::undos::{self, Undo};
use domain::identity::access::{ApproveTimeEntries, Permit, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Parameters, Several};
use domain::kernel::paging::{PageRequest as Paging, Paginated};
use domain::ports::Ports;
use domain::records::{self, FormerValues, RecordKind};
use domain::work::time_entries::{
    self, EntryIds, EntryStatus, MAX_ENTRIES_AT_ONCE, RejectReason, TimeEntry, TimeEntryFilter,
};
use domain::{Error, TimeEntryId};
use http_core::query::{Query, QueryReader};

use super::grid::Week;
use super::{day_label, link_to, period, shortened, target_of, wanted_names};
use crate::filters;
use crate::form::{Form, hours_of};
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
const STATUSES: [EntryStatus; 3] = [EntryStatus::Submitted, EntryStatus::Approved, EntryStatus::Exported];
/// The text about entries that others changed first.
const CHANGED: &str = "time-changed-since";

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
    version: i64,
    day: String,
    /// Tells the entry from others, for screen readers.
    label: String,
    about: Option<(String, String)>,
    /// The project of the task or ticket.
    project: Option<String>,
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
    is_approved: bool,
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
    let projects = page.items.iter().filter_map(|entry| entry.in_project_id);
    wanted.records.extend(projects.map(|id| (RecordKind::Project, id.0)));
    let names = people::names(&ports, &browser, wanted).await?;
    let tab = |status: EntryStatus| Tab {
        label: label("value", status.as_str()),
        href: format!("{PATH}?status={status}"),
        is_current: status == query.status,
    };
    let view = ApprovalPage {
        shell: browser.shell(text("time-approval")),
        tabs: STATUSES.map(tab).into(),
        groups: groups_of(&page.items, &names),
        is_submitted: query.status == EntryStatus::Submitted,
        is_approved: query.status == EntryStatus::Approved,
        list,
    };
    responses::page(&browser, view)
}

/// The entries by member and week, the oldest first.
fn groups_of(entries: &[TimeEntry], names: &Names) -> Vec<Group> {
    let mut weeks: BTreeMap<_, Vec<&TimeEntry>> = BTreeMap::new();
    for entry in entries.iter().rev() {
        let member = names.people.get(&entry.member_id.0).cloned().unwrap_or_else(|| text("unknown-member"));
        weeks.entry((member, entry.member_id, Week::of(entry.date))).or_default().push(entry);
    }
    let groups = weeks.into_iter().map(|((member, _, week), entries)| Group {
        member,
        period: period(week),
        total: hours_of(entries.iter().filter_map(|entry| entry.seconds).sum::<i32>()),
        entries: entries.iter().map(|entry| entry_row(entry, names)).collect(),
    });
    groups.collect()
}

fn entry_row(entry: &TimeEntry, names: &Names) -> Entry {
    let about = target_of(entry).map(|target| link_to(target, names));
    let name = about.as_ref().map_or_else(|| text("time-nothing"), |(_, name)| name.clone());
    let day = day_label(entry.date);
    // Tasks of several projects may have the same title.
    let project = entry.in_project_id.filter(|_| entry.project_id.is_none());
    Entry {
        id: entry.id.to_string(),
        version: entry.version,
        label: text_with("time-cell", [("name", name.into()), ("day", day.clone().into())]),
        day,
        about,
        project: project.and_then(|id| names.records.get(&(RecordKind::Project, id.0)).cloned()),
        note: shortened(&entry.note),
        time: hours_of(entry.seconds.unwrap_or_default()),
        is_billable: entry.billable,
    }
}

/// The ticked entries, with the versions that the page showed; `None` if nothing is ticked.
fn ticked(form: &Form) -> Result<Option<EntryIds>, Error> {
    let ticked = form.values("selected").filter_map(|value| {
        let (id, version) = value.split_once(':')?;
        Some((Json::from(id), Json::from(version.parse::<i64>().ok()?)))
    });
    let (ids, versions): (Vec<_>, Vec<_>) = ticked.take(MAX_ENTRIES_AT_ONCE).unzip();
    if ids.is_empty() {
        return Ok(None);
    }
    let object = Map::from_iter([("ids".to_owned(), Json::from(ids)), ("versions".to_owned(), Json::from(versions))]);
    EntryIds::from_object(object, InputMode::Create).map(Some)
}

async fn decide(request: PageRequest<Decide>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let back = form.value("_next").filter(|next| is_own_path(next)).unwrap_or(PATH).to_owned();
    let Some(entries) = ticked(&form)? else {
        return Ok(responses::redirect(&browser, &back, Some(Notice::refusal(text("time-tick")))));
    };
    let notice = match form.value("_action") {
        Some("approve") => approve(&ports, &permit, entries).await?,
        Some("reject") => {
            let reason: RejectReason = form.read_new(&browser)?;
            let rejected = time_entries::reject_because(&ports, &permit, entries, reason).await;
            decided("time-rejected", CHANGED, rejected)?.0
        }
        Some("invoice") if !form.has("_confirmed") => return ask_to_invoice(&browser, &form, back),
        Some("invoice") => {
            let writer = browser.permit::<UpdateTimeEntries>().ok_or(Error::RoleNeeded)?;
            let invoiced = time_entries::export_for_invoicing(&ports, &writer, None, entries).await;
            decided("time-invoiced", CHANGED, invoiced.and_then(IdempotentResult::made_now))?.0
        }
        _ => return Err(Error::malformed("_action", "invalid_value", "must be approve, reject or invoice").into()),
    };
    Ok(responses::redirect(&browser, &back, Some(notice)))
}

/// Asks before entries are marked as invoiced, because that cannot be undone.
#[derive(Template)]
#[template(path = "time/invoice.html")]
struct InvoicePage {
    shell: Shell,
    message: String,
    /// The ticked entries, with their versions.
    selected: Vec<String>,
    back: String,
}

fn ask_to_invoice(browser: &Browser, form: &Form, back: String) -> PageResult {
    let selected: Vec<_> = form.values("selected").take(MAX_ENTRIES_AT_ONCE).map(str::to_owned).collect();
    let view = InvoicePage {
        shell: browser.shell(text("time-invoice")),
        message: text_with("time-invoice-ask", [("count", selected.len().into())]),
        selected,
        back,
    };
    responses::page(browser, view)
}

async fn approve(ports: &Ports, permit: &Permit<ApproveTimeEntries>, entries: EntryIds) -> Result<Notice, Error> {
    let approved = time_entries::approve(ports, permit, None, entries).await.and_then(IdempotentResult::made_now);
    let (notice, entries) = decided("time-approved", CHANGED, approved)?;
    // The entries are approved even if the undo cannot be kept.
    let former = entries.iter().map(submitted).collect();
    let undo = undos::keep(ports, permit, RecordKind::TimeEntry, former).await.unwrap_or_default();
    Ok(notice.with_undo_of(undo))
}

/// The message about the entries, and the entries. If others changed or deleted some of them first, nothing was done, and the text
/// `refused` says so.
pub(super) fn decided(
    done: &str,
    refused: &str,
    entries: Result<Vec<TimeEntry>, Error>,
) -> Result<(Notice, Vec<TimeEntry>), Error> {
    match entries {
        Ok(entries) => Ok((Notice::new(text_with(done, [("count", entries.len().into())])), entries)),
        Err(Error::ConcurrentUpdate { .. } | Error::InvalidStateChange(_) | Error::Invalid(_)) => {
            Ok((Notice::refusal(text(refused)), Vec::new()))
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
    let notice = match decided("time-rejected", "undo-changed-since", rejected)? {
        (refusal, _) if refusal.is_refusal => return Ok(responses::redirect(browser, back, Some(refusal))),
        (_, rejected) if rejected.is_empty() => Notice::refusal(text("undo-changed-since")),
        (notice, _) => notice,
    };
    undos::spend(ports, &permit, undo.id, Vec::new()).await.unwrap_or_default();
    Ok(responses::redirect(browser, back, Some(notice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_no_ids() {
        let id = "0190a8c4-0000-7000-8000-000000000001";
        for (refused, verb) in [(CHANGED, "saved"), ("time-submit-changed", "submitted")] {
            let error = Error::InvalidStateChange(format!("the time entry {id} of 2030-01-31 is approved"));
            let (notice, entries) = decided("time-submitted", refused, Err(error)).unwrap();
            assert!(notice.is_refusal && entries.is_empty());
            assert!(notice.message.contains(verb) && !notice.message.contains(id), "{}", notice.message);
        }
    }
}
