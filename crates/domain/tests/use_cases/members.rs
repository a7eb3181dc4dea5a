use serde_json::json;
use time::Duration;

use super::access::{PASSWORD, SignedInMember, WorkspaceFixture, token_of};
use super::{at_version, fresh, new, once, refusal};
use domain::identity::accounts::{self, Login};
use domain::identity::members::{self, INVITATION_TTL, MemberStatus, MemberView};
use domain::identity::workspaces::Role;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::{Error, UserId};

const ANN: &str = "ann@example.org";
const BOB: &str = "Bob@Example.org";

fn invite(office: &WorkspaceFixture, by: &SignedInMember, email: &str, role: Role) -> Result<MemberView, Error> {
    let fields = new(json!({ "email": email, "role": role }));
    let permit = by.permit();
    let invited = members::invite(&office.test.ports, &permit, None, fields);
    office.test.block_on(invited).map(|outcome| outcome.fresh().unwrap())
}

fn accept(office: &WorkspaceFixture, token: &str, password: &str) -> Result<Login, Error> {
    let fields = new(json!({ "token": token, "name": "Bob", "password": password }));
    office.test.block_on(accounts::accept_invitation(&office.test.ports, None, fields))
}

fn change(office: &WorkspaceFixture, by: &SignedInMember, id: UserId, role: Role) -> Result<MemberView, Error> {
    let fields = new(json!({ "role": role }));
    let permit = by.permit();
    let changed = members::change_role(&office.test.ports, &permit, id, ExpectedVersion::Any, fields);
    office.test.block_on(changed)
}

fn remove(office: &WorkspaceFixture, by: &SignedInMember, id: UserId) -> Result<(), Error> {
    office.test.block_on(members::remove(&office.test.ports, &by.permit(), id, ExpectedVersion::Any))
}

fn list(office: &WorkspaceFixture) -> Vec<MemberView> {
    let permit = office.operator();
    let page = members::list(&office.test.ports, &permit, PageRequest::first(100));
    office.test.block_on(page).unwrap().items
}

#[test]
fn an_invited_person_comes_in_once() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    let invited = invite(&office, &ann, BOB, Role::Admin).unwrap();
    assert_eq!((invited.status, invited.name, invited.joined_at), (MemberStatus::Invited, BOB.to_lowercase(), None));
    let email = office.queued_email();
    assert_eq!(email.to(), BOB);
    assert!(email.text().contains("https://work.example.com/accept-invitation#token=svi_"), "{}", email.text());
    assert!(office.login(BOB, PASSWORD).is_err(), "not before they came");
    let token = token_of(&email);
    let login = accept(&office, &token, PASSWORD).unwrap();
    let caller = office.authenticate(login.token.reveal()).unwrap();
    assert_eq!((caller.name(), caller.scopes()), ("Bob", Role::Admin.scopes()));
    let bob = list(&office).into_iter().find(|member| member.id == invited.id).unwrap();
    assert_eq!((bob.status, bob.name.as_str(), bob.version), (MemberStatus::Active, "Bob", 2));
    assert_eq!(refusal(accept(&office, &token, PASSWORD).map(drop)), "capability_consumed");
    office.login(BOB, PASSWORD).unwrap();
    assert_eq!(office.acts()[..3], ["session.started", "member.joined", "member.invited"]);
    assert_eq!(refusal(invite(&office, &ann, &BOB.to_lowercase(), Role::Viewer)), "duplicate email:duplicate");
}

#[test]
fn a_new_invitation_replaces_the_former_one() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    let first = invite(&office, &ann, BOB, Role::Viewer).unwrap();
    let old = token_of(&office.queued_email());
    let second = invite(&office, &ann, BOB, Role::Admin).unwrap();
    assert_eq!((second.id, second.role, second.version), (first.id, Role::Admin, 2));
    let token = token_of(&office.queued_email());
    assert_eq!(refusal(accept(&office, &old, PASSWORD).map(drop)), "validation_failed token:invalid_token");
    office.test.clock.advance(INVITATION_TTL - Duration::MICROSECOND);
    accept(&office, &token, PASSWORD).unwrap();
}

#[test]
fn an_invitation_ends_with_its_time_or_when_it_is_taken_back() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    let bob = invite(&office, &ann, BOB, Role::Viewer).unwrap();
    let token = token_of(&office.queued_email());
    office.test.clock.advance(INVITATION_TTL);
    let refused = "validation_failed token:invalid_token";
    assert_eq!(refusal(accept(&office, &token, PASSWORD).map(drop)), refused);
    let ann = office.sign_in(ANN, PASSWORD).unwrap();
    invite(&office, &ann, BOB, Role::Viewer).unwrap();
    let token = token_of(&office.queued_email());
    remove(&office, &ann, bob.id).unwrap();
    assert_eq!(refusal(accept(&office, &token, PASSWORD).map(drop)), refused);
    let nonsense = ["", "svi_", &token.replace("svi_", "svp_"), &ann.bearer].map(str::to_owned);
    for token in nonsense.iter().skip(1) {
        assert_eq!(refusal(accept(&office, token, PASSWORD).map(drop)), refused, "{token}");
    }
    // Who left can be asked again.
    assert_eq!(invite(&office, &ann, BOB, Role::Viewer).unwrap().id, bob.id);
    accept(&office, &token_of(&office.queued_email()), PASSWORD).unwrap();
}

