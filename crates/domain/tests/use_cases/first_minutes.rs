//! Set-up, sign-in links, switching workspaces, and first steps.

use std::net::IpAddr;

use serde_json::{Value, json};
use time::Duration;

use super::access::{PASSWORD, WorkspaceFixture, add_person, add_workspace};
use super::new;
use domain::identity::access::{Credential, ManageOwnAccount, Permit, PlainToken, TokenKind, authenticate};
use domain::identity::accounts::{self, Client, Login, SESSION_TTL, SignIn, sign_in_link};
use domain::identity::api_keys;
use domain::identity::set_up::{self, CODE_TTL, MAX_CODES, SetUpFields};
use domain::identity::usage::flush_activity;
use domain::identity::workspaces::{self, DemoMember, FirstSteps, NewDemo, NewWorkspace, Role};
use domain::limits::Plan;
use domain::testing::{self, key_fields};
use domain::{Error, UserId};
use test_databases::TestPorts;

fn local() -> Client {
    Client { address: Some(IpAddr::from([127, 0, 0, 1])), ..Client::default() }
}

fn code(test: &TestPorts, instance: &str) -> Option<PlainToken> {
    test.block_on(set_up::issue_code(&test.ports, &testing::operator(), instance)).unwrap()
}

fn try_set_up(test: &TestPorts, code: &str) -> Result<Login, Error> {
    let fields: SetUpFields = new::<SetUpFields>(json!({
        "code": code, "workspace_name": "Acme", "slug": "acme", "name": "Ann Lee", "email": "ann@example.com",
        "password": PASSWORD,
    }));
    test.block_on(set_up::set_up(&test.ports, &Client::default(), fields))
}

fn permit_of(test: &TestPorts, login: &Login) -> Permit<ManageOwnAccount> {
    test.block_on(authenticate(&test.ports, login.token.reveal(), None)).unwrap().permit().unwrap()
}

fn code_of(error: &Error) -> &'static str {
    error.details().first().map_or("", |problem| problem.code)
}

#[test]
fn the_right_code_creates_the_first_workspace_and_signs_the_operator_in() {
    let test = TestPorts::new();
    let needed = || test.block_on(set_up::needs_set_up(&test.ports)).unwrap();
    assert!(needed());
    let plain = code(&test, "host a").unwrap();
    let login = try_set_up(&test, plain.reveal()).unwrap();
    assert!(!needed());
    let permit = permit_of(&test, &login);
    let account = test.block_on(accounts::read(&test.ports, &permit)).unwrap();
    assert_eq!((account.workspace.slug.as_str(), account.role, account.operator), ("acme", Role::Owner, true));
    // No code creates a second workspace.
    assert!(matches!(try_set_up(&test, plain.reveal()), Err(Error::Conflict(_))));
    assert!(code(&test, "host a").is_none());
}

#[test]
fn wrong_expired_and_replaced_codes_create_nothing() {
    let test = TestPorts::new();
    let (first, other) = (code(&test, "host a").unwrap(), code(&test, "host b").unwrap());
    let again = code(&test, "host a").unwrap();
    let forged = PlainToken::forged(TokenKind::SetUpCode, again.lookup_id(), &*test.ports.random);
    for bad in [first.reveal(), forged.reveal(), "svu_no", ""] {
        if !bad.is_empty() {
            assert_eq!(code_of(&try_set_up(&test, bad).unwrap_err()), "invalid_code", "{bad}");
        }
    }
    test.clock.advance(CODE_TTL);
    assert_eq!(code_of(&try_set_up(&test, other.reveal()).unwrap_err()), "invalid_code");
    assert!(test.block_on(set_up::needs_set_up(&test.ports)).unwrap());
}

#[test]
fn each_instance_on_a_database_has_a_code_up_to_a_limit() {
    let test = TestPorts::new();
    let first = code(&test, "host 0").unwrap();
    test.clock.advance(Duration::SECOND);
    let second = code(&test, "host 1").unwrap();
    for number in 2..=MAX_CODES {
        test.clock.advance(Duration::SECOND);
        code(&test, &format!("host {number}")).unwrap();
    }
    assert_eq!(code_of(&try_set_up(&test, first.reveal()).unwrap_err()), "invalid_code");
    assert!(try_set_up(&test, second.reveal()).is_ok());
}

#[test]
fn attempts_with_codes_are_limited_per_address() {
    let test = TestPorts::new();
    let shown = code(&test, "host").unwrap();
    for _ in 0..test.ports.settings.limits.critical {
        assert_eq!(code_of(&try_set_up(&test, "svu_wrong").unwrap_err()), "invalid_code");
    }
    assert!(matches!(try_set_up(&test, shown.reveal()), Err(Error::RateLimited { .. })));
}

fn issue(fixture: &WorkspaceFixture, email: &str) -> Result<PlainToken, Error> {
    let test = &fixture.test;
    test.block_on(sign_in_link::issue(&test.ports, &testing::operator(), &fixture.workspace, email))
}

