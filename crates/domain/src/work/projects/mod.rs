//! Projects and their cycles (interface 10).

mod list;
mod status;

pub use list::{ProjectFilter, ProjectOrder};
pub use status::ProjectStatus;

use time::macros::date;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::events::example::{self, ADA, COMPANY, DEAL, MADE, MEMBER, PROJECT};
use crate::events::{Cascade, CascadeRole, DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{CreateProjects, DeleteProjects, ReadProjects, UpdateProjects};
use crate::kernel::input::{GithubUrl, InputMode, Line, LongText, Percentage, Problems, choices, readable_choices};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::ports::{StoreError, Tx};
use crate::records::{Editable, Importable, RecordKind, Resource, Transferred, Writing, deletable, kind, resource};
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
    pub input ProjectFields together ProjectFields::check_dates;

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
    fn check_dates(&self, _: InputMode, problems: &mut Problems) {
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

// Its cycles and tasks are deleted with it; its tickets stay.
deletable!(Project, DeleteProjects, {
    fn taken_along(tx: &mut dyn Tx, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Option<Cascade>, StoreError> {
        tx.projects().note_deleted(id, deleted_at).map(Some)
    }

    fn deleted_with(tx: &mut dyn Tx, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Option<Cascade>, StoreError> {
        tx.projects().deleted_with(id, deleted_at).map(Some)
    }
});

impl Editable for Project {
    type Create = CreateProjects;
    type Update = UpdateProjects;

    fn new(id: ProjectId, writing: &Writing) -> Self {
        Self::blank(id, writing.actor(), writing.now)
    }

    fn fill(&mut self, fields: ProjectFields, _: &Writing) -> Result<(), Error> {
        self.apply(fields);
        let mut problems = Problems::default();
        note_date_order(self.start_date, self.end_date, &mut problems);
        problems.into_result()
    }

    fn settle(
        &mut self,
        fields: &ProjectFields,
        stored: Option<&Self>,
        _: &mut dyn Tx,
        _: &Writing,
    ) -> Result<(), Error> {
        if let Some(status) = fields.status.clone().or_default(ProjectStatus::Planning) {
            self.status = stored.map_or(Ok(status), |stored| stored.status.transition_to(status))?;
        }
        Ok(())
    }

    fn assignee(&self) -> Option<UserId> {
        self.lead_user_id
    }
}

impl Importable for Project {
    const KEY: Option<&'static str> = Some("external_id");
}

impl Transferred for Project {
    const LONG_TEXT: Option<&'static str> = Some("description");

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id"]
    }
}

impl Project {
    /// The words that search matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(self.description.as_deref());
        words.into_vec()
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

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Projects,
    verbs: &[
        ("updated", "Fields of a project other than its status changed."),
        ("status_changed", "The status of a project changed."),
        ("deleted", "A project was deleted with its tasks and cycles, whose own events follow; cascade counts them."),
        (
            "restored",
            "A deleted project was restored with the tasks and cycles that were deleted with it, whose own events follow; cascade counts them.",
        ),
    ],
    cascade: Some(CascadeRole::Leader),
    data: DataType::of::<Project>(),
    examples: || example::life::<Project>(example, &[|it| it.progress = 10, |it| it.status = ProjectStatus::Active]),
};

impl EventSource for Project {
    event_source!(Project);

    fn scope(&self) -> Option<Uuid> {
        Some(self.id.0)
    }

    fn verb_of(&self, _: &Self, member: &str) -> Option<&'static str> {
        (member == "status").then_some("status_changed")
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> Project {
    Project {
        name: "Northwind roll-out".to_owned(),
        priority: Priority::High,
        start_date: Some(date!(2030 - 05 - 01)),
        end_date: Some(date!(2030 - 07 - 31)),
        lead_user_id: Some(MEMBER),
        deal_id: Some(DEAL),
        company_id: Some(COMPANY),
        version,
        updated_at,
        ..Project::blank(PROJECT, ADA, MADE)
    }
}
