//! The storage port: one synchronous closure over an open transaction of one workspace.

use std::sync::Arc;

use async_trait::async_trait;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::Tx;
use crate::crm::comments::{CrmRecord, RecordComment};
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::{BoardPart, Deal, DealFilter, DealGroup};
use crate::events::Cascade;
use crate::kernel::idempotency::{ClaimResult, IdempotencyClaim, KeepResult, StoredResponse};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::PageRequest;
use crate::kernel::summary::SummaryRows;
use crate::kernel::{IssueKind, KeySet, KeyedRecord, StoreError, Weight};
use crate::work::comments::{Comment, LastSeen};
use crate::work::cycles::{Cycle, CycleCounts};
use crate::work::issues::{
    InboxReader, InboxTicket, Issue, IssueFilter, IssueGroup, MessageTimes, Relation, WaitingPart,
};
use crate::{CommentId, CompanyId, CycleId, IssueId, ProjectId, UserId, WorkspaceId};

/// Why a job ended without a commit.
#[derive(Debug)]
pub enum Abort {
    /// The store failed; the job may be rerun if that helps.
    Store(StoreError),
    /// The use case failed by a domain rule.
    Rule,
}

/// One unit of work. It may be rerun after a serialization failure, so it borrows or clones what it needs.
pub type Job = Box<dyn FnMut(&mut dyn Tx) -> Result<(), Abort> + Send>;

/// A unit of work that only reads. While one run hangs, it may be run again on another connection.
pub type ReadJob = Arc<dyn Fn(&mut dyn Tx) -> Result<(), Abort> + Send + Sync>;

/// Who a job runs for, and what it costs.
#[derive(Debug, Clone, Copy, Default)]
pub struct JobProfile {
    /// The holder of the credential that runs it ([`Credential::holder`](crate::identity::access::Credential::holder)).
    pub holder: Option<Uuid>,
    pub weight: Weight,
}

impl From<Weight> for JobProfile {
    fn from(weight: Weight) -> Self {
        Self { holder: None, weight }
    }
}

/// Runs jobs.
#[async_trait]
pub trait Store: Send + Sync {
    /// Runs the job in one transaction, committed if it returns `Ok` and rolled back otherwise; [`Abort::Rule`] is not a store
    /// error. Reruns the job a few times, but only after a serialization failure or a deadlock, and never when the outcome of a
    /// COMMIT is unknown.
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError>;

    /// Runs each statement on its own, without BEGIN and COMMIT: for jobs of one statement, mostly reads.
    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError>;

    /// Like [`Store::run`], for a job of any weight and holder; `run` is for light jobs without a holder. A store that serves many
    /// workspaces limits heavier jobs, and lets workspaces take turns.
    async fn run_with_profile(&self, workspace: WorkspaceId, _: JobProfile, job: Job) -> Result<(), StoreError> {
        self.run(workspace, job).await
    }

    /// Like [`Store::statement`], for a job of any weight and holder. A search may fail with [`StoreError::TimedOut`].
    async fn statement_with_profile(&self, workspace: WorkspaceId, _: JobProfile, job: Job) -> Result<(), StoreError> {
        self.statement(workspace, job).await
    }

    /// Like [`Store::statement_with_profile`], for a job that only reads and does not decide about access. Its statements may miss
    /// recent writes of others, but always see all writes of the same holder.
    async fn read(&self, workspace: WorkspaceId, profile: JobProfile, job: ReadJob) -> Result<(), StoreError> {
        self.statement_with_profile(workspace, profile, Box::new(move |tx| job(tx))).await
    }

    /// Makes the holder's later reads at least as recent as this moment, as its own write would. For a holder that has learned of
    /// changes elsewhere, or has written across workspaces ([`Directory`](super::Directory)).
    async fn note_write(&self, _holder: Uuid) {}
}

/// Whether a look-up locks the rows that it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowLock {
    None,
    /// Until the transaction ends.
    ForUpdate,
}

/// Many records of one kind, with one statement each.
pub trait BatchRepo<R> {
    /// Makes other transactions that write batches of this kind in the workspace wait until this one ends. Without it, two that add
    /// the same records in different orders would deadlock.
    fn lock_batches(&mut self) -> Result<(), StoreError>;
    /// The live records with any of the keys or ids, in no particular order.
    fn with_keys(&mut self, keys: &KeySet, lock: RowLock) -> Result<Vec<KeyedRecord>, StoreError>;
    /// The live records among the ids, in no particular order.
    fn get_many(&mut self, ids: &[Uuid]) -> Result<Vec<R>, StoreError>;
    /// Adds records; [`StoreError::Duplicate`] if another record has a unique value of one.
    fn insert_many(&mut self, records: &[R]) -> Result<(), StoreError>;
    /// Writes all members of records that were locked before; [`StoreError::Duplicate`] as for an insert.
    fn save_many(&mut self, records: &[R]) -> Result<(), StoreError>;
}

/// The maximum number of records per name in a look-up.
pub const MAX_NAMESAKES: usize = 10;

