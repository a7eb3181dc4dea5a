use serde_json::{Value, json};
use time::Duration;

use super::access::{PASSWORD, SignedInMember, WorkspaceFixture, add_person, add_workspace, token_of};
use super::{new, refusal};
use domain::Error;
use domain::identity::accounts::{self, LoginFields, RESET_TTL, SESSION_TTL};
use domain::identity::workspaces::{self, Role, WorkspaceStatus};
use domain::kernel::input::{Input, InputMode};
use domain::testing;

const ANN: &str = "ann@example.org";
const NEW: &str = "another good password";

#[test]
fn every_bad_login_is_refused_alike() {
    let office = WorkspaceFixture::new();
    office.add(ANN, Role::Member);
    office.login(ANN, PASSWORD).unwrap();
    office.login(&ANN.to_uppercase(), PASSWORD).unwrap();
    for (email, password) in [("bob@example.org", PASSWORD), (ANN, "wrong"), (ANN, ""), ("", PASSWORD), ("x", "y")] {
        let body = json!({ "email": email, "password": password });
        // What a body cannot even say is refused for its shape.
        let Value::Object(body) = body else { panic!() };
        let Ok(fields) = LoginFields::from_object(body, InputMode::Create) else {
            assert!(email.is_empty() || password.is_empty());
            continue;
        };
        let refused = office.test.block_on(accounts::login(&office.test.ports, None, fields));
        assert!(matches!(refused, Err(Error::InvalidLogin)), "{email} {password}");
    }
    assert_eq!(office.acts().iter().filter(|act| **act == "session.started").count(), 2);
}

#[test]
fn a_member_of_several_workspaces_names_one() {
    let office = WorkspaceFixture::new();
    let test = &office.test;
    office.add(ANN, Role::Member);
    let second = add_workspace(test, "second");
    add_person(test, &second, ANN, Role::Viewer);
    let login = |workspace: Option<&str>| {
        let body = json!({ "email": ANN, "password": PASSWORD, "workspace": workspace });
        test.block_on(accounts::login(&test.ports, None, new(body)))
            .map(|login| serde_json::to_value(&login.signed_in).unwrap()["workspace"]["slug"].clone())
    };
    let Err(Error::Invalid(problems)) = login(None) else { panic!() };
    assert!(problems[0].message.ends_with("office, second"), "{problems:?}");
    assert_eq!(login(Some("second")).unwrap(), "second");
    assert_eq!(login(Some(&office.workspace.id.to_string())).unwrap(), "office");
    let third = add_workspace(test, "third");
    assert!(matches!(login(Some(&third.slug)), Err(Error::InvalidLogin)));
    // A suspended workspace is none to choose from.
    let permit = testing::operator().permit(second);
    test.block_on(workspaces::set_status(&test.ports, &permit, WorkspaceStatus::Suspended)).unwrap();
    assert!(matches!(login(Some("second")), Err(Error::InvalidLogin)));
    assert_eq!(login(None).unwrap(), "office");
}

#[test]
fn a_session_ends_with_its_time_its_logout_or_its_workspace() {
    let office = WorkspaceFixture::new();
    let test = &office.test;
    let ann = office.seat(ANN, Role::Member);
    assert_eq!((ann.caller.name(), ann.caller.scopes()), (ANN, Role::Member.scopes()));
    test.clock.advance(SESSION_TTL - Duration::MICROSECOND);
    assert!(office.lets_in(&ann));
    test.clock.advance(Duration::MICROSECOND);
    assert!(!office.lets_in(&ann));
    let [one, other] = [(); 2].map(|()| office.sign_in(ANN, PASSWORD).unwrap());
    test.block_on(accounts::logout(&test.ports, &one.permit())).unwrap();
    assert!(!office.lets_in(&one) && office.lets_in(&other));
    test.block_on(workspaces::set_status(&test.ports, &office.operator(), WorkspaceStatus::Suspended)).unwrap();
    assert!(!office.lets_in(&other) && office.login(ANN, PASSWORD).is_err());
    test.block_on(workspaces::set_status(&test.ports, &office.operator(), WorkspaceStatus::Active)).unwrap();
    assert!(office.lets_in(&other));
    let expected =
        ["workspace.activated", "workspace.suspended", "session.ended", "session.started", "session.started"];
    assert_eq!(office.acts()[..5], expected);
}

