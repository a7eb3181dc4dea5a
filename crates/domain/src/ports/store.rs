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
use crate::{CommentId, CycleId, IssueId, ProjectId, UserId, WorkspaceId};

/// Why a job ends without a commit.
#[derive(Debug)]
pub enum Abort {
    /// The store failed; the job may be rerun if that helps.
    Store(StoreError),
    /// The use case failed by a domain rule.
    Rule,
}

/// One unit of work. It may be rerun after a serialization failure, so it borrows or clones what it needs.
pub type Job = Box<dyn FnMut(&mut dyn Tx) -> Result<(), Abort> + Send>;

/// A unit of work that only reads. It may be run again elsewhere while a run of it hangs.
pub type ReadJob = Arc<dyn Fn(&mut dyn Tx) -> Result<(), Abort> + Send + Sync>;

/// For whom a job runs, and what it costs.
#[derive(Debug, Clone, Copy, Default)]
pub struct JobProfile {
    /// Whose credential asks for it, as in [`Credential::holder`](crate::identity::access::Credential::holder).
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
    /// Runs the job in one transaction, committed if it returns `Ok` and rolled back otherwise; [`Abort::Rule`] is no
    /// store error. Reruns the job after a serialization failure or a deadlock only, a few times, and never when the
    /// outcome of a COMMIT is unknown.
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError>;

    /// Runs each statement on its own, without BEGIN and COMMIT: for jobs of one statement, mostly reads.
    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError>;

    /// Like [`Store::run`], for a job of any weight and holder; `run` is for light ones of nobody. A store that serves many
    /// workspaces bounds the heavier ones, and gives each workspace its turn.
    async fn run_weighed(&self, workspace: WorkspaceId, _: JobProfile, job: Job) -> Result<(), StoreError> {
        self.run(workspace, job).await
    }

    /// Like [`Store::statement`], for a job of any weight and holder. A search may fail with [`StoreError::TimedOut`].
    async fn statement_weighed(&self, workspace: WorkspaceId, _: JobProfile, job: Job) -> Result<(), StoreError> {
        self.statement(workspace, job).await
    }

    /// Like [`Store::statement_weighed`], for a job that only reads and decides about no access. Its statements may see what
    /// others did a moment ago or not yet, but always see everything that jobs of the same holder have done.
    async fn read(&self, workspace: WorkspaceId, profile: JobProfile, job: ReadJob) -> Result<(), StoreError> {
        self.statement_weighed(workspace, profile, Box::new(move |tx| job(tx))).await
    }

    /// From now on, what the holder reads is no older than this moment, as after a write of its own: it knows from elsewhere
    /// what happened until now, or has written across workspaces ([`Directory`](super::Directory)).
    async fn note_write(&self, _holder: Uuid) {}
}

/// Whether a look-up locks what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowLock {
    None,
    /// Until the transaction ends.
    ForUpdate,
}

