//! People and their credentials, when several things happen to them at once.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::Database;
use common::jobs::{NOW, count, wait_until};
use diesel::RunQueryDsl;
use diesel::connection::SimpleConnection;
use domain::email::link_requests;
use domain::identity::access::{Caller, Credential, PlainToken, TokenKind, ToolGrants};
use domain::identity::accounts::{
    self, AcceptanceFields, PasswordChange, PasswordProof, PasswordReset, ResetFields, ResetRequestFields, Session,
};
use domain::identity::members::{self, InvitationFields, RoleFields};
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

/// A service with one workspace.
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
    async fn over(database: &Database) -> Self {
        let different = Arc::new(common::Different);
        let clock = Arc::<ManualClock>::default();
        let store = Arc::new(database.store());
        let ports = testing::ports_over(store.clone(), clock, different.clone(), different);
        let new = NewWorkspace { name: "Office".to_owned(), slug: "office".to_owned(), plan: Plan::Starter };
        let workspace = workspaces::create(&ports, &testing::operator(), &new).await.unwrap();
        Self { ports, store, workspace }
    }

    async fn add(&self, email: &str, role: Role) -> UserId {
        let permit = testing::operator().permit(self.workspace.clone());
        let password = plain_hash(PASSWORD);
        let new = NewUser { email: email.to_owned(), name: email.to_owned(), role, password };
        workspaces::create_user(&self.ports, &permit, new).await.unwrap().user.id
    }

    /// Ann asks for a new password.
    async fn ask_for_reset(&self) {
        let asked: ResetRequestFields = fields(json!({ "email": "ann@example.org" }));
        accounts::request_password_reset(&self.ports, asked).await.unwrap();
    }

    /// Somebody who is signed in.
    async fn caller(&self, user: UserId, role: Role) -> Caller {
        let session = self.session(user);
        let id = session.id;
        let begin: Job = Box::new(move |tx| {
            assert!(tx.sessions().insert(&session, &plain_hash(PASSWORD)).map_err(Abort::Store)?);
            Ok(())
        });
        self.ports.store.run(self.workspace.id, begin).await.unwrap();
        let credential = Credential::Session { id, user, role };
        caller_with(self.workspace.clone(), credential, "somebody", role.scopes(), ToolGrants::default())
    }

    /// The token of the one letter.
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
            created_at: NOW,
            expires_at: NOW + accounts::SESSION_TTL,
        }
    }

    /// A change of the password with a fresh link.
    async fn change(&self, user_id: UserId) -> PasswordChange {
        let token = PlainToken::generate(TokenKind::PasswordReset, &*self.ports.random);
        let (lookup_id, secret) = (token.lookup_id().to_owned(), token.hashed());
        let by = PasswordProof::Reset(lookup_id.clone());
        let reset = PasswordReset { user_id, lookup_id, secret, expires_at: NOW + accounts::RESET_TTL, used_at: None };
        assert!(self.ports.directory.put_password_reset(&reset, NOW, None).await.unwrap());
        let password = plain_hash("another password");
        PasswordChange { user_id, password, by, entries: Vec::new(), now: NOW }
    }
}

/// How many of eight calls at once succeed, and the words of the others.
async fn eight_times<F>(call: impl Fn() -> F) -> (usize, Vec<&'static str>)
where
    F: Future<Output = Result<(), Error>> + Send + 'static,
{
    let all: Vec<_> = (0..8).map(|_| tokio::spawn(call())).collect();
    let (mut good, mut words) = (0, Vec::new());
    for one in all {
        match one.await.unwrap() {
            Ok(()) => good += 1,
            Err(error) => words.push(error.code().as_str()),
        }
    }
    words.dedup();
    (good, words)
}

#[test]
fn an_invitation_accepted_at_once_lets_in_once() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        let ann = office.add("ann@example.org", Role::Owner).await;
        let permit = office.caller(ann, Role::Owner).await.permit().unwrap();
        let invitation: InvitationFields = fields(json!({ "email": "bob@example.org", "role": "member" }));
        members::invite(&office.ports, &permit, None, invitation).await.unwrap();
        let token = office.token().await;
        let accept = || {
            let (ports, body) = (office.ports.clone(), json!({ "token": token, "name": "Bob", "password": PASSWORD }));
            async move {
                let acceptance: AcceptanceFields = fields(body);
                accounts::accept_invitation(&ports, None, acceptance).await.map(drop)
            }
        };
        let (good, words) = eight_times(accept).await;
        assert_eq!(good, 1);
        assert!(words.iter().all(|word| *word == "capability_consumed"), "{words:?}");
        assert_eq!(count(&database, "sessions"), 2, "the inviter's and one");
        assert_eq!(count(&database, "audit_log WHERE action = 'member.joined'"), 1);
    });
}

