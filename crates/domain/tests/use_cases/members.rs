use serde_json::json;
use time::Duration;

use super::access::{PASSWORD, SignedInMember, WorkspaceFixture, add_workspace, token_of};
use super::{fresh, new, once, refusal};
use domain::identity::accounts::{self, Client, Login};
use domain::identity::members::{self, INVITATION_TTL, KeysOfMember, MemberStatus, MemberView, Removal};
use domain::identity::workspaces::{self, NewUser, Role};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::testing::{self, plain_hash};
use domain::{Error, UserId};

const ANN: &str = "ann@example.org";
const BOB: &str = "Bob@Example.org";

fn invite(fixture: &WorkspaceFixture, by: &SignedInMember, email: &str, role: Role) -> Result<MemberView, Error> {
    let fields = new(json!({ "email": email, "role": role }));
    let permit = by.permit();
    let invited = members::invite(&fixture.test.ports, &permit, None, fields);
    fixture.test.block_on(invited).map(|outcome| outcome.fresh().unwrap())
}

fn accept(fixture: &WorkspaceFixture, token: &str, password: &str) -> Result<Login, Error> {
    let fields = new(json!({ "token": token, "name": "Bob", "password": password }));
    let client = Client::default();
    let accepted = accounts::accept_invitation(&fixture.test.ports, &client, fields);
    Ok(fixture.test.block_on(accepted)?.done().unwrap())
}

fn change(fixture: &WorkspaceFixture, by: &SignedInMember, id: UserId, role: Role) -> Result<MemberView, Error> {
    let fields = new(json!({ "role": role }));
    let permit = by.permit();
    let changed = members::change_role(&fixture.test.ports, &permit, id, ExpectedVersion::Any, fields);
    fixture.test.block_on(changed)
}

fn remove(fixture: &WorkspaceFixture, by: &SignedInMember, id: UserId) -> Result<Removal, Error> {
    let permit = by.permit();
    let removed = members::remove(&fixture.test.ports, &permit, id, ExpectedVersion::Any, KeysOfMember::Keep);
    fixture.test.block_on(removed)
}

fn list(fixture: &WorkspaceFixture) -> Vec<MemberView> {
    let permit = fixture.operator();
    let page = members::list(&fixture.test.ports, &permit, CreatedFilter::default(), PageRequest::first(100));
    fixture.test.block_on(page).unwrap().items
}

#[test]
fn an_invitation_is_accepted_once() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    let invited = invite(&fixture, &ann, BOB, Role::Admin).unwrap();
    assert_eq!((invited.status, invited.name, invited.joined_at), (MemberStatus::Invited, BOB.to_lowercase(), None));
    let email = fixture.queued_email();
    assert_eq!(email.to(), BOB);
    assert!(email.text().contains("https://work.example.com/accept-invitation#token=svi_"), "{}", email.text());
    assert!(fixture.login(BOB, PASSWORD).is_err(), "before the invitation is accepted");
    let token = token_of(&email);
    let login = accept(&fixture, &token, PASSWORD).unwrap();
    let caller = fixture.authenticate(login.token.reveal()).unwrap();
    assert_eq!((caller.name(), caller.scopes()), ("Bob", Role::Admin.scopes()));
    let bob = list(&fixture).into_iter().find(|member| member.id == invited.id).unwrap();
    assert_eq!((bob.status, bob.name.as_str(), bob.version), (MemberStatus::Active, "Bob", 2));
    assert_eq!(refusal(accept(&fixture, &token, PASSWORD).map(drop)), "capability_consumed");
    fixture.login(BOB, PASSWORD).unwrap();
    assert_eq!(fixture.audit_actions()[..3], ["session.started", "member.joined", "member.invited"]);
    assert_eq!(refusal(invite(&fixture, &ann, &BOB.to_lowercase(), Role::Viewer)), "duplicate email:duplicate");
}

#[test]
fn a_new_invitation_replaces_the_earlier_one() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    let first = invite(&fixture, &ann, BOB, Role::Viewer).unwrap();
    let old = token_of(&fixture.queued_email());
    fixture.test.clock.advance(Duration::minutes(9) + Duration::seconds(59));
    let too_soon = invite(&fixture, &ann, BOB, Role::Admin).unwrap_err();
    assert!(matches!(too_soon, Error::TooManyEmails { retry_after: 1, .. }), "{too_soon:?}");
    fixture.test.clock.advance(Duration::SECOND);
    let second = invite(&fixture, &ann, BOB, Role::Admin).unwrap();
    assert_eq!((second.id, second.role, second.version), (first.id, Role::Admin, 2));
    let token = token_of(&fixture.queued_email());
    assert_eq!(refusal(accept(&fixture, &old, PASSWORD).map(drop)), "validation_failed token:invalid_token");
    fixture.test.clock.advance(INVITATION_TTL - Duration::MICROSECOND);
    accept(&fixture, &token, PASSWORD).unwrap();
}

