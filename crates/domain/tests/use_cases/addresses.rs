//! All spellings of an e-mail address count as the same, wherever addresses are compared.

use serde_json::json;

use super::access::{PASSWORD, WorkspaceFixture, token_of};
use super::portal::PortalFixture;
use super::transfer::outcomes;
use super::{fresh, list, new, refusal, refused_body, start, update, upsert};
use domain::ContactId;
use domain::crm::contacts::{Contact, ContactFields, ContactFilter};
use domain::identity::accounts::{self, Client};
use domain::identity::members;
use domain::identity::workspaces::Role;
use domain::kernel::paging::PageRequest;
use domain::support::{self, TicketFilter, TicketReference, parse_email};
use domain::transfer::TransferKind;
use domain::work::issues;
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

const GIVEN: &str = "Ann@München.example";
/// Other spellings of the address.
const SPELLINGS: [&str; 4] =
    ["ann@münchen.example", "ANN@MÜNCHEN.EXAMPLE", "ann@mu\u{308}nchen。example", "ann@xn--mnchen-3ya.example"];

fn create(test: &TestPorts, world: &TestWorkspace, email: &str) -> Result<ContactId, domain::Error> {
    super::create::<Contact>(test, world, json!({ "email": email })).map(|contact| contact.id)
}

#[test]
fn a_contact_reserves_every_spelling_of_its_address() {
    let (test, world) = start();
    let id = create(&test, &world, GIVEN).unwrap();
    let other = create(&test, &world, "bob@example.org").unwrap();
    for spelling in SPELLINGS {
        assert_eq!(refusal(create(&test, &world, spelling)), "duplicate email:duplicate", "{spelling}");
        let updated = update::<Contact>(&test, &world, other, json!({ "email": spelling }));
        assert_eq!(refusal(updated), "duplicate email:duplicate", "{spelling}");
        let filter = ContactFilter { email: Some(spelling.parse().unwrap()), ..ContactFilter::default() };
        let found = list::<Contact>(&test, &world, filter);
        assert_eq!((found.len(), found[0].id, found[0].email.as_str()), (1, id, GIVEN), "{spelling}");
        let item = json!({ "email": spelling, "city": spelling });
        assert_eq!(upsert::<Contact>(&test, &world, [item]).updated, [id.0], "{spelling}");
        // The address has the spelling that was written last.
        update::<Contact>(&test, &world, id, json!({ "email": GIVEN })).unwrap();
    }
    for different in ["ann+news@münchen.example", "ann@munchen.example", "ann@muenchen.example"] {
        let _ = create(&test, &world, different).unwrap();
    }
}

#[test]
fn import_rows_find_contacts_by_any_spelling() {
    for spelling in SPELLINGS {
        let env @ (test, world) = &start();
        let id = create(test, world, GIVEN).unwrap();
        let contacts: [&[&str]; 2] = [&["email", "city"], &[spelling, "Bern"]];
        assert_eq!(outcomes(env, TransferKind::Contacts, &contacts), ["Updated"], "{spelling}");
        let deals: [&[&str]; 2] = [&["title", "contact_email"], &["A", spelling]];
        assert_eq!(outcomes(env, TransferKind::Deals, &deals), ["Created"], "{spelling}");
        let results =
            outcomes(env, TransferKind::Contacts, &[&["email", "city"], &[GIVEN, "Basel"], &[spelling, "Zug"]]);
        assert!(!results.contains(&"Created".to_owned()), "{spelling}: {results:?}");
        let stored: Vec<_> = test.block_on(world.contacts()).iter().map(|contact| contact.id).collect();
        assert_eq!(stored, [id], "{spelling}");
    }
}

