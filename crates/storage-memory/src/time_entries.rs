//! Time entries, and the rates of members.

use std::collections::BTreeMap;

use time::{Duration, OffsetDateTime};

use super::records::StoredKind;
use super::state::{MemoryTx, Records, State};
use super::table::{is_since, page_sorted_by};
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::paging::PageRequest;
use domain::kernel::totals::CountedPart;
use domain::ports::{RecordList, StoreError, TimeEntryRepo};
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::work::time_entries::{
    Attribution, EntryStatus, EntryTarget, MAX_SUMMARY_ROWS, RatePlace, RateReach, Span, TimeEntry, TimeEntryFilter,
    TimeGroup, TimeRate, TimeSummaryPart, TimeSummaryRows, TimeTotals,
};
use domain::{CompanyId, ContactId, DealId, ProjectId, TimeEntryId, UserId, WorkspaceId};
use rust_decimal::Decimal;

impl StoredKind for TimeEntry {
    fn title(&self) -> String {
        self.note.clone()
    }
}

impl RecordList<TimeEntry> for MemoryTx<'_> {
    fn list(&mut self, filter: &TimeEntryFilter, request: &PageRequest) -> Result<Vec<TimeEntry>, StoreError> {
        let chosen = self.time_matching(filter);
        Ok(page_sorted_by(filter.sorted_by(), chosen, |entry| entry.updated_at, request))
    }

    fn totals(&mut self, filter: &TimeEntryFilter) -> Result<Vec<CountedPart>, StoreError> {
        Ok(CountedPart::count(self.time_matching(filter).map(|_| (None, None, None))))
    }
}

/// Workspaces with timers that have run since then.
pub(super) fn workspaces_with_timers(state: &State, since: OffsetDateTime, limit: u32) -> Vec<WorkspaceId> {
    let has_any = |records: &Records| records.of::<TimeEntry>().live().any(|entry| is_running_since(entry, since));
    let found = state.records.iter().filter(|(_, records)| has_any(records)).map(|(id, _)| *id);
    found.take(limit as usize).collect()
}

fn is_running_since(entry: &TimeEntry, since: OffsetDateTime) -> bool {
    entry.status == EntryStatus::Running && entry.started_at.is_some_and(|start| start <= since)
}

fn matches_entry(filter: &TimeEntryFilter, entry: &TimeEntry) -> bool {
    fn is<T: PartialEq>(wanted: Option<T>, found: Option<T>) -> bool {
        wanted.is_none() || wanted == found
    }
    filter.member.accepts(&entry.member_id)
        && is(filter.task_id, entry.task_id)
        && is(filter.ticket_id, entry.ticket_id)
        && is(filter.project_id, entry.in_project_id)
        && is(filter.deal_id, entry.deal_id)
        && is(filter.company_id, entry.for_company_id)
        && filter.status.accepts(&entry.status)
        && is(filter.billable, Some(entry.billable))
        && filter.from.is_none_or(|from| entry.date >= from)
        && filter.to.is_none_or(|to| entry.date <= to)
        && filter.ids.accepts(&entry.id)
        && filter.created().accepts(entry.created_at)
        && is_since(filter.updated_since, entry.updated_at)
}

impl MemoryTx<'_> {
    fn time_matching(&self, filter: &TimeEntryFilter) -> impl Iterator<Item = &TimeEntry> {
        self.records.of::<TimeEntry>().live().filter(move |entry| matches_entry(filter, entry))
    }

    fn company_of_project(&self, id: Option<ProjectId>) -> Option<CompanyId> {
        self.records.of::<Project>().get_any(id?).and_then(|project| project.company_id)
    }

    fn company_of_contact(&self, id: Option<ContactId>) -> Option<CompanyId> {
        self.records.of::<Contact>().get_any(id?).and_then(|contact| contact.company_id)
    }

    fn company_of_deal(&self, id: Option<DealId>) -> Option<CompanyId> {
        self.records.of::<Deal>().get_any(id?).and_then(|deal| deal.company_id)
    }
}

