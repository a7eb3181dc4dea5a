//! Lists of issues.

use std::collections::BTreeSet;

use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::work::issues::{Holder, Issue, IssueFilter, IssueStatus};

async fn check(world: &TestWorkspace, all: &[Issue], filter: IssueFilter, rule: impl Fn(&Issue) -> bool) {
    let shown = format!("{filter:?}");
    let found = world.look(move |tx| tx.issues().list(&filter, &PageRequest::first(100))).await;
    let ids: BTreeSet<_> = found.iter().map(|issue| issue.id).collect();
    assert_eq!(ids.len(), found.len(), "each once: {shown}");
    assert_eq!(ids, all.iter().filter(|issue| rule(issue)).map(|issue| issue.id).collect(), "{shown}");
    for issue in found {
        assert!(all.contains(&issue), "whole: {shown}");
    }
}

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
    let now = world.now();
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let gone = world.add(world.bare_issue(kind).await).await.id;
        assert!(world.done(move |tx| tx.issues().delete(gone, now)).await);
    }
    all
}

/// A task with all members, tied to records of its own.
async fn full_task(world: &TestWorkspace) -> Issue {
    let task = world.full_issue(IssueKind::Task).await;
    world.add(task).await
}

/// Tickets that are not finished are counted by status and by who holds them, each status up to a bound.
pub async fn waiting_tickets_are_counted(subject: &StoreUnderTest) {
    let (world, elsewhere) = (subject.world().await, subject.world().await);
    issues(&elsewhere).await;
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
    let now = world.now();
    let gone = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    assert!(world.done(move |tx| tx.issues().delete(gone, now)).await);
    let counted = async |member| {
        let mut parts = world.look(move |tx| tx.issues().count_waiting(member)).await;
        parts.sort_unstable();
        parts.into_iter().map(|part| (part.status, part.holder, part.count)).collect::<Vec<_>>()
    };
    let (open, pending, on_hold) = (IssueStatus::Open, IssueStatus::Pending, IssueStatus::OnHold);
    let mine = [
        (open, Holder::Nobody, 3),
        (open, Holder::Asking, 2),
        (pending, Holder::Other, 1),
        (on_hold, Holder::Asking, 1),
    ];
    assert_eq!(counted(member).await, mine);
    let theirs = [
        (open, Holder::Nobody, 3),
        (open, Holder::Other, 2),
        (pending, Holder::Asking, 1),
        (on_hold, Holder::Other, 1),
    ];
    assert_eq!(counted(other).await, theirs);
}

/// Each filter on its own.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = issues(&world).await;
    for status in IssueStatus::ALL.iter().copied() {
        let filter = IssueFilter { status: vec![status].into(), ..IssueFilter::all(status.kind()) };
        check(&world, &all, filter, |issue| issue.status == status).await;
    }
    let project_id = all[1].project_id;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        check(&world, &all, IssueFilter::all(kind), |issue| issue.kind == kind).await;
        let filter = IssueFilter { project_id, ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.kind == kind && issue.project_id == project_id).await;
        let filter = IssueFilter { search: SearchQuery::parse("THR").unwrap(), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.kind == kind && issue.title == "Round three").await;
    }
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let ids: Vec<_> = all.iter().step_by(3).map(|issue| issue.id).collect();
        let filter = IssueFilter { ids: ids.clone().into(), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.kind == kind && ids.contains(&issue.id)).await;
        let (since, before) = (all[2].created_at, all[5].created_at);
        let filter = IssueFilter { created_since: Some(since), created_before: Some(before), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| {
            issue.kind == kind && issue.created_at >= since && issue.created_at < before
        })
        .await;
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

/// Filters combine with AND.
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
        let mut places = Vec::new();
        for created_at in world.seven_times() {
            let issue = Issue { project_id, created_at, ..world.bare_issue(kind).await };
            places.push(world.add(issue).await.cursor_key());
        }
        let search = SearchQuery::parse("an issue").unwrap();
        let narrow = IssueFilter { status, project_id, search, ..IssueFilter::all(kind) };
        for filter in [IssueFilter::all(kind), IssueFilter { project_id, ..IssueFilter::all(kind) }, narrow] {
            check_walks(&world, &newest_first(places.clone()), move |tx, page| {
                Ok(tx.issues().list(&filter, page)?.iter().map(Paginated::cursor_key).collect())
            })
            .await;
        }
    }
}
