//! Cases that every kind with samples must pass.

use std::collections::BTreeSet;
use std::fmt::Debug;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::paging::{check_walks, newest_first};
use super::records::MADE;
use super::workspace_fixture::Record;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::Error;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::crm::deals::{Deal, DealFilter, DealStage, DealStatus};
use domain::kernel::paging::Paginated;
use domain::kernel::search::SearchQuery;
use domain::ports::{StoreError, Tx};
use domain::records::{Kind, ListedKind};
use domain::simple_kinds;
use domain::support::kb::{Article, ArticleFilter, ArticleStatus};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectStatus};
use domain::work::time_entries::{EntryStatus, TimeEntry, TimeEntryFilter};

/// Samples of a kind of record with soft deletion.
pub(super) trait Sample:
    Kind<Filter: Clone + Debug + Default> + ListedKind + Paginated + Record + Debug + Sync
{
    fn bare(world: &TestWorkspace) -> Self;
    async fn full(world: &TestWorkspace) -> Self;
    /// The record with the immutable fields of a stored one.
    fn in_place_of(self, stored: &Self) -> Self;
    fn made_at(self, created_at: OffsetDateTime) -> Self;
    /// The record as after some changes long ago.
    fn changed(self) -> Self;
    /// A filter by ids and by creation time: at or after the first, and before the second.
    fn filter(ids: &[Uuid], created: [Option<OffsetDateTime>; 2]) -> Self::Filter;
}

macro_rules! samples {
    ($($record:ty, $filter:ty: |$world:ident| $bare:expr, $full:expr;)+) => { $(
        impl Record for $record {
            fn insert(&self, tx: &mut dyn Tx) -> Result<(), StoreError> {
                tx.records::<Self>().insert(self)
            }
        }

        impl Sample for $record {
            fn bare($world: &TestWorkspace) -> Self {
                $bare
            }

            async fn full($world: &TestWorkspace) -> Self {
                $full
            }

            fn in_place_of(self, stored: &Self) -> Self {
                Self { id: stored.id, created_at: stored.created_at, created_by: stored.created_by, ..self }
            }

            fn made_at(self, created_at: OffsetDateTime) -> Self {
                Self { created_at, ..self }
            }

            fn changed(self) -> Self {
                Self { version: 8, updated_at: MADE + Duration::DAY, ..self }
            }

            fn filter(ids: &[Uuid], created: [Option<OffsetDateTime>; 2]) -> $filter {
                type Filter = $filter;
                let ids = ids.iter().map(|id| (*id).into()).collect::<Vec<_>>().into();
                let [created_since, created_before] = created;
                Filter { ids, created_since, created_before, ..Filter::default() }
            }
        }
    )+ };
}

samples! {
    Company, CompanyFilter: |world| world.bare_company(), world.full_company();
    Contact, ContactFilter: |world| world.bare_contact(), {
        let company = world.add(world.bare_company()).await.id;
        world.full_contact(company)
    };
    Deal, DealFilter: |world| world.bare_deal(), world.full_deal().await;
    Project, ProjectFilter: |world| world.bare_project(), world.full_project().await;
    Article, ArticleFilter: |world| world.bare_article(), world.full_article();
    TimeEntry, TimeEntryFilter: |world| world.bare_time_entry(), world.full_time_entry().await;
}

/// Samples of simple kinds are built from the fields that they declare.
macro_rules! simple_samples {
    ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => { $(simple_samples!(@$one $type);)+ };
    (@Article $type:ty) => {};
    (@$one:ident $type:ty) => {
        samples! {
            $type, <$type as Kind>::Filter:
                |world| <$type>::blank(world.id().into(), domain::identity::access::Actor::SYSTEM, world.now()), {
                    let mut full = Self::bare(world);
                    let body = domain::testing::filled::<<$type as domain::records::Resource>::Fields>(1, serde_json::json!({}));
                    let mode = domain::kernel::input::InputMode::Create;
                    let fields = domain::kernel::input::Input::from_object(body, mode).unwrap();
                    domain::records::Resource::apply(&mut full, fields);
                    full
                };
        }
    };
}

simple_kinds!(simple_samples!());

