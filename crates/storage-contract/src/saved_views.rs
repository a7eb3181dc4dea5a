//! Saved views of lists.

use super::{StoreUnderTest, TestWorkspace};
use domain::console::views::{SavedView, ViewCounts, ViewPage};
use domain::records::RecordKind;
use domain::{SavedViewId, UserId};
use time::Duration;

fn page_of(kind: RecordKind) -> ViewPage {
    ViewPage::of(kind).unwrap()
}

fn view(world: &TestWorkspace, owner_id: UserId, page: ViewPage) -> SavedView {
    SavedView {
        id: SavedViewId(world.id()),
        page,
        owner_id,
        name: "Mine".to_owned(),
        query: String::new(),
        column_names: Vec::new(),
        shared: false,
        position: 1,
        version: 1,
        created_at: world.now(),
        updated_at: world.now(),
    }
}

async fn seen(world: &TestWorkspace, page: ViewPage, member: UserId) -> Vec<SavedView> {
    world.look(move |tx| tx.saved_views().list(page, member)).await
}

/// All members round-trip, even after a change, for every page.
pub async fn all_members_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for page in ViewPage::all() {
        let bare = world.add(view(&world, world.member, page)).await;
        assert_eq!(seen(&world, page, world.member).await, std::slice::from_ref(&bare), "{page}");
        let full = SavedView {
            name: "Größe \u{1f642} 'x'".to_owned(),
            query: "status=open&search=ann%20lee".to_owned(),
            column_names: vec!["name".to_owned(), "it's".to_owned()],
            version: 2,
            updated_at: bare.updated_at + Duration::SECOND,
            ..bare
        };
        let saved = full.clone();
        world.done(move |tx| tx.saved_views().save(&saved)).await;
        assert_eq!(seen(&world, page, world.member).await, std::slice::from_ref(&full), "{page}");
        let id = full.id;
        assert_eq!(world.done(move |tx| tx.saved_views().get_for_update(id)).await, Some(full), "{page}");
        world.done(move |tx| tx.saved_views().delete(id)).await;
        assert_eq!(world.done(move |tx| tx.saved_views().get_for_update(id)).await, None, "{page}");
    }
}

/// A member sees their own and shared views, in order; both are counted separately.
pub async fn a_member_sees_their_own_and_shared_views(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let (ann, bob) = (world.member, world.new_member().await);
    let of = |owner, position, shared| SavedView { position, shared, ..view(&world, owner, page_of(RecordKind::Deal)) };
    let last = world.add(of(ann, 3, false)).await;
    let first = world.add(of(ann, 1, false)).await;
    let shared = world.add(of(bob, 1, true)).await;
    let of_bob = world.add(of(bob, 2, false)).await;
    world.add(view(&world, ann, page_of(RecordKind::Task))).await;
    let of_ann = [first.clone(), last.clone(), shared.clone()];
    assert_eq!(seen(&world, page_of(RecordKind::Deal), ann).await, of_ann);
    assert_eq!(seen(&world, page_of(RecordKind::Deal), bob).await, [of_bob, shared.clone()]);
    assert_eq!(seen(&other_world, page_of(RecordKind::Deal), ann).await, []);
    let counts = world.look(move |tx| tx.saved_views().counts(ann)).await;
    assert_eq!(counts, ViewCounts { own: 3, shared: 1 });
    assert_eq!(other_world.look(move |tx| tx.saved_views().counts(ann)).await, ViewCounts::default());

    let order = [last.id, first.id];
    // Another workspace reaches none of them.
    other_world.done(move |tx| tx.saved_views().arrange(&order)).await;
    other_world.done(move |tx| tx.saved_views().delete(order[0])).await;
    assert_eq!(seen(&world, page_of(RecordKind::Deal), ann).await, of_ann);
    world
        .done(move |tx| {
            tx.saved_views().lock()?;
            tx.saved_views().arrange(&order)
        })
        .await;
    let arranged: Vec<_> = seen(&world, page_of(RecordKind::Deal), ann).await.into_iter().map(|view| view.id).collect();
    assert_eq!(arranged, [last.id, first.id, shared.id]);
}
