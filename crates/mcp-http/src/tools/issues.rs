//! What the tools of tasks and tickets share, and the bulk update of both.

use std::marker::PhantomData;

use domain::identity::access::{CreateIssues, Permit, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{OptionalTimestampText, enum_schema};
use domain::kernel::input::{
    Field, Input, InputMode, Problems, Read, SchemaMember, Several, Value, refuse_unknown, take,
};
use domain::kernel::paging::{Page, PageRequest};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::Listed;
use domain::tools::Tool;
use domain::work::issues::{
    self, BulkUpdate, BulkUpdated, CRM_LINKS, Issue, IssueFields, IssueFilter, IssueStatus, NewIssue, RequesterFields,
};
use domain::work::projects::Priority;
use domain::{Error, IssueId, ProjectId, UserId};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::long_texts::{LongMember, LongTexts};
use crate::outputs::ToolOutput;
use crate::tool::{Entry, ToolRequest, ToolResult, entry, stored_as_is};
use crate::upserts::shorten_repeated;

/// One of the two kinds of issues, as a type, so that the schemas of its tools list only its own statuses.
pub(crate) trait Kind: std::fmt::Debug + Clone + Copy + PartialEq + Send + Sync + 'static {
    const KIND: IssueKind;
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tasks {}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tickets {}

impl Kind for Tasks {
    const KIND: IssueKind = IssueKind::Task;
}

impl Kind for Tickets {
    const KIND: IssueKind = IssueKind::Ticket;
}

/// A status of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StatusOf<K>(pub(crate) IssueStatus, PhantomData<K>);

impl<K: Kind> Value for StatusOf<K> {
    fn schema() -> Json {
        let statuses = IssueStatus::ALL.iter().filter(|status| status.kind() == K::KIND);
        enum_schema(statuses.map(|status| status.as_str()))
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let known = json.as_str().and_then(IssueStatus::parse).filter(|status| status.kind() == K::KIND);
        if let Some(status) = known {
            return Read::Value(Self(status, PhantomData));
        }
        let allowed = IssueStatus::allowed_values_of(K::KIND);
        problems.shape(at, "invalid_value", format!("the status of a {} must be one of {allowed}", K::KIND));
        Read::Invalid
    }
}

/// The fields of one kind.
#[derive(Debug)]
pub(crate) struct FieldsOf<K> {
    fields: IssueFields,
    kind: PhantomData<K>,
}

impl<K: Kind> Input for FieldsOf<K> {
    fn members() -> Vec<SchemaMember> {
        let narrow = |member: SchemaMember| match member.name {
            "status" => {
                let default = Some(IssueStatus::default_of(K::KIND).as_str().to_owned());
                SchemaMember { schema: StatusOf::<K>::schema(), default, ..member }
            }
            _ => member,
        };
        let has = |member: &SchemaMember| K::KIND == IssueKind::Task || !CRM_LINKS.contains(&member.name);
        IssueFields::members().into_iter().filter(has).map(narrow).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let status = object.get("status").filter(|status| !status.is_null());
        let read = status.map(|status| StatusOf::<K>::read(status.clone(), "status", problems));
        // Already reported with the statuses of this kind; reporting those of both would mislead.
        if matches!(read, Some(Read::Invalid)) {
            object.remove("status");
        }
        for name in CRM_LINKS.iter().filter(|_| K::KIND == IssueKind::Ticket) {
            if object.remove(*name).is_some() {
                problems.shape(*name, "unknown_field", "tickets do not have this member");
            }
        }
        Self { fields: IssueFields::read(object, at, mode, problems), kind: PhantomData }
    }
}

/// The filter of a list of issues of one kind.
#[derive(Debug)]
pub(crate) struct FilterOf<K> {
    filter: IssueFilter,
    kind: PhantomData<K>,
}

impl<K: Kind> FilterOf<K> {
    pub(super) fn into_filter(self) -> IssueFilter {
        self.filter
    }

    /// Whether the tools of this kind have this filter.
    fn has(name: &str) -> bool {
        let foreign = match K::KIND {
            IssueKind::Task => IssueFilter::OF_TICKETS,
            IssueKind::Ticket => IssueFilter::OF_TASKS,
        };
        name != "kind" && !foreign.contains(&name)
    }
}

impl<K: Kind> Input for FilterOf<K> {
    fn members() -> Vec<SchemaMember> {
        let members = IssueFilter::members().into_iter().filter(|member| Self::has(member.name));
        let narrow = |member: SchemaMember| match member.name {
            "status" => SchemaMember { schema: <Statuses<K> as Value>::schema(), ..member },
            _ => member,
        };
        members.map(narrow).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let status: Field<Statuses<K>> = take(&mut object, "status", at, None, problems);
        let (known, unknown): (Map<_, _>, Map<_, _>) = object.into_iter().partition(|(name, _)| Self::has(name));
        if !unknown.is_empty() {
            let names: Vec<_> = Self::members().iter().map(|member| member.name).collect();
            refuse_unknown(&unknown, at, &names, problems);
        }
        let status = status.set().map(|several| several.0.iter().map(|status| status.0).collect::<Vec<_>>());
        let read = IssueFilter::read(known, at, mode, problems);
        let filter = IssueFilter { kind: Some(K::KIND), status: status.unwrap_or_default().into(), ..read };
        Self { filter, kind: PhantomData }
    }
}

type Statuses<K> = Several<StatusOf<K>, 6>;

/// A new ticket.
#[derive(Debug)]
pub(crate) struct NewTicket {
    fields: FieldsOf<Tickets>,
    requester: RequesterFields,
}

impl Input for NewTicket {
    fn members() -> Vec<SchemaMember> {
        FieldsOf::<Tickets>::members().into_iter().chain(RequesterFields::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let requester_fields = RequesterFields::NAMES.iter().filter_map(|name| object.remove_entry(*name)).collect();
        let requester = RequesterFields::read(requester_fields, at, InputMode::Create, problems);
        Self { fields: FieldsOf::read(object, at, mode, problems), requester }
    }
}

impl LongTexts for Issue {
    const NAMES: &'static [&'static str] = &["description"];

    fn reader_tool(&self) -> Option<Tool> {
        Some(match self.kind {
            IssueKind::Task => Tool::GetTask,
            IssueKind::Ticket => Tool::GetTicket,
        })
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.description)]
    }
}

