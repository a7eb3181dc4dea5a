//! Contacts.

use super::paging::{check_walks, newest_first};
use super::{Subject, taken};
use crate::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use crate::paging::{Listed, PageRequest};
use crate::search::Query;

/// What was put in comes out, with every member set and with none.
pub async fn all_members_come_back(subject: &Subject) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await;
    let full = world.add(world.full_contact(company.id)).await;
    // Made after the full one, by the clock.
    let bare = world.add(world.bare_contact()).await;
    assert_eq!(world.contacts().await, [bare, full]);
    let types = subject.world().await;
    for contact_type in ContactType::ALL.iter().copied() {
        types.add(Contact { contact_type, ..types.bare_contact() }).await;
    }
    let mut found: Vec<_> = types.contacts().await.iter().map(|contact| contact.contact_type).collect();
    found.sort();
    assert_eq!(found, ContactType::ALL);
}

/// One address in another casing is the same address; other workspaces don't matter.
pub async fn email_is_unique_without_regard_to_case(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = world.add(Contact { email: "Ann.Lee@Example.org".to_owned(), ..world.bare_contact() }).await;
    for email in ["Ann.Lee@Example.org", "ann.lee@example.org", "ANN.LEE@EXAMPLE.ORG"] {
        let second = Contact { email: email.to_owned(), ..world.bare_contact() };
        assert_eq!(taken(world.try_add(&second).await), "email", "{email}");
    }
    other.add(Contact { email: "ann.lee@example.org".to_owned(), ..other.bare_contact() }).await;
    assert_eq!(world.contacts().await, [first]);
}

/// An external id is taken in its own workspace alone.
pub async fn external_id_is_unique(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    let with_id = |contact| Contact { external_id: Some("x".to_owned()), ..contact };
    world.add(with_id(world.bare_contact())).await;
    assert_eq!(taken(world.try_add(&with_id(world.bare_contact())).await), "external_id");
    world.add(Contact { external_id: Some("X".to_owned()), ..world.bare_contact() }).await;
    other.add(with_id(other.bare_contact())).await;
    world.add(world.bare_contact()).await;
    world.add(world.bare_contact()).await;
}

/// Statuses, search, and both.
pub async fn each_filter_works(subject: &Subject) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for (index, status) in ContactStatus::ALL.iter().copied().enumerate() {
        let first_name = Some(if index % 2 == 0 { "Even" } else { "Odd" }.to_owned());
        all.push(world.add(Contact { first_name, status, ..world.bare_contact() }).await);
    }
    let some_of = &[ContactStatus::Active, ContactStatus::Blocked, ContactStatus::Pending];
    for statuses in [&[], &[ContactStatus::Inactive][..], some_of] {
        for search in [None, Some("ev")] {
            let query = search.and_then(|text| Query::parse(text).unwrap());
            let filter = ContactFilter { statuses: statuses.to_vec(), search: query };
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
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &Subject) {
    let world = subject.world().await;
    let mut places = Vec::new();
    for created_at in world.seven_times() {
        let first_name = Some("Walker".to_owned());
        places.push(world.add(Contact { first_name, created_at, ..world.bare_contact() }).await.place());
    }
    let filter = ContactFilter { statuses: ContactStatus::ALL.to_vec(), search: Query::parse("walk").unwrap() };
    for filter in [ContactFilter::default(), filter] {
        check_walks(&world, &newest_first(places.clone()), move |tx, page| {
            Ok(tx.contacts().list(&filter, page)?.iter().map(Listed::place).collect())
        })
        .await;
    }
}