/// Runs a case for each kind that has samples.
macro_rules! each_kind {
    ($case:ident($($argument:expr),*)) => {
        $case::<domain::crm::companies::Company>($($argument),*).await;
        $case::<domain::crm::contacts::Contact>($($argument),*).await;
        $case::<domain::crm::deals::Deal>($($argument),*).await;
        $case::<domain::work::projects::Project>($($argument),*).await;
        $case::<domain::work::time_entries::TimeEntry>($($argument),*).await;
        domain::simple_kinds!(each_simple!($case($($argument),*)));
    };
}
pub(super) use each_kind;

macro_rules! each_simple {
    ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+] $case:ident $arguments:tt) => {
        $(each_simple!(@$case $type, $arguments);)+
    };
    (@$case:ident $type:ty, ($($argument:expr),*)) => {
        $case::<$type>($($argument),*).await;
    };
}
pub(super) use each_simple;

async fn get<K: Kind + Debug>(world: &TestWorkspace, id: Uuid) -> Option<K> {
    let found = world.read(move |tx| tx.records::<K>().get(id.into())).await;
    assert_eq!(world.commit(move |tx| tx.records::<K>().get_for_update(id.into())).await, found);
    found
}

async fn save<K: Kind>(world: &TestWorkspace, record: &K) -> Result<(), Error> {
    let record = record.clone();
    world.run(move |tx| Ok(tx.records::<K>().save(&record)?)).await
}

async fn delete<K: Sample>(world: &TestWorkspace, record: &K) -> bool {
    let (id, now) = (record.id(), world.now());
    world.commit(move |tx| tx.records::<K>().delete(id, now)).await
}

/// Checks that a filter finds exactly the records that the rule selects.
pub(super) async fn check_filter<K: Sample>(
    world: &TestWorkspace,
    all: &[K],
    filter: K::Filter,
    rule: impl Fn(&K) -> bool,
) {
    let description = format!("{filter:?}");
    let found = world.list::<K>(filter).await;
    let ids: BTreeSet<_> = found.iter().map(K::uuid).collect();
    assert_eq!(ids.len(), found.len(), "each once: {description}");
    assert_eq!(ids, all.iter().filter(|record| rule(record)).map(K::uuid).collect(), "{description}");
}

async fn check_round_trips<K: Sample>(world: &TestWorkspace) {
    check_variants(world, vec![K::full(world).await, K::bare(world)]).await;
}

async fn check_variants<K: Sample>(world: &TestWorkspace, variants: Vec<K>) {
    for record in variants {
        world.add(record.clone()).await;
        assert_eq!(get(world, record.uuid()).await, Some(record));
    }
}

/// All fields round-trip, set or unset, and every choice.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    each_kind!(check_round_trips(&world));
    let statuses = ContactStatus::ALL.iter().map(|status| Contact { status: *status, ..world.bare_contact() });
    let types =
        ContactType::ALL.iter().map(|contact_type| Contact { contact_type: *contact_type, ..world.bare_contact() });
    check_variants(&world, statuses.chain(types).collect()).await;
    let stages = [
        (DealStatus::Open, DealStage::Discovery),
        (DealStatus::Open, DealStage::Qualified),
        (DealStatus::OnHold, DealStage::Proposal),
        (DealStatus::OnHold, DealStage::Negotiation),
        (DealStatus::ClosedWon, DealStage::ClosedWon),
        (DealStatus::ClosedLost, DealStage::ClosedLost),
    ];
    check_variants(&world, stages.map(|(status, stage)| Deal { status, stage, ..world.bare_deal() }).into()).await;
    let statuses = ProjectStatus::ALL.iter().map(|status| Project { status: *status, ..world.bare_project() });
    let priorities = Priority::ALL.iter().map(|priority| Project { priority: *priority, ..world.bare_project() });
    check_variants(&world, statuses.chain(priorities).collect()).await;
    let statuses = ArticleStatus::ALL.iter().map(|status| Article { status: *status, ..world.bare_article() });
    check_variants(&world, statuses.collect()).await;
}

/// Checks that each of two saves changes one of two new records as a whole, and nothing else.
pub(super) async fn check_saved<K>(world: &TestWorkspace, [changed, bystander, absent]: [K; 3], saves: [K; 2])
where
    K: Kind + Record + Debug,
{
    let (_, bystander) = (world.add(changed).await, world.add(bystander).await);
    for expected in saves {
        save(world, &expected).await.unwrap();
        assert_eq!(get(world, expected.uuid()).await, Some(expected));
    }
    assert_eq!(get(world, bystander.uuid()).await, Some(bystander));
    assert!(save(world, &absent).await.is_err(), "there is no row to update");
}

