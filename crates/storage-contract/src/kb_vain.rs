//! Searches without results.

use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::input::Problems;
use domain::support::kb::{KbQuery, MAX_MISSED_TERMS, MissedSearch, MissedTerm};
use time::Duration;

fn term(text: &str) -> MissedTerm {
    MissedTerm::of(&KbQuery::parse("q", Some(text), &mut Problems::default()).unwrap()).unwrap()
}

pub(super) async fn record_miss(world: &TestWorkspace, text: &str, minute: i64) {
    let (term, at) = (term(text), world.now() + Duration::minutes(minute));
    world.read(move |tx| tx.kb_articles().note_missed_search(&term, at)).await;
}

pub(super) async fn misses(world: &TestWorkspace, minute: i64, limit: u32) -> Vec<(String, u64, i64)> {
    let now = world.now();
    let since = now + Duration::minutes(minute);
    let found: Vec<MissedSearch> = world.read(move |tx| tx.kb_articles().missed_searches(since, limit)).await;
    found.into_iter().map(|it| (it.term, it.searches, (it.last_at - now).whole_minutes())).collect()
}

/// Terms are counted per workspace, and the rarest are dropped first.
pub async fn searches_without_results_are_counted(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    for (text, minute) in [("Invoice", 1), ("invoice", 4), ("reset 'password'", 2), ("invoice", 3), ("größe", 5)] {
        record_miss(&world, text, minute).await;
    }
    let missed = |text: &str, searches, minute| (text.to_owned(), searches, minute);
    let [first, second, third] = [missed("invoice", 3, 4), missed("größe", 1, 5), missed("reset 'password'", 1, 2)];
    assert_eq!(misses(&world, 0, 9).await, [first.clone(), second.clone(), third]);
    assert_eq!(misses(&world, 3, 9).await, [first.clone(), second.clone()]);
    assert_eq!(misses(&world, 0, 2).await, [first.clone(), second]);
    assert_eq!(misses(&other, 0, 9).await, []);

    let now = world.now();
    let many: Vec<_> =
        (0..MAX_MISSED_TERMS).map(|number| (term(&format!("term {number}")), i64::from(number))).collect();
    world
        .read(move |tx| {
            many.iter().try_for_each(|(term, number)| {
                tx.kb_articles().note_missed_search(term, now + Duration::hours(1) + Duration::seconds(*number))
            })
        })
        .await;
    let all = misses(&world, 0, 2_000).await;
    assert_eq!((all.len(), &all[0]), (MAX_MISSED_TERMS as usize, &first));
    assert_eq!(all[1].0, "term 999", "the latest of the rare ones stay");
    assert!(!all.iter().any(|(term, ..)| term == "größe"));
}
