//! Contacts.

use time::Duration;

use super::paging::{check_walks, newest_first};
use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::{ContactId, Error};

async fn get(world: &TestWorkspace, id: ContactId) -> Option<Contact> {
    world.look(move |tx| tx.contacts().get(id)).await
}

async fn save(world: &TestWorkspace, contact: &Contact) -> Result<(), Error> {
    let contact = contact.clone();
    world
        .run(move |tx| {
            assert!(tx.contacts().get_for_update(contact.id)?.is_some());
            Ok(tx.contacts().save(&contact)?)
        })
        .await
}

async fn delete(world: &TestWorkspace, id: ContactId) -> bool {
    let now = world.now();
    world.done(move |tx| tx.contacts().delete(id, now)).await
}

/// All members round-trip, set or unset.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await;
    let full = world.add(world.full_contact(company.id)).await;
    // Created after the full one, by the clock.
    let bare = world.add(world.bare_contact()).await;
    assert_eq!(world.contacts().await, [bare.clone(), full.clone()]);
    for contact in [bare, full] {
        assert_eq!(get(&world, contact.id).await.as_ref(), Some(&contact));
        assert_eq!(world.done(move |tx| tx.contacts().get_for_update(contact.id)).await, Some(contact));
    }
    let types = subject.world().await;
    for contact_type in ContactType::ALL.iter().copied() {
        types.add(Contact { contact_type, ..types.bare_contact() }).await;
    }
    let mut found: Vec<_> = types.contacts().await.iter().map(|contact| contact.contact_type).collect();
    found.sort();
    assert_eq!(found, ContactType::ALL);
}

/// A save writes all members, cleared ones too, and no other record.
pub async fn a_save_writes_every_member(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let bystander = world.add(world.bare_contact()).await;
    let bare = world.add(world.bare_contact()).await;
    let company = world.add(world.bare_company()).await;
    // Immutable members keep their values.
    let (created_at, created_by) = (bare.created_at, bare.created_by);
    let changed = Contact { id: bare.id, created_at, created_by, ..world.full_contact(company.id) };
    save(&world, &changed).await.unwrap();
    assert_eq!(get(&world, bare.id).await, Some(changed));
    let emptied = Contact { version: 8, updated_at: MADE + Duration::DAY, ..bare };
    save(&world, &emptied).await.unwrap();
    assert_eq!(get(&world, emptied.id).await, Some(emptied));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// A contact is deleted once and invisible afterwards.
pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (contact, other) = (world.add(world.bare_contact()).await, world.add(world.bare_contact()).await);
    assert!(delete(&world, contact.id).await);
    assert!(!delete(&world, contact.id).await);
    assert!(!delete(&world, ContactId(world.id())).await);
    assert_eq!(get(&world, contact.id).await, None);
    assert_eq!(world.done(move |tx| tx.contacts().get_for_update(contact.id)).await, None);
    assert!(world.run(move |tx| Ok(tx.contacts().save(&contact)?)).await.is_err(), "there is no row to update");
    assert_eq!(world.contacts().await, [other]);
}

/// Addresses are unique without regard to case, on insert and save; other workspaces and deleted contacts do not
/// count.
pub async fn email_is_unique_without_regard_to_case(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = world.add(Contact { email: "Ann.Lee@Example.org".to_owned(), ..world.bare_contact() }).await;
    for email in ["Ann.Lee@Example.org", "ann.lee@example.org", "ANN.LEE@EXAMPLE.ORG"] {
        let second = Contact { email: email.to_owned(), ..world.bare_contact() };
        assert_eq!(taken(world.try_add(&second).await), "email", "{email}");
    }
    other.add(Contact { email: "ann.lee@example.org".to_owned(), ..other.bare_contact() }).await;
    assert_eq!(world.contacts().await, std::slice::from_ref(&first));
    let second = world.add(world.bare_contact()).await;
    let same = Contact { email: "ANN.lee@example.org".to_owned(), ..second };
    assert_eq!(taken(save(&world, &same).await), "email");
    let recased = Contact { email: first.email.to_uppercase(), ..first };
    save(&world, &recased).await.unwrap();
    assert_eq!(get(&world, recased.id).await.as_ref(), Some(&recased));
    assert!(delete(&world, recased.id).await);
    save(&world, &same).await.unwrap();
    let again = Contact { email: recased.email, ..world.bare_contact() };
    assert_eq!(taken(world.try_add(&again).await), "email", "a saved value is in use");
}

/// The external id is unique among live contacts of the workspace, on insert and save.
pub async fn external_id_is_unique_among_live_ones(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let with_id = |contact| Contact { external_id: Some("x".to_owned()), ..contact };
    let first = world.add(with_id(world.bare_contact())).await;
    assert_eq!(taken(world.try_add(&with_id(world.bare_contact())).await), "external_id");
    world.add(Contact { external_id: Some("X".to_owned()), ..world.bare_contact() }).await;
    other.add(with_id(other.bare_contact())).await;
    let second = world.add(world.bare_contact()).await;
    world.add(world.bare_contact()).await;
    assert_eq!(taken(save(&world, &with_id(second.clone())).await), "external_id");
    save(&world, &first).await.unwrap();
    assert!(delete(&world, first.id).await);
    save(&world, &with_id(second)).await.unwrap();
}

/// Statuses, search, and both.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for (index, status) in ContactStatus::ALL.iter().copied().enumerate() {
        let first_name = Some(if index % 2 == 0 { "Even" } else { "Odd" }.to_owned());
        all.push(world.add(Contact { first_name, status, ..world.bare_contact() }).await);
    }
    let some_of = &[ContactStatus::Active, ContactStatus::Blocked, ContactStatus::Pending];
    for statuses in [&[], &[ContactStatus::Inactive][..], some_of] {
        for search in [None, Some("ev")] {
            let query = search.and_then(|text| SearchQuery::parse(text).unwrap());
            let filter = ContactFilter { status: statuses.to_vec().into(), search: query, ..ContactFilter::default() };
            let mut found = world.look(move |tx| tx.contacts().list(&filter, &PageRequest::first(100))).await;
            found.sort_by_key(|contact| contact.id);
            let mut expected: Vec<_> = all
                .iter()
                .filter(|contact| statuses.is_empty() || statuses.contains(&contact.status))
                .filter(|contact| search.is_none() || contact.first_name.as_deref() == Some("Even"))
                .cloned()
                .collect();
            expected.sort_by_key(|contact| contact.id);
            assert_eq!(found, expected, "{statuses:?} {search:?}");
        }
    }
}

/// Newest first, ties by id, with and without a filter.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut places = Vec::new();
    for created_at in world.seven_times() {
        let first_name = Some("Walker".to_owned());
        places.push(world.add(Contact { first_name, created_at, ..world.bare_contact() }).await.cursor_key());
    }
    let filter = ContactFilter {
        status: ContactStatus::ALL.to_vec().into(),
        search: SearchQuery::parse("walk").unwrap(),
        ..ContactFilter::default()
    };
    for filter in [ContactFilter::default(), filter] {
        check_walks(&world, &newest_first(places.clone()), move |tx, page| {
            Ok(tx.contacts().list(&filter, page)?.iter().map(Paginated::cursor_key).collect())
        })
        .await;
    }
}
