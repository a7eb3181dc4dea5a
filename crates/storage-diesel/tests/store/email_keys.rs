//! Renewing address keys that an earlier release wrote.

use crate::common::Database;
use crate::common::jobs::lines;
use domain::ContactId;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::ports::{Ports, StoreError};
use domain::support::TicketFilter;
use domain::work::issues::{Issue, Requester, TicketType};
use storage_contract::{StoreUnderTest, TestWorkspace};
use storage_diesel::{SharedAddress, shared_addresses};
use time::Duration;

const KEY: &str = "a@xn--mnchen-3ya.example";

/// Adds a contact like an earlier release, whose key is the typed address in lower case.
async fn add_as_before(database: &Database, world: &TestWorkspace, email: &str, age: i64) -> ContactId {
    let mut contact = world.bare_contact();
    contact.created_at -= Duration::hours(age);
    let id = world.add(contact).await.id;
    let sql =
        format!("UPDATE contacts SET email = '{email}', email_key = '{}' WHERE id = '{id}'", email.to_lowercase());
    database.execute(&sql);
    id
}

/// Renews keys like the service, until none are left. Returns the number renewed in each batch.
async fn work(ports: &Ports, limit: u32) -> Vec<u64> {
    let mut batches = Vec::new();
    loop {
        match ports.directory.renew_email_keys(limit).await.unwrap() {
            0 => return batches,
            count => batches.push(count),
        }
    }
}

async fn with_address(world: &TestWorkspace, email: &str) -> Vec<ContactId> {
    let filter = ContactFilter { email: Some(email.parse().unwrap()), ..ContactFilter::default() };
    let mut found: Vec<Contact> = world.list::<Contact>(filter).await;
    found.sort_by_key(|contact| contact.created_at);
    found.into_iter().map(|contact| contact.id).collect()
}

async fn holder(world: &TestWorkspace) -> Option<ContactId> {
    world.read(|tx| tx.tickets().contact_with(KEY)).await
}

async fn world_of(database: &Database) -> (Ports, TestWorkspace, TestWorkspace) {
    let (ports, clock) = database.ports();
    let subject = StoreUnderTest { ports: ports.clone(), clock };
    let (one, other) = (subject.world().await, subject.world().await);
    (ports, one, other)
}

async fn equal_contacts_are_kept(database: &Database) {
    let (ports, world, other) = world_of(database).await;
    assert_eq!(work(&ports, 9).await, [0; 0], "keys written by this release are current");
    let youngest = add_as_before(database, &world, "A@xn--mnchen-3ya.example", 1).await;
    let oldest = add_as_before(database, &world, "a@München.example", 3).await;
    let middle = add_as_before(database, &world, "a@mu\u{308}nchen.example", 2).await;
    let foreign = add_as_before(database, &other, "a@münchen.example", 2).await;
    assert_eq!(work(&ports, 9).await, [3]);
    assert_eq!((holder(&world).await, holder(&other).await), (Some(oldest), Some(foreign)));
    for spelling in ["a@münchen.example", "A@MÜNCHEN.example", KEY] {
        assert_eq!(with_address(&world, spelling).await, [oldest, middle, youngest], "{spelling}");
    }
    let shared = world.read(|tx| tx.contacts().with_shared_address(9)).await;
    assert_eq!(shared.iter().map(|contact| contact.id).filter(|id| *id != oldest).count(), 2);
    let found = shared_addresses(&database.url(), 9).unwrap();
    let workspace = world.workspace.slug.clone();
    assert_eq!(found.contacts, [SharedAddress { workspace, address: KEY.to_owned(), contacts: 2 }]);

    // The remaining contacts can be changed, and no other contact can get their address.
    let mut changed = world.get::<Contact>(middle).await.unwrap();
    changed.first_name = Some("Ann".to_owned());
    world.commit(move |tx| tx.records::<Contact>().save(&changed)).await;
    let rival = Contact { email: "a@MÜNCHEN.example".to_owned(), ..world.bare_contact() };
    let refused = world.run(move |tx| Ok(tx.records::<Contact>().insert(&rival)?)).await.unwrap_err();
    assert!(matches!(refused, domain::Error::Store(StoreError::Duplicate { field: "email" })), "{refused:?}");

    // The next contact gets the key.
    world.delete::<Contact>(oldest).await;
    assert_eq!(work(&ports, 9).await, [0; 0]);
    assert_eq!(holder(&world).await, Some(middle));
    assert_eq!(with_address(&world, "a@münchen.example").await, [middle, youngest]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_equal_contacts_the_oldest_holds_the_key() {
    equal_contacts_are_kept(&Database::migrated()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_equal_contacts_the_oldest_holds_the_key_in_a_cluster() {
    equal_contacts_are_kept(&Database::like_a_cluster()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_are_renewed_in_batches() {
    let database = Database::migrated();
    let (ports, world, _) = world_of(&database).await;
    for number in 0..5 {
        let _ = add_as_before(&database, &world, &format!("a{number}@münchen.example"), 1).await;
        let requester = Requester {
            name: "Ann".to_owned(),
            email: format!("a{number}@MÜNCHEN.example"),
            ticket_type: TicketType::Question,
            contact_id: None,
        };
        let ticket = world.bare_issue(IssueKind::Ticket).await;
        let _ = world.add(Issue { requester: Some(requester), ..ticket }).await;
    }
    let deleted = add_as_before(&database, &world, "b@münchen.example", 1).await;
    world.delete::<Contact>(deleted).await;
    let before = "UPDATE issues SET requester_email_key = lower(requester_email) WHERE requester_email IS NOT NULL";
    database.execute(before);
    assert_eq!(work(&ports, 2).await, [4, 4, 3]);
    let keys = lines(
        &database,
        "SELECT email_key AS line FROM contacts WHERE email LIKE '%nchen.example'
         UNION ALL SELECT requester_email_key FROM issues WHERE requester_email IS NOT NULL ORDER BY line",
    );
    let mut expected: Vec<_> = (0..5).map(|number| format!("a{number}@xn--mnchen-3ya.example")).collect();
    expected.extend(expected.clone());
    expected.push("b@xn--mnchen-3ya.example".to_owned());
    expected.sort();
    assert_eq!(keys, expected);
    let filter = TicketFilter { email_key: Some("a3@xn--mnchen-3ya.example".to_owned()), ..TicketFilter::default() };
    let page = PageRequest::first(9);
    assert_eq!(world.read(move |tx| tx.tickets().list(&filter, &page)).await.len(), 1);
}

/// Two accounts that become equal each sign in with their own spelling: one has the renewed key, the other its old key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accounts_keep_their_keys_if_they_become_equal() {
    let database = Database::migrated();
    let (ports, _, _) = world_of(&database).await;
    let add = "INSERT INTO users (id, email, email_key, name, created_at)
        SELECT ('00000000-0000-0000-0000-00000000000' || number)::uuid, email, email, 'Ann', now()
        FROM (VALUES (1, 'a@xn--mnchen-3ya.example'), (2, 'a@münchen.example'), (3, 'b@münchen.example')) AS new (number, email)";
    database.execute(add);
    assert_eq!(work(&ports, 9).await, [1]);
    for (key, id) in [(KEY, 1), ("a@münchen.example", 2), ("b@xn--mnchen-3ya.example", 3)] {
        let found = ports.directory.find_account(key).await.unwrap().unwrap();
        assert_eq!(found.user.id.0.as_u128(), id, "{key}");
    }
    let found = shared_addresses(&database.url(), 9).unwrap();
    assert_eq!(found.accounts, ["a@münchen.example"]);
}
