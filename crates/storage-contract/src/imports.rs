use super::{StoreUnderTest, TestWorkspace};
use domain::transfer::{Import, ImportDigest, Progress, Refusal, Surplus, TransferKind};
use time::Duration;
use uuid::Uuid;

fn import(world: &TestWorkspace, kind: TransferKind) -> Import {
    let digest = ImportDigest::new([kind as u8; 32]);
    Import { digest, kind, progress: Progress::default(), started_at: world.now(), finished_at: None }
}

async fn stored(world: &TestWorkspace, digest: &ImportDigest) -> Option<Import> {
    let digest = digest.clone();
    world.commit(move |tx| tx.imports().get_for_update(&digest)).await
}

async fn refused(world: &TestWorkspace, digest: &ImportDigest, first: u64, last: u64) -> Vec<Refusal> {
    let digest = digest.clone();
    world.read(move |tx| tx.imports().refusals(&digest, first, last)).await
}

/// All fields round-trip; progress only advances from its current state; the end of an import deletes the refused rows of earlier ones.
pub async fn progress_advances_from_its_current_state(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let mut ended: Option<Import> = None;
    for kind in TransferKind::ALL.iter().copied() {
        let new = world.add(import(&world, kind)).await;
        assert_eq!(stored(&world, &new.digest).await.as_ref(), Some(&new), "{kind}");
        assert_eq!(stored(&other_world, &new.digest).await, None, "{kind}");
        let progress = Progress { created: 1, updated: 2, unchanged: 3, skipped: 4, refused: 5, companies: 6 };
        for is_first in [true, false] {
            let before = new.clone();
            let moved = world.commit(move |tx| tx.imports().advance(&before, &progress)).await;
            assert_eq!(moved, is_first, "{kind}");
        }
        let refusals: Vec<_> = (1..=3).map(|row| Refusal { row, reason: format!("Größe 'x' {row}") }).collect();
        let (digest, all) = (new.digest.clone(), refusals.clone());
        world.commit(move |tx| tx.imports().add_refusals(&digest, &all)).await;
        assert_eq!(refused(&world, &new.digest, 1, 9).await, refusals, "{kind}");
        assert_eq!(refused(&world, &new.digest, 2, 2).await, refusals[1..2], "{kind}");
        assert_eq!(refused(&other_world, &new.digest, 1, 9).await, [], "{kind}");
        let (digest, now) = (new.digest.clone(), world.now());
        assert!(world.commit(move |tx| tx.imports().finish(&digest, now)).await, "{kind}");
        let finished = Import { progress, finished_at: Some(now), ..new };
        assert_eq!(stored(&world, &finished.digest).await.as_ref(), Some(&finished), "{kind}");
        assert_eq!(refused(&world, &finished.digest, 1, 9).await, refusals, "{kind}");
        if let Some(ended) = ended {
            assert_eq!(refused(&world, &ended.digest, 1, 9).await, [], "{kind}");
        }
        let before = finished.clone();
        assert!(!world.commit(move |tx| tx.imports().advance(&before, &Progress::default())).await, "{kind}");
        ended = Some(finished);
    }
}

/// Imports are removed with their refused rows: a single one, and old ones.
pub async fn imports_are_removed_with_their_refused_rows(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let refusal = [Refusal { row: 1, reason: "no".to_owned() }];
    let recent = world.add(import(&world, TransferKind::Deals)).await;
    let old = Import { started_at: recent.started_at - Duration::DAY, ..import(&world, TransferKind::Tasks) };
    let old = world.add(old).await;
    for import in [&recent, &old] {
        let (digest, refusal) = (import.digest.clone(), refusal.clone());
        world.commit(move |tx| tx.imports().add_refusals(&digest, &refusal)).await;
    }
    let before = recent.started_at;
    world.commit(move |tx| tx.imports().prune(before, 9)).await;
    assert_eq!((stored(&world, &old.digest).await, refused(&world, &old.digest, 1, 1).await), (None, vec![]));
    assert_eq!(refused(&world, &recent.digest, 1, 1).await, refusal);
    let digest = recent.digest.clone();
    world.commit(move |tx| tx.imports().delete(&digest)).await;
    assert_eq!((stored(&world, &recent.digest).await, refused(&world, &recent.digest, 1, 1).await), (None, vec![]));
}

