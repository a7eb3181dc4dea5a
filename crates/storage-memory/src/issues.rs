//! Issues and comments.

use time::OffsetDateTime;

use super::crm::has_any_tag;
use super::not_in_memory::not_in_memory;
use super::records::{Found, StoredKind};
use super::state::{MemoryTx, Records};
use super::table::{Order, Table, is_since, page, page_sorted_by};
use domain::crm::contacts::Contact;
use domain::identity::access::ActorKind;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::kernel::summary::SummaryRows;
use domain::kernel::totals::CountedPart;
use domain::ports::{CommentRepo, IssueRepo, RecordList, StoreError};
use domain::records::RecordKind;
use domain::work::comments::{Comment, Seen, Visibility};
use domain::work::cycles::Cycle;
use domain::work::issues::{
    AssigneeChoice, InboxTicket, Issue, IssueFilter, IssueGroup, MessageTimes, Reading, Relation, RequesterKey,
    TicketReference, WaitingPart,
};
use domain::{CommentId, ContactId, CycleId, IssueId, ProjectId, UserId};

impl StoredKind for Issue {
    fn insert(&self, records: &mut Records) -> Result<(), StoreError> {
        if self.reference.is_some() && records.of::<Issue>().all().any(|other| other.reference == self.reference) {
            return Err(StoreError::Contended);
        }
        records.of_mut::<Issue>().insert(self.id, self)?;
        records.note_in_cycle(None, self, self.updated_at, true);
        Ok(())
    }

    fn save(&self, records: &mut Records) -> Result<(), StoreError> {
        let before = records.of::<Issue>().get(self.id).cloned();
        records.of_mut::<Issue>().save(self.id, self)?;
        records.note_in_cycle(before.as_ref(), self, self.updated_at, true);
        Ok(())
    }

    fn delete(records: &mut Records, id: IssueId, now: OffsetDateTime) -> bool {
        if let Some(issue) = records.of::<Issue>().get(id).cloned() {
            records.note_in_cycle(None, &issue, now, false);
        }
        records.of_mut::<Issue>().delete(id, now)
    }

    fn kind(&self) -> RecordKind {
        self.kind.into()
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn found(&self, _: bool) -> Option<Found> {
        let detail = match self.kind {
            IssueKind::Task => Some(self.status.as_str().to_owned()),
            IssueKind::Ticket => self.reference.clone(),
        };
        Some(Found { words: self.search_words(), detail, created_at: self.created_at })
    }

    fn goes_with(&self) -> Option<ProjectId> {
        self.project_id
    }

    /// A change of whose turn it is has no event of its own: the comment's event reports it.
    fn is_told_elsewhere(&self, was: &Self) -> bool {
        Self { conversation: self.conversation, ..was.clone() } == *self
    }
}

impl RecordList<Issue> for MemoryTx<'_> {
    fn list(&mut self, filter: &IssueFilter, request: &PageRequest) -> Result<Vec<Issue>, StoreError> {
        let chosen = self.records.issues_of(filter);
        Ok(page_sorted_by(filter.sorted_by(), chosen, |issue| issue.updated_at, request))
    }

    fn totals(&mut self, filter: &IssueFilter) -> Result<Vec<CountedPart>, StoreError> {
        Ok(CountedPart::count(self.records.issues_of(filter).map(|_| (None, None, None))))
    }
}

