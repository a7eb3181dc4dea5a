//! Cycles of a project (interface 10.7–10.9, 10.11–10.13).

mod burn_up;
mod read;
mod write;

pub use burn_up::{BurnUpDay, MAX_BURN_UP_DAYS, read_with_burn_up};
pub use read::{list, read};
pub use write::{MAX_ISSUES_TAKEN_OUT, create, delete, update};

use schemars::JsonSchema;
use serde::Serialize;
use time::macros::date;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::events::example::{self, ADA, CYCLE, MADE, PROJECT};
use crate::events::{CascadeRole, DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::Actor;
use crate::kernel::input::schema::{DateText, TimestampText};
use crate::kernel::input::{InputMode, Line, LongText, Problems, choices, fields};
use crate::kernel::paging::paginated;
use crate::ports::Tx;
use crate::records::kind;
use crate::work::projects::{Project, note_date_order};
use crate::{CycleId, Error, ProjectId};

choices! {
    /// The status of a cycle on a given day.
    pub enum CycleStatus {
        /// Starts later.
        Upcoming = "upcoming",
        /// The day is within its dates.
        Active = "active",
        /// Has ended.
        Completed = "completed",
    }
}

fields! {
    /// The writable fields of a cycle.
    pub struct CycleFields {
        /// The cycle's name.
        name: Line<200> = required,
        /// What the cycle should achieve.
        goal: LongText<2_000>,
        /// The first day.
        start_date: Date = required,
        /// The last day; on or after `start_date`.
        end_date: Date = required,
    }
    together CycleFields::check_dates;
}

impl CycleFields {
    fn check_dates(&self, _: InputMode, problems: &mut Problems) {
        note_date_order(self.start_date.set().copied(), self.end_date.set().copied(), problems);
    }
}

/// A stored cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    pub id: CycleId,
    pub project_id: ProjectId,
    pub number: i32,
    pub name: String,
    pub goal: Option<String>,
    pub start_date: Date,
    pub end_date: Date,
    pub version: i64,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

kind!(Cycle, [Cycle], CycleId, called name, filter: ProjectId);

/// A cycle as a caller addresses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CyclePlace {
    /// The project to which it must belong, if the caller names one.
    pub project_id: Option<ProjectId>,
    pub id: CycleId,
}

impl From<Uuid> for CyclePlace {
    /// A cycle of any project.
    fn from(id: Uuid) -> Self {
        Self { project_id: None, id: CycleId(id) }
    }
}

impl CyclePlace {
    /// Locks the project and then the cycle. Creating a cycle locks the project too, so no other cycle changes while dates are compared.
    fn lock(self, tx: &mut dyn Tx) -> Result<Cycle, Error> {
        let (project, missing) = match self.project_id {
            Some(named) => (named, "project"),
            None => (tx.issues().project_of_cycle(self.id)?.ok_or(Error::NotFound("cycle"))?, "cycle"),
        };
        tx.records::<Project>().get_for_update(project)?.ok_or(Error::NotFound(missing))?;
        let cycle = tx.records::<Cycle>().get_for_update(self.id)?.filter(|cycle| cycle.project_id == project);
        cycle.ok_or(Error::NotFound("cycle"))
    }
}

/// Checks that no other cycle of the project has a day in common with this one.
fn check_no_overlap(tx: &mut dyn Tx, cycle: &Cycle, except: Option<CycleId>) -> Result<(), Error> {
    match tx.cycles().overlapping(cycle.project_id, except, cycle.start_date, cycle.end_date)? {
        Some(number) => Err(Error::Conflict(format!("the dates overlap those of cycle {number} of the project"))),
        None => Ok(()),
    }
}

/// How many live tasks and tickets a cycle has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CycleCounts {
    pub issues: i64,
    /// The issues that are done.
    pub completed: i64,
}

/// A cycle as shown in the API on a given day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Cycle")]
pub struct CycleView {
    pub id: CycleId,
    pub project_id: ProjectId,
    /// 1, 2, … in the project.
    pub number: i32,
    pub name: String,
    pub goal: Option<String>,
    #[serde(with = "DateText")]
    pub start_date: Date,
    #[serde(with = "DateText")]
    pub end_date: Date,
    /// The status today, in UTC.
    pub status: CycleStatus,
    /// How many issues it has.
    pub issue_count: i64,
    /// How many of its issues are done.
    pub completed_issue_count: i64,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl Cycle {
    /// The status on a day.
    pub fn status_on(&self, day: Date) -> CycleStatus {
        if day < self.start_date {
            CycleStatus::Upcoming
        } else if day > self.end_date {
            CycleStatus::Completed
        } else {
            CycleStatus::Active
        }
    }

    /// The cycle as shown on a day.
    pub fn view(self, counts: CycleCounts, day: Date) -> CycleView {
        CycleView {
            status: self.status_on(day),
            id: self.id,
            project_id: self.project_id,
            number: self.number,
            name: self.name,
            goal: self.goal,
            start_date: self.start_date,
            end_date: self.end_date,
            issue_count: counts.issues,
            completed_issue_count: counts.completed,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: self.created_by,
        }
    }
}

paginated!(CycleView: CYCLES);

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Projects,
    verbs: &[
        (
            "deleted",
            "A cycle was deleted, alone or with its project (cause). Alone, its tasks are no longer in a cycle.",
        ),
        ("restored", "A deleted cycle was restored, alone or with its project (cause)."),
    ],
    cascade: Some(CascadeRole::Follower),
    data: DataType::of::<CycleView>(),
    examples: || example::life::<CycleView>(example, &[|it| "Sign-in".clone_into(&mut it.name)]),
};

impl EventSource for CycleView {
    event_source!(Cycle);

    fn scope(&self) -> Option<Uuid> {
        Some(self.project_id.0)
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> CycleView {
    CycleView {
        id: CYCLE,
        project_id: PROJECT,
        number: 1,
        name: "Cycle 1".to_owned(),
        goal: Some("Everybody can sign in".to_owned()),
        start_date: date!(2030 - 05 - 01),
        end_date: date!(2030 - 05 - 14),
        status: CycleStatus::Upcoming,
        issue_count: 3,
        completed_issue_count: 0,
        version,
        created_at: MADE,
        updated_at,
        created_by: ADA,
    }
}
