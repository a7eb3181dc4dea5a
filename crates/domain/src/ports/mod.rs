//! The ports of the domain: time, ids, randomness, storage, password hashing, e-mail and request counts.

mod access;
mod console;
mod directory;
mod email;
mod erasure;
mod events;
mod people;
mod records;
mod store;
mod support;
mod time_entries;
mod transactions;
mod transfer;
mod tx;
mod webhooks;

pub use crate::kernel::{Random, StoreError, Weight};
pub use crate::limits::Limiter;
pub use access::{
    ApiKeyRepo, AuditRepo, ChallengeRepo, MemberRepo, QuotaGrant, QuotaRepo, QuotaResult, SessionRepo, WorkspaceRepo,
};
pub use console::{HomeRepo, RecordSearchRepo, SavedViewRepo, UndoRepo};
pub use directory::Directory;
pub use email::{
    EmailCopies, EmailError, EmailErrorKind, EmailQueue, EmailQueueRepo, EmailTransport, NamesPerson, NoEmailCopies,
    OutgoingEmail,
};
pub use erasure::ErasureRepo;
pub use events::{
    EventFeed, EventLogRepo, EventLogs, EventMonths, EventScan, FollowerSeat, LogBounds, LogWindow, Scanned, Turn,
};
pub use people::{DraftRepo, PresenceRepo};
pub use records::{CascadeRepo, RecordErasureRepo, RecordList, RecordRepo};
pub use store::{
    Abort, BatchRepo, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo, IdempotencyRepo, IssueRepo, Job,
    JobProfile, MAX_NAMESAKE_PROJECTS, MAX_NAMESAKES, NamedProject, NamedRecord, ProjectRepo, ReadJob,
    RecordCommentRepo, RowLock, Store,
};
pub use support::{KbArticleRepo, LinkRequestRepo, TicketRepo};
pub use time_entries::TimeEntryRepo;
pub use transactions::{Work, statement, transact, transact_idempotent};
pub(crate) use transactions::{
    read_only, read_only_by, read_only_in, statement_in, transact_idempotent_in, transact_in, weighed_read_only,
    weighed_rehearse, weighed_statement, weighed_transact, weighed_transact_idempotent, weighed_transact_in,
};
pub use transfer::ImportRepo;
pub use tx::{Repositories, Tx};
pub use webhooks::{DeliveryQueue, DeliveryRepo, ReplayRepo, SubscriptionRepo, Unrecorded};

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;
use crate::email::{AbuseContact, AnswerDelay, EmailBounds};
use crate::identity::access::{CredentialCache, OperateService, Permit, PlainToken};
use crate::identity::accounts::{HashTurn, NewPassword, Password};
use crate::identity::audit::RefusalSamples;
use crate::identity::set_up::SetUpState;
use crate::identity::usage::Activity;
use crate::identity::workspaces::PasswordHash;
use crate::kernel::idempotency::ResponseBudget;
use crate::kernel::sealing::MasterKeys;
use crate::limits::{EventBytes, FixedLimits, Plan};
use crate::webhooks::TargetPolicy;

pub trait Clock: Send + Sync {
    /// The current time in UTC, in whole microseconds, so that a stored value equals the one in the response.
    fn now(&self) -> OffsetDateTime;

    /// Time since the process started; monotonic, unaffected by changes of the system clock.
    fn elapsed(&self) -> Duration;
}

/// Tells the other instances which holders and workspaces have recent writes that replicas may lack.
#[async_trait]
pub trait SharedWrites: Send + Sync {
    /// Reports that these holders or workspaces have written just now.
    async fn share(&self, ids: &[Uuid]);

    /// For each id, a number that changes with every shared write; 0 if the last write is so old that every replica in use has it.
    /// `None` if this is currently unknown.
    async fn latest(&self, ids: &[Uuid]) -> Option<Vec<u64>>;
}

/// Generates ids: UUIDs of version 7.
pub trait Ids: Send + Sync {
    /// A new id with the current time, from which the database derives the months that a record's history can be in.
    fn new_id(&self) -> Uuid;
}

