use super::filters::check_issues as check;
use super::paging::{check_walks, newest_first};
use super::sorted_lists::check as check_sorted;
use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::kernel::paging::{Direction, PageRequest, Paginated, Sort};
use domain::kernel::search::SearchQuery;
use domain::work::issues::{AssigneeGroup, Conversation, InboxReader, Issue, IssueFilter, IssueOrder, IssueStatus};
use domain::{IssueId, UserId};
use time::Duration;

/// Issues of both kinds and every status, every second one in a project, and one deleted.
async fn issues(world: &TestWorkspace) -> Vec<Issue> {
    let project = world.add(world.bare_project()).await.id;
    let mut all = Vec::new();
    for (index, status) in IssueStatus::ALL.iter().copied().enumerate() {
        for project_id in [None, Some(project)] {
            let title = format!("Round {}", if index % 3 == 0 { "three" } else { "other" });
            let issue = Issue { title, status, project_id, ..world.bare_issue(status.kind()).await };
            all.push(world.add(issue).await);
        }
    }
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let deleted = world.add(world.bare_issue(kind).await).await.id;
        world.delete::<Issue>(deleted).await;
    }
    all
}

/// A task with all fields set, and its own referenced records.
async fn full_task(world: &TestWorkspace) -> Issue {
    let task = world.full_issue(IssueKind::Task).await;
    world.add(task).await
}

/// Unfinished tickets are counted by status and assignee, each status up to a bound.
pub async fn waiting_tickets_are_counted(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    issues(&other_world).await;
    let (member, other) = (world.member, world.new_member().await);
    for (status, assignee_id, count) in [
        (IssueStatus::Open, None, 3),
        (IssueStatus::Open, Some(member), 2),
        (IssueStatus::Pending, Some(other), 1),
        (IssueStatus::OnHold, Some(member), 1),
        (IssueStatus::Resolved, None, 1),
        (IssueStatus::Closed, Some(member), 1),
        (IssueStatus::Todo, None, 1),
    ] {
        for _ in 0..count {
            world.add(Issue { status, assignee_id, ..world.bare_issue(status.kind()).await }).await;
        }
    }
    let deleted = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    world.delete::<Issue>(deleted).await;
    let counted = async |member| {
        let mut parts = world.read(move |tx| tx.issues().count_waiting(member)).await;
        parts.sort_unstable();
        parts.into_iter().map(|part| (part.status, part.holder, part.count)).collect::<Vec<_>>()
    };
    let (open, pending, on_hold) = (IssueStatus::Open, IssueStatus::Pending, IssueStatus::OnHold);
    let mine = [
        (open, AssigneeGroup::Unassigned, 3),
        (open, AssigneeGroup::Caller, 2),
        (pending, AssigneeGroup::Other, 1),
        (on_hold, AssigneeGroup::Caller, 1),
    ];
    assert_eq!(counted(member).await, mine);
    let theirs = [
        (open, AssigneeGroup::Unassigned, 3),
        (open, AssigneeGroup::Other, 2),
        (pending, AssigneeGroup::Caller, 1),
        (on_hold, AssigneeGroup::Other, 1),
    ];
    assert_eq!(counted(other).await, theirs);
}

pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = issues(&world).await;
    for status in IssueStatus::ALL.iter().copied() {
        let filter = IssueFilter { status: vec![status].into(), ..IssueFilter::all(status.kind()) };
        check(&world, &all, filter, |issue| issue.status == status).await;
    }
    let project_id = all[1].project_id;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        check(&world, &all, IssueFilter::all(kind), |_| true).await;
        let filter = IssueFilter { project_id, ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.project_id == project_id).await;
        let filter = IssueFilter { search: SearchQuery::parse("THR").unwrap(), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.title == "Round three").await;
    }
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let ids: Vec<_> = all.iter().step_by(3).map(|issue| issue.id).collect();
        let filter = IssueFilter { ids: ids.clone().into(), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| ids.contains(&issue.id)).await;
        let (since, before) = (all[2].created_at, all[5].created_at);
        let filter = IssueFilter { created_since: Some(since), created_before: Some(before), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.created_at >= since && issue.created_at < before).await;
    }
    let [tied, _other] = [full_task(&world).await, full_task(&world).await];
    for filter in [
        IssueFilter { deal_id: tied.deal_id, ..IssueFilter::all(IssueKind::Task) },
        IssueFilter { contact_id: tied.contact_id, ..IssueFilter::all(IssueKind::Task) },
        IssueFilter { company_id: tied.company_id, ..IssueFilter::all(IssueKind::Task) },
    ] {
        check(&world, std::slice::from_ref(&tied), filter, |_| true).await;
    }
    let absent = IssueFilter { project_id: Some(domain::ProjectId(world.id())), ..IssueFilter::all(IssueKind::Task) };
    check(&world, &all, absent, |_| false).await;
}

pub async fn filters_combine(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = issues(&world).await;
    let project_id = all[1].project_id;
    let filter = IssueFilter {
        status: vec![IssueStatus::InReview].into(),
        project_id,
        search: SearchQuery::parse("round three").unwrap(),
        ..IssueFilter::all(IssueKind::Task)
    };
    check(&world, &all, filter.clone(), |issue| {
        issue.status == IssueStatus::InReview && issue.project_id == project_id
    })
    .await;
    check(&world, &all, IssueFilter { status: vec![IssueStatus::Done].into(), ..filter }, |_| false).await;
}

