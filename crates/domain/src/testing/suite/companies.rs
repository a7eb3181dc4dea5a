//! Companies.

use super::{Subject, World, taken};
use crate::CompanyId;
use crate::companies::Company;

async fn get(world: &World, id: CompanyId) -> Option<Company> {
    world.look(move |tx| tx.companies().get(id)).await
}

async fn delete(world: &World, id: CompanyId) -> bool {
    let now = world.now();
    world.done(move |tx| tx.companies().delete(id, now)).await
}

/// What was put in comes out, with every member set and with none.
pub async fn all_members_come_back(subject: &Subject) {
    let world = subject.world().await;
    for company in [world.full_company(), world.bare_company()] {
        world.add(company.clone()).await;
        assert_eq!(get(&world, company.id).await, Some(company));
    }
}

/// Domain and external id are taken by live companies of the same workspace alone.
pub async fn domain_and_external_id_are_unique_among_live_ones(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = world.add(world.full_company()).await;
    let same_domain = Company { domain: first.domain.clone(), ..world.bare_company() };
    let same_external_id = Company { external_id: first.external_id.clone(), ..world.bare_company() };
    assert_eq!(taken(world.try_add(&same_domain).await), "domain");
    assert_eq!(taken(world.try_add(&same_external_id).await), "external_id");
    other.add(other.full_company()).await;
    // Having none is not having the same.
    world.add(world.bare_company()).await;
    world.add(world.bare_company()).await;
    assert!(delete(&world, first.id).await);
    world.add(same_domain).await;
    world.add(same_external_id).await;
}

/// A company is deleted once, and not seen afterwards.
pub async fn deletion_happens_once(subject: &Subject) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await;
    assert!(delete(&world, company.id).await);
    assert!(!delete(&world, company.id).await);
    assert!(!delete(&world, CompanyId(world.id())).await);
    assert_eq!(get(&world, company.id).await, None);
}
