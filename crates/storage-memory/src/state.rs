//! The whole state of the store, and a transaction's view of one workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::email::StoredEmail;
use super::link_requests::Waiting;
use super::not_in_memory::not_in_memory;
use super::records::{StoredKind, Tables};
use super::table::Table;
use domain::console::undos::Undo;
use domain::console::views::SavedView;
use domain::crm::comments::RecordComment;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::events::Event;
use domain::identity::accounts::{PasswordReset, SecondFactor, Session, SignInLink, SignInPlace};
use domain::identity::api_keys::ApiKey;
use domain::identity::members::{Invitation, Member, MemberStatus};
use domain::identity::set_up::SetUpCode;
use domain::identity::workspaces::{User, Workspace};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::StoredResponse;
use domain::ports::{Operator, Repositories, StoreError, Tx};
use domain::records::{ReferringCounts, UniqueValue};
use domain::support::PortalSession;
use domain::support::kb::VainTerm;
use domain::transfer::{Import, ImportDigest, Refusal};
use domain::webhooks::{Delivery, Subscription};
use domain::work::comments::Comment;
use domain::work::cycles::Cycle;
use domain::work::issues::{Issue, TrackingLink};
use domain::work::projects::Project;
use domain::work::time_entries::TimeRate;
use domain::{
    ApiKeyId, CommentId, CompanyId, ContactId, CycleId, DeliveryId, EmailId, Error, EventId, IssueId, LinkRequestId,
    PortalSessionId, ProjectId, Reference, SavedViewId, SessionId, SubscriptionId, UndoId, UserId, WorkspaceId,
};

#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) shared: Shared,
    pub(super) records: BTreeMap<WorkspaceId, Records>,
}

/// Rows that belong to no workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    pub(super) workspaces: BTreeMap<WorkspaceId, Workspace>,
    pub(super) users: BTreeMap<UserId, User>,
    pub(super) operators: BTreeSet<UserId>,
    /// By instance.
    pub(super) set_up_codes: BTreeMap<String, SetUpCode>,
    pub(super) resets: BTreeMap<UserId, PasswordReset>,
    pub(super) second_factors: BTreeMap<UserId, SecondFactor>,
    /// Where users signed in from, latest last.
    pub(super) sign_ins: BTreeMap<UserId, Vec<SignInPlace>>,
    pub(super) link_requests: BTreeMap<LinkRequestId, Waiting>,
    /// Credential changes, each with the clock's elapsed time.
    pub(super) changes: Vec<(Duration, Uuid)>,
    /// The number of ids made for events and their deliveries so far.
    pub(super) queued: u64,
    /// E-mails to each mailbox.
    pub(super) mailboxes: BTreeMap<MailboxKey, u32>,
}

/// Start of the window, mailbox, purpose.
pub(super) type MailboxKey = (OffsetDateTime, [u8; 32], &'static str);

/// The owner of a stored response: credential, route and key.
pub(super) type IdempotencyKeyId = (Uuid, &'static str, String);

#[derive(Debug, Clone)]
pub(super) struct StoredIdempotency {
    pub(super) fingerprint: [u8; 32],
    pub(super) answer: StoredResponse,
    pub(super) at: OffsetDateTime,
    pub(super) bytes: u64,
}

/// How an issue stands in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CycleState {
    /// Whether it is live and in it.
    pub(super) is_in: bool,
    pub(super) is_done: bool,
}

/// The records of one workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    pub(super) members: BTreeMap<UserId, Member>,
    pub(super) invitations: BTreeMap<UserId, Invitation>,
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) sign_in_links: BTreeMap<UserId, SignInLink>,
    /// When the samples were made, in a demo workspace.
    pub(super) demo_made_at: Option<OffsetDateTime>,
    /// Keys that were used over the tool API.
    pub(super) keys_used_by_tools: BTreeSet<ApiKeyId>,
    pub(super) api_keys: BTreeMap<ApiKeyId, ApiKey>,
    pub(super) audit: super::audit::AuditLog,
    pub(super) quota: BTreeMap<Date, u64>,
    /// With their refused rows.
    pub(super) imports: BTreeMap<ImportDigest, (Import, Vec<Refusal>)>,
    /// The lines of the records that imports have written.
    pub(super) import_lines: BTreeMap<(ImportDigest, Uuid), u64>,
    pub(super) requests: BTreeMap<Date, u64>,
    pub(super) tables: Tables,
    /// How issues stood in cycles at the end of the days on which that was noted.
    pub(super) cycle_history: BTreeMap<(CycleId, IssueId, Date), CycleState>,
    /// The last message that a user has seen of a ticket.
    pub(super) ticket_reads: BTreeMap<(UserId, IssueId), OffsetDateTime>,
    /// The rates of members, in general and by project.
    pub(super) time_rates: BTreeMap<(UserId, Option<ProjectId>), TimeRate>,
    pub(super) comments: Table<CommentId, Comment>,
    pub(super) record_comments: Table<CommentId, RecordComment>,
    /// How often and when last a term was searched in vain.
    pub(super) vain_searches: BTreeMap<VainTerm, (u64, OffsetDateTime)>,
    pub(super) saved_views: BTreeMap<SavedViewId, SavedView>,
    /// What takes changes back, with the member who made them.
    pub(super) undos: BTreeMap<UndoId, (UserId, Undo)>,
    pub(super) links: BTreeMap<String, TrackingLink>,
    pub(super) portal_sessions: BTreeMap<PortalSessionId, PortalSession>,
    pub(super) numbers: BTreeMap<IssueKind, i64>,
    pub(super) kept: BTreeMap<IdempotencyKeyId, StoredIdempotency>,
    pub(super) subscriptions: Table<SubscriptionId, Subscription>,
    pub(super) events: BTreeMap<EventId, Event>,
    /// Events in the order of their positions.
    pub(super) positions: Vec<EventId>,
    pub(super) deliveries: BTreeMap<DeliveryId, Delivery>,
    pub(super) emails: BTreeMap<EmailId, StoredEmail>,
    pub(super) email_hours: BTreeMap<OffsetDateTime, u64>,
}