/// An issue in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: IssueId,
    number: i64,
    /// The ticket reference for customers.
    reference: Option<String>,
    /// The e-mail address of a ticket's requester.
    requester_email: Option<String>,
    title: String,
    status: IssueStatus,
    priority: Priority,
    project_id: Option<ProjectId>,
    assignee_id: Option<UserId>,
    #[serde(with = "OptionalTimestampText")]
    due_at: Option<OffsetDateTime>,
    labels: Vec<String>,
}

impl Row {
    pub(crate) fn of(issue: &Issue) -> Self {
        Self {
            id: issue.id,
            number: issue.number,
            reference: issue.reference.clone(),
            requester_email: issue.requester.as_ref().map(|requester| requester.email.clone()),
            title: issue.title.clone(),
            status: issue.status,
            priority: issue.priority,
            project_id: issue.project_id,
            assignee_id: issue.assignee_id,
            due_at: issue.due_at,
            labels: issue.labels.clone(),
        }
    }
}

/// Lists issues of one kind.
pub(super) async fn list<K: Kind>(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    of_kind: FilterOf<K>,
    page: PageRequest,
) -> Result<Page<Listed<Issue>>, Error> {
    issues::list_or_deleted(ports, permit, of_kind.filter, page).await
}

/// Creates a task.
pub(super) async fn create_task(
    ports: &Ports,
    permit: &Permit<CreateIssues>,
    idempotency: Option<IdempotentRequest<Issue>>,
    task: FieldsOf<Tasks>,
) -> Result<IdempotentResult<Issue>, Error> {
    let new = NewIssue { kind: Field::Set(IssueKind::Task), fields: task.fields };
    issues::create(ports, permit, idempotency, new).await
}

/// Creates a ticket.
pub(super) async fn create_ticket(
    ports: &Ports,
    permit: &Permit<CreateIssues>,
    idempotency: Option<IdempotentRequest<Issue>>,
    ticket: NewTicket,
) -> Result<IdempotentResult<Issue>, Error> {
    let (fields, requester) = (ticket.fields.fields, ticket.requester.into_requester());
    issues::create_ticket(ports, permit, idempotency, fields, requester).await
}

/// Changes an issue of one kind.
pub(super) async fn update<K: Kind>(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    id: IssueId,
    expected: ExpectedVersion,
    of_kind: FieldsOf<K>,
) -> Result<Issue, Error> {
    issues::update(ports, permit, id, expected, of_kind.fields).await
}

impl ToolOutput for BulkUpdated {
    /// Replaces repeated messages: 500 full ones would be too large.
    fn tighten(&mut self) {
        shorten_repeated(self.failed.iter_mut().map(|failure| &mut failure.message));
    }
}

async fn bulk_update(mut call: ToolRequest<UpdateIssues, BulkUpdate>) -> Result<ToolResult<BulkUpdated>, Error> {
    let idempotency = call.idempotent_with(stored_as_is);
    let outcome = issues::bulk_update(&call.ports, &call.permit, idempotency, call.arguments).await?;
    Ok(ToolResult::of(outcome, |updated| updated))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::BulkUpdateIssues,
            "Change many tasks or tickets",
            "Applies one patch to up to 500 tasks and tickets, each with an outcome. 10 calls a minute.",
        )
        .run(bulk_update),
    ]
}
