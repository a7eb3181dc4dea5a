//! One open transaction, and the repositories that it has.

use uuid::Uuid;

use super::{
    ApiKeyRepo, AuditRepo, CascadeRepo, ChallengeRepo, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo,
    DeliveryRepo, DraftRepo, EmailQueueRepo, ErasureRepo, EventLogRepo, HomeRepo, IdempotencyRepo, ImportRepo,
    IssueRepo, KbArticleRepo, LinkRequestRepo, MemberRepo, Operator, PresenceRepo, ProjectRepo, QuotaRepo,
    RecordCommentRepo, RecordErasureRepo, RecordSearchRepo, ReplayRepo, SavedViewRepo, SessionRepo, SubscriptionRepo,
    TicketRepo, UndoRepo, WorkspaceRepo,
};
use crate::events::Event;
use crate::kernel::{StoreError, UniqueValue};
use crate::records::ReferringCounts;
use crate::{Error, Reference, WorkspaceId};

/// One open transaction, bound to one workspace: no method but [`Tx::enter`] takes a workspace, and none can see another's
/// records.
pub trait Tx {
    /// Runs `work` in another workspace within this transaction. For operators alone, whose changes are in the audit logs
    /// of both.
    fn enter(
        &mut self,
        operator: &Operator,
        workspace: WorkspaceId,
        work: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<(), Error>;
    /// All that it implements; the use cases call each by its name, as in `tx.deals()`.
    fn repositories(&mut self) -> &mut dyn Repositories;
    /// Appends events to the log and queues deliveries for the enabled subscriptions that match them, in the current
    /// transaction. Fails if the log cannot be written. What finds no room in the queue, or could not be queued, waits in
    /// the workspace's backlog, and whatever comes later waits behind it: such a failure is logged and counted, and undoes
    /// nothing else. One statement; none without events.
    fn emit(&mut self, events: &[Event]) -> Result<(), StoreError>;
    /// Like [`Tx::emit`], for events of a change that was accepted before: they count towards the limit of the day, and are appended
    /// though it is used up.
    fn emit_owed(&mut self, events: &[Event]) -> Result<(), StoreError>;
    /// Reports the id of a changed workspace, key, session or user to every instance when the transaction commits.
    fn credential_changed(&mut self, id: Uuid) -> Result<(), StoreError>;
    /// Returns for each reference, in order, whether it points to a live record. Protects what it finds from deletion
    /// until the transaction ends. One statement.
    fn references_exist(&mut self, references: &[Reference]) -> Result<Vec<bool>, StoreError>;
    /// How many live deals, tasks, tickets and contacts refer to a company or contact, each count up to `most`; none for
    /// other records. One statement.
    fn referring(&mut self, record: Reference, most: u32) -> Result<ReferringCounts, StoreError>;
    /// The live record that has the value. One statement.
    fn record_with(&mut self, value: &UniqueValue) -> Result<Option<Uuid>, StoreError>;
}

macro_rules! repositories {
    ($($(#[$note:meta])* $name:ident: $repository:ident,)+) => {
        /// All repositories.
        pub trait Repositories: $($repository +)+ {}

        impl<T: $($repository +)+> Repositories for T {}

        impl dyn Tx + '_ {
            $($(#[$note])* pub fn $name(&mut self) -> &mut dyn $repository { self.repositories() })+
        }
    };
}

repositories! {
    workspace: WorkspaceRepo,
    members: MemberRepo,
    sessions: SessionRepo,
    challenges: ChallengeRepo,
    api_keys: ApiKeyRepo,
    audit: AuditRepo,
    quota: QuotaRepo,
    companies: CompanyRepo,
    contacts: ContactRepo,
    deals: DealRepo,
    projects: ProjectRepo,
    cycles: CycleRepo,
    /// What is to be announced of records that were deleted or restored with their project.
    cascades: CascadeRepo,
    issues: IssueRepo,
    comments: CommentRepo,
    record_comments: RecordCommentRepo,
    /// Drafts of comments.
    drafts: DraftRepo,
    presence: PresenceRepo,
    /// Tickets opened from outside, and the customers' tokens.
    tickets: TicketRepo,
    kb_articles: KbArticleRepo,
    record_erasure: RecordErasureRepo,
    /// Open work of a member, and recent changes.
    home: HomeRepo,
    /// Search over records of all kinds.
    record_search: RecordSearchRepo,
    /// Saved views of lists.
    saved_views: SavedViewRepo,
    /// What takes changes made in the console back.
    undos: UndoRepo,
    /// Stored responses.
    idempotency: IdempotencyRepo,
    subscriptions: SubscriptionRepo,
    deliveries: DeliveryRepo,
    replays: ReplayRepo,
    emails: EmailQueueRepo,
    link_requests: LinkRequestRepo,
    /// Erasures of people's data.
    erasures: ErasureRepo,
    imports: ImportRepo,
    event_log: EventLogRepo,
}