async fn check_saves<K: Sample>(world: &TestWorkspace) {
    let records = [K::bare(world), K::bare(world), K::bare(world)];
    let full = K::full(world).await.in_place_of(&records[0]);
    let saves = [full, records[0].clone().changed()];
    check_saved(world, records, saves).await;
}

/// A save writes all fields, including cleared ones, and no other record.
pub async fn a_save_writes_every_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    each_kind!(check_saves(&world));
}

async fn check_deletion<K: Sample>(world: &TestWorkspace) {
    let (deleted, other) = (world.add(K::bare(world)).await, world.add(K::bare(world)).await);
    for expected in [true, false] {
        assert_eq!(delete(world, &deleted).await, expected);
    }
    assert!(!delete(world, &K::bare(world)).await);
    assert_eq!(get::<K>(world, deleted.uuid()).await, None);
    assert!(save(world, &deleted).await.is_err(), "there is no row to update");
    assert_eq!(get(world, other.uuid()).await, Some(other));
}

pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    each_kind!(check_deletion(&world));
}

async fn check_unique<K: Sample>(subject: &StoreUnderTest, field: &str, with: impl Fn(K) -> K) {
    let (world, other) = (subject.world().await, subject.world().await);
    let one = || with(K::bare(&world));
    let first = world.add(one()).await;
    assert_eq!(taken(world.try_add(&one()).await), field);
    let (second, third) = (world.add(K::bare(&world)).await, world.add(K::bare(&world)).await);
    let same = with(second);
    assert_eq!(taken(save(&world, &same).await), field);
    save(&world, &first).await.unwrap();
    other.add(with(K::bare(&other))).await;
    assert!(delete(&world, &first).await);
    save(&world, &same).await.unwrap();
    assert_eq!(taken(save(&world, &with(third)).await), field, "a saved value is in use");
    assert!(delete(&world, &same).await);
    world.add(one()).await;
}

/// Checked on insert and save among the live records of the workspace; several records may have no value.
pub async fn values_are_unique_among_live_records(subject: &StoreUnderTest) {
    let id = || Some("x ' 1".to_owned());
    let domain = || Some("one.example".to_owned());
    check_unique(subject, "domain", |it| Company { domain: domain(), ..it }).await;
    check_unique(subject, "external_id", |it| Company { external_id: id(), ..it }).await;
    check_unique(subject, "email", |it| Contact { email: "Ann.Lee@Example.org".to_owned(), ..it }).await;
    check_unique(subject, "external_id", |it| Contact { external_id: id(), ..it }).await;
    check_unique(subject, "external_id", |it| Deal { external_id: id(), ..it }).await;
    check_unique(subject, "external_id", |it| Project { external_id: id(), ..it }).await;
    check_unique(subject, "slug", |it| Article { slug: "one".to_owned(), ..it }).await;
}

/// Addresses are compared without case, external ids with it.
pub async fn addresses_are_the_same_in_any_case(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let with = |email: &str| Contact { email: email.to_owned(), ..world.bare_contact() };
    let first = world.add(Contact { external_id: Some("x".to_owned()), ..with("Ann.Lee@Example.org") }).await;
    for email in ["ann.lee@example.org", "ANN.LEE@EXAMPLE.ORG"] {
        assert_eq!(taken(world.try_add(&with(email)).await), "email", "{email}");
    }
    let recased = Contact { email: first.email.to_uppercase(), ..first };
    save(&world, &recased).await.unwrap();
    assert_eq!(get(&world, recased.id.0).await, Some(recased));
    world.add(Contact { external_id: Some("X".to_owned()), ..world.bare_contact() }).await;
}

async fn check_pages<K: Sample>(world: &TestWorkspace, record: impl Fn(K) -> K, filter: K::Filter) {
    let mut cursor_keys = Vec::new();
    for created_at in world.seven_times() {
        let created = world.add(record(K::bare(world)).made_at(created_at)).await;
        cursor_keys.push((created_at, created.uuid()));
    }
    let deleted = world.add(record(K::bare(world))).await;
    assert!(delete(world, &deleted).await);
    for filter in [K::Filter::default(), filter] {
        check_walks(world, &newest_first(cursor_keys.clone()), move |tx, page| tx.lists::<K>().list(&filter, page))
            .await;
    }
}