/// Many records of one kind, with one statement each.
pub trait BatchRepo<R> {
    /// Makes others who write batches of this kind in the workspace wait until the transaction ends. Without it, two who add
    /// the same records in different orders would wait for each other.
    fn lock_batches(&mut self) -> Result<(), StoreError>;
    /// The live records that have any of the keys or ids, in no particular order.
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

/// What a store does with companies alone, beside what it does with records of [every kind](super::RecordRepo).
pub trait CompanyRepo: BatchRepo<Company> {
    /// The live companies with these names, compared by [`name_key`](crate::kernel::search::name_key); at most [`MAX_NAMESAKES`] per
    /// name. One statement.
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError>;
}

/// What a store does with contacts alone.
pub trait ContactRepo: BatchRepo<Contact> {
    /// The live contacts whose first and last name, separated by a space, is one of these, compared by
    /// [`name_key`](crate::kernel::search::name_key); at most [`MAX_NAMESAKES`] per name. One statement.
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError>;
    /// At most `limit` live contacts with the same address as an older contact in a different spelling, ordered by address.
    fn with_shared_address(&mut self, limit: u32) -> Result<Vec<Contact>, StoreError>;
}

/// What a store does with deals alone.
pub trait DealRepo: BatchRepo<Deal> {
    /// Counts and adds up live deals by what they are grouped by. One statement.
    fn summarize(&mut self, filter: &DealFilter, group_by: &[DealGroup]) -> Result<SummaryRows, StoreError>;
    /// Counts and adds up all live deals by stage, status and currency, in the order of the currencies, without reading
    /// them. One statement.
    fn board_totals(&mut self) -> Result<Vec<BoardPart>, StoreError>;
    /// The newest live deals of each stage, one more than a column of the board begins with: of stages that are not closed
    /// the open ones. One statement.
    fn first_of_stages(&mut self) -> Result<Vec<Deal>, StoreError>;
}

/// What a store does with projects alone.
pub trait ProjectRepo {
    /// Notes the cycles and tasks that were just deleted with a project as deleted by its next version
    /// ([`CascadeRepo`](super::CascadeRepo)), and returns how many they are. Two statements.
    fn note_deleted(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError>;
    /// How many tasks and cycles were deleted with a project, at the same time. One statement.
    fn deleted_with(&mut self, id: ProjectId, deleted_at: OffsetDateTime) -> Result<Cascade, StoreError>;
}

/// What a store does with cycles alone.
pub trait CycleRepo {
    /// The highest number that any cycle of the project has had, deleted ones included; 0 if there was none.
    fn highest_number(&mut self, project: ProjectId) -> Result<i32, StoreError>;
    /// How many live issues a cycle has. One statement.
    fn counts(&mut self, id: CycleId) -> Result<CycleCounts, StoreError>;
    /// How a cycle stood at the end of the days from `first` to `last` on which that changed, in order; `first` has what was
    /// before, too. Of issues that left the cycle, the days before that count. One statement.
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

/// What a store does with tasks and tickets alone.
pub trait IssueRepo {
    /// The first of the next `count` numbers of the kind. Runs as a separate statement, so that creates do not wait for each
    /// other; an unused number stays a gap.
    fn reserve_numbers(&mut self, kind: IssueKind, count: u32) -> Result<i64, StoreError>;
    /// The live issues among the ids with the bytes of their long texts, locked until the transaction ends, in the order of their
    /// ids. One statement.
    fn lock_many(&mut self, ids: &[IssueId]) -> Result<Vec<(IssueId, u64)>, StoreError>;
    /// The live issues among the ids, locked until the transaction ends, in no particular order. One statement. Of more than a few,
    /// [`lock_many`](Self::lock_many) says how many fit into memory.
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
    /// A live ticket. If it has unread messages, marks them as read, and removes the reader's marks that are no longer needed, and
    /// the oldest beyond [`MAX_READS`](crate::work::issues::MAX_READS). One statement.
    fn open_ticket(&mut self, id: IssueId, reading: InboxReader) -> Result<Option<Issue>, StoreError>;
    /// Counts live issues of one kind by what they are grouped by. One statement.
    fn summarize(&mut self, filter: &IssueFilter, group_by: &[IssueGroup]) -> Result<SummaryRows, StoreError>;
    /// How many tickets wait, by status and by who holds them as the member sees it: of each status at most
    /// [`MAX_COUNTED`](crate::work::issues::MAX_COUNTED), the newest. One statement.
    fn count_waiting(&mut self, member: UserId) -> Result<Vec<WaitingPart>, StoreError>;
    /// Blocks other changes of parents and epics in the workspace until the transaction ends: two moves that are valid
    /// on their own can form a loop together.
    fn lock_hierarchy(&mut self) -> Result<(), StoreError>;
    /// The issues above `id` by the relation, `id` itself first. One statement.
    fn ancestors(&mut self, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError>;
    /// A live issue of the kind, and the live ones of that kind whose parent or epic it is, at most `limit` of each
    /// relation, the oldest first; of more, any. One statement.
    fn with_below(
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
    /// Adds a comment.
    fn insert(&mut self, comment: &Comment) -> Result<(), StoreError>;
    /// Comments of a live issue, oldest first, one more than the limit; empty if the issue is not live. One statement.
    fn list(&mut self, issue: IssueId, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<Comment>, StoreError>;
    /// The public comments of an issue behind those that somebody has seen, the oldest first, at most
    /// [`MAX_CROSSED`](crate::work::comments::MAX_CROSSED). One statement.
    fn public_after(&mut self, issue: IssueId, seen: LastSeen) -> Result<Vec<CommentId>, StoreError>;
    /// The newest comments of a live issue, oldest first, one more than
    /// [`LATEST`](crate::work::comments::LATEST). One statement.
    fn latest(&mut self, issue: IssueId) -> Result<Vec<Comment>, StoreError>;
    /// When the comments on an issue were written, and the customer's first that is neither answered nor older than `since`. One
    /// statement.
    fn message_times(&mut self, issue: IssueId, since: Option<OffsetDateTime>) -> Result<MessageTimes, StoreError>;
    /// A comment, locked until the transaction ends; also one of an issue that is not live.
    fn get_for_update(&mut self, id: CommentId) -> Result<Option<Comment>, StoreError>;
    /// Writes text, version and times of a comment that was locked before.
    fn save(&mut self, comment: &Comment) -> Result<(), StoreError>;
    /// Removes a comment with its text; returns whether there was one.
    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError>;
}

/// Comments of the workspace's contacts, companies and deals.
pub trait RecordCommentRepo {
    /// Adds a comment.
    fn insert(&mut self, comment: &RecordComment) -> Result<(), StoreError>;
    /// Comments of a live record, oldest first, one more than the limit; empty if the record is not live. One statement.
    fn list(
        &mut self,
        record: CrmRecord,
        filter: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<RecordComment>, StoreError>;
    /// A comment, locked until the transaction ends; also one of a record that is not live.
    fn get_for_update(&mut self, id: CommentId) -> Result<Option<RecordComment>, StoreError>;
    /// Writes text, version and times of a comment that was locked before.
    fn save(&mut self, comment: &RecordComment) -> Result<(), StoreError>;
    /// Removes a comment with its text; returns whether there was one.
    fn delete(&mut self, id: CommentId) -> Result<bool, StoreError>;
}

/// Stored responses of idempotency keys.
pub trait IdempotencyRepo {
    /// Claims the key for this transaction, or returns why it cannot. Never waits. Responses stored before
    /// `claim.oldest` are ignored.
    fn claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError>;
    /// Stores the response of the claimed key, unless those of the workspace would exceed the claim's budget. They count
    /// until they are pruned. Transactions wait for each other only in the upper half of the budget; below that, those
    /// under way at the same time do not see each other, so the budget may be exceeded by what they store beyond half
    /// of it.
    fn keep(&mut self, claim: &IdempotencyClaim, answer: &StoredResponse) -> Result<KeepResult, StoreError>;
}
