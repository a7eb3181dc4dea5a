//! Projects (contract: resources, project) and their cycles.

mod create;
mod delete;
mod events;
mod list;
mod read;
mod status;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use read::read;
pub use status::ProjectStatus;
pub use update::update;

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::kernel::input::{GithubUrl, InputMode, Line, LongText, Percentage, Problems, choices, readable_choices};
use crate::kernel::paging::{ListName, Paginated};
use crate::records::{record, resource};
use crate::{CompanyId, DealId, Error, ProjectId, Reference, UserId};

choices! {
    /// How pressing something is.
    pub enum Priority {
        /// Can wait.
        Low = "low",
        /// As usual.
        Medium = "medium",
        /// Soon.
        High = "high",
        /// Now.
        Urgent = "urgent",
    }
}

readable_choices!(Priority);

resource! {
    /// What a client may send of a project.
    pub input ProjectFields together ProjectFields::check_sent_dates;

    /// A project.
    pub record Project(ProjectId) {
        /// What it is called.
        name: Line<200> = required,
        /// Anything else.
        description: LongText<10_000>,
        /// Where it stands; `planning` unless given. Legacy keys are accepted.
        status: ProjectStatus = own_rule(ProjectStatus::Planning),
        /// How pressing it is; `medium` unless given.
        priority: Priority = default(Priority::Medium),
        /// In percent; 0 unless given.
        progress: Percentage = default(0),
        /// When it starts.
        start_date: Date,
        /// When it ends; not before it starts.
        end_date: Date,
        /// A record kept elsewhere.
        team_id: Uuid,
        /// The member who leads it.
        lead_user_id: UserId => Reference::Member,
        /// A record kept elsewhere.
        template_id: Uuid,
        /// The deal it came from.
        deal_id: DealId => Reference::Deal,
        /// The company it is for.
        company_id: CompanyId => Reference::Company,
        /// Its code.
        github_url: GithubUrl,
        /// Its id elsewhere, unique in the workspace.
        external_id: Line<255>,
        /// Whether it is hosted; false unless given.
        hosted: bool = default(false),
    }
}

impl ProjectFields {
    fn check_sent_dates(&self, _: InputMode, problems: &mut Problems) {
        note_date_order(self.start_date.set().copied(), self.end_date.set().copied(), problems);
    }
}

record!(Project, "project", ProjectId, projects);

impl Project {
    /// The rule over both dates, which also holds against what is stored.
    fn check_dates(&self) -> Result<(), Error> {
        let mut problems = Problems::default();
        note_date_order(self.start_date, self.end_date, &mut problems);
        problems.into_result()
    }
}

/// Notes an end before the start.
pub(crate) fn note_date_order(start: Option<Date>, end: Option<Date>, problems: &mut Problems) {
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        problems.rule("end_date", "before_start", "must be on or after start_date");
    }
}

impl Paginated for Project {
    const LIST: ListName = ListName::Projects;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
