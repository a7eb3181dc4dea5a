//! Time that members have worked: entered by hand or by a timer, approved, and exported for invoicing.
//!
//! In each workspace, writers of time entries and changes of the settings take turns
//! ([`TimeEntryRepo::lock`](crate::ports::TimeEntryRepo::lock)). So an entry is checked against all other entries and against the periods
//! that are locked now.

mod approval;
mod attribution;
mod day;
mod duration;
pub(crate) mod events;
mod list;
mod rates;
mod rows;
mod rules;
mod span;
mod stopping;
mod summary;
mod timer;

pub use approval::{
    EntryIds, MAX_ENTRIES_AT_ONCE, RejectReason, approve, export_for_invoicing, reject, reject_because, submit,
    undo_approval,
};
pub use attribution::{Attribution, EntryTarget};
pub use day::{DayOutcome, DayTotal, WorkedDay, set_day};
pub use duration::DurationText;
pub use list::{TimeEntryFilter, TimeEntryOrder};
pub use rates::{HourlyRate, MAX_TIME_RATES, RateFields, RatePlace, TimeRate, list_rates, remove_rate, set_rate};
pub use rules::may_change;
pub use span::{EntrySeconds, MAX_ENTRY_SECONDS, Span};
pub(crate) use stopping::Timers;
pub use stopping::{MAX_TIMER, stop_forgotten_timers};
pub use summary::{
    MAX_SUMMARY_DAYS, MAX_SUMMARY_ROWS, RateReach, TimeAmount, TimeGroup, TimeSummary, TimeSummaryKey, TimeSummaryPart,
    TimeSummaryQuery, TimeSummaryRow, TimeSummaryRows, TimeTotals, summarize, total,
};
pub use timer::{
    MAX_CLOCK_SKEW, StartedTimer, TimerFields, TimerStopFields, running, start, start_and_name_stopped, stop,
    stop_expected,
};

use rust_decimal::Decimal;
use time::{Date, OffsetDateTime};

use crate::identity::access::{
    ActorKind, CreateTimeEntries, Credential, DeleteTimeEntries, ReadTimeEntries, UpdateTimeEntries,
};
use crate::kernel::input::{InputMode, LongText, Masked, Problems, choices, readable_choices};
use crate::kernel::paging::ListName;
use crate::ports::{StoreError, Tx};
use crate::records::{Editable, ImportRow, Importable, RecordKind, Transferred, Writing, deletable, kind, resource};
use crate::{CompanyId, DealId, Error, IssueId, ProjectId, Reference, TimeEntryId, UserId};

choices! {
    /// How far a time entry has come.
    pub enum EntryStatus {
        Running = "running",
        /// Recorded.
        Stopped = "stopped",
        /// Waits for approval.
        Submitted = "submitted",
        /// Approved: changed by owners and admins only.
        Approved = "approved",
        /// Exported for invoicing: changed by owners and admins only.
        Exported = "exported",
    }
}

readable_choices!(EntryStatus);

resource! {
    /// The writable fields of a time entry.
    pub input TimeEntryFields together TimeEntryFields::check_target;

    /// Time that a member has worked.
    pub record TimeEntry(TimeEntryId, member: UserId) {
        /// The member who worked. API keys must send it.
        /// Note: Keys must send it.
        /// Default: the caller.
        member_id: UserId = own_rule(member),
        /// The task worked on; at most one of `task_id`, `ticket_id`, `project_id` and `deal_id`.
        /// Note: At most one of task, ticket, project, deal.
        task_id: IssueId => Reference::task,
        /// The ticket worked on.
        ticket_id: IssueId => Reference::ticket,
        /// The project worked on.
        project_id: ProjectId => Reference::Project,
        /// The deal worked on.
        deal_id: DealId => Reference::Deal,
        /// The day it counts on, in the time zone of the workspace. Sent with `seconds`; follows from `started_at` otherwise.
        /// Note: With seconds, instead of `started_at` and `ended_at`.
        date: Date = own_rule(Date::MIN),
        /// When the work began; sent with `ended_at`.
        started_at: OffsetDateTime = own_rule,
        /// When the work ended, at most 24 hours later; null while the timer is running.
        ended_at: OffsetDateTime = own_rule,
        /// How long it took; follows from `started_at` and `ended_at` if they are set. Null while the timer is running.
        seconds: EntrySeconds = own_rule,
        /// Whether the customer pays for it.
        /// Default: true.
        billable: bool = default(true),
        /// What was done.
        /// Default: empty.
        note: LongText<2_000> = default(String::new()),
        [/// `running`, `stopped`, `submitted`, `approved` or `exported`. Changes by members and keys set `submitted` back to `stopped`.
         read_only status: EntryStatus = EntryStatus::Stopped],
        [/// The project it counts towards: its own, or that of its task or ticket when it was recorded.
         read_only in_project_id: Option<ProjectId> = None],
        [/// The company it is for: that of its task, ticket, deal or project when it was recorded.
         read_only for_company_id: Option<CompanyId> = None],
        [/// The member's rate per hour when it was recorded. Null for others than the member, owners and admins, and in events.
         read_only rate: Masked<Decimal> = Masked::new(None)],
        [/// The currency of `rate`.
         read_only rate_currency: Masked<String> = Masked::new(None)]
    }
}

kind! {
    TimeEntry, [TimeEntry], TimeEntryId, called note,
    listed by TimeEntryFilter as ListName::numbered(21).by_change(),
    read by ReadTimeEntries, shown by TimeEntry::with_rate_for
}