/// If there are more imports than are kept, the oldest are removed with their refused rows; an import ends once.
pub async fn the_newest_imports_are_kept(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let at = |age: u8| {
        let digest = ImportDigest::new([age; 32]);
        Import {
            digest,
            started_at: world.now() - Duration::minutes(age.into()),
            ..import(&world, TransferKind::Deals)
        }
    };
    other_world.add(at(9)).await;
    for age in 1..=4 {
        world.add(at(age)).await;
    }
    let digest = at(4).digest;
    world.commit(move |tx| tx.imports().add_refusals(&digest, &[Refusal { row: 1, reason: "no".to_owned() }])).await;
    let before = world.now() - Duration::DAY;
    world.commit(move |tx| tx.imports().prune(before, 2)).await;
    for (age, is_kept) in [(1, true), (2, true), (3, false), (4, false)] {
        assert_eq!(stored(&world, &at(age).digest).await.is_some(), is_kept, "{age}");
    }
    assert!(stored(&other_world, &at(9).digest).await.is_some());
    for is_first in [true, false] {
        let (digest, now) = (at(1).digest, world.now());
        assert_eq!(world.commit(move |tx| tx.imports().finish(&digest, now)).await, is_first);
    }
}

async fn written(world: &TestWorkspace, digest: &ImportDigest, records: &[Uuid]) -> Vec<(Uuid, u64)> {
    let (digest, records) = (digest.clone(), records.to_vec());
    let mut found = world.read(move |tx| tx.imports().written(&digest, &records)).await;
    found.sort_unstable();
    found
}

/// The records that an import has written are stored until it ends, and then deleted in steps.
pub async fn written_records_are_stored_until_an_import_ends(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let ids: Vec<_> = (1..=4).map(Uuid::from_u128).collect();
    let running = world.add(import(&world, TransferKind::Deals)).await;
    let ending = world.add(import(&world, TransferKind::Tasks)).await;
    other_world.add(ending.clone()).await;
    for (world, import) in [(&world, &running), (&world, &ending), (&other_world, &ending)] {
        for part in [&ids[..2], &ids[2..3]] {
            let digest = import.digest.clone();
            let part: Vec<_> = part.iter().map(|id| (*id, 10 + u64::try_from(id.as_u128()).unwrap())).collect();
            world.commit(move |tx| tx.imports().add_written(&digest, &part)).await;
        }
    }
    let all = [(ids[0], 11), (ids[1], 12), (ids[2], 13)];
    assert_eq!(written(&world, &running.digest, &ids).await, all);
    assert_eq!(written(&world, &running.digest, &ids[1..2]).await, all[1..2]);
    assert_eq!(written(&world, &running.digest, &ids[3..]).await, []);
    assert_eq!(world.commit(|tx| tx.imports().forget_written(9)).await, 0);
    let (digest, now) = (ending.digest.clone(), world.now());
    assert!(world.commit(move |tx| tx.imports().finish(&digest, now)).await);
    for (limit, forgotten) in [(2, 2), (2, 1), (2, 0)] {
        assert_eq!(world.commit(move |tx| tx.imports().forget_written(limit)).await, forgotten);
    }
    assert_eq!(written(&world, &ending.digest, &ids).await, []);
    assert_eq!(written(&world, &running.digest, &ids).await, all);
    assert_eq!(written(&other_world, &ending.digest, &ids).await, all);
    let digest = running.digest.clone();
    world.commit(move |tx| tx.imports().delete(&digest)).await;
    assert_eq!(written(&world, &running.digest, &ids).await, []);
}

/// Imports that are too old or too many end; fewer unfinished ones are kept.
pub async fn surplus_unfinished_imports_end(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let at = |age: u8| {
        let started_at = world.now() - Duration::minutes(age.into());
        Import { digest: ImportDigest::new([age; 32]), started_at, ..import(&world, TransferKind::Deals) }
    };
    other_world.add(at(9)).await;
    for age in [1, 2, 3, 4, 5, 60] {
        world.add(at(age)).await;
    }
    let (digest, before) = (at(1).digest, world.now());
    world.commit(move |tx| tx.imports().finish(&digest, before)).await;
    let end = async |keep, keep_unfinished, minutes| {
        let now = world.now();
        let surplus = Surplus { before: now - Duration::minutes(minutes), keep, keep_unfinished };
        world.commit(move |tx| tx.imports().end_surplus(&surplus, now)).await;
        let mut unfinished = Vec::new();
        for age in [1, 2, 3, 4, 5, 60] {
            if stored(&world, &at(age).digest).await.unwrap().finished_at.is_none() {
                unfinished.push(age);
            }
        }
        unfinished
    };
    assert_eq!(end(9, 9, 99).await, [2, 3, 4, 5, 60]);
    assert_eq!(end(9, 9, 30).await, [2, 3, 4, 5]);
    assert_eq!(end(9, 2, 30).await, [2, 3]);
    assert_eq!(end(2, 2, 30).await, [2]);
    assert!(stored(&other_world, &at(9).digest).await.unwrap().finished_at.is_none());
}
