//! One open transaction, and the repositories that it has.

use uuid::Uuid;

use super::{
    ApiKeyRepo, AuditRepo, CascadeRepo, ChallengeRepo, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo,
    DeliveryRepo, DraftRepo, EmailQueueRepo, ErasureRepo, EventLogRepo, HomeRepo, IdempotencyRepo, ImportRepo,
    IssueRepo, KbArticleRepo, LinkRequestRepo, MemberRepo, Operator, PresenceRepo, ProjectRepo, QuotaRepo,
    RecordCommentRepo, RecordErasureRepo, RecordList, RecordRepo, RecordSearchRepo, ReplayRepo, SavedViewRepo,
    SessionRepo, SubscriptionRepo, TicketRepo, TimeEntryRepo, UndoRepo, WorkspaceRepo,
};
use crate::events::Event;
use crate::identity::access::Actor;
use crate::kernel::StoreError;
use crate::kinds::with_kind;
use crate::records::{Kind, ListedKind, RecordKind, ReferringCounts, UniqueValue};
use crate::{Error, IssueId, Reference, WorkspaceId};

/// One open transaction, bound to one workspace. Only [`Tx::enter`] takes a workspace, and no other method can see records of
/// another one.
pub trait Tx {
    /// Runs `work` in another workspace within this transaction. Only for operators, whose changes are in the audit logs of both.
    fn enter(
        &mut self,
        operator: &Operator,
        workspace: WorkspaceId,
        work: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<(), Error>;
    /// All repositories. Use cases get each by its kind or its name, as in `tx.records::<Deal>()` and `tx.audit()`.
    fn repositories(&mut self) -> &mut dyn Repositories;
    /// Appends events to the log and queues deliveries for the matching enabled subscriptions, in the current transaction. Fails if
    /// the log cannot be written. Events whose deliveries do not fit into the queue or cannot be queued wait in the workspace's
    /// backlog, and later events wait after them. A failure to queue is logged and counted, and does not roll back anything else.
    /// One statement; none without events.
    fn emit(&mut self, events: &[Event]) -> Result<(), StoreError>;
    /// Like [`Tx::emit`], for events of a change that was accepted earlier. They count towards the daily limit, and are appended
    /// even if it is used up.
    fn emit_owed(&mut self, events: &[Event]) -> Result<(), StoreError>;
    /// Reports the id of a changed workspace, key, session or user to every instance when the transaction commits.
    fn credential_changed(&mut self, id: Uuid) -> Result<(), StoreError>;
    /// Returns for each reference, in order, whether it points to a live record. Protects these records from deletion until the
    /// transaction ends. One statement.
    fn references_exist(&mut self, references: &[Reference]) -> Result<Vec<bool>, StoreError>;
    /// The numbers of live deals, tasks, tickets and contacts that refer to a company or contact, each up to `most`; zero for other
    /// records. One statement.
    fn referring(&mut self, record: Reference, most: u32) -> Result<ReferringCounts, StoreError>;
    /// The live record that has the value. One statement.
    fn record_with(&mut self, value: &UniqueValue) -> Result<Option<Uuid>, StoreError>;
}

impl dyn Tx + '_ {
    /// The records of one kind.
    pub fn records<K: Kind>(&mut self) -> &mut dyn RecordRepo<K> {
        K::repository(self.repositories())
    }

    /// The list of the records of one kind.
    pub fn lists<K: ListedKind>(&mut self) -> &mut dyn RecordList<K> {
        K::lists(self.repositories())
    }

    /// Whether a live record of one of these kinds that the reader may see has the id. Only the two kinds of issues are passed together.
    pub(crate) fn has_live(&mut self, kinds: &[RecordKind], id: Uuid, reader: Actor) -> Result<bool, StoreError> {
        Ok(match kinds {
            [RecordKind::Task | RecordKind::Ticket, ..] => {
                self.issues().kind_of(IssueId(id))?.is_some_and(|kind| kinds.contains(&kind.into()))
            }
            [kind] => with_kind!(*kind, K => {
                self.records::<K>().get(id.into())?.is_some_and(|record| record.is_visible_to(reader))
            }),
            _ => false,
        })
    }
}

macro_rules! repositories {
    (
        [$($kind:ty),+] [$($listed:ty),+]
        $($(#[$note:meta])* $name:ident: $repository:ident,)+
    ) => {
        /// All repositories.
        pub trait Repositories: $(RecordRepo<$kind> +)+ $(RecordList<$listed> +)+ $($repository +)+ {}

        impl<T: $(RecordRepo<$kind> +)+ $(RecordList<$listed> +)+ $($repository +)+> Repositories for T {}

        impl dyn Tx + '_ {
            $($(#[$note])* pub fn $name(&mut self) -> &mut dyn $repository { self.repositories() })+
        }
    };
}

crate::with_kinds! { repositories!(
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
    /// Pending events about records that were deleted or restored with their project.
    cascades: CascadeRepo,
    issues: IssueRepo,
    comments: CommentRepo,
    /// Time entries, and the rates of members.
    time_entries: TimeEntryRepo,
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
    /// Undo entries of changes made in the console.
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
) }
