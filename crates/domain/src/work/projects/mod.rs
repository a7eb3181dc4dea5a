//! Projects and their cycles (interface 10).

mod create;
mod delete;
mod events;
mod list;
mod read;
mod status;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::{ProjectFilter, list};
pub use read::read;
pub use status::ProjectStatus;
pub use update::update;

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::kernel::input::{GithubUrl, InputMode, Line, LongText, Percentage, Problems, choices, readable_choices};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::records::{record, resource};
use crate::{CompanyId, DealId, Error, ProjectId, Reference, UserId};

choices! {
    /// The priority of a project or an issue.
    pub enum Priority {
        /// Can wait.
        Low = "low",
        /// Normal.
        Medium = "medium",
        /// Soon.
        High = "high",
        /// Now.
        Urgent = "urgent",
    }
}

readable_choices!(Priority);

resource! {
    /// The writable fields of a project.
    pub input ProjectFields together ProjectFields::check_sent_dates;

    /// A project.
    pub record Project(ProjectId) {
        /// The name.
        name: Line<200> = required,
        /// Free-form notes.
        description: LongText<10_000>,
        /// The status; `planning` by default. Legacy keys are accepted.
        status: ProjectStatus = own_rule(ProjectStatus::Planning),
        /// The priority; `medium` by default.
        priority: Priority = default(Priority::Medium),
        /// The progress in percent; 0 by default.
        progress: Percentage = default(0),
        /// The start date.
        start_date: Date,
        /// The end date; on or after the start date.
        end_date: Date,
        /// The id of a record in another system.
        team_id: Uuid,
        /// The member who leads the project.
        lead_user_id: UserId => Reference::Member,
        /// The id of a record in another system.
        template_id: Uuid,
        /// The deal from which the project started.
        deal_id: DealId => Reference::Deal,
        /// The company that the project is for.
        company_id: CompanyId => Reference::Company,
        /// The address of its source code.
        github_url: GithubUrl,
        /// The id in another system, unique in the workspace.
        external_id: Line<255>,
        /// Whether it is hosted; false by default.
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
    /// The words that search matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(self.description.as_deref());
        words.into_vec()
    }

    /// Checks the order of both dates, stored values included.
    fn check_dates(&self) -> Result<(), Error> {
        let mut problems = Problems::default();
        note_date_order(self.start_date, self.end_date, &mut problems);
        problems.into_result()
    }
}

/// Reports an end before the start.
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
