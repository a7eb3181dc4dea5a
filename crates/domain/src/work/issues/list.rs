//! Lists and searches issues.

use time::OffsetDateTime;

use super::{CRM_LINKS, Issue, IssueStatus, TicketReference};
use crate::identity::access::{Permit, ReadIssues, ReadProjectIssues, ReadRequirement};
use crate::kernel::IssueKind;
use crate::kernel::input::schema::{either, enum_schema};
use crate::kernel::input::{
    CreatedFilter, EmailKey, MAX_IDS, MAX_TAGS, Problems, Read, Several, Tag, Value, filter_values, json::Json,
    note_range,
};
use crate::kernel::paging::{Direction, ListOrder, Page, PageRequest, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::{self, Listed, RecordFilter, RecordKind, list_orders, record_filter};
use crate::work::projects::{Priority, Project};
use crate::{CompanyId, ContactId, CycleId, DealId, Error, IssueId, ProjectId, UserId, filter};

/// Whom an issue is assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssigneeChoice {
    /// Unassigned issues: `none`.
    Nobody,
    Member(UserId),
}

impl Value for AssigneeChoice {
    fn schema() -> Json {
        either(UserId::schema(), enum_schema(["none"]))
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if json.as_str() == Some("none") {
            return Read::Value(Self::Nobody);
        }
        match UserId::read(json, at, &mut Problems::default()) {
            Read::Value(member) => Read::Value(Self::Member(member)),
            Read::Empty | Read::Invalid => {
                problems.shape(at, "invalid_uuid", "must be a UUID, or none for unassigned issues");
                Read::Invalid
            }
        }
    }
}

/// The customer whose tickets to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequesterKey {
    /// The address that was sent.
    pub email: EmailKey,
    /// Whether to include tickets whose contact has this address now, even if the ticket has another.
    pub by_contact: bool,
}

impl From<EmailKey> for RequesterKey {
    fn from(email: EmailKey) -> Self {
        Self { email, by_contact: true }
    }
}

impl Value for RequesterKey {
    fn schema() -> Json {
        EmailKey::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        match EmailKey::read(json, at, problems) {
            Read::Value(email) => Read::Value(email.into()),
            Read::Empty => Read::Empty,
            Read::Invalid => Read::Invalid,
        }
    }
}

filter_values!(AssigneeChoice, RequesterKey);

list_orders! {
    /// The order of a list of issues.
    pub enum IssueOrder {
        Newest = "newest": ListOrder::Created,
        Updated = "updated": ListOrder::Changed,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
        UpdatedDown = "updated_desc": ListOrder::By(Sort::Changed, Direction::Down),
        /// The first that is due; those without a due time last.
        DueUp = "due_asc": ListOrder::By(Sort::Due, Direction::Up),
        /// The last that is due; those without a due time last.
        DueDown = "due_desc": ListOrder::By(Sort::Due, Direction::Down),
        PriorityUp = "priority_asc": ListOrder::By(Sort::Priority, Direction::Up),
        PriorityDown = "priority_desc": ListOrder::By(Sort::Priority, Direction::Down),
        /// Tickets whose customer waits for an answer first, the longest first; then the others, the last message first.
        Waiting = "waiting": ListOrder::By(Sort::Turn, Direction::Up),
    }
}

