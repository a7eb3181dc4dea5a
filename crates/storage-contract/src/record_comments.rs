//! Comments on contacts, companies and deals.

use time::Duration;

use super::paging::check_walks_of_ranges;
use super::records::{LINES, MADE};
use super::{StoreUnderTest, TestWorkspace};
use domain::CommentId;
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::Actor;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};

async fn list(world: &TestWorkspace, record: CrmRecord) -> Vec<RecordComment> {
    world.read(move |tx| tx.record_comments().list(record, &CreatedFilter::default(), &PageRequest::first(100))).await
}

fn comment(world: &TestWorkspace, record: CrmRecord) -> RecordComment {
    let blank = RecordComment::blank(CommentId(world.id()), record, world.key_actor(), world.key_actor(), world.now());
    RecordComment { body: "A comment".to_owned(), ..blank }
}

/// One record of each kind.
async fn records(world: &TestWorkspace) -> [CrmRecord; 3] {
    [
        CrmRecord::Contact(world.add(world.bare_contact()).await.id),
        CrmRecord::Company(world.add(world.bare_company()).await.id),
        CrmRecord::Deal(world.add(world.bare_deal()).await.id),
    ]
}

/// All fields round-trip on every kind of record; each comment is only on its own record.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for record in records(&world).await {
        let full = RecordComment {
            body: LINES.to_owned(),
            author: world.member_actor(),
            edited_at: Some(MADE + Duration::MICROSECOND),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: Actor::SYSTEM,
            ..comment(&world, record)
        };
        let full = world.add(full).await;
        let plain = world.add(comment(&world, record)).await;
        assert_eq!(list(&world, record).await, [full.clone(), plain], "{record:?}");
        assert_eq!(world.commit(move |tx| tx.record_comments().get_for_update(full.id)).await, Some(full));
    }
}

/// A save writes text, version and times; a removal leaves nothing.
pub async fn edits_and_removals_are_stored(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for record in records(&world).await {
        let (stored, other) = (world.add(comment(&world, record)).await, world.add(comment(&world, record)).await);
        let at = stored.updated_at + Duration::HOUR;
        let edited =
            RecordComment { body: LINES.to_owned(), edited_at: Some(at), version: 2, updated_at: at, ..stored.clone() };
        let saved = edited.clone();
        world.commit(move |tx| tx.record_comments().save(&saved)).await;
        let mut expected = vec![edited, other.clone()];
        expected.sort_by_key(RecordComment::cursor_key);
        assert_eq!(list(&world, record).await, expected, "{record:?}");
        let id = stored.id;
        assert!(world.commit(move |tx| tx.record_comments().delete(id)).await);
        assert!(!world.commit(move |tx| tx.record_comments().delete(id)).await);
        assert_eq!(world.commit(move |tx| tx.record_comments().get_for_update(id)).await, None);
        assert_eq!(list(&world, record).await, [other], "{record:?}");
    }
}

/// Oldest first, ties by id.
pub async fn pages_run_from_the_oldest_to_the_newest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for record in records(&world).await {
        let mut cursor_keys = Vec::new();
        for created_at in world.seven_times() {
            cursor_keys.push(world.add(RecordComment { created_at, ..comment(&world, record) }).await.cursor_key());
        }
        cursor_keys.sort();
        check_walks_of_ranges(&world, &cursor_keys, move |tx, filter, page| {
            tx.record_comments().list(record, filter, page)
        })
        .await;
    }
}

/// A deleted record shows no comments, and no other workspace sees, changes or removes one.
pub async fn only_live_records_of_the_workspace_show_comments(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let now = world.now();
    for record in records(&world).await {
        let stored = world.add(comment(&world, record)).await;
        let id = stored.id;
        assert!(list(&other_workspace, record).await.is_empty());
        assert_eq!(other_workspace.commit(move |tx| tx.record_comments().get_for_update(id)).await, None);
        assert!(!other_workspace.commit(move |tx| tx.record_comments().delete(id)).await);
        assert!(other_workspace.run(move |tx| Ok(tx.record_comments().save(&stored)?)).await.is_err());
        assert_eq!(list(&world, record).await.len(), 1);
        let deleted = world.commit(move |tx| match record {
            CrmRecord::Contact(id) => tx.records::<Contact>().delete(id, now),
            CrmRecord::Company(id) => tx.records::<Company>().delete(id, now),
            CrmRecord::Deal(id) => tx.records::<Deal>().delete(id, now),
        });
        assert!(deleted.await);
        assert!(list(&world, record).await.is_empty(), "{record:?}");
    }
}
