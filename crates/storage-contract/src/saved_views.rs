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

async fn visible(world: &TestWorkspace, page: ViewPage, member: UserId) -> Vec<SavedView> {
    world.read(move |tx| tx.saved_views().list(page, member)).await
}

/// All fields round-trip, even after a change, for every page.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for page in ViewPage::all() {
        let bare = world.add(view(&world, world.member, page)).await;
        assert_eq!(visible(&world, page, world.member).await, std::slice::from_ref(&bare), "{page}");
        let full = SavedView {
            name: "Größe \u{1f642} 'x'".to_owned(),
            query: "status=open&search=ann%20lee".to_owned(),
            column_names: vec!["name".to_owned(), "it's".to_owned()],
            version: 2,
            updated_at: bare.updated_at + Duration::SECOND,
            ..bare
        };
        let saved = full.clone();
        world.commit(move |tx| tx.saved_views().save(&saved)).await;
        assert_eq!(visible(&world, page, world.member).await, std::slice::from_ref(&full), "{page}");
        let id = full.id;
        assert_eq!(world.commit(move |tx| tx.saved_views().get_for_update(id)).await, Some(full), "{page}");
        world.commit(move |tx| tx.saved_views().delete(id)).await;
        assert_eq!(world.commit(move |tx| tx.saved_views().get_for_update(id)).await, None, "{page}");
    }
}

/// A member sees their own and shared views, in order; both are counted separately.
pub async fn a_member_sees_their_own_and_shared_views(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let (ann, bob) = (world.member, world.new_member().await);
    let view_of =
        |owner, position, shared| SavedView { position, shared, ..view(&world, owner, page_of(RecordKind::Deal)) };
    let last = world.add(view_of(ann, 3, false)).await;
    let first = world.add(view_of(ann, 1, false)).await;
    let shared = world.add(view_of(bob, 1, true)).await;
    let private = world.add(view_of(bob, 2, false)).await;
    world.add(view(&world, ann, page_of(RecordKind::Task))).await;
    let expected = [first.clone(), last.clone(), shared.clone()];
    assert_eq!(visible(&world, page_of(RecordKind::Deal), ann).await, expected);
    assert_eq!(visible(&world, page_of(RecordKind::Deal), bob).await, [private, shared.clone()]);
    assert_eq!(visible(&other_world, page_of(RecordKind::Deal), ann).await, []);
    let counts = world.read(move |tx| tx.saved_views().counts(ann)).await;
    assert_eq!(counts, ViewCounts { private: 3, shared: 1 });
    assert_eq!(other_world.read(move |tx| tx.saved_views().counts(ann)).await, ViewCounts::default());

    let order = [last.id, first.id];
    // Another workspace reaches none of them.
    other_world.commit(move |tx| tx.saved_views().arrange(&order)).await;
    other_world.commit(move |tx| tx.saved_views().delete(order[0])).await;
    assert_eq!(visible(&world, page_of(RecordKind::Deal), ann).await, expected);
    world
        .commit(move |tx| {
            tx.saved_views().lock()?;
            tx.saved_views().arrange(&order)
        })
        .await;
    let arranged: Vec<_> =
        visible(&world, page_of(RecordKind::Deal), ann).await.into_iter().map(|view| view.id).collect();
    assert_eq!(arranged, [last.id, first.id, shared.id]);
}
