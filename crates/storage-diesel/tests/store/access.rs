//! Users and their credentials under concurrency.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use crate::common::jobs::{NOW, count, job, number, spawn, wait_until};
use crate::common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use domain::email::link_requests;
use domain::identity::access::{Caller, Credential, PlainToken, TokenKind, ToolGrants};
use domain::identity::accounts::{
    self, AcceptanceFields, Client, PasswordChange, PasswordProof, PasswordReset, ResetFields, ResetRequestFields,
    Session,
};
use domain::identity::members::{self, InvitationFields, KeysOfMember, RoleFields};
use domain::identity::set_up;
use domain::identity::usage::{CredentialUsage, UsedCredential};
use domain::identity::workspaces::{self, NewUser, NewWorkspace, Role, Workspace};
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Plan;
use domain::ports::{Abort, Job, Ports};
use domain::testing::{self, ManualClock, answer_link_requests, caller_with, plain_hash, sent_emails};
use domain::{Error, SessionId, UserId};
use serde_json::{Value, json};
use storage_diesel::PgStore;
use tokio::sync::Barrier;
use uuid::Uuid;

const PASSWORD: &str = "a good password";

struct AccessFixture {
    ports: Ports,
    store: Arc<PgStore>,
    workspace: Workspace,
}

fn fields<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, InputMode::Create).unwrap()
}

impl AccessFixture {
    async fn new() -> (Database, Self) {
        let database = Database::migrated();
        let unique = Arc::new(crate::common::UniqueValues);
        let clock = Arc::<ManualClock>::default();
        let store = Arc::new(database.store());
        let ports = testing::ports_over(store.clone(), clock, unique.clone(), unique);
        let new = NewWorkspace { name: "Office".to_owned(), slug: "office".to_owned(), plan: Plan::Starter };
        let workspace = workspaces::create(&ports, &testing::operator(), &new).await.unwrap();
        (database, Self { ports, store, workspace })
    }

    async fn add(&self, email: &str, role: Role) -> UserId {
        let permit = testing::operator().permit(self.workspace.clone());
        let password = plain_hash(PASSWORD);
        let new = NewUser { email: email.to_owned(), name: email.to_owned(), role, password };
        workspaces::create_user(&self.ports, &permit, new).await.unwrap().user.id
    }

    /// Ann requests a password reset.
    async fn ask_for_reset(&self) {
        let request: ResetRequestFields = fields(json!({ "email": "ann@example.org" }));
        accounts::request_password_reset(&self.ports, &Client::default(), request).await.unwrap();
    }

    async fn caller(&self, user: UserId, role: Role) -> Caller {
        let session = self.session(user);
        let id = session.id;
        let begin: Job = Box::new(move |tx| {
            assert!(tx.sessions().insert(&session, Some(&plain_hash(PASSWORD))).map_err(Abort::Store)?);
            Ok(())
        });
        self.ports.store.run(self.workspace.id, begin).await.unwrap();
        let credential = Credential::Session { id, user, role };
        caller_with(self.workspace.clone(), credential, "somebody", role.scopes(), ToolGrants::default())
    }

    /// The token in the only queued e-mail.
    async fn token(&self) -> String {
        let message = sent_emails(&self.ports, &*self.store).await.remove(0);
        let text = message.text();
        let start = text.find("#token=").unwrap() + "#token=".len();
        text[start..].split_whitespace().next().unwrap().to_owned()
    }

    fn session(&self, user_id: UserId) -> Session {
        let token = PlainToken::generate(TokenKind::Session, &*self.ports.random);
        Session {
            id: SessionId(self.ports.ids.new_id()),
            user_id,
            lookup_id: token.lookup_id().to_owned(),
            secret: token.hashed(),
            user_agent: None,
            address: None,
            created_at: NOW,
            last_used_at: NOW,
            expires_at: NOW + accounts::SESSION_TTL,
        }
    }