// A running timer stops when it is deleted, so that it does not count the time until it is restored.
deletable!(TimeEntry, DeleteTimeEntries, {
    fn lock_all(tx: &mut dyn Tx) -> Result<(), StoreError> {
        tx.time_entries().lock()
    }

    fn prepare_deletion(&mut self, tx: &mut dyn Tx, writing: &Writing) -> Result<(), Error> {
        rules::check_writer(writing, self)?;
        rules::check_period(&tx.workspace().get()?, &[self.date])?;
        if self.status == EntryStatus::Running {
            *self = stopping::end_timer(tx, self, writing.now, &writing.reporter)?;
        }
        Ok(())
    }

    // The previous release deleted running timers without stopping them.
    fn fit(&mut self, deleted_at: OffsetDateTime, tx: &mut dyn Tx, writing: &Writing) -> Result<(), Error> {
        if self.status == EntryStatus::Running {
            stopping::end_at(self, deleted_at);
        }
        rules::check_writer(writing, self)?;
        let workspace = tx.workspace().get()?;
        rules::check_period(&workspace, &[self.date])?;
        rules::check_no_overlap(tx, &workspace, self)
    }
});

impl Editable for TimeEntry {
    type Create = CreateTimeEntries;
    type Update = UpdateTimeEntries;

    /// The caller's entry. If the caller is not a user, [`Editable::settle`] requires a member.
    fn new(id: TimeEntryId, writing: &Writing) -> Self {
        let caller = writing.by.actor;
        let user = caller.id.filter(|_| caller.kind == ActorKind::User).unwrap_or_default();
        Self::blank(id, UserId(user), caller, writing.now)
    }

    fn settle(
        &mut self,
        fields: &TimeEntryFields,
        stored: Option<&Self>,
        tx: &mut dyn Tx,
        writing: &Writing,
    ) -> Result<(), Error> {
        if let Some(stored) = stored {
            rules::check_writer(writing, stored)?;
        }
        rules::set_member(self, fields, stored, tx, writing)?;
        self.check_one_target()?;
        let workspace = tx.workspace().get()?;
        let span = Span::resolve(fields, stored, writing.now, &workspace.time_zone)?;
        span.store(self);
        if stored == Some(&*self) {
            return Ok(());
        }
        rules::check_writer(writing, self)?;
        let days = [self.date, stored.map_or(self.date, |stored| stored.date)];
        rules::check_period(&workspace, &days)?;
        let is_same_time = |stored: &Self| Span::of(stored) == span && stored.member_id == self.member_id;
        if !stored.is_some_and(is_same_time) {
            rules::check_no_overlap(tx, &workspace, self)?;
        }
        attribution::attribute(self, stored, tx)?;
        self.status = rules::status_after_change(writing, self.status);
        Ok(())
    }
}

// Rows are matched by id only.
impl Importable for TimeEntry {
    fn prepare_row(
        row: &mut ImportRow,
        stored: Option<&Self>,
        tx: &mut dyn Tx,
        writing: &Writing,
    ) -> Result<(), Error> {
        rows::prepare(row, stored, tx, writing)
    }
}

impl Transferred for TimeEntry {
    const LONG_TEXT: Option<&'static str> = Some("note");

    fn own_columns(_: RecordKind) -> &'static [&'static str] {
        &["status", "in_project_id", "for_company_id", "rate", "rate_currency"]
    }

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &[]
    }
}

impl TimeEntryFields {
    /// Checks that the request has at most one target; [`TimeEntry::check_one_target`] includes what is stored.
    fn check_target(&self, _: InputMode, problems: &mut Problems) {
        let sent = [
            self.task_id.set().is_some(),
            self.ticket_id.set().is_some(),
            self.project_id.set().is_some(),
            self.deal_id.set().is_some(),
        ];
        if let Some(member) = second_target(sent) {
            problems.rule(member, "several_targets", ONE_TARGET);
        }
    }
}

const ONE_TARGET: &str = "at most one of task, ticket, project and deal can be set: clear the others";

/// The field of the second target that is set.
fn second_target(is_set: [bool; 4]) -> Option<&'static str> {
    let members = ["task_id", "ticket_id", "project_id", "deal_id"];
    members.into_iter().zip(is_set).filter(|(_, is_set)| *is_set).map(|(member, _)| member).nth(1)
}

impl TimeEntry {
    /// The record that was worked on, if any.
    pub fn target(&self) -> Option<EntryTarget> {
        let task = self.task_id.map(EntryTarget::Issue).or(self.ticket_id.map(EntryTarget::Issue));
        task.or(self.project_id.map(EntryTarget::Project)).or(self.deal_id.map(EntryTarget::Deal))
    }

    fn check_one_target(&self) -> Result<(), Error> {
        let is_set =
            [self.task_id.is_some(), self.ticket_id.is_some(), self.project_id.is_some(), self.deal_id.is_some()];
        second_target(is_set).map_or(Ok(()), |member| Err(Error::invalid(member, "several_targets", ONE_TARGET)))
    }

    /// Reveals the rate to owners, admins, operators and the member.
    fn with_rate_for(self, credential: Option<Credential>) -> Self {
        if !RateReach::of(credential).covers(self.member_id) {
            return self;
        }
        Self { rate: self.rate.reveal(), rate_currency: self.rate_currency.reveal(), ..self }
    }
}

#[cfg(test)]
mod tests;
