//! Projects and cycles.

use std::collections::{BTreeMap, BTreeSet};

use time::{Date, OffsetDateTime};

use super::crm::has_external_id;
use super::records::{Found, StoredKind};
use super::state::{CycleState, MemoryTx, Records};
use super::table::{Order, is_since, page, page_sorted_by};
use domain::events::Cascade;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchWords;
use domain::kernel::totals::CountedPart;
use domain::ports::{CycleRepo, ProjectRepo, RecordList, StoreError};
use domain::work::cycles::{Cycle, CycleCounts};
use domain::work::issues::Issue;
use domain::work::projects::{Project, ProjectFilter};
use domain::{CycleId, ProjectId};

impl StoredKind for Project {
    fn title(&self) -> String {
        self.name.clone()
    }

    fn found(&self, _: bool) -> Option<Found> {
        Some(Found {
            words: self.search_words(),
            detail: Some(self.status.as_str().to_owned()),
            created_at: self.created_at,
        })
    }

    fn delete(records: &mut Records, id: ProjectId, now: OffsetDateTime) -> bool {
        if !records.of_mut::<Project>().delete(id, now) {
            return false;
        }
        records.of_mut::<Cycle>().delete_where(now, |cycle| cycle.project_id == id);
        let is_theirs = |issue: &&Issue| issue.project_id == Some(id) && issue.kind == IssueKind::Task;
        for task in records.of::<Issue>().live().filter(is_theirs).cloned().collect::<Vec<_>>() {
            records.note_in_cycle(None, &task, now, false);
        }
        records
            .of_mut::<Issue>()
            .delete_where(now, |issue| issue.project_id == Some(id) && issue.kind == IssueKind::Task);
        true
    }
}

impl ProjectRepo for MemoryTx<'_> {
    // Records no pending events, because no test of a use case needs them.
    fn note_deleted(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        self.deleted_with(id, deleted_at)
    }

    fn deleted_with(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError> {
        let tasks =
            self.records.of::<Issue>().deleted_at(deleted_at).filter(|issue| issue.project_id == Some(id)).count();
        let cycles = self.records.of::<Cycle>().deleted_at(deleted_at).filter(|cycle| cycle.project_id == id).count();
        Ok(Cascade { tasks: tasks as u64, cycles: cycles as u64 })
    }
}

impl RecordList<Project> for MemoryTx<'_> {
    fn list(&mut self, filter: &ProjectFilter, request: &PageRequest) -> Result<Vec<Project>, StoreError> {
        let chosen = self.records.of::<Project>().live().filter(|project| matches_project(filter, project));
        Ok(page_sorted_by(filter.sorted_by(), chosen, |project| project.updated_at, request))
    }

    fn totals(&mut self, filter: &ProjectFilter) -> Result<Vec<CountedPart>, StoreError> {
        let chosen = self.records.of::<Project>().live().filter(|project| matches_project(filter, project));
        Ok(CountedPart::count(chosen.map(|_| (None, None, None))))
    }
}

fn matches_project(filter: &ProjectFilter, project: &Project) -> bool {
    filter.search.as_ref().is_none_or(|query| SearchWords::of(project.search_words()).matches(query))
        && filter.status.accepts(&project.status)
        && has_external_id(filter.external_id.as_ref(), project.external_id.as_deref())
        && filter.ids.accepts(&project.id)
        && filter.created().accepts(project.created_at)
        && is_since(filter.updated_since, project.updated_at)
}

impl StoredKind for Cycle {
    fn title(&self) -> String {
        self.name.clone()
    }

    fn goes_with(&self) -> Option<ProjectId> {
        Some(self.project_id)
    }
}

impl CycleRepo for MemoryTx<'_> {
    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError> {
        let cycles = self.records.of::<Cycle>().all().filter(|cycle| cycle.project_id == project);
        Ok(cycles.map(|cycle| cycle.number).max().unwrap_or(0))
    }

    fn counts(&mut self, id: CycleId) -> Result<CycleCounts, StoreError> {
        Ok(counts(self.records, id))
    }

    fn burn_up(&mut self, id: CycleId, first: Date, last: Date) -> Result<Vec<(Date, CycleCounts)>, StoreError> {
        let states: Vec<_> = self.records.cycle_history.iter().filter(|((cycle, ..), _)| *cycle == id).collect();
        let days: BTreeSet<_> = states.iter().map(|((.., day), _)| *day).filter(|day| *day <= last).collect();
        let at = |day: Date| {
            let of_day: BTreeMap<_, _> =
                states.iter().filter(|((.., on), _)| *on <= day).map(|((_, issue, _), state)| (issue, state)).collect();
            let count = |matches: fn(&CycleState) -> bool| {
                i64::try_from(of_day.values().filter(|state| matches(state)).count()).unwrap_or(i64::MAX)
            };
            CycleCounts { issues: count(|state| state.is_in), completed: count(|state| state.is_done) }
        };
        let changes: BTreeMap<_, _> = days.into_iter().map(|day| (day.max(first), at(day))).collect();
        Ok(changes.into_iter().collect())
    }

    fn overlapping(
        &mut self,
        project: ProjectId,
        except: Option<CycleId>,
        start: Date,
        end: Date,
    ) -> Result<Option<i32>, StoreError> {
        let others = |cycle: &&Cycle| cycle.project_id == project && Some(cycle.id) != except;
        let mut cycles = self.records.of::<Cycle>().live().filter(others);
        Ok(cycles.find(|cycle| cycle.start_date <= end && start <= cycle.end_date).map(|cycle| cycle.number))
    }

    fn list(
        &mut self,
        project: ProjectId,
        filter: &CreatedFilter,
        request: &PageRequest,
    ) -> Result<Vec<(Cycle, CycleCounts)>, StoreError> {
        let of_project = self.records.of::<Cycle>().live().filter(|cycle| cycle.project_id == project);
        let chosen = of_project.filter(|cycle| filter.accepts(cycle.created_at));
        let cycles = page(chosen, |cycle| (cycle.created_at, cycle.id.0), Order::NewestFirst, request);
        Ok(cycles.into_iter().map(|cycle| (cycle.clone(), counts(self.records, cycle.id))).collect())
    }
}

impl Records {
    /// Records the state of an issue in its cycle, and that it has left its previous cycle.
    pub(super) fn note_in_cycle(&mut self, before: Option<&Issue>, issue: &Issue, at: OffsetDateTime, is_live: bool) {
        if let Some(left) = before.and_then(|before| before.cycle_id).filter(|left| issue.cycle_id != Some(*left)) {
            self.cycle_history.insert((left, issue.id, at.date()), CycleState::default());
        }
        if let Some(cycle) = issue.cycle_id {
            let state = CycleState { is_in: is_live, is_done: is_live && issue.status.is_completed() };
            self.cycle_history.insert((cycle, issue.id, at.date()), state);
        }
    }
}

fn counts(records: &Records, cycle: CycleId) -> CycleCounts {
    let issues = || records.of::<Issue>().live().filter(move |issue| issue.cycle_id == Some(cycle));
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    CycleCounts {
        issues: count(issues().count()),
        completed: count(issues().filter(|issue| issue.status.is_completed()).count()),
    }
}
