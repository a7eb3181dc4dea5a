//! Undos of changes made in the console.

use super::{StoreUnderTest, TestWorkspace};
use domain::console::undos::{MAX_UNDOS, UNDO_TTL, Undo};
use domain::records::{FormerValues, RecordKind};
use domain::{UndoId, UserId};
use serde_json::{Map, json};
use time::{Duration, OffsetDateTime};

fn undo(world: &TestWorkspace, kind: RecordKind, made_at: OffsetDateTime) -> Undo {
    let patch = json!({"assigned_to": null, "title": "Größe 'x'", "value": 12.5, "tags": ["a"]});
    let patch = patch.as_object().cloned().unwrap_or_default();
    let made = patch.keys().map(|name| (name.clone(), json!("sign"))).collect::<Map<_, _>>();
    let entry = || FormerValues { id: world.id(), version: 3, patch: patch.clone(), made: made.clone() };
    let entries = vec![entry(), entry()];
    Undo { id: UndoId(world.id()), kind, made_at, expires_at: made_at + UNDO_TTL, entries }
}

async fn keep(world: &TestWorkspace, member: UserId, undo: &Undo) {
    let undo = undo.clone();
    world.commit(move |tx| tx.undos().keep(member, &undo)).await;
}

async fn found(world: &TestWorkspace, member: UserId, id: UndoId) -> Option<Undo> {
    world.commit(move |tx| tx.undos().get_for_update(member, id)).await
}

/// An undo round-trips, belongs only to its member and workspace, and keeps its remaining entries.
pub async fn an_undo_belongs_to_its_member(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    for kind in RecordKind::ALL.iter().copied() {
        let stored = undo(&world, kind, world.now());
        keep(&world, world.member, &stored).await;
        assert_eq!(found(&world, world.member, stored.id).await, Some(stored.clone()), "{kind}");
        assert_eq!(found(&world, UserId(world.id()), stored.id).await, None, "{kind}");
        assert_eq!(found(&other_world, world.member, stored.id).await, None, "{kind}");
        let id = stored.id;
        for rest in [&stored.entries[1..], &[]] {
            let entries = rest.to_vec();
            world.commit(move |tx| tx.undos().keep_entries(id, &entries)).await;
            let expected = Undo { entries: rest.to_vec(), ..stored.clone() };
            assert_eq!(found(&world, world.member, id).await, Some(expected), "{kind}");
        }
    }
}

pub async fn undos_of_a_member_are_bounded(subject: &StoreUnderTest) {
    let (world, start) = (subject.world().await, subject.world().await.now());
    let other = UserId(world.id());
    let of_other = undo(&world, RecordKind::Deal, start);
    keep(&world, other, &of_other).await;
    let mut ids = Vec::new();
    for number in 0..i64::from(MAX_UNDOS) + 2 {
        let one = undo(&world, RecordKind::Deal, start + Duration::seconds(number));
        keep(&world, world.member, &one).await;
        ids.push(one.id);
    }
    for (index, id) in ids.into_iter().enumerate() {
        assert_eq!(found(&world, world.member, id).await.is_some(), index >= 2, "{index}");
    }
    assert_eq!(found(&world, other, of_other.id).await, Some(of_other));
}

pub async fn expired_undos_are_pruned(subject: &StoreUnderTest) {
    let world = subject.world().await;
    // Earlier than the undos of other cases.
    let start = world.now() - Duration::days(10_000);
    let mut ids = Vec::new();
    for number in 0..3 {
        let one = undo(&world, RecordKind::Task, start + Duration::seconds(number));
        keep(&world, world.member, &one).await;
        ids.push(one.id);
    }
    let prune = async |now, limit| world.ports.directory.prune_undos(now, limit).await.unwrap();
    let end = start + UNDO_TTL + Duration::seconds(2);
    assert_eq!(prune(end, 1).await, 1);
    assert_eq!(prune(end, 100).await, 1);
    for (index, id) in ids.into_iter().enumerate() {
        assert_eq!(found(&world, world.member, id).await.is_some(), index == 2, "{index}");
    }
}