/// A record found by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRecord {
    /// The name as the caller passed it.
    pub name: String,
    pub id: Uuid,
    pub external_id: Option<String>,
}

/// The maximum number of projects per name in a look-up. It is higher than for other records, because many clients can have a
/// project with the same name.
pub const MAX_NAMESAKE_PROJECTS: usize = 200;

/// A project found by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedProject {
    /// The name as the caller passed it.
    pub name: String,
    pub id: ProjectId,
    pub company_id: Option<CompanyId>,
}

/// Operations that only companies need, in addition to those of [every kind](super::RecordRepo).
pub trait CompanyRepo: BatchRepo<Company> {
    /// The live companies with these names, compared by [`name_key`](crate::kernel::search::name_key); at most [`MAX_NAMESAKES`] per
    /// name. One statement.
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError>;
}

/// Operations that only contacts need.
pub trait ContactRepo: BatchRepo<Contact> {
    /// The live contacts whose first and last name, separated by a space, is one of these, compared by
    /// [`name_key`](crate::kernel::search::name_key); at most [`MAX_NAMESAKES`] per name. One statement.
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError>;
    /// At most `limit` live contacts with the same address as an older contact in a different spelling, ordered by address.
    fn with_shared_address(&mut self, limit: u32) -> Result<Vec<Contact>, StoreError>;
}

/// Operations that only deals need.
pub trait DealRepo: BatchRepo<Deal> {
    /// Counts and sums live deals by group. One statement.
    fn summarize(&mut self, filter: &DealFilter, group_by: &[DealGroup]) -> Result<SummaryRows, StoreError>;
    /// Counts and sums all live deals by stage, status and currency, sorted by currency, without reading the deals. One statement.
    fn board_totals(&mut self) -> Result<Vec<BoardPart>, StoreError>;
    /// The newest live deals of each stage, one more than a column of the board shows at first. For stages that are not closed,
    /// only open deals. One statement.
    fn first_of_stages(&mut self) -> Result<Vec<Deal>, StoreError>;
}