#[test]
fn requesters_are_linked_and_found_by_any_spelling() {
    for spelling in SPELLINGS {
        let (test, world) = start();
        let contact = create(&test, &world, GIVEN).unwrap();
        let body = json!({ "name": "Ann", "email": spelling, "subject": "It does not print" });
        let ticket = fresh(test.block_on(support::open_by_key(&test.ports, &world.permit(), None, new(body))));
        let reference = TicketReference::parse(&ticket.reference).unwrap();
        let found = test.block_on(world.read(move |tx| tx.tickets().find(reference.as_str()))).unwrap();
        assert_eq!((found.requester().contact_id, found.requester().email.as_str()), (Some(contact), spelling));
        let internal = json!({ "kind": "ticket", "title": "Inside" });
        let _unrelated = fresh(test.block_on(issues::create(&test.ports, &world.permit(), None, new(internal))));
        for filter in SPELLINGS {
            let email_key = parse_email("email", Some(filter), &mut domain::kernel::input::Problems::default());
            let filter = TicketFilter { email_key, ..TicketFilter::default() };
            let listed = test.block_on(support::list(&test.ports, &world.permit(), filter, PageRequest::first(9)));
            assert_eq!(listed.unwrap().items.len(), 1, "{spelling}");
        }
    }
}

#[test]
fn customers_can_request_links_with_any_spelling() {
    let fixture = PortalFixture::of("Ann@München.example");
    let _intake = fixture.test.emails();
    for spelling in ["ann@xn--mnchen-3ya.example", "ANN@MÜNCHEN.example", "eve@münchen.example"] {
        let body =
            json!({ "workspace_id": fixture.world.workspace.id, "email": spelling, "reference": fixture.reference });
        fixture.test.block_on(support::request_magic_link(&fixture.test.ports, &Client::default(), new(body))).unwrap();
        fixture.test.answer_link_requests();
        fixture.test.clock.advance(time::Duration::hours(1));
        let sent: Vec<_> = fixture.test.emails().iter().map(|email| email.to().to_owned()).collect();
        let expected = if spelling.starts_with("eve") { vec![] } else { vec![GIVEN.to_owned()] };
        assert_eq!(sent, expected, "{spelling}");
    }
}

#[test]
fn members_are_invited_once_and_sign_in_with_any_spelling() {
    let fixture = WorkspaceFixture::new();
    let owner = fixture.seat("owner@example.org", Role::Owner);
    let invite = |email: &str| {
        let fields = new(json!({ "email": email, "role": "member" }));
        let permit = owner.permit();
        let invited = members::invite(&fixture.test.ports, &permit, None, fields);
        fixture.test.block_on(invited).map(|outcome| outcome.fresh().unwrap())
    };
    let invited = invite(GIVEN).unwrap();
    assert_eq!(invited.email, "ann@münchen.example");
    let email = fixture.queued_email();
    assert_eq!((email.to(), email.to_ascii().as_str()), (GIVEN, "Ann@xn--mnchen-3ya.example"));
    let accepting = new(json!({ "token": token_of(&email), "name": "Ann", "password": PASSWORD }));
    let client = Client::default();
    let accepted = accounts::accept_invitation(&fixture.test.ports, &client, accepting);
    let _session = fixture.test.block_on(accepted).unwrap();
    for spelling in SPELLINGS {
        assert_eq!(refusal(invite(spelling)), "duplicate email:duplicate", "{spelling}");
        assert_eq!(fixture.sign_in(spelling, PASSWORD).unwrap().id, invited.id, "{spelling}");
        let found = members::find_by_addresses(&fixture.test.ports, &owner.caller, vec![spelling.to_owned()]);
        assert_eq!(fixture.test.block_on(found).unwrap().get(spelling), Some(&invited.id), "{spelling}");
        let reset = new(json!({ "email": spelling }));
        let request = accounts::request_password_reset(&fixture.test.ports, &client, reset);
        fixture.test.block_on(request).unwrap();
        fixture.test.answer_link_requests();
        assert_eq!(fixture.queued_email().to(), GIVEN, "{spelling}");
        fixture.test.clock.advance(time::Duration::hours(1));
    }
}

#[test]
fn undeliverable_addresses_are_refused_with_a_reason() {
    for refused in
        ["a@1.2.3.4", "a@example.123", "pelé@example.com", "\"a\"@example.com", "a＠example.com", "a@example.com."]
    {
        let refusal = refused_body::<ContactFields>(json!({ "email": refused }));
        assert_eq!(refusal, "validation_failed email:invalid_email", "{refused}");
    }
}
