//! Time entries of a year, spread evenly over members and days.

use domain::identity::access::Actor;
use domain::kernel::input::Masked;
use domain::work::time_entries::{EntryStatus, TimeEntry};
use domain::{IssueId, ProjectId, TimeEntryId, UserId};
use rust_decimal::Decimal;
use time::macros::date;
use time::{Date, Duration};

use crate::generate::Generator;
use crate::words::{THING, VERB};

const FIRST_DAY: Date = date!(2024 - 01 - 01);
const DAYS: usize = 366;
const QUARTER_OF_AN_HOUR: i32 = 900;
/// Every status but running: a member has at most one timer.
const STATUSES: [EntryStatus; 4] =
    [EntryStatus::Stopped, EntryStatus::Submitted, EntryStatus::Approved, EntryStatus::Exported];

impl Generator {
    /// Needs members.
    pub(crate) fn time_entries(&mut self, count: u64) -> Vec<TimeEntry> {
        (0..count).map(|_| self.time_entry()).collect()
    }

    /// Half of the entries have a start and an end, and half have a rate.
    fn time_entry(&mut self) -> TimeEntry {
        let (id, now) = self.id_and_time();
        let date = FIRST_DAY + Duration::days(i64::try_from(self.below(DAYS)).unwrap_or(0));
        let seconds = QUARTER_OF_AN_HOUR * i32::try_from(1 + self.below(16)).unwrap_or(1);
        let start = self.one_in(2).then(|| date.midnight().assume_utc() + Duration::hours(9));
        let (task_id, in_project_id) = self.work();
        let has_rate = self.one_in(2);
        TimeEntry {
            task_id,
            project_id: in_project_id.filter(|_| task_id.is_none()),
            in_project_id,
            date,
            started_at: start,
            ended_at: start.map(|start| start + Duration::seconds(seconds.into())),
            seconds: Some(seconds),
            billable: !self.one_in(4),
            note: format!("{} {}", self.pick(VERB), self.pick(THING)),
            status: self.pick(&STATUSES),
            rate: Masked::new(has_rate.then(|| Decimal::new(9_050, 2))),
            rate_currency: Masked::new(has_rate.then(|| self.currency.clone())),
            ..TimeEntry::blank(TimeEntryId(id), self.worker(), Actor::SYSTEM, now)
        }
    }

    /// The task that was worked on, and the project that the time counts towards; for one in five entries, only a project.
    fn work(&mut self) -> (Option<IssueId>, Option<ProjectId>) {
        if self.tasks.is_empty() || self.one_in(5) {
            return (None, self.any_project());
        }
        let any = self.below(self.tasks.len());
        let (task, project) = self.tasks[any];
        (Some(task), project)
    }

    fn worker(&mut self) -> UserId {
        let any = self.below(self.members.len());
        self.members[any]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use uuid::Uuid;

    #[test]
    fn time_entries_are_the_same_each_time_and_spread_over_members_and_days() {
        let workspace = domain::testing::workspace_value(1);
        let members: Vec<_> = (1..=5).map(|number| UserId(Uuid::from_u128(number))).collect();
        let make = || {
            let mut generator = Generator::new(&workspace, members.clone(), [0, 0]);
            let _ = (generator.projects(3), generator.issues(50));
            generator.time_entries(4_000)
        };
        let entries = make();
        assert_eq!(entries, make());
        assert_eq!(entries.iter().map(|entry| entry.member_id).collect::<HashSet<_>>().len(), members.len());
        assert!(entries.iter().map(|entry| entry.date).collect::<HashSet<_>>().len() > DAYS * 9 / 10);
        let rated = entries.iter().filter(|entry| entry.rate.get().is_some()).count();
        assert!((1_800..=2_200).contains(&rated), "{rated}");
        assert!(entries.iter().all(|entry| entry.task_id.is_none() || entry.project_id.is_none()));
        assert!(entries.iter().any(|entry| entry.task_id.is_some() && entry.in_project_id.is_some()));
    }
}