fn redeem(fixture: &WorkspaceFixture, client: &Client, link: &PlainToken) -> Result<SignIn, Error> {
    fixture.test.block_on(sign_in_link::redeem(&fixture.test.ports, client, link.reveal()))
}

#[test]
fn a_link_signs_in_once_within_fifteen_minutes_from_this_machine() {
    let fixture = WorkspaceFixture::new();
    fixture.add("ann@example.com", Role::Admin);
    let link = issue(&fixture, "Ann@example.com").unwrap();
    for address in [None, Some(IpAddr::from([203, 0, 113, 7])), Some(IpAddr::from([192, 168, 0, 1]))] {
        let client = Client { address, ..Client::default() };
        assert!(matches!(redeem(&fixture, &client, &link), Err(Error::Forbidden(_))), "{address:?}");
    }
    // Showing the link does not consume it.
    let found = fixture.test.block_on(sign_in_link::find(&fixture.test.ports, &local(), link.reveal())).unwrap();
    assert_eq!((found.user.email.as_str(), found.role), ("ann@example.com", Role::Admin));
    let proxied = Client { is_behind_unlisted_proxy: true, ..local() };
    let refused = redeem(&fixture, &proxied, &link).unwrap_err();
    let has_setting = matches!(&refused, Error::Forbidden(message) if message.contains("SERVICE_TRUSTED_PROXIES"));
    assert!(has_setting, "{refused:?}");
    let mapped = Client { address: Some("::ffff:127.0.0.1".parse().unwrap()), ..Client::default() };
    assert!(redeem(&fixture, &mapped, &link).unwrap().done().is_some());
    assert!(matches!(redeem(&fixture, &local(), &link), Err(Error::CapabilityConsumed(_))));
    assert_eq!(fixture.audit_actions()[..2], ["session.started", "sign_in_link.issued"]);

    let replaced = issue(&fixture, "ann@example.com").unwrap();
    let link = issue(&fixture, "ann@example.com").unwrap();
    assert_eq!(code_of(&redeem(&fixture, &local(), &replaced).unwrap_err()), "invalid_token");
    let forged = PlainToken::forged(TokenKind::SignInLink, link.lookup_id(), &*fixture.test.ports.random);
    assert_eq!(code_of(&redeem(&fixture, &local(), &forged).unwrap_err()), "invalid_token");
    fixture.test.clock.advance(sign_in_link::LINK_TTL);
    assert_eq!(code_of(&redeem(&fixture, &local(), &link).unwrap_err()), "invalid_token");
    assert!(matches!(issue(&fixture, "nobody@example.com"), Err(Error::NotFound(_))));
}

fn demo(test: &TestPorts) -> (workspaces::Workspace, Vec<UserId>) {
    let member = |name: &str, role| DemoMember { name: name.to_owned(), email: format!("{name}@demo.example"), role };
    let new = NewDemo {
        workspace: NewWorkspace { name: "Demo".to_owned(), slug: "demo".to_owned(), plan: Plan::Starter },
        default_currency: "EUR".to_owned(),
        members: vec![member("owner", Role::Owner), member("viewer", Role::Viewer)],
        made_at: test.ports.clock.now(),
    };
    test.block_on(workspaces::create_demo(&test.ports, &testing::operator(), &new)).unwrap()
}

#[test]
fn a_demo_owner_without_a_password_signs_in_by_links_and_gets_no_email() {
    let test = TestPorts::new();
    let (workspace, _) = demo(&test);
    let fixture = WorkspaceFixture { test, workspace };
    for _ in 0..2 {
        let link = issue(&fixture, "owner@demo.example").unwrap();
        let login = redeem(&fixture, &local(), &link).unwrap().done().unwrap();
        let account = fixture.test.block_on(accounts::read(&fixture.test.ports, &permit_of(&fixture.test, &login)));
        assert!(account.unwrap().operator);
    }
    assert!(fixture.test.emails().is_empty());
    assert!(matches!(fixture.login("owner@demo.example", PASSWORD), Err(Error::InvalidLogin)));
}

fn switch(fixture: &WorkspaceFixture, permit: &Permit<ManageOwnAccount>, to: &str) -> Result<Login, Error> {
    let ports = &fixture.test.ports;
    let switched = fixture.test.block_on(accounts::switch_workspace(ports, permit, &Client::default(), to))?;
    Ok(switched.unwrap().done().unwrap())
}