fn change(office: &WorkspaceFixture, seat: &SignedInMember, current: &str, wanted: &str) -> Result<(), Error> {
    let fields = new(json!({ "current_password": current, "new_password": wanted }));
    office.test.block_on(accounts::change_password(&office.test.ports, &seat.permit(), fields))
}

#[test]
fn a_new_password_ends_every_session_of_the_person() {
    let office = WorkspaceFixture::new();
    let (ann, bob) = (office.seat(ANN, Role::Member), office.seat("bob@example.org", Role::Member));
    let elsewhere = office.sign_in(ANN, PASSWORD).unwrap();
    assert_eq!(refusal(change(&office, &ann, NEW, NEW)), "validation_failed current_password:incorrect");
    assert!(office.lets_in(&ann));
    change(&office, &ann, PASSWORD, NEW).unwrap();
    assert!(!office.lets_in(&ann) && !office.lets_in(&elsewhere) && office.lets_in(&bob));
    assert!(matches!(office.login(ANN, PASSWORD), Err(Error::InvalidLogin)));
    office.login(ANN, NEW).unwrap();
    assert_eq!(office.acts()[..2], ["session.started", "password.changed"]);
}

fn ask(office: &WorkspaceFixture, email: &str) {
    let fields = new(json!({ "email": email }));
    office.test.block_on(accounts::request_password_reset(&office.test.ports, fields)).unwrap();
    assert!(office.test.emails().is_empty(), "nothing is looked up before the answer");
    office.test.answer_link_requests();
}

fn reset(office: &WorkspaceFixture, token: &str) -> Result<(), Error> {
    let fields = new(json!({ "token": token, "new_password": NEW }));
    office.test.block_on(accounts::reset_password(&office.test.ports, None, fields))
}

#[test]
fn a_mailed_link_sets_a_password_once() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Member);
    ask(&office, &ANN.to_uppercase());
    let email = office.queued_email();
    assert_eq!(email.to(), ANN);
    assert!(email.text().contains("https://work.example.com/reset-password#token=svp_"), "{}", email.text());
    let (token, bearer) = (token_of(&email), ann.bearer.clone());
    assert_eq!(refusal(reset(&office, &bearer)), "validation_failed token:invalid_token");
    reset(&office, &token).unwrap();
    assert!(!office.lets_in(&ann));
    office.login(ANN, NEW).unwrap();
    assert_eq!(refusal(reset(&office, &token)), "capability_consumed");
    assert_eq!(office.acts()[..2], ["session.started", "password.reset"]);
}

#[test]
fn only_the_last_link_works_and_only_for_an_hour() {
    let office = WorkspaceFixture::new();
    office.add(ANN, Role::Member);
    ask(&office, ANN);
    let first = token_of(&office.queued_email());
    // A link of a moment ago stays the one.
    ask(&office, ANN);
    assert!(office.test.emails().is_empty());
    office.test.clock.advance(Duration::minutes(5));
    ask(&office, ANN);
    let second = token_of(&office.queued_email());
    assert_eq!(refusal(reset(&office, &first)), "validation_failed token:invalid_token");
    office.test.clock.advance(RESET_TTL);
    assert_eq!(refusal(reset(&office, &second)), "validation_failed token:invalid_token");
    office.login(ANN, PASSWORD).unwrap();
}

#[test]
fn nobody_else_is_mailed_a_link() {
    let office = WorkspaceFixture::new();
    let id = office.add(ANN, Role::Member);
    ask(&office, "bob@example.org");
    assert!(office.test.emails().is_empty());
    let permit = office.operator();
    let remove = domain::identity::members::remove(&office.test.ports, &permit, id, super::ExpectedVersion::Any);
    office.test.block_on(remove).unwrap();
    ask(&office, ANN);
    assert!(office.test.emails().is_empty());
}