// No lock needed: transactions run one at a time.
impl TimeEntryRepo for MemoryTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn running_of(&mut self, member: UserId) -> Result<Option<TimeEntry>, StoreError> {
        let is_theirs = |entry: &&TimeEntry| entry.member_id == member && entry.status == EntryStatus::Running;
        Ok(self.records.of::<TimeEntry>().live().find(is_theirs).cloned())
    }

    fn running_since(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<TimeEntry>, StoreError> {
        let running = self.records.of::<TimeEntry>().live().filter(|entry| is_running_since(entry, since));
        let mut found: Vec<_> = running.cloned().collect();
        found.sort_by_key(|entry| entry.started_at);
        found.truncate(limit as usize);
        Ok(found)
    }

    fn overlapping(
        &mut self,
        member: UserId,
        except: TimeEntryId,
        start: OffsetDateTime,
        end: Option<OffsetDateTime>,
    ) -> Result<Option<TimeEntryId>, StoreError> {
        let date = start.date();
        let span = end.map_or(Span::Running { date, since: start }, |end| Span::Times { date, start, end });
        let overlaps =
            |entry: &&TimeEntry| entry.member_id == member && entry.id != except && Span::of(entry).overlaps(span);
        Ok(self.records.of::<TimeEntry>().live().find(overlaps).map(|entry| entry.id))
    }

    fn attribution(&mut self, target: EntryTarget) -> Result<Attribution, StoreError> {
        let (project, company) = match target {
            EntryTarget::Issue(id) => {
                let Some(issue) = self.records.of::<Issue>().get_any(id) else { return Ok(Attribution::default()) };
                let of_project = self.company_of_project(issue.project_id);
                let requester = issue.requester.as_ref().and_then(|requester| requester.contact_id);
                let of_contact = self.company_of_contact(issue.contact_id.or(requester));
                let of_others = of_contact.or(self.company_of_deal(issue.deal_id));
                (issue.project_id, issue.company_id.or(of_project).or(of_others))
            }
            EntryTarget::Project(id) => (Some(id), self.company_of_project(Some(id))),
            EntryTarget::Deal(id) => (None, self.company_of_deal(Some(id))),
        };
        Ok(Attribution { project, company })
    }

    fn get_many_for_update(&mut self, ids: &[TimeEntryId]) -> Result<Vec<TimeEntry>, StoreError> {
        Ok(self.records.of::<TimeEntry>().live().filter(|entry| ids.contains(&entry.id)).cloned().collect())
    }

    fn save_statuses(&mut self, entries: &[TimeEntry]) -> Result<(), StoreError> {
        entries.iter().try_for_each(|entry| self.records.of_mut::<TimeEntry>().save(entry.id, entry))
    }

    fn summarize(
        &mut self,
        filter: &TimeEntryFilter,
        group_by: &[TimeGroup],
        reach: RateReach,
    ) -> Result<TimeSummaryRows, StoreError> {
        type Sums = BTreeMap<Option<String>, (i64, i64, Decimal)>;
        let mut rows: BTreeMap<Vec<Option<String>>, Sums> = BTreeMap::new();
        for entry in self.time_matching(filter) {
            let Some(seconds) = entry.seconds.map(i64::from) else { continue };
            let is_paid = entry.billable && reach.covers(entry.member_id);
            let currency = entry.rate_currency.get().filter(|_| is_paid).cloned();
            let rate = entry.rate.get().copied().filter(|_| is_paid).unwrap_or_default();
            let key = group_by.iter().map(|group| key_of(*group, entry)).collect();
            let sums = rows.entry(key).or_default().entry(currency).or_default();
            sums.0 += seconds;
            sums.1 += if entry.billable { seconds } else { 0 };
            sums.2 += rate * Decimal::from(seconds);
        }
        let mut ranked: Vec<_> = rows.into_iter().collect();
        ranked.sort_by_key(|(key, sums)| {
            // As in SQL, what has no value comes last.
            let key: Vec<_> = key.iter().map(|value| (value.is_none(), value.clone())).collect();
            (std::cmp::Reverse(sums.values().map(|sum| sum.0).sum::<i64>()), key)
        });
        let mut found = TimeSummaryRows { rows: ranked.len() as u64, ..TimeSummaryRows::default() };
        for (place, (key, sums)) in (1..=u64::from(MAX_SUMMARY_ROWS)).zip(ranked) {
            let part = |(currency, (seconds, billable_seconds, value))| TimeSummaryPart {
                place,
                key: key.clone(),
                currency,
                seconds,
                billable_seconds,
                value,
            };
            found.parts.extend(sums.into_iter().map(part));
        }
        Ok(found)
    }

    fn total(&mut self, filter: &TimeEntryFilter) -> Result<TimeTotals, StoreError> {
        let mut total = TimeTotals::default();
        for entry in self.time_matching(filter) {
            let seconds = entry.seconds.map_or(0, i64::from);
            total.seconds += seconds;
            total.billable_seconds += if entry.billable { seconds } else { 0 };
        }
        Ok(total)
    }

    fn rate_for(&mut self, member: UserId, project: Option<ProjectId>) -> Result<Option<TimeRate>, StoreError> {
        let rates = &self.records.time_rates;
        let of_project = project.and_then(|project| rates.get(&(member, Some(project))));
        Ok(of_project.or(rates.get(&(member, None))).cloned())
    }

    fn rates(&mut self, limit: u32) -> Result<Vec<TimeRate>, StoreError> {
        Ok(self.records.time_rates.values().take(limit as usize).cloned().collect())
    }

    fn put_rate(&mut self, rate: &TimeRate, most: u32) -> Result<bool, StoreError> {
        let (place, rates) = ((rate.member_id, rate.project_id), &mut self.records.time_rates);
        let has_room = rates.contains_key(&place) || rates.len() < most as usize;
        if has_room {
            rates.insert(place, rate.clone());
        }
        Ok(has_room)
    }

    fn remove_rate(&mut self, place: RatePlace) -> Result<bool, StoreError> {
        Ok(self.records.time_rates.remove(&(place.member_id, place.project_id)).is_some())
    }
}

fn key_of(group: TimeGroup, entry: &TimeEntry) -> Option<String> {
    match group {
        TimeGroup::Member => Some(entry.member_id.to_string()),
        TimeGroup::Project => entry.in_project_id.map(|id| id.to_string()),
        TimeGroup::Company => entry.for_company_id.map(|id| id.to_string()),
        TimeGroup::Task => entry.task_id.map(|id| id.to_string()),
        TimeGroup::Week => {
            let monday = entry.date - Duration::days(entry.date.weekday().number_days_from_monday().into());
            Some(monday.to_string())
        }
        TimeGroup::Billable => Some(entry.billable.to_string()),
    }
}