#[test]
fn switching_workspaces_does_not_extend_the_session() {
    let fixture = WorkspaceFixture::new();
    let other = add_workspace(&fixture.test, "shop");
    add_workspace(&fixture.test, "foreign");
    let ann = fixture.seat("ann@example.com", Role::Owner);
    add_person(&fixture.test, &other, "ann@example.com", Role::Viewer);
    let permit = ann.permit::<ManageOwnAccount>();
    let own = fixture.test.block_on(accounts::list_workspaces(&fixture.test.ports, &permit)).unwrap();
    let own: Vec<_> = own.iter().map(|one| (one.workspace.slug.as_str(), one.role, one.current)).collect();
    assert_eq!(own, [("office", Role::Owner, true), ("shop", Role::Viewer, false)]);

    fixture.test.clock.advance(Duration::HOUR);
    let login = switch(&fixture, &permit, "shop").unwrap();
    assert_eq!(login.signed_in.expires_at, fixture.test.ports.clock.now() + SESSION_TTL - Duration::HOUR);
    let there = permit_of(&fixture.test, &login);
    assert_eq!(there.workspace_id(), other.id);
    assert!(fixture.accepts(&ann), "the first session stays valid");
    for unknown in ["foreign", "nowhere"] {
        assert!(matches!(switch(&fixture, &permit, unknown), Err(Error::NotFound("workspace"))), "{unknown}");
    }
    // A session that ended after the permit was issued cannot switch.
    fixture.test.block_on(accounts::logout(&fixture.test.ports, &permit)).unwrap();
    assert!(matches!(switch(&fixture, &permit, "shop"), Err(Error::Unauthorized)));
}

#[test]
fn switching_to_the_current_workspace_writes_nothing_and_starts_no_session() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat("ann@example.com", Role::Viewer);
    let (ports, permit) = (&fixture.test.ports, ann.permit::<ManageOwnAccount>());
    let before = fixture.audit_actions();
    for name in ["office", &permit.workspace_id().to_string()] {
        let switched = fixture.test.block_on(accounts::switch_workspace(ports, &permit, &Client::default(), name));
        assert!(switched.unwrap().is_none(), "{name}");
    }
    assert_eq!(fixture.audit_actions(), before);
    assert_eq!(fixture.test.block_on(accounts::list_sessions(ports, &permit)).unwrap().len(), 1);
}

#[test]
fn signing_out_everywhere_ends_the_sessions_of_all_workspaces() {
    let fixture = WorkspaceFixture::new();
    let other = add_workspace(&fixture.test, "shop");
    let ann = fixture.seat("ann@example.com", Role::Owner);
    let bob = fixture.seat("bob@example.com", Role::Owner);
    add_person(&fixture.test, &other, "ann@example.com", Role::Viewer);
    let login = switch(&fixture, &ann.permit(), "shop").unwrap();
    fixture.test.block_on(accounts::end_all_sessions(&fixture.test.ports, &ann.permit())).unwrap();
    assert!(!fixture.accepts(&ann) && fixture.accepts(&bob));
    assert!(matches!(fixture.authenticate(login.token.reveal()), Err(Error::Unauthorized)));
    assert_eq!(fixture.audit_actions()[0], "session.ended");
}

#[test]
fn first_steps_count_what_users_did_and_not_the_demo_data() {
    let test = TestPorts::new();
    let (workspace, ids) = demo(&test);
    let fixture = WorkspaceFixture { test, workspace };
    let (test, ports) = (&fixture.test, &fixture.test.ports);
    let key = |name: &str| {
        let fields = key_fields(json!({ "name": name, "preset": "full_access" }));
        test.block_on(api_keys::create(ports, &fixture.operator(), fields)).unwrap()
    };
    key("of the demo");
    let link = issue(&fixture, "owner@demo.example").unwrap();
    let permit = permit_of(test, &redeem(&fixture, &local(), &link).unwrap().done().unwrap());
    assert_eq!(permit.session().map(|(_, user)| user), Some(ids[0]));
    let steps = || test.block_on(workspaces::first_steps(ports, &permit)).unwrap();
    // A user who signed in by a link has no password.
    let none = FirstSteps { lacks_password: true, ..FirstSteps::default() };
    assert_eq!(steps(), none);

    test.clock.advance(Duration::HOUR);
    let made = key("of people");
    assert_eq!(steps(), FirstSteps { has_key: true, ..none });
    let caller = test.block_on(authenticate(ports, made.plain.reveal(), None)).unwrap();
    assert!(matches!(caller.credential(), Credential::Key(_)));
    ports.activity.note(&caller, ports.clock.now());
    test.block_on(flush_activity(ports)).unwrap();
    assert!(!steps().has_ai_client, "REST is not an AI client");
    ports.activity.note_tool_use(&caller, ports.clock.now());
    test.block_on(flush_activity(ports)).unwrap();
    add_person(test, &fixture.workspace, "new@example.com", Role::Member);
    let own = add_workspace(test, "own");
    add_person(test, &own, "owner@demo.example", Role::Owner);
    let expected = FirstSteps {
        has_own_workspace: true,
        has_colleague: true,
        has_key: true,
        has_ai_client: true,
        has_webhook: false,
        // The users of these tests are added with a password.
        lacks_password: false,
    };
    assert_eq!(steps(), expected);
    assert_eq!(serde_json::to_value(steps()).unwrap()["has_webhook"], Value::Bool(false));
}