filter! {
    /// Filters of an issue list; what is absent matches all. A list has tasks or tickets, never both.
    pub struct IssueFilter {
        /// Tasks by default.
        kind: Option<IssueKind>,
        /// Word prefixes in title, description or a comment; all must match.
        search: Option<SearchQuery>,
        /// In any of these statuses.
        status: Several<IssueStatus, 6>,
        /// Of this project.
        project_id: Option<ProjectId>,
        /// Of this cycle.
        /// Contract: additional.
        cycle_id: Option<CycleId>,
        /// Assigned to any of these members; `none` for unassigned.
        /// Contract: additional.
        assignee: Several<AssigneeChoice, 50>,
        /// Of any of these priorities.
        /// Contract: additional.
        priority: Several<Priority, 4>,
        /// With any of these labels; case-insensitive.
        /// Contract: additional.
        label: Several<Tag, MAX_TAGS>,
        /// Due before this time.
        /// Contract: additional.
        due_before: Option<OffsetDateTime>,
        /// Due at this time or later.
        /// Contract: additional.
        due_after: Option<OffsetDateTime>,
        /// true: only those due before now and not finished.
        /// Contract: additional.
        overdue: Option<bool>,
        /// Whether the customer waits for an answer.
        /// Contract: additional.
        waiting: Option<bool>,
        /// With this reference for customers.
        /// Contract: additional.
        reference: Option<TicketReference>,
        /// Of the customer with this address, or whose contact has it, in any spelling.
        /// Contract: additional.
        /// Note: The customer's e-mail address.
        requester: Option<RequesterKey>,
        /// About this deal.
        /// Contract: additional.
        deal_id: Option<DealId>,
        /// About this contact.
        /// Contract: additional.
        contact_id: Option<ContactId>,
        /// About this company.
        /// Contract: additional.
        company_id: Option<CompanyId>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        /// Contract: additional.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or later.
        /// Contract: additional.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default), `updated`: oldest change first, with a nextCursor on every page, or for tickets `waiting`:
        /// the longest wait for an answer first.
        /// Contract: additional.
        order: Option<IssueOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<IssueId, MAX_IDS>,
    }
    together IssueFilter::check_range;
}

impl IssueFilter {
    /// The filters that only tickets have.
    pub const OF_TICKETS: &'static [&'static str] = &["reference", "requester", "waiting"];

    /// The filters that only tasks have.
    pub const OF_TASKS: &'static [&'static str] = &[CRM_LINKS[0], CRM_LINKS[1], CRM_LINKS[2], "deleted"];

    /// Matches all issues of a kind.
    pub fn all(kind: IssueKind) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    /// The kind to list.
    pub fn kind(&self) -> IssueKind {
        self.kind.unwrap_or(IssueKind::Task)
    }

    /// Whether no issue can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        let are_finished = |statuses: &[IssueStatus]| !statuses.iter().any(|status| status.is_open());
        let is_never_overdue = self.overdue == Some(true) && !self.status.0.is_empty() && are_finished(&self.status.0);
        is_never_overdue || self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    fn check_range(&self, problems: &mut Problems) {
        note_range((self.due_after, "due_after"), (self.due_before, "due_before"), problems);
        self.check_together(problems);
    }

    /// Limits the filter to what the caller may use: the addresses of contacts take the permission to read contacts, and searching
    /// comments takes the permission to read them. Replaces `overdue` with due times and statuses.
    pub(super) fn of_caller(mut self, permit: &Permit<ReadIssues>, now: OffsetDateTime) -> Self {
        if self.overdue == Some(true) {
            self.due_before = Some(self.due_before.map_or(now, |before| before.min(now)));
            if self.status.0.is_empty() {
                let open = IssueStatus::all_of(self.kind()).filter(|status| status.is_open());
                self.status = open.collect::<Vec<_>>().into();
            }
            // If all statuses are finished ones, they stay, and `matches_nothing` is true.
            if self.status.0.iter().any(|status| status.is_open()) {
                self.status.0.retain(|status| status.is_open());
            }
        }
        let reads_comments = permit.may_read_here(ReadRequirement::Comments(self.kind()));
        self.search = self.search.map(|words| words.in_comments(reads_comments));
        if let Some(requester) = &mut self.requester {
            requester.by_contact = permit.may_read(RecordKind::Contact.reads());
        }
        self
    }

    /// Checks that every filter and the order apply to the kind.
    pub(super) fn check_kind(&self) -> Result<(), Error> {
        let kind = self.kind();
        self.status.0.iter().try_for_each(|status| status.check_kind(kind, "status"))?;
        let of_tickets = [self.reference.is_some(), self.requester.is_some(), self.waiting.is_some()];
        if kind == IssueKind::Task && self.order == Some(IssueOrder::Waiting) {
            return Err(Error::malformed("order", "invalid_value", "orders tickets only: also send kind=ticket"));
        }
        let of_tasks = [
            self.deal_id.is_some(),
            self.contact_id.is_some(),
            self.company_id.is_some(),
            // Tickets are closed, not deleted.
            self.deleted == Some(true),
        ];
        let (foreign, message) = match kind {
            IssueKind::Task => {
                let foreign = Self::OF_TICKETS.iter().zip(of_tickets).find(|(_, is_sent)| *is_sent);
                (foreign, "filters tickets only: also send kind=ticket")
            }
            IssueKind::Ticket => {
                let foreign = Self::OF_TASKS.iter().zip(of_tasks).find(|(_, is_sent)| *is_sent);
                (foreign, "filters tasks only: omit kind, or send kind=task")
            }
        };
        foreign.map_or(Ok(()), |(name, _)| Err(Error::malformed(*name, "invalid_value", message)))
    }
}

