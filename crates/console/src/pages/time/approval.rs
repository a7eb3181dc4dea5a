//! Approval: what members submitted, by member and week.

use std::collections::BTreeMap;

use askama::Template;
use domain::identity::access::{ApproveTimeEntries, ReadTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{Field, Parameters, Several, parse_uuid};
use domain::kernel::paging::{PageRequest as Paging, Paginated};
use domain::records;
use domain::work::time_entries::{self, EntryIds, EntryStatus, MAX_ENTRIES_AT_ONCE, TimeEntry, TimeEntryFilter};
use domain::{Error, TimeEntryId};
use http_core::query::{Query, QueryReader};

use super::grid::Week;
use super::{day_label, link_to, period, shortened, target_of, wanted_names};
use crate::answers::{self, Notice, is_own_path};
use crate::errors::message_of;
use crate::filters;
use crate::form::hours_of;
use crate::layout::Shell;
use crate::lists::{ListView, NoFilter};
use crate::page::{PageRequest, PageResult, page};
use crate::parts::people;
use crate::texts::{label, text, text_with};

page! {
    List = "GET /time/approval", access: ApproveTimeEntries, query: ApprovalQuery => list;
    Decide = "POST /time/approval", access: ApproveTimeEntries => decide;
}

const PATH: &str = "/time/approval";
/// The statuses whose entries are listed: those that wait first.
const STATUSES: [EntryStatus; 2] = [EntryStatus::Submitted, EntryStatus::Approved];

/// The status of the entries, and the page.
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
    /// What tells it from the others, for who hears the page.
    label: String,
    about: Option<(String, String)>,
    note: String,
    time: String,
    is_billable: bool,
}

/// What a member worked in a week.
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
    // In the order that has an index for each status.
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
    answers::page(&browser, view)
}

async fn decide(request: PageRequest<Decide>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let back = form.value("_next").filter(|next| is_own_path(next)).unwrap_or(PATH).to_owned();
    let ids = form.values("selected").filter_map(parse_uuid).map(TimeEntryId);
    let ids: Vec<_> = ids.take(MAX_ENTRIES_AT_ONCE).collect();
    if ids.is_empty() {
        return Ok(answers::redirect(&browser, &back, Some(Notice::refusal(text("time-tick")))));
    }
    let ids = EntryIds { ids: Field::Set(Several(ids)) };
    let (key, decided) = match form.value("_action") {
        Some("approve") => ("time-approved", time_entries::approve(&ports, &permit, None, ids).await),
        Some("reject") => ("time-rejected", time_entries::reject(&ports, &permit, None, ids).await),
        _ => return Err(Error::malformed("_action", "invalid_value", "must be approve or reject").into()),
    };
    let notice = match decided.and_then(IdempotentResult::made_now) {
        Ok(entries) => Notice::new(text_with(key, [("count", entries.len().into())])),
        Err(error @ (Error::InvalidStateChange(_) | Error::Invalid(_))) => Notice::refusal(message_of(&error)),
        Err(error) => return Err(error.into()),
    };
    Ok(answers::redirect(&browser, &back, Some(notice)))
}