#[test]
fn who_has_an_account_comes_with_their_own_password() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    let second = super::access::add_workspace(&office.test, "second");
    let bob = super::access::add_person(&office.test, &second, BOB, Role::Owner);
    assert_eq!(invite(&office, &ann, BOB, Role::Member).unwrap().id, bob);
    let token = token_of(&office.queued_email());
    let refused = accept(&office, &token, "not the password of Bob").map(drop);
    assert_eq!(refusal(refused), "validation_failed password:incorrect");
    let login = accept(&office, &token, PASSWORD).unwrap();
    // The name of the account stays.
    assert_eq!(office.authenticate(login.token.reveal()).unwrap().name(), BOB);
}

#[test]
fn an_idempotent_invitation_mails_once() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    let post = || {
        let fields = new(json!({ "email": BOB, "role": "viewer" }));
        office.test.block_on(members::invite(&office.test.ports, &ann.permit(), Some(once("k", 1)), fields))
    };
    fresh(post());
    assert!(matches!(post(), Ok(IdempotentResult::Replayed(_))));
    office.queued_email();
}

/// Who may give which role, and to whom: nothing above one's own.
#[test]
fn nobody_reaches_above_themselves() {
    for own in [Role::Owner, Role::Admin] {
        for present in Role::ALL.iter().copied() {
            for wanted in Role::ALL.iter().copied() {
                let office = WorkspaceFixture::new();
                // Another owner, so that the last one is not what it is about.
                office.add("other@example.org", Role::Owner);
                let ann = office.seat(ANN, own);
                let bob = office.seat(BOB, present);
                let may = own == Role::Owner || (present != Role::Owner && wanted != Role::Owner);
                let changed = change(&office, &ann, bob.id, wanted);
                assert_eq!(changed.is_ok(), may, "{own} makes {present} {wanted}");
                if let Err(error) = &changed {
                    assert!(matches!(error, Error::Forbidden(_)), "{error}");
                }
                assert_eq!(office.lets_in(&bob), !may || present == wanted, "{own} makes {present} {wanted}");
                let removed = remove(&office, &ann, bob.id);
                let role = changed.map_or(present, |changed| changed.role);
                assert_eq!(removed.is_ok(), own == Role::Owner || role != Role::Owner, "{own} removes {role}");
            }
        }
    }
}

#[test]
fn an_admin_invites_no_owner() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Admin);
    assert!(matches!(invite(&office, &ann, BOB, Role::Owner), Err(Error::Forbidden(_))));
    assert!(office.test.emails().is_empty());
    invite(&office, &ann, BOB, Role::Admin).unwrap();
}

#[test]
fn a_removed_member_is_out_and_their_records_stay() {
    let office = WorkspaceFixture::new();
    let (ann, bob) = (office.seat(ANN, Role::Owner), office.seat(BOB, Role::Member));
    let permit = office.operator();
    let body = json!({ "title": "D", "assigned_to": bob.id });
    let deal = domain::crm::deals::create(&office.test.ports, &permit, None, new(body.clone()));
    fresh(office.test.block_on(deal));
    let removing = ann.permit();
    let stale = members::remove(&office.test.ports, &removing, bob.id, at_version(2));
    assert!(matches!(office.test.block_on(stale), Err(Error::ConcurrentUpdate { current: 1 })));
    remove(&office, &ann, bob.id).unwrap();
    assert!(!office.lets_in(&bob) && office.login(BOB, PASSWORD).is_err());
    assert_eq!(refusal(remove(&office, &ann, bob.id)), "not_found");
    assert_eq!(refusal(change(&office, &ann, bob.id, Role::Viewer)), "not_found");
    let gone = list(&office).into_iter().find(|member| member.id == bob.id).unwrap();
    assert_eq!((gone.status, gone.deactivated_at), (MemberStatus::Deactivated, Some(gone.updated_at)));
    let again = domain::crm::deals::create(&office.test.ports, &permit, None, new(body));
    assert_eq!(refusal(office.test.block_on(again)), "validation_failed assigned_to:not_found");
}

#[test]
fn the_last_owner_stays() {
    let office = WorkspaceFixture::new();
    let ann = office.seat(ANN, Role::Owner);
    assert_eq!(refusal(remove(&office, &ann, ann.id)), "conflict");
    assert_eq!(refusal(change(&office, &ann, ann.id, Role::Admin)), "conflict");
    // An owner who is only invited is none yet.
    invite(&office, &ann, BOB, Role::Owner).unwrap();
    assert_eq!(refusal(remove(&office, &ann, ann.id)), "conflict");
    accept(&office, &token_of(&office.queued_email()), PASSWORD).unwrap();
    change(&office, &ann, ann.id, Role::Admin).unwrap();
    assert!(!office.lets_in(&ann), "another role is another session");
}

#[test]
fn the_same_role_changes_nothing() {
    let office = WorkspaceFixture::new();
    let (ann, bob) = (office.seat(ANN, Role::Owner), office.seat(BOB, Role::Member));
    let acts = office.acts().len();
    assert_eq!(change(&office, &ann, bob.id, Role::Member).unwrap().version, 1);
    assert!(office.lets_in(&bob));
    assert_eq!(office.acts().len(), acts);
}