impl IssueRepo for MemoryTx<'_> {
    fn reserve_numbers(&mut self, kind: IssueKind, count: u32) -> Result<i64, StoreError> {
        let number = self.records.numbers.entry(kind).or_default();
        *number += i64::from(count);
        Ok(*number - i64::from(count) + 1)
    }

    fn lock_many(&mut self, ids: &[IssueId]) -> Result<Vec<(IssueId, u64)>, StoreError> {
        let bytes = |issue: &Issue| issue.description.as_ref().map_or(0, String::len) as u64;
        let live = self.records.of::<Issue>().live().filter(|issue| ids.contains(&issue.id));
        let mut found: Vec<_> = live.map(|issue| (issue.id, bytes(issue))).collect();
        found.sort_by_key(|(id, _)| *id);
        Ok(found)
    }

    fn get_many_for_update(&mut self, ids: &[IssueId]) -> Result<Vec<Issue>, StoreError> {
        Ok(self.records.of::<Issue>().live().filter(|issue| ids.contains(&issue.id)).cloned().collect())
    }

    fn save_many(&mut self, issues: &[Issue]) -> Result<(), StoreError> {
        issues.iter().try_for_each(|issue| issue.save(self.records))
    }

    fn lock_in_cycle(&mut self, _: CycleId) -> Result<Vec<IssueId>, StoreError> {
        not_in_memory("IssueRepo::lock_in_cycle")
    }

    fn inbox(
        &mut self,
        filter: &IssueFilter,
        page: &PageRequest,
        reading: Reading,
    ) -> Result<Vec<InboxTicket>, StoreError> {
        let tickets = RecordList::<Issue>::list(self, filter, page)?;
        let with_unread = |ticket: Issue| {
            let seen = self.records.ticket_reads.get(&(reading.user, ticket.id)).copied();
            let read_until = reading.unread_since.max(seen.unwrap_or(reading.unread_since));
            let is_unread = ticket.conversation.last_message_at.is_some_and(|at| at > read_until);
            InboxTicket { ticket, is_unread }
        };
        Ok(tickets.into_iter().map(with_unread).collect())
    }

    fn open_ticket(&mut self, id: IssueId, reading: Reading) -> Result<Option<Issue>, StoreError> {
        let found = self.records.of::<Issue>().get(id).filter(|issue| issue.kind == IssueKind::Ticket).cloned();
        if let Some(at) = found.as_ref().and_then(|ticket| ticket.conversation.last_message_at) {
            self.records.ticket_reads.insert((reading.user, id), at);
        }
        Ok(found)
    }

    fn summarize(&mut self, _: &IssueFilter, _: &[IssueGroup]) -> Result<SummaryRows, StoreError> {
        not_in_memory("IssueRepo::summarize")
    }

    fn count_waiting(&mut self, _: UserId) -> Result<Vec<WaitingPart>, StoreError> {
        not_in_memory("IssueRepo::count_waiting")
    }

    fn lock_hierarchy(&mut self) -> Result<(), StoreError> {
        // No lock needed: transactions run one at a time.
        Ok(())
    }

    fn ancestors(&mut self, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError> {
        let mut chain = Vec::new();
        let mut next = Some(id);
        // Includes deleted issues: their children still point to them.
        while let Some(issue) = next.and_then(|id| self.records.of::<Issue>().get_any(id))
            && !chain.contains(&issue.id)
        {
            chain.push(issue.id);
            next = match relation {
                Relation::Parent => issue.parent_id,
                Relation::Epic => issue.epic_id,
            };
        }
        Ok(chain)
    }

    fn with_below(&mut self, _: IssueKind, _: IssueId, _: u32) -> Result<Option<(Issue, Vec<Issue>)>, StoreError> {
        not_in_memory("IssueRepo::with_below")
    }

    fn project_of_cycle(&mut self, id: CycleId) -> Result<Option<ProjectId>, StoreError> {
        Ok(self.records.of::<Cycle>().get(id).map(|cycle| cycle.project_id))
    }

    fn kind_of(&mut self, id: IssueId) -> Result<Option<IssueKind>, StoreError> {
        Ok(self.records.of::<Issue>().get(id).map(|issue| issue.kind))
    }
}

impl Records {
    /// The live issues that match a filter.
    fn issues_of(&self, filter: &IssueFilter) -> impl Iterator<Item = &Issue> {
        let finds = move |issue: &Issue| {
            let comments = self.comments.live().filter(|comment| comment.issue_id == issue.id);
            is_found(filter.search.as_ref(), issue.search_words(), comments.map(Comment::search_words))
        };
        self.of::<Issue>()
            .live()
            .filter(move |issue| finds(issue) && matches_issue(filter, issue, self.of::<Contact>()))
    }
}

/// Whether a search matches the record or, if comments are searched, one of its comments.
pub(super) fn is_found(
    search: Option<&SearchQuery>,
    own: Vec<String>,
    mut comments: impl Iterator<Item = Vec<String>>,
) -> bool {
    search.is_none_or(|query| {
        let has = |words: Vec<String>| SearchWords::of(words).matches(query);
        has(own) || query.includes_comments() && comments.any(has)
    })
}

