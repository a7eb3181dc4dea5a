//! Projects and their cycles (interface 10).

mod create;
mod delete;
mod events;
mod import;
mod list;
mod restore;
mod status;
mod update;

pub use create::create;
pub use delete::delete;
pub(crate) use import::ProjectImport;
pub use list::{ProjectFilter, ProjectOrder, list, list_or_deleted, totals};
pub use restore::restore;
pub use status::ProjectStatus;
pub use update::{update, update_each};

use time::Date;
use uuid::Uuid;

use crate::identity::access::{DeleteProjects, ReadProjects};
use crate::identity::notifications::{Assignable, AssignedRecord};
use crate::kernel::input::{GithubUrl, InputMode, Line, LongText, Percentage, Problems, choices, readable_choices};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::records::{Kind, RecordKind, UniqueMembers, UniqueValue, deletable, kind, resource};
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

impl Priority {
    /// The higher, the more urgent.
    pub(crate) const fn rank(self) -> u8 {
        match self {
            Self::Low => 1,
            Self::Medium => 2,
            Self::High => 3,
            Self::Urgent => 4,
        }
    }
}

resource! {
    /// The writable fields of a project.
    pub input ProjectFields together ProjectFields::check_sent_dates;

    /// A project.
    pub record Project(ProjectId) {
        /// The project's name.
        name: Line<200> = required,
        /// What the project is about.
        description: LongText<10_000>,
        /// The status. archived can only become active; cancelled only planning or active.
        /// Default: planning.
        status: ProjectStatus = own_rule(ProjectStatus::Planning),
        /// How urgent it is.
        /// Default: medium.
        priority: Priority = default(Priority::Medium),
        /// The progress in percent.
        /// Note: In percent.
        /// Default: 0.
        progress: Percentage = default(0),
        /// The first day.
        start_date: Date,
        /// The last day; on or after `start_date`.
        end_date: Date,
        /// The team that works on it, kept in another system.
        team_id: Uuid,
        /// The member who leads the project.
        lead_user_id: UserId => Reference::Member,
        /// The template it was made from, kept in another system.
        template_id: Uuid,
        /// The deal that the project started from.
        deal_id: DealId => Reference::Deal,
        /// The company that the project is for.
        company_id: CompanyId => Reference::Company,
        /// The URL of its source code.
        github_url: GithubUrl,
        /// Its id in another system, unique among projects.
        external_id: Line<255>,
        /// Whether the result is hosted for the customer.
        /// Note: Whether we host the result.
        /// Default: false.
        hosted: bool = default(false),
    }
}

impl ProjectFields {
    fn check_sent_dates(&self, _: InputMode, problems: &mut Problems) {
        note_date_order(self.start_date.set().copied(), self.end_date.set().copied(), problems);
    }
}

kind! {
    Project, [Project], ProjectId, called name,
    listed by ProjectFilter as ListName::numbered(3).by_change(),
    read by ReadProjects, unique: |project| [
        external_id: project.external_id.clone(),
    ]
}

deletable!(Project, DeleteProjects, with: |tx, id, deleted_at| tx.projects().deleted_with(id, deleted_at));

impl UniqueMembers for ProjectFields {
    fn unique_values(&self) -> Vec<UniqueValue> {
        let external_id = self.external_id.set().map(|id| id.as_str().to_owned());
        external_id.map(|id| Project::unique("external_id", id)).into_iter().collect()
    }
}

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

impl Assignable for Project {
    fn assignee(&self) -> Option<UserId> {
        self.lead_user_id
    }

    fn described(&self) -> AssignedRecord {
        AssignedRecord { kind: RecordKind::Project, id: self.id.0, label: None, title: self.name.clone() }
    }
}