impl Records {
    /// The records of a kind.
    pub(super) fn of<K: StoredKind>(&self) -> &Table<K::Id, K> {
        self.tables.of()
    }

    pub(super) fn of_mut<K: StoredKind>(&mut self) -> &mut Table<K::Id, K> {
        self.tables.of_mut()
    }

    /// The membership of an active member.
    pub(super) fn active_member(&self, id: UserId) -> Option<&Member> {
        self.members.get(&id).filter(|member| member.status() == MemberStatus::Active)
    }
}

/// An open transaction of one workspace.
pub(super) struct MemoryTx<'a> {
    pub(super) workspace: WorkspaceId,
    pub(super) records: &'a mut Records,
    pub(super) shared: &'a mut Shared,
    /// Those of the other workspaces.
    others: BTreeMap<WorkspaceId, &'a mut Records>,
    elapsed: Duration,
}

impl<'a> MemoryTx<'a> {
    pub(super) fn new(state: &'a mut State, workspace: WorkspaceId, elapsed: Duration) -> Self {
        let State { shared, records } = state;
        records.entry(workspace).or_default();
        let mut others: BTreeMap<_, _> = records.iter_mut().map(|(id, records)| (*id, records)).collect();
        // There: just made, unless it was.
        let Some(own) = others.remove(&workspace) else { unreachable!("the records were inserted above") };
        Self { workspace, records: own, shared, others, elapsed }
    }

    pub(super) fn other_records(&self) -> impl Iterator<Item = (WorkspaceId, &Records)> {
        self.others.iter().map(|(id, records)| (*id, &**records))
    }

    fn exists(&self, reference: Reference) -> bool {
        let records = &self.records;
        match reference {
            Reference::Company(id) => records.of::<Company>().has(id),
            Reference::Contact(id) => records.of::<Contact>().has(id),
            Reference::Deal(id) => records.of::<Deal>().has(id),
            Reference::Project(id) => records.of::<Project>().has(id),
            Reference::Cycle(project, id) => {
                records.of::<Cycle>().get(id).is_some_and(|cycle| cycle.project_id == project)
            }
            Reference::Issue(kind, id) => records.of::<Issue>().get(id).is_some_and(|issue| issue.kind == kind),
            Reference::Member(id) => records.active_member(id).is_some(),
        }
    }
}

impl Tx for MemoryTx<'_> {
    fn enter(
        &mut self,
        _: &Operator,
        _: WorkspaceId,
        _: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<(), Error> {
        not_in_memory("Tx::enter")
    }

    fn repositories(&mut self) -> &mut dyn Repositories {
        self
    }

    fn emit(&mut self, events: &[Event]) -> Result<(), StoreError> {
        self.append(events);
        Ok(())
    }

    // The store in memory has no limit of the day.
    fn emit_owed(&mut self, events: &[Event]) -> Result<(), StoreError> {
        self.emit(events)
    }

    fn credential_changed(&mut self, id: Uuid) -> Result<(), StoreError> {
        self.shared.changes.push((self.elapsed, id));
        Ok(())
    }

    fn references_exist(&mut self, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
        Ok(references.iter().map(|reference| self.exists(*reference)).collect())
    }

    fn referring(&mut self, record: Reference, most: u32) -> Result<ReferringCounts, StoreError> {
        let records = &self.records;
        let count = |found: usize| u32::try_from(found).unwrap_or(most).min(most);
        let is_of = |company: Option<CompanyId>, contact: Option<ContactId>| match record {
            Reference::Company(id) => company == Some(id),
            Reference::Contact(id) => contact == Some(id),
            _ => false,
        };
        let requested =
            |issue: &&Issue| is_of(None, issue.requester.as_ref().and_then(|requester| requester.contact_id));
        Ok(ReferringCounts {
            deals: count(records.of::<Deal>().live().filter(|it| is_of(it.company_id, it.contact_id)).count()),
            tasks: count(records.of::<Issue>().live().filter(|it| is_of(it.company_id, it.contact_id)).count()),
            tickets: count(records.of::<Issue>().live().filter(requested).count()),
            contacts: count(records.of::<Contact>().live().filter(|it| is_of(it.company_id, None)).count()),
        })
    }

    fn record_with(&mut self, value: &UniqueValue) -> Result<Option<Uuid>, StoreError> {
        Ok(super::unique::record_with(self.records, value))
    }
}
