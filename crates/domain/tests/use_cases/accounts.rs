use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;
use time::Duration;

use super::access::{PASSWORD, WorkspaceFixture, token_of};
use super::{new, refusal};
use domain::identity::access::Credential;
use domain::identity::accounts::{self, Client, SESSION_TTL};
use domain::identity::members;
use domain::identity::workspaces::{self, Role, SettableStatus};
use domain::ports::{Job, Store, StoreError};
use domain::{Error, WorkspaceId};
use uuid::Uuid;

const ANN: &str = "ann@example.org";
const NEW: &str = "another good password";

#[test]
fn a_session_ends_on_expiry_log_out_or_suspension() {
    let fixture = WorkspaceFixture::new();
    let test = &fixture.test;
    let ann = fixture.seat(ANN, Role::Member);
    assert_eq!((ann.caller.name(), ann.caller.scopes()), (ANN, Role::Member.scopes()));
    test.clock.advance(SESSION_TTL - Duration::MICROSECOND);
    assert!(fixture.accepts(&ann));
    test.clock.advance(Duration::MICROSECOND);
    assert!(!fixture.accepts(&ann));
    let [one, other] = [(); 2].map(|()| fixture.sign_in(ANN, PASSWORD).unwrap());
    test.block_on(accounts::logout(&test.ports, &one.permit())).unwrap();
    assert!(!fixture.accepts(&one) && fixture.accepts(&other));
    test.block_on(workspaces::set_status(&test.ports, &fixture.operator(), SettableStatus::Suspended)).unwrap();
    assert!(!fixture.accepts(&other) && fixture.login(ANN, PASSWORD).is_err());
    test.block_on(workspaces::set_status(&test.ports, &fixture.operator(), SettableStatus::Active)).unwrap();
    assert!(fixture.accepts(&other));
    let expected =
        ["workspace.activated", "workspace.suspended", "session.ended", "session.started", "session.started"];
    assert_eq!(fixture.audit_actions()[..5], expected);
}

fn request_reset(fixture: &WorkspaceFixture, email: &str) {
    let fields = new(json!({ "email": email }));
    fixture.test.block_on(accounts::request_password_reset(&fixture.test.ports, &Client::default(), fields)).unwrap();
    assert!(fixture.test.emails().is_empty(), "nothing is mailed before the response");
    fixture.test.answer_link_requests();
}

fn reset(fixture: &WorkspaceFixture, token: &str) -> Result<(), Error> {
    let fields = new(json!({ "token": token, "new_password": NEW }));
    fixture.test.block_on(accounts::reset_password(&fixture.test.ports, None, fields))
}

#[test]
fn a_mailed_link_sets_a_password_once() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Member);
    request_reset(&fixture, &ANN.to_uppercase());
    let email = fixture.queued_email();
    assert_eq!(email.to(), ANN);
    assert!(email.text().contains("https://work.example.com/reset-password#token=svp_"), "{}", email.text());
    let (token, bearer) = (token_of(&email), ann.bearer.clone());
    assert_eq!(refusal(reset(&fixture, &bearer)), "validation_failed token:invalid_token");
    reset(&fixture, &token).unwrap();
    assert!(!fixture.accepts(&ann));
    fixture.login(ANN, NEW).unwrap();
    assert_eq!(refusal(reset(&fixture, &token)), "capability_consumed");
    assert_eq!(fixture.audit_actions()[..2], ["session.started", "password.reset"]);
}

#[test]
fn links_are_mailed_only_to_known_addresses() {
    let fixture = WorkspaceFixture::new();
    let id = fixture.add(ANN, Role::Member);
    request_reset(&fixture, "bob@example.org");
    assert!(fixture.test.emails().is_empty());
    let permit = fixture.operator();
    let keys = members::KeysOfMember::Keep;
    let remove = members::remove(&fixture.test.ports, &permit, id, super::ExpectedVersion::Any, keys);
    fixture.test.block_on(remove).unwrap();
    request_reset(&fixture, ANN);
    assert!(fixture.test.emails().is_empty());
}

/// A store that records the holders whose reads must see earlier writes.
struct RecordingStore {
    store: Arc<dyn Store>,
    holders: Mutex<Vec<Uuid>>,
}

#[async_trait]
impl Store for RecordingStore {
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.store.run(workspace, job).await
    }

    async fn statement(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.store.statement(workspace, job).await
    }

    async fn note_write(&self, holder: Uuid) {
        self.holders.lock().unwrap().push(holder);
    }
}

/// A replica may serve the audit log, but users must see their own account changes, which are made outside a workspace.
#[test]
fn users_see_their_account_changes_in_the_audit_log() {
    let mut fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    let Credential::Session { id: other, .. } = fixture.sign_in(ANN, PASSWORD).unwrap().caller.credential() else {
        panic!("no session")
    };
    let store = Arc::new(RecordingStore { store: Arc::clone(&fixture.test.ports.store), holders: Mutex::default() });
    fixture.test.ports.store = Arc::<RecordingStore>::clone(&store);
    let (test, take_holders) = (&fixture.test, || std::mem::take(&mut *store.holders.lock().unwrap()));
    test.block_on(accounts::end_session(&test.ports, &ann.permit(), other)).unwrap();
    assert_eq!(take_holders(), [ann.id.0]);
    test.block_on(accounts::begin_second_factor(&test.ports, &ann.permit())).unwrap();
    assert_eq!(take_holders(), [ann.id.0]);
}