impl Sorted for Issue {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Due => self.due_at.map_or(SortKey::Nothing, SortKey::Time),
            Sort::Priority => SortKey::Rank(self.priority.rank()),
            Sort::Turn => SortKey::Time(self.turn()),
            Sort::Value | Sort::Name | Sort::Day => SortKey::Nothing,
        }
    }
}

record_filter!(
    IssueFilter, words in search or label, changed: updated_since, of: kind,
    nothing if IssueFilter::matches_nothing
);

/// A page of tasks or of tickets, in the order of the filter.
///
/// # Errors
/// [`Error::Malformed`] for a status or a filter of the other kind, or a cursor of another order.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    permit.check_kind(filter.kind())?;
    filter.check_kind()?;
    records::list_as(ports, permit, filter.of_caller(permit, ports.clock.now()), page).await
}

/// A page of a project's tasks that match a filter, newest first.
///
/// # Errors
/// [`Error::NotFound`] for the project; [`Error::Malformed`] for a cursor of the list by change.
pub async fn list_of_project(
    ports: &Ports,
    permit: &Permit<ReadProjectIssues>,
    project: ProjectId,
    CreatedFilter { created_since, created_before }: CreatedFilter,
    page: PageRequest,
) -> Result<Page<Issue>, Error> {
    page.check_order(ListOrder::Created)?;
    let filter =
        IssueFilter { project_id: Some(project), created_since, created_before, ..IssueFilter::all(IssueKind::Task) };
    let weight = Weight::of_page(&page);
    let rows = weighed_read_only(ports, permit, weight, move |tx| {
        let rows = tx.lists::<Issue>().list(&filter, &page)?;
        // Only an empty list can mean that the project does not exist.
        if rows.is_empty() && tx.records::<Project>().get(project)?.is_none() {
            return Err(Error::NotFound("project"));
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}

/// Like [`list`], or a page of deleted tasks if the filter asks for them.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for callers who may not see deleted records.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadIssues>,
    filter: IssueFilter,
    page: PageRequest,
) -> Result<Page<Listed<Issue>>, Error> {
    permit.check_kind(filter.kind())?;
    filter.check_kind()?;
    records::list_or_deleted_as(ports, permit, filter.of_caller(permit, ports.clock.now()), page).await
}

/// How many tasks or tickets match a filter.
///
/// # Errors
/// [`Error::Malformed`] for a status or a filter of the other kind.
pub async fn totals(ports: &Ports, permit: &Permit<ReadIssues>, filter: IssueFilter) -> Result<ListTotals, Error> {
    permit.check_kind(filter.kind())?;
    filter.check_kind()?;
    records::totals_as::<_, Issue>(ports, permit, filter.of_caller(permit, ports.clock.now())).await
}