#[test]
fn a_reset_used_at_once_sets_one_password() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        office.add("ann@example.org", Role::Owner).await;
        office.ask_for_reset().await;
        assert!(answer_link_requests(&office.ports).await.is_empty());
        let (token, number) = (office.token().await, AtomicU32::new(0));
        let reset = || {
            let password = format!("password number {}", number.fetch_add(1, Ordering::Relaxed));
            let (ports, body) = (office.ports.clone(), json!({ "token": token, "new_password": password }));
            async move {
                let fields: ResetFields = fields(body);
                accounts::reset_password(&ports, None, fields).await
            }
        };
        let (good, words) = eight_times(reset).await;
        assert_eq!((good, words), (1, vec!["capability_consumed"]));
        assert_eq!(count(&database, "audit_log WHERE action = 'password.reset'"), 1);
        assert_eq!(count(&database, "credential_changes"), 1);
    });
}

#[test]
fn a_request_in_many_hands_is_answered_once() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        office.add("ann@example.org", Role::Owner).await;
        office.ask_for_reset().await;
        let request = link_requests::take(&office.ports).await.unwrap().unwrap();
        let answer = || {
            let (ports, request) = (office.ports.clone(), request.clone());
            async move { domain::support::answer_link_request(&ports, &request).await.map(drop) }
        };
        assert_eq!(eight_times(answer).await, (8, Vec::new()));
        assert_eq!(["mails", "password_resets", "link_requests"].map(|table| count(&database, table)), [1, 1, 0]);
    });
}

#[test]
fn a_request_is_taken_by_one() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        for _ in 0..3 {
            office.ask_for_reset().await;
        }
        let take = || {
            let ports = office.ports.clone();
            async move { link_requests::take(&ports).await?.map(drop).ok_or(Error::NotFound("request")) }
        };
        // Who meets another's lock finds nothing, and looks again.
        let mut taken = 0;
        while taken < 3 {
            taken += eight_times(take).await.0;
        }
        assert_eq!((taken, eight_times(take).await.0), (3, 0));
    });
}

#[test]
fn owners_who_demote_each_other_leave_one() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        let (ann, bob) = (office.add("a@e.org", Role::Owner).await, office.add("b@e.org", Role::Owner).await);
        for round in 0..10 {
            let callers = [office.caller(ann, Role::Owner).await, office.caller(bob, Role::Owner).await];
            let all: Vec<_> = callers
                .into_iter()
                .zip([bob, ann])
                .map(|(caller, of)| {
                    let (ports, permit) = (office.ports.clone(), caller.permit().unwrap());
                    tokio::spawn(async move {
                        if round % 2 == 0 {
                            let fields: RoleFields = fields(json!({ "role": "admin" }));
                            members::change_role(&ports, &permit, of, ExpectedVersion::Any, fields).await.map(drop)
                        } else {
                            members::remove(&ports, &permit, of, ExpectedVersion::Any).await
                        }
                    })
                })
                .collect();
            let mut good = 0;
            for one in all {
                match one.await.unwrap() {
                    Ok(()) => good += 1,
                    // The quicker one ended the other's session.
                    Err(error) => assert_eq!(error.code().as_str(), "unauthorized"),
                }
            }
            assert_eq!(good, 1, "{round}");
            let owners = "members WHERE role = 'owner' AND joined_at IS NOT NULL AND deactivated_at IS NULL";
            assert_eq!(count(&database, owners), 1);
            let back = "UPDATE members SET role = 'owner', deactivated_at = NULL";
            database.connection().batch_execute(back).unwrap();
        }
    });
}

/// A session that was begun and not yet committed is seen by the change that comes after it.
#[test]
fn a_change_of_password_waits_for_a_login_and_ends_it() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        let ann = office.add("ann@example.org", Role::Owner).await;
        let (begun, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
        let (here, there, runtime) = (begun.clone(), end.clone(), tokio::runtime::Handle::current());
        let session = office.session(ann);
        let login: Job = Box::new(move |tx| {
            assert!(tx.sessions().insert(&session, &plain_hash(PASSWORD)).map_err(Abort::Store)?);
            runtime.block_on(here.wait());
            runtime.block_on(there.wait());
            Ok(())
        });
        let (store, workspace) = (office.ports.store.clone(), office.workspace.id);
        let login = tokio::spawn(async move { store.run(workspace, login).await });
        begun.wait().await;
        let (directory, change) = (office.ports.directory.clone(), office.change(ann).await);
        let change = tokio::spawn(async move { directory.change_password(change).await });
        wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
        assert!(!change.is_finished());
        end.wait().await;
        login.await.unwrap().unwrap();
        assert!(change.await.unwrap().unwrap());
        assert_eq!(count(&database, "sessions"), 0);
    });
}

