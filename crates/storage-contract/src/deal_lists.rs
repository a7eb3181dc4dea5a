//! Lists of deals.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::deals::{Deal, DealFilter, DealStage, DealStatus};
use domain::kernel::paging::{PageRequest, Paginated};

/// Checks that the filter finds exactly the deals that the rule selects.
async fn check(world: &TestWorkspace, all: &[Deal], filter: DealFilter, rule: impl Fn(&Deal) -> bool) {
    let shown = format!("{filter:?}");
    let found = world.look(move |tx| tx.deals().list(&filter, &PageRequest::first(100))).await;
    let ids: BTreeSet<_> = found.iter().map(|deal| deal.id).collect();
    assert_eq!(ids.len(), found.len(), "each once: {shown}");
    assert_eq!(ids, all.iter().filter(|deal| rule(deal)).map(|deal| deal.id).collect(), "{shown}");
}

/// Varied deals, one of them deleted.
async fn deals(world: &TestWorkspace) -> Vec<Deal> {
    let contact = world.add(world.bare_contact()).await.id;
    let company = world.add(world.bare_company()).await.id;
    let member = world.new_member().await;
    let mut all = Vec::new();
    for (index, (status, stage)) in [
        (DealStatus::Open, DealStage::Discovery),
        (DealStatus::Open, DealStage::Proposal),
        (DealStatus::OnHold, DealStage::Proposal),
        (DealStatus::ClosedWon, DealStage::ClosedWon),
        (DealStatus::ClosedLost, DealStage::ClosedLost),
        (DealStatus::Open, DealStage::Qualified),
    ]
    .into_iter()
    .enumerate()
    {
        let value = (index != 5).then(|| Decimal::new(i64::try_from(index).unwrap() * 1_050, 2));
        let assigned_to = [None, Some(world.member), Some(member)][index % 3];
        let contact_id = (index % 2 == 0).then_some(contact);
        let company_id = (index < 3).then_some(company);
        let deal = Deal { contact_id, company_id, assigned_to, status, stage, value, ..world.bare_deal() };
        all.push(world.add(deal).await);
    }
    let gone = world.add(world.bare_deal()).await.id;
    let now = world.now();
    assert!(world.done(move |tx| tx.deals().delete(gone, now)).await);
    all
}

/// Each filter alone, with one value and with several.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = deals(&world).await;
    let none = DealFilter::default;
    check(&world, &all, none(), |_| true).await;
    let statuses = vec![DealStatus::OnHold];
    check(&world, &all, DealFilter { statuses, ..none() }, |deal| deal.status == DealStatus::OnHold).await;
    let statuses = vec![DealStatus::ClosedWon, DealStatus::Open];
    check(&world, &all, DealFilter { statuses: statuses.clone(), ..none() }, |deal| statuses.contains(&deal.status))
        .await;
    let stages = vec![DealStage::Proposal];
    check(&world, &all, DealFilter { stages, ..none() }, |deal| deal.stage == DealStage::Proposal).await;
    let stages = vec![DealStage::Discovery, DealStage::ClosedLost, DealStage::Negotiation];
    check(&world, &all, DealFilter { stages: stages.clone(), ..none() }, |deal| stages.contains(&deal.stage)).await;
    let other = all[2].assigned_to.unwrap();
    for assignees in [vec![world.member], vec![other], vec![world.member, other], vec![domain::UserId(world.id())]] {
        let filter = DealFilter { assignees: assignees.clone(), ..none() };
        check(&world, &all, filter, |deal| deal.assigned_to.is_some_and(|id| assignees.contains(&id))).await;
    }
    let contact_id = all[0].contact_id;
    check(&world, &all, DealFilter { contact_id, ..none() }, |deal| deal.contact_id == contact_id).await;
    let company_id = all[0].company_id;
    check(&world, &all, DealFilter { company_id, ..none() }, |deal| deal.company_id == company_id).await;
    // Bounds are inclusive; a deal without a value is in no range.
    for bound in ["0", "10.49", "10.5", "10.50", "10.51", "999999999999.99"] {
        let bound: Decimal = bound.parse().unwrap();
        let least = DealFilter { value_min: Some(bound), ..none() };
        check(&world, &all, least, |deal| deal.value.is_some_and(|value| value >= bound)).await;
        let most = DealFilter { value_max: Some(bound), ..none() };
        check(&world, &all, most, |deal| deal.value.is_some_and(|value| value <= bound)).await;
    }
}

/// Filters combine with AND.
pub async fn filters_combine(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = deals(&world).await;
    let none = DealFilter::default;
    let company_id = all[0].company_id;
    let filter = DealFilter { statuses: vec![DealStatus::Open], company_id, ..none() };
    check(&world, &all, filter, |deal| deal.status == DealStatus::Open && deal.company_id == company_id).await;
    let range = Decimal::new(1_050, 2)..=Decimal::new(3_150, 2);
    let filter = DealFilter { value_min: Some(*range.start()), value_max: Some(*range.end()), ..none() };
    check(&world, &all, filter, |deal| deal.value.is_some_and(|value| range.contains(&value))).await;
    let filter = DealFilter { statuses: vec![DealStatus::Open], stages: vec![DealStage::ClosedWon], ..none() };
    check(&world, &all, filter, |_| false).await;
    let deal = &all[2];
    let filter = DealFilter {
        statuses: vec![deal.status, DealStatus::Open],
        stages: vec![deal.stage],
        assignees: deal.assigned_to.into_iter().collect(),
        contact_id: deal.contact_id,
        company_id: deal.company_id,
        value_min: deal.value,
        value_max: deal.value,
    };
    check(&world, &all, filter, |other| other.id == deal.id).await;
}

/// Newest first, ties by id, with and without a filter.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut places = Vec::new();
    for created_at in world.seven_times() {
        places.push(world.add(Deal { created_at, ..world.bare_deal() }).await.cursor_key());
    }
    let filtered =
        DealFilter { statuses: DealStatus::ALL.to_vec(), stages: DealStage::ALL.to_vec(), ..DealFilter::default() };
    for filter in [DealFilter::default(), filtered] {
        check_walks(&world, &newest_first(places.clone()), move |tx, page| {
            Ok(tx.deals().list(&filter, page)?.iter().map(Paginated::cursor_key).collect())
        })
        .await;
    }
}
