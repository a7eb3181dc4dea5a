//! Test support: doubles for the ports other than the store, and unremarkable values.

mod doubles;
mod samples;

pub use doubles::{ManualClock, MapLimiter, PlainPasswords, SequenceIds, SequenceRandom, plain_hash};
pub use samples::{event, filled};

use std::sync::Arc;

use serde_json::Value as Json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::email::{EmailAttemptRecord, EmailClaim, EmailMessage, EmailVerdict};
use crate::events::NoFollowers;
use crate::identity::access::{Actor, Caller, Credential, Scope, ScopeSet, ToolGrants};
use crate::identity::api_keys::KeyFields;
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::IssueKind;
use crate::kernel::input::{Input, InputMode};
use crate::kernel::sealing::MasterKeys;
use crate::limits::Plan;
use crate::ports::{Clock, Directory, EmailQueue, Ids, NoEmailCopies, Operator, Ports, Random, Settings, Store};
use crate::tools::{ToolPermission, ToolPermissions};
use crate::work::issues::{Issue, IssueStatus};
use crate::{ApiKeyId, IssueId, SessionId, UserId, WorkspaceId, support};

/// A workspace for tests that need no store.
pub fn workspace_value(id: u128) -> Workspace {
    let (slug, name) = (format!("workspace-{id}"), format!("Workspace {id}"));
    Workspace::with_defaults(WorkspaceId(Uuid::from_u128(id)), slug, name, Plan::Starter, OffsetDateTime::UNIX_EPOCH)
}

/// A session of a user with a role.
pub const fn session_of(role: Role) -> Credential {
    Credential::Session { id: SessionId(Uuid::from_u128(8)), user: UserId(Uuid::from_u128(9)), role }
}

/// The fields of an API key, parsed from the body that a client would send.
///
/// # Panics
/// If the body is not valid.
pub fn key_fields(body: Json) -> KeyFields {
    let Json::Object(object) = body else { panic!("{body} is not an object") };
    KeyFields::from_object(object, InputMode::Create).unwrap_or_else(|error| panic!("{error}: {:?}", error.details()))
}

/// A caller with these scopes.
///
/// # Panics
/// If a scope does not exist.
pub fn caller(scopes: &[&str]) -> Caller {
    caller_in(workspace_value(1), scopes)
}

/// A caller with these scopes in a workspace.
///
/// # Panics
/// If a scope does not exist.
pub fn caller_in(workspace: Workspace, scopes: &[&str]) -> Caller {
    key_in(workspace, scopes, None)
}

/// A key with these scopes, and tools narrowed to a permission map if there is one.
///
/// # Panics
/// If a scope or a permission does not exist.
pub fn key_in(workspace: Workspace, scopes: &[&str], map: Option<&[&str]>) -> Caller {
    let scope = |text: &&str| Scope::parse(text).unwrap_or_else(|| panic!("{text} is not a scope"));
    let permission = |text: &&str| ToolPermission::parse(text).unwrap_or_else(|| panic!("{text} is not a permission"));
    let scopes = scopes.iter().map(scope).collect();
    let map: Option<ToolPermissions> = map.map(|names| names.iter().map(permission).collect());
    let credential = Credential::Key(ApiKeyId(Uuid::from_u128(7)));
    caller_with(workspace, credential, "A key", scopes, ToolGrants::from_scopes(scopes, map.as_ref()))
}

/// A user with a role and exactly these scopes, regardless of the role.
///
/// # Panics
/// If a scope does not exist.
pub fn user(role: Role, scopes: &[&str]) -> Caller {
    user_with(role, caller(scopes).scopes())
}

/// Like [`user`], with a set of scopes.
pub fn user_with(role: Role, scopes: ScopeSet) -> Caller {
    caller_with(workspace_value(1), session_of(role), "A person", scopes, ToolGrants::from_scopes(scopes, None))
}

/// A caller with exactly these permissions, not authenticated by anything.
pub fn caller_with(
    workspace: Workspace,
    credential: Credential,
    name: &str,
    scopes: ScopeSet,
    tools: ToolGrants,
) -> Caller {
    Caller::unverified(workspace, credential, name, scopes, tools)
}

/// An operator, as on the command line.
#[expect(clippy::disallowed_methods, reason = "tests act as the operator")]
pub const fn operator() -> Operator {
    Operator::of_this_process()
}

/// A minimal issue of a kind and a status.
pub fn issue(kind: IssueKind, status: IssueStatus) -> Issue {
    let blank = Issue::blank(IssueId(Uuid::from_u128(1)), kind, Actor::SYSTEM, OffsetDateTime::UNIX_EPOCH);
    Issue { number: 1, title: "An issue".to_owned(), status, ..blank }
}

/// The master key of all tests.
///
/// # Panics
/// Never: the key is well formed.
pub fn master_keys() -> MasterKeys {
    let text = "ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=";
    MasterKeys::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Ports over a store, with test doubles for everything else.
pub fn ports_over<S>(store: Arc<S>, clock: Arc<ManualClock>, ids: Arc<dyn Ids>, random: Arc<dyn Random>) -> Ports
where
    S: Store + Directory + 'static,
{
    let directory: Arc<dyn Directory> = store.clone();
    let clock: Arc<dyn Clock> = clock;
    let settings = Settings { public_url: "https://work.example.com".to_owned(), ..Settings::default() };
    Ports {
        store,
        directory,
        clock,
        ids,
        random,
        limiter: Arc::new(MapLimiter::default()),
        passwords: Arc::new(PlainPasswords),
        credential_cache: Arc::default(),
        activity: Arc::default(),
        event_bytes: Arc::default(),
        set_up: Arc::default(),
        refusals: Arc::default(),
        master_keys: Arc::new(master_keys()),
        settings: Arc::new(settings),
        event_feed: Arc::new(NoFollowers),
        email_copies: Arc::new(NoEmailCopies),
    }
}

/// The e-mails that are due once the delay for answers has passed, oldest first, as a worker that sends them all would see them.
///
/// # Panics
/// If the queue fails, or contains something that is not an e-mail.
pub async fn sent_emails(ports: &Ports, queue: &dyn EmailQueue) -> Vec<EmailMessage> {
    let (owner, now) = (Uuid::from_u128(0xA), ports.clock.now() + ports.settings.answer_delay.0);
    let claim = EmailClaim { owner, limit: 100, limit_per_workspace: 100, after: None, now };
    let claimed = queue.claim_emails(&claim).await.unwrap_or_else(|error| panic!("{error}"));
    let mut emails = Vec::new();
    for email in claimed {
        emails.push(email.open(&ports.master_keys).unwrap_or_else(|error| panic!("{error}")));
        let record =
            EmailAttemptRecord { owner, workspace: email.workspace, id: email.id, now, verdict: EmailVerdict::Sent };
        assert!(queue.record_email(&record).await.unwrap_or_else(|error| panic!("{error}")));
    }
    emails
}

/// Handles the link requests that are due, as a worker would; returns the messages of those that failed.
///
/// # Panics
/// If the store fails.
pub async fn answer_link_requests(ports: &Ports) -> Vec<String> {
    let mut failures = Vec::new();
    while let Some(batch) = support::take_link_requests(ports).await.unwrap_or_else(|error| panic!("{error}")) {
        for request in batch {
            failures.extend(support::answer_link_request(ports, &request).await.err().map(|error| error.to_string()));
        }
    }
    failures
}
