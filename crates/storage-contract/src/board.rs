//! The totals of the deal board.

use rust_decimal::Decimal;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};
use domain::crm::deals::{BOARD_CARDS, BoardPart, Deal, DealFilter, DealGroup, DealStage, DealStatus};
use domain::records::RecordKind;

const LONG_AGO: OffsetDateTime = datetime!(2001-02-03 04:05 UTC);
/// Steps of the case with random changes.
const STEPS: u64 = 120;

type Part = (String, String, String, u64, Decimal);

async fn totals(world: &TestWorkspace) -> Vec<Part> {
    let parts = world.read(|tx| tx.deals().board_totals()).await;
    let part = |part: BoardPart| {
        (part.currency, part.stage.to_string(), part.status.to_string(), part.count, part.value.normalize())
    };
    parts.into_iter().map(part).collect()
}

/// Expected totals, counted from the deals.
async fn counted(world: &TestWorkspace) -> Vec<Part> {
    let by = [DealGroup::Stage, DealGroup::Status];
    let rows = world.read(move |tx| tx.deals().summarize(&DealFilter::default(), &by)).await;
    let part = |part: domain::kernel::summary::SummaryPart| {
        let [stage, status] = <[_; 2]>::try_from(part.key).unwrap().map(Option::unwrap);
        (part.currency.unwrap(), stage, status, part.count, part.value.normalize())
    };
    let mut parts: Vec<_> = rows.parts.into_iter().map(part).collect();
    parts.sort();
    parts
}

/// Folds all pending changes, including those of other cases.
async fn fold(world: &TestWorkspace) {
    while world.ports.directory.fold_deal_totals(1_000).await.unwrap() > 0 {}
}

async fn restore(world: &TestWorkspace, id: Uuid) -> Deal {
    let restored = world.commit(move |tx| {
        let deleted = tx.records::<Deal>().get_deleted_for_update(id, LONG_AGO)?.unwrap();
        tx.records::<Deal>().restore(&deleted)?;
        Ok(deleted.record)
    });
    restored.await
}

fn worth(cents: i64) -> Decimal {
    Decimal::new(cents, 2)
}

fn part(currency: &str, stage: &str, status: &str, count: u64, cents: i64) -> Part {
    (currency.to_owned(), stage.to_owned(), status.to_owned(), count, worth(cents).normalize())
}

/// Totals reflect each create, change, deletion, restoration and erasure immediately, folded or not.
pub async fn totals_follow_every_change(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let shows = async |expected: &[Part]| {
        assert_eq!(totals(&world).await, expected);
        fold(&world).await;
        assert_eq!(totals(&world).await, expected, "folded");
    };
    shows(&[]).await;
    let mut deal = world.add(Deal { value: Some(worth(1_050)), ..world.bare_deal() }).await;
    let other = world.add(Deal { currency: "CHF".to_owned(), ..world.bare_deal() }).await;
    let franc = part("CHF", "discovery", "open", 1, 0);
    shows(&[franc.clone(), part("USD", "discovery", "open", 1, 1_050)]).await;
    deal.value = Some(worth(99_999_999_999_999));
    world.save(&deal).await;
    shows(&[franc.clone(), part("USD", "discovery", "open", 1, 99_999_999_999_999)]).await;
    (deal.status, deal.value) = (DealStatus::OnHold, Some(worth(1)));
    world.save(&deal).await;
    shows(&[franc.clone(), part("USD", "discovery", "on_hold", 1, 1)]).await;
    (deal.status, deal.stage) = (DealStatus::ClosedWon, DealStage::ClosedWon);
    world.save(&deal).await;
    shows(&[franc.clone(), part("USD", "closed_won", "closed_won", 1, 1)]).await;
    deal.title.push_str(", of which the board shows nothing");
    world.save(&deal).await;
    shows(&[franc.clone(), part("USD", "closed_won", "closed_won", 1, 1)]).await;
    world.delete::<Deal>(deal.id).await;
    shows(std::slice::from_ref(&franc)).await;
    let mut deal = restore(&world, deal.id.0).await;
    shows(&[franc, part("USD", "closed_won", "closed_won", 1, 1)]).await;
    // A live one and a deleted one.
    world.delete::<Deal>(other.id).await;
    let (ids, now) = ([deal.id.0, other.id.0], world.now());
    world.commit(move |tx| tx.record_erasure().erase(RecordKind::Deal, &ids, now, 100)).await;
    shows(&[]).await;
    deal = world.add(Deal { value: None, ..world.bare_deal() }).await;
    assert_eq!(totals(&world).await, [part("USD", "discovery", "open", 1, 0)]);
    world.delete::<Deal>(deal.id).await;
    shows(&[]).await;
}

