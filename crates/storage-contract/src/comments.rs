use time::Duration;

use super::paging::check_walks_of_ranges;
use super::records::{LINES, MADE};
use super::{StoreUnderTest, TestWorkspace};
use domain::IssueId;
use domain::identity::access::Actor;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::work::comments::{Comment, LATEST, Visibility};
use domain::work::issues::{Issue, MessageTimes};
use domain::work::projects::Project;

async fn list(world: &TestWorkspace, issue: IssueId) -> Vec<Comment> {
    world.read(move |tx| tx.comments().list(issue, &CreatedFilter::default(), &PageRequest::first(100))).await
}

pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let full = Comment {
        body: LINES.to_owned(),
        visibility: Visibility::Public,
        author: world.member_actor(),
        edited_at: Some(MADE + Duration::MICROSECOND),
        version: 7,
        created_at: MADE,
        updated_at: MADE + Duration::MICROSECOND,
        ..world.comment(ticket)
    };
    let full = world.add(full).await;
    let plain = world.add(world.comment(ticket)).await;
    let of_the_service = Comment {
        author: Actor::SYSTEM,
        created_by: Actor::SYSTEM,
        created_at: plain.created_at + Duration::HOUR,
        ..world.comment(ticket)
    };
    let of_the_service = world.add(of_the_service).await;
    assert_eq!(list(&world, ticket).await, [full, plain, of_the_service]);
}

/// Oldest first, ties by id; without other issues' comments.
pub async fn pages_run_from_the_oldest_to_the_newest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let issue = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let other = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    world.add(world.comment(other)).await;
    let mut cursor_keys = Vec::new();
    for created_at in world.seven_times() {
        cursor_keys.push(world.add(Comment { created_at, ..world.comment(issue) }).await.cursor_key());
    }
    cursor_keys.sort();
    check_walks_of_ranges(&world, &cursor_keys, move |tx, filter, page| tx.comments().list(issue, filter, page)).await;
}

/// The last messages of customer and team, and the customer's first unanswered one.
pub async fn times_of_messages_tell_whose_turn_it_is(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let other = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let at = |minute: i64| world.now() + Duration::minutes(minute);
    let times = async |since: Option<i64>| {
        let since = since.map(at);
        world.commit(move |tx| tx.comments().message_times(ticket, since)).await
    };
    assert_eq!(times(None).await, MessageTimes::default());
    let team = world.member_actor();
    for (issue, minute, visibility, author) in [
        (ticket, 1, Visibility::Public, Actor::CUSTOMER),
        (ticket, 2, Visibility::Public, team),
        (ticket, 3, Visibility::Public, Actor::CUSTOMER),
        (ticket, 5, Visibility::Public, Actor::CUSTOMER),
        (ticket, 7, Visibility::Internal, team),
        (other, 9, Visibility::Public, team),
    ] {
        world.add(Comment { visibility, author, created_at: at(minute), ..world.comment(issue) }).await;
    }
    for (since, unanswered) in [(None, Some(3)), (Some(3), Some(3)), (Some(4), Some(5)), (Some(6), None)] {
        let expected = MessageTimes {
            customer_wrote_at: Some(at(5)),
            answered_at: Some(at(2)),
            last_at: Some(at(7)),
            unanswered_at: unanswered.map(at),
        };
        assert_eq!(times(since).await, expected, "{since:?}");
    }
}

/// A deleted issue shows no comments; a ticket of a deleted project does.
pub async fn only_live_issues_show_comments(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let project = world.add(world.bare_project()).await.id;
    let mut issues = Vec::new();
    for (kind, project_id) in
        [(IssueKind::Task, None), (IssueKind::Task, Some(project)), (IssueKind::Ticket, Some(project))]
    {
        let issue = world.add(Issue { project_id, ..world.bare_issue(kind).await }).await.id;
        world.add(world.comment(issue)).await;
        issues.push(issue);
    }
    let [task, of_project, ticket] = issues[..] else { panic!() };
    assert_eq!(list(&world, task).await.len(), 1);
    world.delete::<Issue>(task).await;
    world.delete::<Project>(project).await;
    assert!(list(&world, task).await.is_empty());
    assert!(list(&world, of_project).await.is_empty());
    assert_eq!(list(&world, ticket).await.len(), 1);
    assert!(list(&world, IssueId(world.id())).await.is_empty());
}

/// The newest comments, oldest first, plus one more than are shown.
pub async fn the_end_of_a_conversation_is_read(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let issue = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let other = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let mut all = Vec::new();
    for number in 0..=i64::from(LATEST) + 1 {
        let visibility = if number % 2 == 0 { Visibility::Public } else { Visibility::Internal };
        let created_at = MADE + Duration::seconds(number);
        all.push(world.add(Comment { visibility, created_at, ..world.comment(issue) }).await);
    }
    world.add(world.comment(other)).await;
    let latest = world.read(move |tx| tx.comments().latest(issue)).await;
    assert_eq!(latest, all[1..]);
    world.delete::<Issue>(issue).await;
    assert_eq!(world.read(move |tx| tx.comments().latest(issue)).await, []);
}

/// A save writes text, version and times, and leaves other comments alone.
pub async fn an_edit_is_stored(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let issue = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let (stored, other) = (world.add(world.comment(issue)).await, world.add(world.comment(issue)).await);
    let at = stored.updated_at + Duration::HOUR;
    let edited = Comment { body: LINES.to_owned(), edited_at: Some(at), version: 2, updated_at: at, ..stored.clone() };
    let (id, saved) = (edited.id, edited.clone());
    assert_eq!(world.commit(move |tx| tx.comments().get_for_update(id)).await, Some(stored));
    world.commit(move |tx| tx.comments().save(&saved)).await;
    let mut expected = vec![edited, other];
    expected.sort_by_key(Comment::cursor_key);
    assert_eq!(list(&world, issue).await, expected);
}

pub async fn removal_happens_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let issue = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let (removed, other) = (world.add(world.comment(issue)).await.id, world.add(world.comment(issue)).await);
    assert!(world.commit(move |tx| tx.comments().delete(removed)).await);
    assert!(!world.commit(move |tx| tx.comments().delete(removed)).await);
    assert_eq!(world.commit(move |tx| tx.comments().get_for_update(removed)).await, None);
    assert_eq!(list(&world, issue).await, [other]);
}
