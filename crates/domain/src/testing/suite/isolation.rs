//! No workspace reaches another's records.

use super::{Subject, World};
use crate::contacts::ContactFilter;
use crate::deals::{Deal, DealFilter};
use crate::issues::{Issue, IssueFilter, IssueKind, Relation};
use crate::paging::PageRequest;
use crate::projects::{Cycle, Project};

struct Mine {
    deal: Deal,
    project: Project,
    cycle: Cycle,
    issue: Issue,
    company: crate::companies::Company,
}

async fn fill(world: &World) -> Mine {
    let company = world.add(world.full_company()).await;
    world.add(world.full_contact(company.id)).await;
    let project = world.add(world.bare_project()).await;
    let cycle = world.add(world.cycle(project.id, 1)).await;
    let place = (Some(project.id), Some(cycle.id));
    let issue = Issue { project_id: place.0, cycle_id: place.1, ..world.bare_issue(IssueKind::Task).await };
    let issue = world.add(issue).await;
    world.add(world.comment(issue.id)).await;
    Mine { deal: world.add(world.bare_deal()).await, project, cycle, issue, company }
}

/// Another workspace's id is no id.
pub async fn no_getter_shows_another_workspace(subject: &Subject) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let key = world.caller.key_id;
    stranger
        .done(move |tx| {
            assert_eq!(tx.api_keys().get_for_update(key)?, None);
            assert_eq!(tx.companies().get(mine.company.id)?, None);
            assert_eq!(tx.deals().get(mine.deal.id)?, None);
            assert_eq!(tx.deals().get_for_update(mine.deal.id)?, None);
            assert_eq!(tx.projects().get(mine.project.id)?, None);
            assert_eq!(tx.projects().get_for_update(mine.project.id)?, None);
            assert_eq!(tx.issues().get(mine.issue.id)?, None);
            assert_eq!(tx.issues().get_many_for_update(&[mine.issue.id])?, []);
            assert_eq!(tx.issues().kind_of(mine.issue.id)?, None);
            assert_eq!(tx.issues().project_of_cycle(mine.cycle.id)?, None);
            assert_eq!(tx.cycles().highest_number(mine.project.id)?, 0);
            assert_eq!(tx.cycles().overlapping(mine.project.id, mine.cycle.start_date, mine.cycle.end_date)?, None);
            let above = tx.issues().ancestors(mine.issue.id, Relation::Parent)?;
            assert!(above.iter().all(|id| *id == mine.issue.id));
            Ok(())
        })
        .await;
}

/// Lists of another workspace are empty, whatever the filter names.
pub async fn no_list_shows_another_workspace(subject: &Subject) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let lengths = async |world: &World| {
        let (project, issue) = (mine.project.id, mine.issue.id);
        world
            .done(move |tx| {
                let page = PageRequest::first(100);
                let of_project = IssueFilter { project_id: Some(project), ..IssueFilter::all(IssueKind::Task) };
                Ok([
                    tx.contacts().list(&ContactFilter::default(), &page)?.len(),
                    tx.deals().list(&DealFilter::default(), &page)?.len(),
                    tx.projects().list(&page)?.len(),
                    tx.cycles().list(project, &page)?.len(),
                    tx.issues().list(&IssueFilter::all(IssueKind::Task), &page)?.len(),
                    tx.issues().list(&of_project, &page)?.len(),
                    tx.comments().list(issue, &page)?.len(),
                ])
            })
            .await
    };
    assert_eq!(lengths(&world).await, [1; 7]);
    assert_eq!(lengths(&stranger).await, [0; 7]);
}

/// Deleting and revoking by another workspace's id does nothing.
pub async fn no_change_reaches_another_workspace(subject: &Subject) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let (key, now) = (world.caller.key_id, world.now());
    let (deal, project, issue, company) = (mine.deal.id, mine.project.id, mine.issue.id, mine.company.id);
    stranger
        .done(move |tx| {
            assert!(!tx.companies().delete(company, now)?);
            assert!(!tx.deals().delete(deal, now)?);
            assert!(!tx.projects().delete(project, now)?);
            assert!(!tx.issues().delete(issue, now)?);
            tx.api_keys().revoke(key, now)
        })
        .await;
    world
        .done(move |tx| {
            assert_eq!(tx.companies().get(company)?.as_ref(), Some(&mine.company));
            assert_eq!(tx.deals().get(deal)?.as_ref(), Some(&mine.deal));
            assert_eq!(tx.projects().get(project)?.as_ref(), Some(&mine.project));
            assert_eq!(tx.issues().get(issue)?.as_ref(), Some(&mine.issue));
            assert!(tx.api_keys().get_for_update(key)?.is_some_and(|key| key.revoked_at.is_none()));
            Ok(())
        })
        .await;
}