/// Newest first, ties by id, with and without a filter; without deleted ones.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (name, search) = (|| "Walker".to_owned(), || SearchQuery::parse("walk").unwrap());
    let filter = CompanyFilter { search: search(), ..CompanyFilter::default() };
    check_pages(&world, |it| Company { name: name(), ..it }, filter).await;
    let status = ContactStatus::ALL.to_vec().into();
    let filter = ContactFilter { status, search: search(), ..ContactFilter::default() };
    check_pages(&world, |it| Contact { first_name: Some(name()), ..it }, filter).await;
    let (status, stage) = (DealStatus::ALL.to_vec().into(), DealStage::ALL.to_vec().into());
    check_pages::<Deal>(&world, |it| it, DealFilter { status, stage, ..DealFilter::default() }).await;
    let filter = ProjectFilter { search: search(), ..ProjectFilter::default() };
    check_pages(&world, |it| Project { name: name(), ..it }, filter).await;
    let filter = ArticleFilter { status: Some(ArticleStatus::Draft), ..ArticleFilter::default() };
    check_pages::<Article>(&world, |it| it, filter).await;
    let filter = TimeEntryFilter { status: EntryStatus::ALL.to_vec().into(), ..TimeEntryFilter::default() };
    check_pages::<TimeEntry>(&world, |it| it, filter).await;
}

async fn check_ids_and_times<K: Sample>(world: &TestWorkspace) {
    let mut all = Vec::new();
    for created_at in world.seven_times() {
        all.push(world.add(K::bare(world).made_at(created_at)).await);
    }
    let deleted = world.add(K::bare(world)).await;
    assert!(delete(world, &deleted).await);
    let ids: Vec<_> = all.iter().map(K::uuid).collect();
    let of_ids = |ids: &[Uuid]| K::filter(ids, [None, None]);
    check_filter(world, &all, of_ids(&ids[2..3]), |record| record.uuid() == ids[2]).await;
    let some = [ids[5], ids[1], deleted.uuid(), Uuid::max()];
    check_filter(world, &all, of_ids(&some), |record| some.contains(&record.uuid())).await;
    check_filter(world, &all, of_ids(&[deleted.uuid()]), |_| false).await;
    let time = |micros| world.now() + Duration::microseconds(micros);
    for (since, before) in [(Some(1), None), (None, Some(3)), (Some(1), Some(3)), (Some(2), Some(1))] {
        let (since, before) = (since.map(time), before.map(time));
        let is_within = |record: &K| {
            let (created_at, _) = record.cursor_key();
            since.is_none_or(|since| created_at >= since) && before.is_none_or(|before| created_at < before)
        };
        check_filter(world, &all, K::filter(&[], [since, before]), is_within).await;
        let both = |record: &K| is_within(record) && some.contains(&record.uuid());
        check_filter(world, &all, K::filter(&some, [since, before]), both).await;
    }
    let cursor_keys = all.iter().map(K::cursor_key).filter(|(_, id)| *id != ids[0]);
    let filter = of_ids(&ids[1..]);
    check_walks(world, &newest_first(cursor_keys.collect()), move |tx, page| tx.lists::<K>().list(&filter, page)).await;
}

/// By any of several ids, by creation time and by both, in pages.
pub async fn records_are_found_by_id_and_time_of_creation(subject: &StoreUnderTest) {
    each_kind!(check_ids_and_times(&subject.world().await));
}

async fn check_isolation<K: Sample>(world: &TestWorkspace, other: &TestWorkspace) {
    let mine = world.add(K::full(world).await).await;
    let id = mine.uuid();
    assert_eq!(get::<K>(other, id).await, None);
    let all = K::Filter::default;
    assert!(world.list::<K>(all()).await.iter().any(|listed| listed.uuid() == id));
    assert!(other.list::<K>(all()).await.is_empty());
    assert!(!delete(other, &mine).await);
    assert!(save(other, &K::bare(other).in_place_of(&mine)).await.is_err());
    assert_eq!(get(world, id).await, Some(mine));
}

pub async fn records_are_per_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    each_kind!(check_isolation(&world, &other));
}
