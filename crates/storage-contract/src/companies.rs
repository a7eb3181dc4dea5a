//! Companies.

use time::Duration;

use super::paging::{check_walks, newest_first};
use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::crm::companies::{Company, CompanyFilter};
use domain::kernel::input::{HostName, Line, Problems, Read, Value};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::{CompanyId, Error};

async fn get(world: &TestWorkspace, id: CompanyId) -> Option<Company> {
    world.look(move |tx| tx.companies().get(id)).await
}

async fn save(world: &TestWorkspace, company: &Company) -> Result<(), Error> {
    let company = company.clone();
    world
        .run(move |tx| {
            assert!(tx.companies().get_for_update(company.id)?.is_some());
            Ok(tx.companies().save(&company)?)
        })
        .await
}

async fn delete(world: &TestWorkspace, id: CompanyId) -> bool {
    let now = world.now();
    world.done(move |tx| tx.companies().delete(id, now)).await
}

/// All members round-trip, set or unset.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for company in [world.full_company(), world.bare_company()] {
        world.add(company.clone()).await;
        assert_eq!(get(&world, company.id).await.as_ref(), Some(&company));
        assert_eq!(world.done(move |tx| tx.companies().get_for_update(company.id)).await, Some(company));
    }
}

/// A save writes all members, cleared ones too, and no other record.
pub async fn a_save_writes_every_member(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let bystander = world.add(world.bare_company()).await;
    let bare = world.add(world.bare_company()).await;
    // Immutable members keep their values.
    let (created_at, created_by) = (bare.created_at, bare.created_by);
    let changed = Company { id: bare.id, created_at, created_by, ..world.full_company() };
    save(&world, &changed).await.unwrap();
    assert_eq!(get(&world, bare.id).await, Some(changed));
    let emptied = Company { version: 8, updated_at: MADE + Duration::DAY, ..bare };
    save(&world, &emptied).await.unwrap();
    assert_eq!(get(&world, emptied.id).await, Some(emptied));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// Domain and external id are unique among live companies of the workspace, on insert and save.
pub async fn domain_and_external_id_are_unique_among_live_ones(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = world.add(world.full_company()).await;
    let same_domain = Company { domain: first.domain.clone(), ..world.bare_company() };
    let same_external_id = Company { external_id: first.external_id.clone(), ..world.bare_company() };
    assert_eq!(taken(world.try_add(&same_domain).await), "domain");
    assert_eq!(taken(world.try_add(&same_external_id).await), "external_id");
    let second = world.add(world.bare_company()).await;
    let domain = Company { domain: first.domain.clone(), ..second.clone() };
    let external_id = Company { external_id: first.external_id.clone(), ..second };
    assert_eq!(taken(save(&world, &domain).await), "domain");
    assert_eq!(taken(save(&world, &external_id).await), "external_id");
    save(&world, &first).await.unwrap();
    other.add(other.full_company()).await;
    // Several companies may have neither.
    world.add(world.bare_company()).await;
    world.add(world.bare_company()).await;
    assert!(delete(&world, first.id).await);
    save(&world, &domain).await.unwrap();
    assert_eq!(taken(world.try_add(&same_domain).await), "domain");
    save(&world, &external_id).await.unwrap();
    assert!(delete(&world, external_id.id).await);
    world.add(same_domain).await;
    world.add(same_external_id).await;
}

/// A company is deleted once and invisible afterwards.
pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await;
    assert!(delete(&world, company.id).await);
    assert!(!delete(&world, company.id).await);
    assert!(!delete(&world, CompanyId(world.id())).await);
    assert_eq!(get(&world, company.id).await, None);
    assert_eq!(world.done(move |tx| tx.companies().get_for_update(company.id)).await, None);
    let gone = company.clone();
    assert!(world.run(move |tx| Ok(tx.companies().save(&gone)?)).await.is_err(), "there is no row to update");
}

/// Newest first, ties by id, with and without a search; without deleted ones.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut places = Vec::new();
    for created_at in world.seven_times() {
        let name = "Walker".to_owned();
        places.push(world.add(Company { name, created_at, ..world.bare_company() }).await.cursor_key());
    }
    let gone = world.add(Company { name: "Walker".to_owned(), ..world.bare_company() }).await;
    assert!(delete(&world, gone.id).await);
    for search in ["", "walk"] {
        let filter = CompanyFilter { search: SearchQuery::parse(search).unwrap(), ..CompanyFilter::default() };
        check_walks(&world, &newest_first(places.clone()), move |tx, page| {
            Ok(tx.companies().list(&filter, page)?.iter().map(Paginated::cursor_key).collect())
        })
        .await;
    }
}

/// Host name and external id are exact, and find live ones alone.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.full_company()).await;
    world.add(world.bare_company()).await;
    let domain = HostName::read(company.domain.clone().unwrap().into(), "domain", &mut Problems::default());
    let Read::Value(domain) = domain else { panic!("no host name") };
    let external_id = Line::parse(company.external_id.as_deref().unwrap(), "external_id").ok();
    let by_domain = CompanyFilter { domain: Some(domain), ..CompanyFilter::default() };
    let by_id = CompanyFilter { external_id, ..CompanyFilter::default() };
    let both = CompanyFilter { domain: by_domain.domain.clone(), ..by_id.clone() };
    let list = async |filter: &CompanyFilter| {
        let filter = filter.clone();
        world.look(move |tx| tx.companies().list(&filter, &PageRequest::first(100))).await
    };
    for filter in [&by_domain, &by_id, &both] {
        assert_eq!(list(filter).await, std::slice::from_ref(&company), "{filter:?}");
    }
    assert!(delete(&world, company.id).await);
    for filter in [&by_domain, &by_id, &both] {
        assert!(list(filter).await.is_empty(), "{filter:?}");
    }
}
