//! Lists of issues.

use std::collections::BTreeSet;

use super::paging::{check_walks, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::work::issues::{Issue, IssueFilter, IssueStatus};

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

/// Tasks and tickets have separate lists.
pub async fn kinds_never_mix(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = issues(&world).await;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        check(&world, &all, IssueFilter::all(kind), |issue| issue.kind == kind).await;
    }
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
        let filter = IssueFilter { project_id, ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.kind == kind && issue.project_id == project_id).await;
        let filter = IssueFilter { search: SearchQuery::parse("THR").unwrap(), ..IssueFilter::all(kind) };
        check(&world, &all, filter, |issue| issue.kind == kind && issue.title == "Round three").await;
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