#[test]
fn an_idempotent_invitation_mails_once() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    let post = || {
        let fields = new(json!({ "email": BOB, "role": "viewer" }));
        fixture.test.block_on(members::invite(&fixture.test.ports, &ann.permit(), Some(once("k", 1)), fields))
    };
    fresh(post());
    assert!(matches!(post(), Ok(IdempotentResult::Replayed(_))));
    fixture.queued_email();
}

#[test]
fn members_cannot_grant_or_change_roles_above_their_own() {
    for actor in [Role::Owner, Role::Admin] {
        for before in Role::ALL.iter().copied() {
            for after in Role::ALL.iter().copied() {
                let fixture = WorkspaceFixture::new();
                // With a second owner, the rule about the last owner does not apply.
                fixture.add("other@example.org", Role::Owner);
                let ann = fixture.seat(ANN, actor);
                let bob = fixture.seat(BOB, before);
                let is_allowed = actor == Role::Owner || (before != Role::Owner && after != Role::Owner);
                let changed = change(&fixture, &ann, bob.id, after);
                assert_eq!(changed.is_ok(), is_allowed, "{actor} makes {before} {after}");
                if let Err(error) = &changed {
                    assert!(matches!(error, Error::Forbidden(_)), "{error}");
                }
                assert_eq!(fixture.accepts(&bob), !is_allowed || before == after, "{actor} makes {before} {after}");
                let removed = remove(&fixture, &ann, bob.id);
                let role = changed.map_or(before, |changed| changed.role);
                assert_eq!(removed.is_ok(), actor == Role::Owner || role != Role::Owner, "{actor} removes {role}");
            }
        }
    }
}

#[test]
fn an_admin_cannot_invite_an_owner() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Admin);
    assert!(matches!(invite(&fixture, &ann, BOB, Role::Owner), Err(Error::Forbidden(_))));
    assert!(fixture.test.emails().is_empty());
    invite(&fixture, &ann, BOB, Role::Admin).unwrap();
}

#[test]
fn the_last_owner_stays() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    assert_eq!(refusal(remove(&fixture, &ann, ann.id)), "conflict");
    assert_eq!(refusal(change(&fixture, &ann, ann.id, Role::Admin)), "conflict");
    // An invited owner who has not accepted does not count.
    invite(&fixture, &ann, BOB, Role::Owner).unwrap();
    assert_eq!(refusal(remove(&fixture, &ann, ann.id)), "conflict");
    accept(&fixture, &token_of(&fixture.queued_email()), PASSWORD).unwrap();
    change(&fixture, &ann, ann.id, Role::Admin).unwrap();
    assert!(!fixture.accepts(&ann), "a change of the role ends the session");
}

#[test]
fn the_same_role_changes_nothing() {
    let fixture = WorkspaceFixture::new();
    let (ann, bob) = (fixture.seat(ANN, Role::Owner), fixture.seat(BOB, Role::Member));
    let acts = fixture.audit_actions().len();
    assert_eq!(change(&fixture, &ann, bob.id, Role::Member).unwrap().version, 1);
    assert!(fixture.accepts(&bob));
    assert_eq!(fixture.audit_actions().len(), acts);
}

/// A user who has only been invited, by any workspace, gets the name and the password that an operator sets. Later ones are ignored.
#[test]
fn operators_set_the_password_of_users_who_were_only_invited() {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat(ANN, Role::Owner);
    let _ = invite(&fixture, &ann, BOB, Role::Viewer).unwrap();
    for (slug, name, keeps) in [("one", "Bob", false), ("two", "Robert", true)] {
        let workspace = add_workspace(&fixture.test, slug);
        let new =
            NewUser { email: BOB.to_owned(), name: name.to_owned(), role: Role::Owner, password: plain_hash(PASSWORD) };
        let permit = testing::operator().permit(workspace);
        let made = fixture.test.block_on(workspaces::create_user(&fixture.test.ports, &permit, new)).unwrap();
        assert_eq!((made.keeps_password, &*made.user.name, made.is_operator), (keeps, "Bob", false), "{slug}");
    }
}
