//! What the rules need from outside: time, ids, randomness, storage, password hashes, mail and counts of requests.

mod access;
mod directory;
mod email;
mod kb;
mod link_requests;
mod store;
mod support;
mod webhooks;

pub use crate::kernel::StoreError;
pub use crate::limits::Limiter;
pub use access::{ApiKeyRepo, AuditRepo, MemberRepo, QuotaRepo, QuotaResult, SessionRepo, WorkspaceRepo};
pub use directory::Directory;
pub use email::{EmailError, EmailErrorKind, EmailQueue, EmailQueueRepo, EmailTransport, OutgoingEmail};
pub use kb::KbArticleRepo;
pub use link_requests::LinkRequestRepo;
pub use store::{
    Abort, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo, IdempotencyRepo, IssueRepo, Job, ProjectRepo,
    Store, Tx, statement, transact, transact_idempotent,
};
pub(crate) use store::{statement_in, transact_idempotent_in, transact_in};
pub use support::TicketRepo;
pub use webhooks::{DeliveryQueue, DeliveryRepo, SubscriptionRepo};

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;
use crate::identity::access::{CredentialCache, PlainToken};
use crate::identity::accounts::{NewPassword, Password};
use crate::identity::usage::Activity;
use crate::identity::workspaces::PasswordHash;
use crate::kernel::sealing::MasterKeys;
use crate::limits::FixedLimits;
use crate::webhooks::TargetPolicy;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, in UTC and whole microseconds: what the store keeps is what was said.
    fn now(&self) -> OffsetDateTime;

    /// How long this process runs: it never goes back, whatever is done to the clock on the wall.
    fn elapsed(&self) -> Duration;
}

/// Makes ids: UUIDs of version 7.
pub trait Ids: Send + Sync {
    /// A new id.
    fn new_id(&self) -> Uuid;
}

/// Secure randomness.
pub trait Random: Send + Sync {
    /// Fills the buffer.
    fn fill(&self, bytes: &mut [u8]);
}

/// Hashes passwords, slowly on purpose; bounded apart from everything else.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// The hash of a new password.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when too many wait already.
    async fn hash(&self, password: &NewPassword) -> Result<PasswordHash, Error>;

    /// Whether the password has this hash. Without a hash it takes as long, and says no.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when too many wait already.
    async fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> Result<bool, Error>;
}

/// What an operator decides for the whole service.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Limits that no plan changes.
    pub limits: FixedLimits,
    /// Where people reach the service, such as `https://work.example.com`; links in mails begin with it.
    pub public_url: String,
    /// Where webhooks may lead.
    pub targets: TargetPolicy,
}

impl Settings {
    /// A link that carries a one-time token, behind a `#`: browsers do not send that part to any server.
    pub fn link(&self, page: &str, token: &PlainToken) -> String {
        format!("{}/{page}#token={}", self.public_url.trim_end_matches('/'), token.reveal())
    }
}

/// All ports, handed to every use case.
#[derive(Clone)]
pub struct Ports {
    /// Transactions of one workspace.
    pub store: Arc<dyn Store>,
    /// What crosses workspaces.
    pub directory: Arc<dyn Directory>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn Ids>,
    /// Secure randomness.
    pub random: Arc<dyn Random>,
    /// Counts of requests.
    pub limiter: Arc<dyn Limiter>,
    /// Password hashes.
    pub passwords: Arc<dyn Passwords>,
    /// Credentials that were verified a moment ago.
    pub credential_cache: Arc<CredentialCache>,
    /// What credentials did since it was last written.
    pub activity: Arc<Activity>,
    /// What seals secrets at rest.
    pub master_keys: Arc<MasterKeys>,
    /// What the operator decided.
    pub settings: Arc<Settings>,
}

impl std::fmt::Debug for Ports {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ports")
    }
}

/// Proof that an operator acts: somebody with access to the machine's configuration, through the command line.
///
/// ```
/// # use domain::ports::Operator;
/// fn kept(operator: Operator) -> Operator {
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
    /// For the command line's `main` alone; no surface that takes requests may call it, and clippy refuses every call
    /// that is not expected by name (`disallowed-methods` in `clippy.toml`).
    pub const fn of_this_process() -> Self {
        Self(())
    }
}