/// A login waits for a change that is under way, of the password or of the membership, and is refused after it.
#[test]
fn a_login_waits_for_what_would_refuse_it() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        for (number, change) in [
            "UPDATE users SET password_hash = 'another'",
            "UPDATE members SET deactivated_at = now()",
            "UPDATE members SET joined_at = NULL",
        ]
        .into_iter()
        .enumerate()
        {
            let user = office.add(&format!("{number}@example.org"), Role::Member).await;
            let mut other = database.connection();
            other.batch_execute(&format!("BEGIN; {change}")).unwrap();
            let (session, refused) = (office.session(user), Arc::new(AtomicU32::new(0)));
            let seen = refused.clone();
            let login: Job = Box::new(move |tx| {
                let begun = tx.sessions().insert(&session, &plain_hash(PASSWORD)).map_err(Abort::Store)?;
                seen.fetch_add(u32::from(!begun), Ordering::Relaxed);
                Ok(())
            });
            let (store, workspace) = (office.ports.store.clone(), office.workspace.id);
            let login = tokio::spawn(async move { store.run(workspace, login).await });
            wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
            other.batch_execute("COMMIT").unwrap();
            login.await.unwrap().unwrap();
            assert_eq!(refused.load(Ordering::Relaxed), 1, "{change}");
            assert_eq!(count(&database, "sessions"), 0, "{change}");
        }
    });
}

/// However a login and a change of the password fall together, no session of the old password is left.
#[test]
fn no_session_outlives_its_password() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        for number in 0..30 {
            let user = office.add(&format!("{number}@example.org"), Role::Member).await;
            let body = json!({ "email": format!("{number}@example.org"), "password": PASSWORD });
            let change = office.change(user).await;
            let logins: Vec<_> = (0..3)
                .map(|_| {
                    let (ports, body) = (office.ports.clone(), body.clone());
                    tokio::spawn(async move { accounts::login(&ports, None, fields(body)).await.map(drop) })
                })
                .collect();
            let (directory, change) = (office.ports.directory.clone(), change);
            let change = tokio::spawn(async move { directory.change_password(change).await });
            for login in logins {
                let login = login.await.unwrap();
                assert!(matches!(login, Ok(()) | Err(Error::InvalidLogin)), "{login:?}");
            }
            assert!(change.await.unwrap().unwrap());
            assert_eq!(count(&database, "sessions"), 0);
        }
    });
}

/// What was committed longer ago than was asked for is not told again, and goes after an hour.
#[test]
fn changes_are_told_by_the_clock_of_the_database() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        let ids: Vec<Uuid> = [1, 2, 3].map(Uuid::from_u128).to_vec();
        for (id, age) in ids.iter().zip(["50 seconds", "70 seconds", "61 minutes"]) {
            let sql = format!(
                "INSERT INTO credential_changes (subject, changed_at) VALUES ('{id}', clock_timestamp() - interval '{age}')"
            );
            database.connection().batch_execute(&sql).unwrap();
        }
        let changes = office.ports.directory.credential_changes(std::time::Duration::from_mins(1)).await.unwrap();
        assert_eq!(changes, ids[..1]);
        // Whatever this instance's clock says.
        assert_eq!(office.ports.directory.prune_credentials(NOW, 9).await.unwrap(), 1);
        assert_eq!(count(&database, "credential_changes"), 2);
    });
}

/// Instances that write what they saw at the same time neither deadlock nor lose anything.
#[test]
fn instances_write_activity_at_once() {
    let database = Database::migrated();
    common::block_on(async {
        let office = AccessFixture::over(&database).await;
        let permit = testing::operator().permit(office.workspace.clone());
        let mut seen = Vec::new();
        for _ in 0..20 {
            let made = testing::key_fields(json!({ "name": "k", "preset": "crm" }));
            let key = domain::identity::api_keys::create(&office.ports, &permit, made).await.unwrap().key;
            let (workspace, key) = (office.workspace.id, Some(key.id));
            seen.push(domain::identity::usage::CredentialUsage { workspace, key, last_used_at: NOW, requests: 1 });
        }
        let all: Vec<_> = (0_usize..16)
            .map(|number| {
                let (directory, mut seen) = (office.ports.directory.clone(), seen.clone());
                seen.rotate_left(number);
                tokio::spawn(async move { directory.record_activity(&seen).await })
            })
            .collect();
        for one in all {
            one.await.unwrap().unwrap();
        }
        let sql = diesel::dsl::sql::<diesel::sql_types::BigInt>("SELECT requests FROM request_counts");
        assert_eq!(sql.get_result::<i64>(&mut database.connection()).unwrap(), 16 * 20);
        assert_eq!(count(&database, "api_keys WHERE last_used_at IS NOT NULL"), 20);
    });
}
