//! Batches of companies, contacts or deals.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::kinds::Sample;
use super::records::LINE;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::{KeySet, RecordKeys};
use domain::ports::{BatchRepo, RowLock, Tx};

trait Batched: Sample {
    fn repo(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self>;
    fn own_keys(&self) -> RecordKeys;
}

macro_rules! batched {
    ($($record:ty => $repo:ident),*) => { $(
        impl Batched for $record {
            fn repo(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
                tx.$repo()
            }

            fn own_keys(&self) -> RecordKeys {
                self.keys()
            }
        }
    )* };
}

batched!(Company => companies, Contact => contacts, Deal => deals);

fn by_id<R: Batched>(records: Vec<R>) -> BTreeMap<Uuid, R> {
    records.into_iter().map(|record| (record.uuid(), record)).collect()
}

async fn get<R: Batched>(world: &TestWorkspace, ids: &[Uuid]) -> BTreeMap<Uuid, R> {
    let ids = ids.to_vec();
    by_id(world.read(move |tx| R::repo(tx).get_many(&ids)).await)
}

/// Adds records, changes them to others with the same ids, and reads them back.
async fn check<R: Batched>(world: &TestWorkspace, originals: Vec<R>, changed: Vec<R>) {
    let ids: Vec<_> = originals.iter().map(R::uuid).collect();
    let records = originals.clone();
    world.commit(move |tx| R::repo(tx).insert_many(&records)).await;
    assert_eq!(get(world, &ids).await, by_id(originals.clone()));
    assert_eq!(changed.iter().map(R::uuid).collect::<Vec<_>>(), ids);
    let records = changed.clone();
    world.commit(move |tx| R::repo(tx).save_many(&records)).await;
    assert_eq!(get(world, &ids).await, by_id(changed.clone()));
    let first = changed[..1].to_vec();
    let repeated = world.run(move |tx| Ok(R::repo(tx).insert_many(&first)?)).await;
    assert!(repeated.is_err(), "the id is in use");
    let deleted = changed[0].id();
    world.delete::<R>(deleted).await;
    assert_eq!(get::<R>(world, &ids).await.len(), ids.len() - 1);
}

/// Every field of new and changed records is stored, as when they are written one by one.
pub async fn every_field_is_written(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await.id;
    let (bare, full) = (world.bare_company(), world.full_company());
    let swapped = [Company { id: bare.id, ..world.full_company() }, Company { id: full.id, ..world.bare_company() }];
    // The full record gives up its unique values first.
    let freed = Company { domain: None, external_id: None, ..full.clone() };
    check(&world, vec![bare, freed], swapped.to_vec()).await;
    let (bare, full) = (world.bare_contact(), world.full_contact(company));
    let swapped = [
        Contact { id: bare.id, external_id: Some("other".to_owned()), ..world.full_contact(company) },
        Contact { id: full.id, ..world.bare_contact() },
    ];
    check(&world, vec![bare, full], swapped.to_vec()).await;
    let (bare, full) = (world.bare_deal(), world.full_deal().await);
    let swapped = [
        Deal { id: bare.id, external_id: Some("other".to_owned()), ..world.full_deal().await },
        Deal { id: full.id, ..world.bare_deal() },
    ];
    check(&world, vec![bare, full], swapped.to_vec()).await;
}

/// Searches find new and changed records like those that were written one by one.
pub async fn batches_are_found_by_search(subject: &StoreUnderTest) {
    use domain::crm::contacts::ContactFilter;
    use domain::kernel::search::SearchQuery;
    let world = subject.world().await;
    let contact = Contact { first_name: Some("Zaphod".to_owned()), ..world.bare_contact() };
    let found = async |text: &str| {
        let filter = ContactFilter { search: SearchQuery::parse(text).unwrap(), ..ContactFilter::default() };
        world.list::<Contact>(filter).await.len()
    };
    let original = contact.clone();
    world.commit(move |tx| BatchRepo::<Contact>::insert_many(tx.contacts(), std::slice::from_ref(&original))).await;
    assert_eq!((found("zaph").await, found("trill").await), (1, 0));
    let changed = Contact { first_name: Some("Trillian".to_owned()), ..contact };
    world.commit(move |tx| BatchRepo::<Contact>::save_many(tx.contacts(), std::slice::from_ref(&changed))).await;
    assert_eq!((found("zaph").await, found("trill").await), (0, 1));
}

async fn found<R: Batched>(world: &TestWorkspace, keys: KeySet) -> BTreeMap<Uuid, RecordKeys> {
    let mut all = Vec::new();
    for lock in [RowLock::None, RowLock::ForUpdate] {
        let keys = keys.clone();
        let found = world
            .commit(move |tx| {
                R::repo(tx).lock_batches()?;
                R::repo(tx).with_keys(&keys, lock)
            })
            .await;
        all.push(found.into_iter().map(|record| (record.id, record.keys)).collect());
    }
    assert_eq!(all[0], all[1]);
    all.remove(0)
}

/// Checks that each key finds its live record, in its own workspace.
async fn check_keys<R: Batched>(world: &TestWorkspace, other: &TestWorkspace, records: [R; 3], foreign: R) {
    let mut keys = KeySet::default();
    for record in &records {
        keys.add(&record.own_keys());
        world.add(record.clone()).await;
    }
    other.add(foreign).await;
    keys.external_ids.push("unknown".to_owned());
    keys.natural.push("unknown".to_owned());
    let expected = records.iter().filter(|record| record.own_keys() != RecordKeys::default());
    let expected: BTreeMap<_, _> = expected.map(|record| (record.uuid(), record.own_keys())).collect();
    assert_eq!(found::<R>(world, keys.clone()).await, expected);
    assert!(found::<R>(world, KeySet::default()).await.is_empty());
    world.delete::<R>(records[0].id()).await;
    assert_eq!(found::<R>(world, keys).await.len(), expected.len() - 1);
}

pub async fn keys_find_live_records(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let id = |text: &str| Some(text.to_owned());
    let company = |external_id, domain| Company { external_id, domain, ..world.bare_company() };
    let companies = [company(id(LINE), None), company(None, id("a.example")), company(None, None)];
    let foreign = Company { external_id: id(LINE), domain: id("a.example"), ..other.bare_company() };
    check_keys(&world, &other, companies, foreign).await;
    let contact = |external_id| Contact { external_id, ..world.bare_contact() };
    let contacts = [contact(id(LINE)), contact(None), contact(id("x"))];
    let foreign = Contact { email: contacts[1].email.clone(), external_id: id(LINE), ..other.bare_contact() };
    check_keys(&world, &other, contacts, foreign).await;
    let deal = |external_id| Deal { external_id, ..world.bare_deal() };
    let foreign = Deal { external_id: id(LINE), ..other.bare_deal() };
    check_keys(&world, &other, [deal(id(LINE)), deal(id("x")), deal(None)], foreign).await;
}

/// A duplicate value in one record fails the whole batch, on insert and on save.
pub async fn a_duplicate_fails_the_batch(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let first = world.add(world.bare_contact()).await;
    let same = Contact { email: first.email.to_uppercase(), ..world.bare_contact() };
    let batch = [world.bare_contact(), same];
    let ids = batch.each_ref().map(|contact| contact.id.0);
    let inserted = world.run(move |tx| Ok(BatchRepo::<Contact>::insert_many(tx.contacts(), &batch)?)).await;
    assert_eq!(taken(inserted), "email");
    assert!(get::<Contact>(&world, &ids).await.is_empty());
    let second = world.add(world.bare_contact()).await;
    let same = [Contact { email: first.email.clone(), ..second }];
    let saved = world.run(move |tx| Ok(BatchRepo::<Contact>::save_many(tx.contacts(), &same)?)).await;
    assert_eq!(taken(saved), "email");
}
