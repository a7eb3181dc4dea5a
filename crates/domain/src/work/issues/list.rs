//! Listing and searching issues.

use time::OffsetDateTime;

use super::{Issue, IssueStatus, TicketReference};
use crate::identity::access::{Permit, ReadIssues, ReadProjectIssues};
use crate::kernel::IssueKind;
use crate::kernel::input::schema::enum_schema;
use crate::kernel::input::{EmailKey, MAX_TAGS, Problems, Read, Several, Tag, Value, filter_values, json::Json};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};
use crate::work::projects::Priority;
use crate::{CycleId, Error, ProjectId, UserId, filter};

/// Whom an issue is assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssigneeChoice {
    /// Nobody: `none`.
    Nobody,
    Member(UserId),
}

impl Value for AssigneeChoice {
    fn schema() -> Json {
        serde_json::json!({ "anyOf": [UserId::schema(), enum_schema(["none"])] })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if json.as_str() == Some("none") {
            return Read::Value(Self::Nobody);
        }
        match UserId::read(json, at, &mut Problems::default()) {
            Read::Value(member) => Read::Value(Self::Member(member)),
            Read::Empty | Read::Invalid => {
                problems.shape(at, "invalid_uuid", "must be a UUID, or none for unassigned ones");
                Read::Invalid
            }
        }
    }
}

filter_values!(AssigneeChoice);

filter! {
    /// Filters of an issue list; what is absent matches all. A list has tasks or tickets, never both.
    pub struct IssueFilter {
        /// Tasks by default.
        kind: Option<IssueKind>,
        /// Word prefixes in title and description; all must match.
        search: Option<SearchQuery>,
        /// In any of these statuses.
        status: Several<IssueStatus, 6>,
        /// Of this project.
        project_id: Option<ProjectId>,
        /// Of this cycle.
        cycle_id: Option<CycleId>,
        /// Assigned to any of these members; `none` stands for nobody.
        assignee: Several<AssigneeChoice, 50>,
        /// Of any of these priorities.
        priority: Several<Priority, 4>,
        /// With any of these labels; case does not matter.
        label: Several<Tag, MAX_TAGS>,
        /// Due before this time.
        due_before: Option<OffsetDateTime>,
        /// Due at this time or after it.
        due_after: Option<OffsetDateTime>,
        /// With this reference for customers.
        reference: Option<TicketReference>,
        /// Asked for by the customer with this e-mail address, or with a contact that has it; case does not matter.
        requester: Option<EmailKey>,
    }
    together IssueFilter::check_range;
}

impl IssueFilter {
    /// The filters that only tickets have.
    pub const OF_TICKETS: &'static [&'static str] = &["reference", "requester"];

    /// All issues of a kind.
    pub fn all(kind: IssueKind) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    /// The kind of the listed issues.
    pub fn kind(&self) -> IssueKind {
        self.kind.unwrap_or(IssueKind::Task)
    }

    /// Whether no issue can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    /// Whether it looks for words or labels.
    pub(super) fn looks_up_words(&self) -> bool {
        self.search.is_some() || !self.label.0.is_empty()
    }

    fn check_range(&self, problems: &mut Problems) {
        if let (Some(after), Some(before)) = (self.due_after, self.due_before)
            && after >= before
        {
            problems.shape("due_before", "invalid_value", "must be later than due_after");
        }
    }

    /// Checks that every criterion is one of the kind.
    pub(super) fn check_kind(&self) -> Result<(), Error> {
        let kind = self.kind();
        self.status.0.iter().try_for_each(|status| status.check_kind(kind, "status"))?;
        let names = [self.reference.is_some(), self.requester.is_some()];
        match Self::OF_TICKETS.iter().zip(names).find(|(_, is_sent)| *is_sent) {
            Some((name, _)) if kind == IssueKind::Task => {
                Err(Error::malformed(*name, "invalid_value", "is a filter of tickets: send kind=ticket too"))
            }
            _ => Ok(()),
        }
    }
}

/// A page of tasks or of tickets, newest first.
///
/// # Errors
/// [`Error::Malformed`] for a status or a filter of the other kind.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    permit.check_kind(filter.kind())?;
    filter.check_kind()?;
    if filter.matches_nothing() {
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    let weight = Weight::of_list(&page, filter.looks_up_words());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.issues().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}

/// A page of a project's tasks, newest first.
///
/// # Errors
/// [`Error::NotFound`] for the project.
pub async fn list_of_project(
    ports: &Ports,
    permit: &Permit<ReadProjectIssues>,
    project: ProjectId,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    let filter = IssueFilter { project_id: Some(project), ..IssueFilter::all(IssueKind::Task) };
    let weight = Weight::of_page(&page, None);
    let rows = weighed_statement(ports, permit, weight, move |tx| {
        let rows = tx.issues().list(&filter, &page)?;
        // Only an empty list leaves open whether the project exists.
        if rows.is_empty() && tx.projects().get(project)?.is_none() {
            return Err(Error::NotFound("project"));
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