/// Operations that only projects need.
pub trait ProjectRepo {
    /// The live projects with these names, compared by [`name_key`](crate::kernel::search::name_key); at most
    /// [`MAX_NAMESAKE_PROJECTS`] per name. One statement.
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedProject>, StoreError>;
    /// Notes the cycles and tasks that were just deleted with a project as deleted by its next version
    /// ([`CascadeRepo`](super::CascadeRepo)), and returns their numbers. Two statements.
    fn note_deleted(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError>;
    /// How many tasks and cycles were deleted with a project, at the same time. One statement.
    fn deleted_with(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError>;
}

/// Operations that only cycles need.
pub trait CycleRepo {
    /// The highest number that any cycle of the project has had, deleted ones included; 0 if there was none.
    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError>;
    /// The number of live issues of a cycle. One statement.
    fn counts(&mut self, id: CycleId) -> Result<CycleCounts, StoreError>;
    /// The counts of a cycle at the end of each day from `first` to `last` on which they changed, in order. `first` includes
    /// earlier changes. An issue that left the cycle counts for the days before it left. One statement.
    fn burn_up(&mut self, id: CycleId, first: Date, last: Date) -> Result<Vec<(Date, CycleCounts)>, StoreError>;
    /// The number of a live cycle of the project, other than `except`, that shares a day with the range.
    fn overlapping(
        &mut self,
        project: ProjectId,
        except: Option<CycleId>,
        start: Date,
        end: Date,
    ) -> Result<Option<i32>, StoreError>;
    /// Live cycles of the project with their counts, newest first, one more than the limit. One statement.
    fn list(
        &mut self,
        project: ProjectId,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<(Cycle, CycleCounts)>, StoreError>;
}

/// Operations that only tasks and tickets need.
pub trait IssueRepo {
    /// Reserves the next `count` numbers of the kind and returns the first. Runs as a separate statement, so that creates do not
    /// wait for each other; an unused number leaves a gap.
    fn reserve_numbers(&mut self, kind: IssueKind, count: u32) -> Result<i64, StoreError>;
    /// The live issues among the ids with the bytes of their long texts, locked until the transaction ends, sorted by id. One
    /// statement.
    fn lock_many(&mut self, ids: &[IssueId]) -> Result<Vec<(IssueId, u64)>, StoreError>;
    /// The live issues among the ids, locked until the transaction ends, in no particular order. One statement. For more than a
    /// few, call [`lock_many`](Self::lock_many) first to learn how many fit into memory.
    fn get_many_for_update(&mut self, ids: &[IssueId]) -> Result<Vec<Issue>, StoreError>;
    /// Writes all members of issues that were locked before. One statement.
    fn save_many(&mut self, issues: &[Issue]) -> Result<(), StoreError>;
    /// The live issues of a cycle, locked until the transaction ends. One statement.
    fn lock_in_cycle(&mut self, cycle: CycleId) -> Result<Vec<IssueId>, StoreError>;
    /// Live tickets as in their [list](super::RecordList::list), each with whether the reader has unread messages in it. One statement.
    fn inbox(
        &mut self,
        filter: &IssueFilter,
        page: &PageRequest,
        reading: InboxReader,
    ) -> Result<Vec<InboxTicket>, StoreError>;
    /// A live ticket. If it has unread messages, marks them as read, and removes the reader's read marks that are no longer needed
    /// and the oldest above [`MAX_READS`](crate::work::issues::MAX_READS). One statement.
    fn open_ticket(&mut self, id: IssueId, reading: InboxReader) -> Result<Option<Issue>, StoreError>;
    /// Counts live issues of one kind by group. One statement.
    fn summarize(&mut self, filter: &IssueFilter, group_by: &[IssueGroup]) -> Result<SummaryRows, StoreError>;
    /// The number of waiting tickets by status, and by whether it is assigned to the member, to another member or not at all. Counts at
    /// most the newest [`MAX_COUNTED`](crate::work::issues::MAX_COUNTED) of each status. One statement.
    fn count_waiting(&mut self, member: UserId) -> Result<Vec<WaitingPart>, StoreError>;
    /// Blocks other changes of parents and epics in the workspace until the transaction ends, because two moves that are each valid
    /// can form a loop together.
    fn lock_hierarchy(&mut self) -> Result<(), StoreError>;
    /// The ancestors of `id` by the relation, starting with `id` itself. One statement.
    fn ancestors(&mut self, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError>;
    /// A live issue of the kind, and the live issues of that kind that have it as parent or epic: at most `limit` per relation,
    /// oldest first; if there are more, any of them. One statement.
    fn with_children(
        &mut self,
        kind: IssueKind,
        id: IssueId,
        limit: u32,
    ) -> Result<Option<(Issue, Vec<Issue>)>, StoreError>;
    /// The project that a live cycle belongs to.
    fn project_of_cycle(&mut self, id: CycleId) -> Result<Option<ProjectId>, StoreError>;
    /// The kind of a live issue.
    fn kind_of(&mut self, id: IssueId) -> Result<Option<IssueKind>, StoreError>;
}

/// Comments of the workspace's issues.
pub trait CommentRepo {
    fn insert(&mut self, comment: &Comment) -> Result<(), StoreError>;
    /// Comments of a live issue, oldest first, one more than the limit; empty if the issue is not live. One statement.
    fn list(&mut self, issue: IssueId, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<Comment>, StoreError>;
    /// The public comments of an issue after the last one that the reader has seen, oldest first, at most
    /// [`MAX_CROSSED`](crate::work::comments::MAX_CROSSED). One statement.
    fn public_after(&mut self, issue: IssueId, seen: LastSeen) -> Result<Vec<CommentId>, StoreError>;
    /// The newest comments of a live issue, oldest first, one more than
    /// [`LATEST`](crate::work::comments::LATEST). One statement.
    fn latest(&mut self, issue: IssueId) -> Result<Vec<Comment>, StoreError>;
    /// The times of the comments on an issue, and of the customer's first one since `since` that is not answered. One statement.
    fn message_times(&mut self, issue: IssueId, since: Option<OffsetDateTime>) -> Result<MessageTimes, StoreError>;
    /// A comment, locked until the transaction ends, even if its issue is not live.
    fn get_for_update(&mut self, id: CommentId) -> Result<Option<Comment>, StoreError>;
    /// Writes text, version and times of a comment that was locked before.
    fn save(&mut self, comment: &Comment) -> Result<(), StoreError>;
    /// Removes a comment with its text; returns whether there was one.
    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError>;
}

/// Comments of the workspace's contacts, companies and deals.
pub trait RecordCommentRepo {
    fn insert(&mut self, comment: &RecordComment) -> Result<(), StoreError>;
    /// Comments of a live record, oldest first, one more than the limit; empty if the record is not live. One statement.
    fn list(
        &mut self,
        record: CrmRecord,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<RecordComment>, StoreError>;
    /// A comment, locked until the transaction ends, even if its record is not live.
    fn get_for_update(&mut self, id: CommentId) -> Result<Option<RecordComment>, StoreError>;
    /// Writes text, version and times of a comment that was locked before.
    fn save(&mut self, comment: &RecordComment) -> Result<(), StoreError>;
    /// Removes a comment with its text; returns whether there was one.
    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError>;
}

/// Stored responses of idempotency keys.
pub trait IdempotencyRepo {
    /// Claims the key for this transaction, or returns why it cannot. Never blocks. Responses stored before `claim.oldest` are
    /// ignored.
    fn claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError>;
    /// Stores the response of the claimed key, unless the workspace's stored responses would exceed the claim's budget. Responses
    /// count until they are pruned. Transactions wait for each other only in the upper half of the budget. In the lower half,
    /// concurrent transactions do not see each other, so together they may exceed the budget by what they store above half of it.
    fn keep(&mut self, claim: &IdempotencyClaim, response: &StoredResponse) -> Result<KeepResult, StoreError>;
}