    /// A password change with a new link.
    async fn change(&self, user_id: UserId) -> PasswordChange {
        let token = PlainToken::generate(TokenKind::PasswordReset, &*self.ports.random);
        let (lookup_id, secret) = (token.lookup_id().to_owned(), token.hashed());
        let by = PasswordProof::Reset(lookup_id.clone());
        let reset = PasswordReset { user_id, lookup_id, secret, expires_at: NOW + accounts::RESET_TTL, used_at: None };
        assert!(self.ports.directory.put_password_reset(&reset, NOW, None).await.unwrap());
        let password = plain_hash("another password");
        PasswordChange { user_id, password, email: None, by, entries: Vec::new(), now: NOW }
    }
}

/// How many of eight concurrent calls succeed, and the error codes of the others.
async fn eight_times<F>(call: impl Fn() -> F) -> (usize, Vec<&'static str>)
where
    F: Future<Output = Result<(), Error>> + Send + 'static,
{
    let (mut successes, mut codes) = (0, Vec::new());
    for result in concurrently((0..8).map(|_| call())).await {
        match result {
            Ok(()) => successes += 1,
            Err(error) => codes.push(error.code().as_str()),
        }
    }
    codes.dedup();
    (successes, codes)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invitation_accepted_concurrently_authenticates_once() {
    let (database, access) = AccessFixture::new().await;
    let ann = access.add("ann@example.org", Role::Owner).await;
    let permit = access.caller(ann, Role::Owner).await.permit().unwrap();
    let invitation: InvitationFields = fields(json!({ "email": "bob@example.org", "role": "member" }));
    members::invite(&access.ports, &permit, None, invitation).await.unwrap();
    let token = access.token().await;
    let accept = || {
        let (ports, body) = (access.ports.clone(), json!({ "token": token, "name": "Bob", "password": PASSWORD }));
        async move {
            let acceptance: AcceptanceFields = fields(body);
            accounts::accept_invitation(&ports, &Client::default(), acceptance).await.map(drop)
        }
    };
    let (successes, codes) = eight_times(accept).await;
    assert_eq!(successes, 1);
    assert!(codes.iter().all(|code| *code == "capability_consumed"), "{codes:?}");
    assert_eq!(count(&database, "sessions"), 2, "the inviter's and one");
    assert_eq!(count(&database, "audit_log WHERE action = 'member.joined'"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_used_concurrently_sets_one_password() {
    let (database, access) = AccessFixture::new().await;
    access.add("ann@example.org", Role::Owner).await;
    access.ask_for_reset().await;
    assert!(answer_link_requests(&access.ports).await.is_empty());
    let (token, number) = (access.token().await, AtomicU32::new(0));
    let reset = || {
        let password = format!("password number {}", number.fetch_add(1, Ordering::Relaxed));
        let (ports, body) = (access.ports.clone(), json!({ "token": token, "new_password": password }));
        async move {
            let fields: ResetFields = fields(body);
            accounts::reset_password(&ports, None, fields).await
        }
    };
    let (successes, codes) = eight_times(reset).await;
    assert_eq!((successes, codes), (1, vec!["capability_consumed"]));
    assert_eq!(count(&database, "audit_log WHERE action = 'password.reset'"), 1);
    assert_eq!(count(&database, "credential_changes"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_claimed_by_many_is_processed_once() {
    let (database, access) = AccessFixture::new().await;
    access.add("ann@example.org", Role::Owner).await;
    access.ask_for_reset().await;
    let request = link_requests::take(&access.ports, 1).await.unwrap().remove(0);
    let answer = || {
        let (ports, request) = (access.ports.clone(), request.clone());
        async move { domain::support::answer_link_request(&ports, &request).await.map(drop) }
    };
    assert_eq!(eight_times(answer).await, (8, Vec::new()));
    assert_eq!(["mails", "password_resets", "link_requests"].map(|table| count(&database, table)), [1, 1, 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_claimed_once() {
    let (_database, access) = AccessFixture::new().await;
    for _ in 0..3 {
        access.ask_for_reset().await;
    }
    let take = || {
        let ports = access.ports.clone();
        async move { link_requests::take(&ports, 1).await?.pop().map(drop).ok_or(Error::NotFound("request")) }
    };
    // A worker that meets a locked row claims nothing and polls again.
    let mut taken = 0;
    while taken < 3 {
        taken += eight_times(take).await.0;
    }
    assert_eq!((taken, eight_times(take).await.0), (3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn owners_who_demote_each_other_leave_one() {
    let (database, access) = AccessFixture::new().await;
    let (ann, bob) = (access.add("a@e.org", Role::Owner).await, access.add("b@e.org", Role::Owner).await);
    for round in 0..10 {
        let callers = [access.caller(ann, Role::Owner).await, access.caller(bob, Role::Owner).await];
        let demotions = callers.into_iter().zip([bob, ann]).map(|(caller, other)| {
            let (ports, permit) = (access.ports.clone(), caller.permit().unwrap());
            async move {
                if round % 2 == 0 {
                    let fields: RoleFields = fields(json!({ "role": "admin" }));
                    members::change_role(&ports, &permit, other, ExpectedVersion::Any, fields).await.map(drop)
                } else {
                    members::remove(&ports, &permit, other, ExpectedVersion::Any, KeysOfMember::Revoke).await.map(drop)
                }
            }
        });
        let mut successes = 0;
        for result in concurrently(demotions).await {
            match result {
                Ok(()) => successes += 1,
                // The first demotion ended the other session.
                Err(error) => assert_eq!(error.code().as_str(), "unauthorized"),
            }
        }
        assert_eq!(successes, 1, "{round}");
        let owners = "members WHERE role = 'owner' AND joined_at IS NOT NULL AND deactivated_at IS NULL";
        assert_eq!(count(&database, owners), 1);
        database.execute("UPDATE members SET role = 'owner', deactivated_at = NULL");
    }
}

/// A change waits for a session that has begun but is not committed, and ends it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_password_waits_for_a_login_and_ends_it() {
    let (database, access) = AccessFixture::new().await;
    let ann = access.add("ann@example.org", Role::Owner).await;
    let (started, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (job_started, job_end, runtime) = (started.clone(), end.clone(), tokio::runtime::Handle::current());
    let session = access.session(ann);
    let login: Job = Box::new(move |tx| {
        assert!(tx.sessions().insert(&session, Some(&plain_hash(PASSWORD))).map_err(Abort::Store)?);
        runtime.block_on(job_started.wait());
        runtime.block_on(job_end.wait());
        Ok(())
    });
    let login = spawn(&access.store, access.workspace.id, login);
    started.wait().await;
    let (directory, change) = (access.ports.directory.clone(), access.change(ann).await);
    let change = tokio::spawn(async move { directory.change_password(change).await });
    wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
    assert!(!change.is_finished());
    end.wait().await;
    login.await.unwrap().unwrap();
    assert!(change.await.unwrap().unwrap());
    assert_eq!(count(&database, "sessions"), 0);
}

/// A login waits for an uncommitted change of the password or membership, and is denied after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_login_waits_for_changes_that_would_deny_it() {
    let (database, access) = AccessFixture::new().await;
    for (number, change) in [
        "UPDATE users SET password_hash = 'another'",
        "UPDATE members SET deactivated_at = now()",
        "UPDATE members SET joined_at = NULL",
    ]
    .into_iter()
    .enumerate()
    {
        let user = access.add(&format!("{number}@example.org"), Role::Member).await;
        let mut other = database.connection();
        other.batch_execute(&format!("BEGIN; {change}")).unwrap();
        let (session, (sender, receiver)) = (access.session(user), mpsc::channel());
        let login = job(move |tx| {
            let has_begun = tx.sessions().insert(&session, Some(&plain_hash(PASSWORD)));
            has_begun.map(|has_begun| sender.send(has_begun).unwrap())
        });
        let login = spawn(&access.store, access.workspace.id, login);
        wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
        other.batch_execute("COMMIT").unwrap();
        login.await.unwrap().unwrap();
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [false], "{change}");
        assert_eq!(count(&database, "sessions"), 0, "{change}");
    }
}

/// However a login and a password change interleave, no session of the old password remains.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_session_outlives_its_password() {
    let (database, access) = AccessFixture::new().await;
    for number in 0..30 {
        let user = access.add(&format!("{number}@example.org"), Role::Member).await;
        let body = json!({ "email": format!("{number}@example.org"), "password": PASSWORD });
        let change = access.change(user).await;
        let logins = (0..3).map(|_| {
            let (ports, body) = (access.ports.clone(), body.clone());
            async move { accounts::login(&ports, &Client::default(), fields(body)).await.map(drop) }
        });
        let (logins, result) = tokio::join!(concurrently(logins), access.ports.directory.change_password(change));
        for login in logins {
            assert!(matches!(login, Ok(()) | Err(Error::InvalidLogin)), "{login:?}");
        }
        assert!(result.unwrap());
        assert_eq!(count(&database, "sessions"), 0);
    }
}

/// Changes older than the requested window are not returned, and are pruned after an hour.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_read_by_the_clock_of_the_database() {
    let (database, access) = AccessFixture::new().await;
    let ids: Vec<Uuid> = [1, 2, 3].map(Uuid::from_u128).to_vec();
    for (id, age) in ids.iter().zip(["50 seconds", "70 seconds", "61 minutes"]) {
        let sql = format!(
            "INSERT INTO credential_changes (subject, changed_at) VALUES ('{id}', clock_timestamp() - interval '{age}')"
        );
        database.execute(&sql);
    }
    let changes = access.ports.directory.credential_changes(std::time::Duration::from_mins(1)).await.unwrap();
    assert_eq!(changes, ids[..1]);
    // The clock of this instance does not matter.
    assert_eq!(access.ports.directory.prune_credentials(NOW, 9).await.unwrap(), 1);
    assert_eq!(count(&database, "credential_changes"), 2);
}

/// Instances that write activity concurrently neither deadlock nor lose counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_write_activity_concurrently() {
    let (database, access) = AccessFixture::new().await;
    let permit = testing::operator().permit(access.workspace.clone());
    let mut usages = Vec::new();
    for _ in 0..20 {
        let fields = testing::key_fields(json!({ "name": "k", "preset": "crm" }));
        let key = domain::identity::api_keys::create(&access.ports, &permit, fields).await.unwrap().key;
        let (workspace, credential) = (access.workspace.id, UsedCredential::Key(key.id));
        usages.push(CredentialUsage { workspace, credential, last_used_at: NOW, requests: 1, tools_used_at: None });
    }
    let instances = (0_usize..16).map(|number| {
        let (directory, mut usages) = (access.ports.directory.clone(), usages.clone());
        usages.rotate_left(number);
        async move { directory.record_activity(&usages).await.unwrap() }
    });
    concurrently(instances).await;
    assert_eq!(number(&database, "SELECT requests FROM request_counts"), 16 * 20);
    assert_eq!(count(&database, "api_keys WHERE last_used_at IS NOT NULL"), 20);
}

#[tokio::test]
async fn concurrent_set_ups_create_one_workspace() {
    let database = Database::migrated();
    let (ports, _) = database.ports();
    let operator = testing::operator();
    let (barrier, mut tries) = (Arc::new(Barrier::new(4)), Vec::new());
    for number in 0..4 {
        let code = set_up::issue_code(&ports, &operator, &format!("host {number}")).await.unwrap().unwrap();
        let (ports, barrier) = (ports.clone(), Arc::clone(&barrier));
        tries.push(tokio::spawn(async move {
            let body = fields(json!({
                "code": code.reveal(), "workspace_name": "Acme", "slug": format!("acme-{number}"), "name": "Ann",
                "email": format!("ann-{number}@example.org"), "password": PASSWORD,
            }));
            barrier.wait().await;
            set_up::set_up(&ports, &Client::default(), body).await
        }));
    }
    let mut created = 0;
    for outcome in tries {
        match outcome.await.unwrap() {
            Ok(_) => created += 1,
            Err(Error::Conflict(_)) => {}
            Err(Error::Invalid(problems)) => assert_eq!(problems[0].code, "invalid_code"),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(created, 1);
    assert_eq!(["workspaces", "users", "set_up_codes"].map(|table| count(&database, table)), [1, 1, 0]);
    assert!(set_up::issue_code(&ports, &operator, "host 1").await.unwrap().is_none());
}