/// Newest first, ties by id, with and without a filter.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let project_id = Some(world.add(world.bare_project()).await.id);
        let status = vec![IssueStatus::default_of(kind)].into();
        let mut cursor_keys = Vec::new();
        for created_at in world.seven_times() {
            let issue = Issue { project_id, created_at, ..world.bare_issue(kind).await };
            cursor_keys.push(world.add(issue).await.cursor_key());
        }
        let search = SearchQuery::parse("an issue").unwrap();
        let narrow = IssueFilter { status, project_id, search, ..IssueFilter::all(kind) };
        for filter in [IssueFilter::all(kind), IssueFilter { project_id, ..IssueFilter::all(kind) }, narrow] {
            let cursor_keys = newest_first(cursor_keys.clone());
            check_walks(&world, &cursor_keys, move |tx, page| tx.lists::<Issue>().list(&filter, page)).await;
        }
    }
}

/// Longest-waiting customers first, then by last message.
pub async fn tickets_are_listed_by_turn(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let now = world.now();
    let at = |minutes: i64| now + Duration::minutes(minutes);
    let waits = |minutes| Conversation {
        customer_wrote_at: Some(at(100)),
        waiting_since: Some(at(minutes)),
        last_message_at: Some(at(100)),
        ..Conversation::default()
    };
    let answered = |minutes| Conversation { answered_at: Some(at(minutes)), ..Conversation::default() };
    let with_note = |minutes| Conversation { last_message_at: Some(at(minutes)), ..answered(1) };
    let mut all = Vec::new();
    for (conversation, status) in [
        (with_note(20), IssueStatus::Pending),
        (waits(3), IssueStatus::Open),
        (answered(9), IssueStatus::Open),
        (waits(1), IssueStatus::OnHold),
        (Conversation::default(), IssueStatus::Open),
        (answered(30), IssueStatus::Closed),
        (with_note(10), IssueStatus::Open),
    ] {
        let bare = world.bare_issue(IssueKind::Ticket).await;
        all.push(world.add(Issue { conversation, status, created_at: at(-100), ..bare }).await);
    }
    let in_turn = IssueFilter { order: Some(IssueOrder::Waiting), ..IssueFilter::all(IssueKind::Ticket) };
    let found = world.ids::<Issue>(in_turn.clone()).await;
    assert_eq!(found, [3, 1, 5, 0, 6, 2, 4].map(|index: usize| all[index].id.0));
    check_sorted(&world, &all, (Sort::Turn, Direction::Up), in_turn).await;
    for waiting in [true, false] {
        let filter = IssueFilter { waiting: Some(waiting), ..IssueFilter::all(IssueKind::Ticket) };
        check(&world, &all, filter, |ticket| ticket.conversation.waiting_since.is_some() == waiting).await;
    }
    // A save writes the turn.
    let mut changed = all[1].clone();
    changed.conversation = answered(200);
    world.save_issues(std::slice::from_ref(&changed)).await;
    assert_eq!(world.get::<Issue>(changed.id).await, Some(changed));
}

/// Reading positions are per user; messages older than a fixed time count as read for everyone.
pub async fn messages_after_the_reading_position_are_unread(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let now = world.now();
    let at = |minutes: i64| now + Duration::minutes(minutes);
    let conversation = Conversation { last_message_at: Some(at(10)), ..Conversation::default() };
    let with_message = Issue { conversation, ..world.bare_issue(IssueKind::Ticket).await };
    let ticket = world.add(with_message).await.id;
    let silent = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let unread = async |user: UserId, since| {
        let filter = IssueFilter { order: Some(IssueOrder::Waiting), ..IssueFilter::all(IssueKind::Ticket) };
        let reading = InboxReader { user, unread_since: at(since) };
        let found = world.read(move |tx| tx.issues().inbox(&filter, &PageRequest::first(100), reading)).await;
        assert_eq!(found.len(), 2);
        let unread: Vec<_> = found.iter().filter(|row| row.is_unread).map(|row| row.ticket.id).collect();
        assert!(!unread.contains(&silent));
        unread.contains(&ticket)
    };
    let open = async |user: UserId, id: IssueId| {
        let reading = InboxReader { user, unread_since: at(0) };
        world.commit(move |tx| tx.issues().open_ticket(id, reading)).await
    };
    let (ann, bob) = (world.member, world.new_member().await);
    assert!(unread(ann, 0).await && !unread(ann, 10).await, "the position is exclusive");
    let opened = open(ann, ticket).await.unwrap();
    assert!(!unread(ann, 0).await);
    assert!(unread(bob, 0).await, "a colleague has not read it");
    let mut answered = opened.clone();
    answered.conversation.last_message_at = Some(at(11));
    world.save_issues(std::slice::from_ref(&answered)).await;
    assert!(unread(ann, 0).await, "a new message came");
    assert_eq!(open(ann, ticket).await, Some(answered));
    assert!(!unread(ann, 0).await);
    assert!(open(ann, silent).await.is_some());
    let task = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    assert_eq!(open(ann, task).await, None);
}