fn matches_issue(filter: &IssueFilter, issue: &Issue, contacts: &Table<ContactId, Contact>) -> bool {
    let assignee = issue.assignee_id.map_or(AssigneeChoice::Nobody, AssigneeChoice::Member);
    let reference = |wanted: &TicketReference| issue.reference.as_deref() == Some(wanted.as_str());
    issue.kind == filter.kind()
        && filter.status.accepts(&issue.status)
        && filter.project_id.is_none_or(|project| issue.project_id == Some(project))
        && filter.cycle_id.is_none_or(|cycle| issue.cycle_id == Some(cycle))
        && filter.deal_id.is_none_or(|deal| issue.deal_id == Some(deal))
        && filter.contact_id.is_none_or(|contact| issue.contact_id == Some(contact))
        && filter.company_id.is_none_or(|company| issue.company_id == Some(company))
        && filter.assignee.accepts(&assignee)
        && filter.priority.accepts(&issue.priority)
        && has_any_tag(&filter.label.0, &issue.labels)
        && filter.ids.accepts(&issue.id)
        && filter.created().accepts(issue.created_at)
        && is_since(filter.updated_since, issue.updated_at)
        && filter.waiting.is_none_or(|waiting| issue.conversation.waiting_since.is_some() == waiting)
        && filter.due_before.is_none_or(|before| issue.due_at.is_some_and(|due| due < before))
        && filter.due_after.is_none_or(|after| issue.due_at.is_some_and(|due| due >= after))
        && filter.reference.as_ref().is_none_or(reference)
        && filter.requester.as_ref().is_none_or(|requester| is_requested_by(requester, issue, contacts))
}

/// Whether the requester has this address, or is linked to the contact that now has it.
fn is_requested_by(wanted: &RequesterKey, issue: &Issue, contacts: &Table<ContactId, Contact>) -> bool {
    let email = wanted.email.as_str();
    issue.requester.as_ref().is_some_and(|requester| {
        let contact = requester.contact_id.filter(|_| wanted.by_contact).and_then(|id| contacts.get(id));
        requester.email_key() == email || contact.is_some_and(|contact| contact.email_key() == email)
    })
}

impl CommentRepo for MemoryTx<'_> {
    fn insert(&mut self, comment: &Comment) -> Result<(), StoreError> {
        self.records.comments.insert(comment.id, comment)
    }

    fn list(
        &mut self,
        issue: IssueId,
        filter: &CreatedFilter,
        request: &PageRequest,
    ) -> Result<Vec<Comment>, StoreError> {
        let live = self.records.of::<Issue>().has(issue);
        let wanted = |comment: &&Comment| comment.issue_id == issue && filter.accepts(comment.created_at);
        let chosen = self.records.comments.live().filter(|comment| live && wanted(comment));
        Ok(page(chosen, Comment::cursor_key, Order::OldestFirst, request))
    }

    fn public_behind(&mut self, _: IssueId, _: Seen) -> Result<Vec<CommentId>, StoreError> {
        not_in_memory("CommentRepo::public_behind")
    }

    fn latest(&mut self, _: IssueId) -> Result<Vec<Comment>, StoreError> {
        not_in_memory("CommentRepo::latest")
    }

    fn message_times(&mut self, issue: IssueId, since: Option<OffsetDateTime>) -> Result<MessageTimes, StoreError> {
        let of_issue = || self.records.comments.live().filter(move |comment| comment.issue_id == issue);
        let is_customers = |comment: &&Comment| comment.author.kind == ActorKind::Customer;
        let public = || of_issue().filter(|comment| comment.visibility == Visibility::Public);
        let of_customer = || public().filter(is_customers).map(|comment| comment.created_at);
        let answered_at = public().filter(|comment| !is_customers(comment)).map(|comment| comment.created_at).max();
        Ok(MessageTimes {
            customer_wrote_at: of_customer().max(),
            answered_at,
            last_at: of_issue().map(|comment| comment.created_at).max(),
            unanswered_at: of_customer().filter(|at| Some(*at) > answered_at && Some(*at) >= since).min(),
        })
    }

    fn get_for_update(&mut self, id: CommentId) -> Result<Option<Comment>, StoreError> {
        Ok(self.records.comments.get(id).cloned())
    }

    fn save(&mut self, comment: &Comment) -> Result<(), StoreError> {
        self.records.comments.save(comment.id, comment)
    }

    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError> {
        Ok(self.records.comments.remove(id))
    }
}
