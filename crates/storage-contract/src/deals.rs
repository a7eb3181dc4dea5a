//! Deals: members and changes.

use rust_decimal::Decimal;
use time::Duration;
use time::macros::datetime;

use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace, taken};
use domain::crm::deals::{Deal, DealStage, DealStatus};
use domain::{DealId, Error};

async fn get(world: &TestWorkspace, id: DealId) -> Option<Deal> {
    world.look(move |tx| tx.deals().get(id)).await
}

async fn save(world: &TestWorkspace, deal: &Deal) -> Result<(), Error> {
    let deal = deal.clone();
    world
        .run(move |tx| {
            assert!(tx.deals().get_for_update(deal.id)?.is_some());
            Ok(tx.deals().save(&deal)?)
        })
        .await
}

async fn delete(world: &TestWorkspace, id: DealId) -> bool {
    let now = world.now();
    world.done(move |tx| tx.deals().delete(id, now)).await
}

/// All members round-trip, set or unset.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for deal in [world.full_deal().await, world.bare_deal()] {
        world.add(deal.clone()).await;
        assert_eq!(get(&world, deal.id).await.as_ref(), Some(&deal));
        assert_eq!(world.done(move |tx| tx.deals().get_for_update(deal.id)).await, Some(deal));
    }
    for (status, stage) in [
        (DealStatus::Open, DealStage::Discovery),
        (DealStatus::Open, DealStage::Qualified),
        (DealStatus::OnHold, DealStage::Proposal),
        (DealStatus::OnHold, DealStage::Negotiation),
        (DealStatus::ClosedWon, DealStage::ClosedWon),
        (DealStatus::ClosedLost, DealStage::ClosedLost),
    ] {
        let deal = world.add(Deal { status, stage, ..world.bare_deal() }).await;
        assert_eq!(get(&world, deal.id).await, Some(deal));
    }
}

/// Amounts keep their digits.
pub async fn amounts_are_exact(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for text in ["0", "0.01", "0.1", "0.1000", "10", "100.5", "33.33", "999999999999.99", "999999999999", "12345678.9"]
    {
        let value: Decimal = text.parse().unwrap();
        let commission_pct = (value <= Decimal::ONE_HUNDRED).then_some(value);
        let deal = world.add(Deal { value: Some(value), commission_pct, ..world.bare_deal() }).await;
        let found = get(&world, deal.id).await.unwrap();
        assert_eq!(found, deal, "{text}");
        let shown = |deal: &Deal| serde_json::to_string(deal).unwrap();
        assert_eq!(shown(&found), shown(&deal), "{text}");
    }
}

/// Custom fields round-trip: nested, empty, with unusual names and numbers.
pub async fn custom_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let custom_fields = super::records::custom_fields();
    let mut deal = world.add(Deal { custom_fields, ..world.bare_deal() }).await;
    assert_eq!(get(&world, deal.id).await.as_ref(), Some(&deal));
    deal.custom_fields.clear();
    save(&world, &deal).await.unwrap();
    assert_eq!(get(&world, deal.id).await, Some(deal));
}

/// Timestamps keep every microsecond, at both ends of the calendar.
pub async fn times_keep_microseconds(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for time in [
        datetime!(0001-01-01 00:00 UTC),
        datetime!(1969-12-31 23:59:59.999999 UTC),
        datetime!(2030-01-31 09:00:00.000001 UTC),
        datetime!(9999-12-31 23:59:59.999999 UTC),
    ] {
        let deal = world.add(Deal { created_at: time, updated_at: time, ..world.bare_deal() }).await;
        assert_eq!(get(&world, deal.id).await, Some(deal));
    }
}

/// A save writes all members, cleared ones too, and no other record.
pub async fn a_save_writes_every_member(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let bystander = world.add(world.bare_deal()).await;
    let bare = world.add(world.bare_deal()).await;
    let full = world.full_deal().await;
    // Immutable members keep their values.
    let changed = Deal { id: bare.id, created_at: bare.created_at, created_by: bare.created_by, ..full };
    save(&world, &changed).await.unwrap();
    assert_eq!(get(&world, bare.id).await, Some(changed));
    let emptied = Deal { version: 8, updated_at: MADE + Duration::DAY, ..bare };
    save(&world, &emptied).await.unwrap();
    assert_eq!(get(&world, emptied.id).await, Some(emptied));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// The external id is unique among live deals of the workspace, on insert and save.
pub async fn external_id_is_unique_among_live_ones(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let with_id = |deal| Deal { external_id: Some("x".to_owned()), ..deal };
    let first = world.add(with_id(world.bare_deal())).await;
    assert_eq!(taken(world.try_add(&with_id(world.bare_deal())).await), "external_id");
    let second = world.add(world.bare_deal()).await;
    world.add(world.bare_deal()).await;
    assert_eq!(taken(save(&world, &with_id(second.clone())).await), "external_id");
    save(&world, &first).await.unwrap();
    other.add(with_id(other.bare_deal())).await;
    assert!(delete(&world, first.id).await);
    save(&world, &with_id(second)).await.unwrap();
}

/// A deal is deleted once and invisible afterwards.
pub async fn deletion_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let deal = world.add(world.bare_deal()).await;
    assert!(delete(&world, deal.id).await);
    assert!(!delete(&world, deal.id).await);
    assert!(!delete(&world, DealId(world.id())).await);
    assert_eq!(get(&world, deal.id).await, None);
    assert_eq!(world.done(move |tx| tx.deals().get_for_update(deal.id)).await, None);
}