/// Pseudo-random numbers, the same on each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    /// A deal with a random stage, status, currency and value, as if a client had written it.
    fn changed(&mut self, deal: Deal) -> Deal {
        let stages = [DealStage::Discovery, DealStage::Negotiation];
        let (status, stage) = match self.below(6) {
            0 => (DealStatus::ClosedWon, DealStage::ClosedWon),
            1 => (DealStatus::ClosedLost, DealStage::ClosedLost),
            2 => (DealStatus::OnHold, stages[self.below(2)]),
            _ => (DealStatus::Open, stages[self.below(2)]),
        };
        let value = [None, Some(worth(0)), Some(worth(i64::try_from(self.below(100_000)).unwrap()))][self.below(3)];
        let currency = ["USD", "EUR", "JPY"][self.below(3)].to_owned();
        Deal { status, stage, value, currency, ..deal }
    }
}

/// After any changes of deals, singly and in batches, the totals equal a count.
pub async fn totals_equal_a_count(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut dice = Dice(7);
    let (mut live, mut deleted): (Vec<Deal>, Vec<Uuid>) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        match dice.below(7) {
            0 => live.push(world.add(dice.changed(world.bare_deal())).await),
            1 => {
                let many: Vec<_> = (0..=dice.below(9)).map(|_| dice.changed(world.bare_deal())).collect();
                live.extend(many.clone());
                world.commit(move |tx| tx.deals().insert_many(&many)).await;
            }
            2 if !live.is_empty() => {
                let chosen = dice.below(live.len());
                live[chosen] = dice.changed(live[chosen].clone());
                world.save(&live[chosen]).await;
            }
            3 => {
                live = live.into_iter().map(|deal| dice.changed(deal)).collect();
                let many = live.clone();
                world.commit(move |tx| if many.is_empty() { Ok(()) } else { tx.deals().save_many(&many) }).await;
            }
            4 if !live.is_empty() => {
                let removed = live.swap_remove(dice.below(live.len()));
                world.delete::<Deal>(removed.id).await;
                deleted.push(removed.id.0);
            }
            5 if !deleted.is_empty() => {
                live.push(restore(&world, deleted.swap_remove(dice.below(deleted.len()))).await);
            }
            _ => drop(world.ports.directory.fold_deal_totals(3).await.unwrap()),
        }
        assert_eq!(totals(&world).await, counted(&world).await, "step {step}");
    }
    assert!(live.len() > 10, "{}", live.len());
}

/// A board starts with the newest deals of every stage and shows whether there are more.
pub async fn columns_begin_with_the_newest(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    other.add(other.bare_deal()).await;
    let mut newest = Vec::new();
    for stage in DealStage::ALL.iter().copied() {
        let status = match stage {
            DealStage::ClosedWon => DealStatus::ClosedWon,
            DealStage::ClosedLost => DealStatus::ClosedLost,
            _ => DealStatus::Open,
        };
        let many = if stage == DealStage::Proposal { i64::from(BOARD_CARDS) + 3 } else { 2 };
        for minute in 0..many {
            let created_at = LONG_AGO + Duration::minutes(minute);
            let deal = world.add(Deal { stage, status, created_at, ..world.bare_deal() }).await;
            newest.push((stage, created_at, deal.id));
        }
    }
    world.add(Deal { status: DealStatus::OnHold, ..world.bare_deal() }).await;
    let found = world.read(|tx| tx.deals().first_of_stages()).await;
    for stage in DealStage::ALL.iter().copied() {
        let mut expected: Vec<_> = newest.iter().filter(|(its_stage, ..)| *its_stage == stage).collect();
        expected.sort_by_key(|(_, at, id)| std::cmp::Reverse((*at, id.0)));
        let expected: Vec<_> = expected.into_iter().map(|(.., id)| *id).take(BOARD_CARDS as usize + 1).collect();
        let ids: Vec<_> = found.iter().filter(|deal| deal.stage == stage).map(|deal| deal.id).collect();
        assert_eq!(ids, expected, "{stage}");
    }
}

/// Totals are per workspace, and rolled-back changes are not counted.
pub async fn totals_are_per_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    world.add(world.bare_deal()).await;
    let twice = world.bare_deal();
    let result = world.run(move |tx| {
        tx.records::<Deal>().insert(&twice)?;
        Ok(tx.records::<Deal>().insert(&twice)?)
    });
    assert!(result.await.is_err());
    for _ in 0..2 {
        assert_eq!(totals(&world).await, [part("USD", "discovery", "open", 1, 0)]);
        assert_eq!(totals(&other).await, []);
        fold(&world).await;
    }
}