/// Hashes passwords, which is deliberately slow, within its own limits of time and memory. While many calls wait, [`HashTurn`]
/// decides which is next.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// The hash of a new password.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if too many calls are waiting.
    async fn hash(&self, password: &NewPassword, turn: HashTurn) -> Result<PasswordHash, Error>;

    /// Whether the password matches the hash. Timing-safe: without a hash it takes as long and returns false.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if too many calls are waiting.
    async fn verify(&self, password: &Password, hash: Option<&PasswordHash>, turn: HashTurn) -> Result<bool, Error>;
}

/// Service-wide settings that the operator chooses.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Limits that do not depend on the plan.
    pub limits: FixedLimits,
    /// The public address of the service, such as `https://work.example.com`; links in e-mails begin with it.
    pub public_url: String,
    /// The allowed webhook targets.
    pub targets: TargetPolicy,
    /// Limits of e-mails to one mailbox.
    pub email_bounds: EmailBounds,
    /// Whether e-mails are sent by a mail server, not written to files.
    pub has_mail_server: bool,
    /// How long an e-mail to a customer or a member waits for further texts.
    pub answer_delay: AnswerDelay,
    /// The abuse contact in e-mails to people outside a workspace.
    pub abuse_contact: Option<AbuseContact>,
    /// Bytes of stored responses per workspace.
    pub response_budget: ResponseBudget,
    /// The plan of a new workspace if none is given.
    pub default_plan: Plan,
    /// Whether operators need a second factor.
    pub operators_need_second_factor: bool,
}

impl Settings {
    /// Host and port of the public address: the name of the service in authenticator apps.
    pub fn public_host(&self) -> &str {
        let rest = self.public_url.split_once("://").map_or(&*self.public_url, |(_, rest)| rest);
        rest.split('/').next().filter(|host| !host.is_empty()).unwrap_or("workspace-service")
    }

    /// A link with a one-time token after the `#`: browsers do not send that part to any server.
    pub fn link(&self, page: &str, token: &PlainToken) -> String {
        format!("{}/{page}#token={}", self.public_url.trim_end_matches('/'), token.reveal())
    }
}

/// All ports, passed to every use case.
#[derive(Clone)]
pub struct Ports {
    /// Transactions of a single workspace.
    pub store: Arc<dyn Store>,
    /// Operations that cross workspaces.
    pub directory: Arc<dyn Directory>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub random: Arc<dyn Random>,
    /// Request counts.
    pub limiter: Arc<dyn Limiter>,
    pub passwords: Arc<dyn Passwords>,
    /// Recently verified credentials.
    pub credential_cache: Arc<CredentialCache>,
    /// Credential usage since the last flush.
    pub activity: Arc<Activity>,
    /// Bytes that workspaces added to their event logs.
    pub event_bytes: Arc<EventBytes>,
    /// Whether the installation is known to have a workspace.
    pub set_up: Arc<SetUpState>,
    /// Refusals to be written to audit logs.
    pub refusals: Arc<RefusalSamples>,
    /// Keys that encrypt secrets at rest.
    pub master_keys: Arc<MasterKeys>,
    pub settings: Arc<Settings>,
    /// The followers of the event log.
    pub event_feed: Arc<dyn EventFeed>,
    pub email_copies: Arc<dyn EmailCopies>,
}

impl std::fmt::Debug for Ports {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ports")
    }
}

/// Proof that an operator acts: a user of the command line with access to the machine's configuration, or a signed-in
/// user who is flagged as an operator ([`Permit::operator`](crate::identity::access::Permit::operator)).
///
/// ```
/// # use domain::ports::Operator;
/// fn keep(operator: Operator) -> Operator {
///     operator
/// }
/// ```
/// ```compile_fail,E0423
/// # use domain::ports::Operator;
/// fn forged() -> Operator {
///     Operator(())
/// }
/// ```
#[derive(Debug)]
pub struct Operator(());

impl Operator {
    /// For the command line's `main` only. Surfaces that take requests must not call it; clippy rejects every call without an
    /// explicit `#[expect]` (`disallowed-methods` in `clippy.toml`).
    pub const fn of_this_process() -> Self {
        Self(())
    }

    /// The operator of a permit that only an operator's session gets.
    pub(crate) const fn of_session(_: &Permit<OperateService>) -> Self {
        Self(())
    }
}
