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

use schemars::JsonSchema;
use serde::Serialize;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::{DateText, TimestampText};
use crate::kernel::input::{
    GithubUrl, InputMode, Line, LongText, Percentage, Problems, choices, fields, optional_date_json, readable_choices,
    timestamp_json,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::{CompanyId, DealId, Error, ProjectId, Reference, References, UserId};

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

fields! {
    /// What a client may send of a project.
    pub struct ProjectFields {
        /// What it is called.
        name: Line<200> = required,
        /// Anything else.
        description: LongText<10_000>,
        /// Where it stands; `planning` unless given. Legacy keys are accepted.
        status: ProjectStatus,
        /// How pressing it is; `medium` unless given.
        priority: Priority,
        /// In percent; 0 unless given.
        progress: Percentage,
        /// When it starts.
        start_date: Date,
        /// When it ends; not before it starts.
        end_date: Date,
        /// A record kept elsewhere.
        team_id: Uuid,
        /// The member who leads it.
        lead_user_id: UserId,
        /// A record kept elsewhere.
        template_id: Uuid,
        /// The deal it came from.
        deal_id: DealId,
        /// The company it is for.
        company_id: CompanyId,
        /// Its code.
        github_url: GithubUrl,
        /// Its id elsewhere, unique in the workspace.
        external_id: Line<255>,
        /// Whether it is hosted; false unless given.
        hosted: bool,
    }
    together ProjectFields::check_sent_dates;
}

impl ProjectFields {
    fn check_sent_dates(&self, _: InputMode, problems: &mut Problems) {
        note_date_order(self.start_date.set().copied(), self.end_date.set().copied(), problems);
    }
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members are documented at ProjectFields")]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    pub description: Option<String>,
    pub status: ProjectStatus,
    pub priority: Priority,
    pub progress: i32,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    pub start_date: Option<Date>,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    pub end_date: Option<Date>,
    pub team_id: Option<Uuid>,
    pub lead_user_id: Option<UserId>,
    pub template_id: Option<Uuid>,
    pub deal_id: Option<DealId>,
    pub company_id: Option<CompanyId>,
    pub github_url: Option<String>,
    pub external_id: Option<String>,
    pub hosted: bool,
    /// Counts its changes, from 1.
    pub version: i64,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl Project {
    /// A project with defaults alone, to put an input into.
    fn blank(id: ProjectId, created_by: Actor, now: OffsetDateTime) -> Self {
        Self {
            id,
            name: String::new(),
            description: None,
            status: ProjectStatus::Planning,
            priority: Priority::Medium,
            progress: 0,
            start_date: None,
            end_date: None,
            team_id: None,
            lead_user_id: None,
            template_id: None,
            deal_id: None,
            company_id: None,
            github_url: None,
            external_id: None,
            hosted: false,
            version: 1,
            created_at: now,
            updated_at: now,
            created_by,
        }
    }

    /// Puts what was sent over what is there; the status only as far as `apply_status` lets it.
    fn apply(&mut self, fields: ProjectFields) {
        if let Some(name) = fields.name.set() {
            name.as_str().clone_into(&mut self.name);
        }
        fields.description.store(&mut self.description);
        fields.priority.store_or(Priority::Medium, &mut self.priority);
        fields.progress.store_or(0, &mut self.progress);
        fields.start_date.store(&mut self.start_date);
        fields.end_date.store(&mut self.end_date);
        fields.team_id.store(&mut self.team_id);
        fields.lead_user_id.store(&mut self.lead_user_id);
        fields.template_id.store(&mut self.template_id);
        fields.deal_id.store(&mut self.deal_id);
        fields.company_id.store(&mut self.company_id);
        fields.github_url.store(&mut self.github_url);
        fields.external_id.store(&mut self.external_id);
        fields.hosted.store_or(false, &mut self.hosted);
    }

    /// The rule over both dates, which also holds against what is stored.
    fn check_dates(&self) -> Result<(), Error> {
        let mut problems = Problems::default();
        note_date_order(self.start_date, self.end_date, &mut problems);
        problems.into_result()
    }

    /// The references that differ from the stored project's.
    fn new_references(&self, stored: Option<&Self>) -> References {
        let mut references = References::default();
        references.add(
            "lead_user_id",
            self.lead_user_id,
            stored.and_then(|project| project.lead_user_id),
            Reference::Member,
        );
        references.add("deal_id", self.deal_id, stored.and_then(|project| project.deal_id), Reference::Deal);
        references.add(
            "company_id",
            self.company_id,
            stored.and_then(|project| project.company_id),
            Reference::Company,
        );
        references
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
