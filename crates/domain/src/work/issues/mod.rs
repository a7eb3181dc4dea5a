//! Issues: tasks and tickets (contract: resources, issue).

use crate::kernel::IssueKind;
mod bulk;
mod create;
mod customer_email;
mod delete;
mod events;
mod list;
mod read;
mod requester;
mod status;
mod tracking_link;
mod update;

pub use bulk::{BulkFailure, BulkPatch, BulkUpdate, BulkUpdated, MAX_BULK_IDS, bulk_update};
pub(crate) use create::new_reference;
pub use create::{NewIssue, create};
pub(crate) use customer_email::{queue, queue_answer_email};
pub use delete::delete;
pub use list::{IssueFilter, list, list_of_project};
pub use read::read;
pub use requester::{Requester, TicketType};
pub use status::IssueStatus;
pub use tracking_link::{TRACKING_LINK_TTL, TrackingLink};
pub(crate) use tracking_link::{new_link, url_of};
pub use update::update;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::{DateText, TimestampText};
use crate::kernel::input::{
    Line, LongText, TwoDecimals, fields, optional_date_json, optional_decimal_as_number, optional_timestamp_json,
    timestamp_json,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::work::projects::Priority;
use crate::{CycleId, IssueId, ProjectId, UserId};

/// Up to 10,000 hours.
pub type Hours = TwoDecimals<1_000_000>;

/// How one issue stands above another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// By `parent_id`.
    Parent,
    /// By `epic_id`.
    Epic,
}

fields! {
    /// What a client may send of an issue beside its kind.
    pub struct IssueFields {
        /// What it is about.
        title: Line<500> = required,
        /// Anything else.
        description: LongText<50_000>,
        /// Where it stands; the words depend on the kind.
        status: IssueStatus,
        /// How pressing it is; `medium` unless given.
        priority: Priority,
        /// The project it belongs to.
        project_id: ProjectId,
        /// The member who works on it.
        assignee_id: UserId,
        /// When it is due.
        due_at: OffsetDateTime,
        /// The issue of the same kind that it is a part of.
        parent_id: IssueId,
        /// The cycle of its own project that it is planned for.
        cycle_id: CycleId,
        /// Expected effort in hours, exact.
        estimate_hours: Hours,
    }
}

/// A task or a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members without a note are documented at IssueFields and BulkPatch")]
pub struct Issue {
    pub id: IssueId,
    pub kind: IssueKind,
    /// Rising in the workspace and kind, with gaps.
    pub number: i64,
    /// What customers call a ticket; none for tasks.
    pub reference: Option<String>,
    /// Who asked for a ticket from outside; none for tasks, and for tickets that the workspace opened itself.
    pub requester: Option<Requester>,
    pub title: String,
    pub description: Option<String>,
    pub status: IssueStatus,
    pub priority: Priority,
    pub project_id: Option<ProjectId>,
    pub assignee_id: Option<UserId>,
    #[serde(with = "optional_timestamp_json")]
    #[schemars(with = "Option<TimestampText>")]
    pub due_at: Option<OffsetDateTime>,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    pub start_date: Option<Date>,
    pub parent_id: Option<IssueId>,
    pub epic_id: Option<IssueId>,
    pub cycle_id: Option<CycleId>,
    #[serde(serialize_with = "optional_decimal_as_number")]
    #[schemars(with = "Option<f64>")]
    pub estimate_hours: Option<Decimal>,
    pub labels: Vec<String>,
    /// When a task was done; none while it is not.
    #[serde(with = "optional_timestamp_json")]
    #[schemars(with = "Option<TimestampText>")]
    pub completed_at: Option<OffsetDateTime>,
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

impl Issue {
    /// Puts every member over what is there that needs no rule beside its own; the status is [`status`]' work.
    fn apply_plain(&mut self, fields: IssueFields) {
        if let Some(title) = fields.title.set() {
            title.as_str().clone_into(&mut self.title);
        }
        fields.description.store(&mut self.description);
        fields.priority.store_or(Priority::Medium, &mut self.priority);
        fields.project_id.store(&mut self.project_id);
        fields.assignee_id.store(&mut self.assignee_id);
        fields.due_at.store(&mut self.due_at);
        fields.parent_id.store(&mut self.parent_id);
        fields.cycle_id.store(&mut self.cycle_id);
        fields.estimate_hours.store(&mut self.estimate_hours);
    }

    /// The words that search looks into.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title)).text(self.description.as_deref());
        words.into_vec()
    }
}

impl Paginated for Issue {
    const LIST: ListName = ListName::Issues;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
