//! No workspace can reach another's records.

use std::collections::HashSet;

use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::work::cycles::Cycle;
use domain::work::issues::{Issue, IssueFilter, Relation};
use domain::work::projects::{Project, ProjectFilter};

struct OwnRecords {
    deal: Deal,
    project: Project,
    cycle: Cycle,
    issue: Issue,
    company: Company,
    contact: Contact,
}

async fn fill(world: &TestWorkspace) -> OwnRecords {
    let company = world.add(world.full_company()).await;
    let contact = world.add(world.full_contact(company.id)).await;
    let project = world.add(world.bare_project()).await;
    let cycle = world.add(world.cycle(project.id, 1)).await;
    let place = (Some(project.id), Some(cycle.id));
    let issue = Issue { project_id: place.0, cycle_id: place.1, ..world.bare_issue(IssueKind::Task).await };
    let issue = world.add(issue).await;
    world.add(world.comment(issue.id)).await;
    OwnRecords { deal: world.add(world.bare_deal()).await, project, cycle, issue, company, contact }
}

/// Another workspace's id is treated like an unknown one.
pub async fn no_getter_shows_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let (key, member) = (world.key_id(), world.member);
    let address = world.done(move |tx| tx.members().get_for_update(member)).await.unwrap().email.to_lowercase();
    other_workspace
        .done(move |tx| {
            assert_eq!(tx.api_keys().get_for_update(key)?, None);
            assert_eq!(tx.members().get_for_update(member)?, None);
            assert_eq!(tx.members().find_by_email(&address)?, None);
            assert_eq!(tx.companies().get(mine.company.id)?, None);
            assert_eq!(tx.companies().get_for_update(mine.company.id)?, None);
            assert_eq!(tx.contacts().get(mine.contact.id)?, None);
            assert_eq!(tx.contacts().get_for_update(mine.contact.id)?, None);
            assert_eq!(tx.deals().get(mine.deal.id)?, None);
            assert_eq!(tx.deals().get_for_update(mine.deal.id)?, None);
            assert_eq!(tx.projects().get(mine.project.id)?, None);
            assert_eq!(tx.projects().get_for_update(mine.project.id)?, None);
            assert_eq!(tx.issues().get(mine.issue.id)?, None);
            assert_eq!(tx.issues().get_many_for_update(&[mine.issue.id])?, []);
            assert_eq!(tx.issues().kind_of(mine.issue.id)?, None);
            assert_eq!(tx.issues().project_of_cycle(mine.cycle.id)?, None);
            assert_eq!(tx.cycles().highest_number(mine.project.id)?, 0);
            assert_eq!(
                tx.cycles().overlapping(mine.project.id, None, mine.cycle.start_date, mine.cycle.end_date)?,
                None
            );
            let above = tx.issues().ancestors(mine.issue.id, Relation::Parent)?;
            assert!(above.iter().all(|id| *id == mine.issue.id));
            Ok(())
        })
        .await;
}

/// Lists of another workspace are empty, whatever the filter names.
pub async fn no_list_shows_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let lengths = async |world: &TestWorkspace| {
        let (project, issue) = (mine.project.id, mine.issue.id);
        world
            .done(move |tx| {
                let page = PageRequest::first(100);
                let of_project = IssueFilter { project_id: Some(project), ..IssueFilter::all(IssueKind::Task) };
                let searched = SearchQuery::parse("full.example").unwrap();
                Ok([
                    tx.companies().list(&CompanyFilter::default(), &page)?.len(),
                    tx.companies().list(&CompanyFilter { search: searched, ..CompanyFilter::default() }, &page)?.len(),
                    tx.contacts().list(&ContactFilter::default(), &page)?.len(),
                    tx.deals().list(&DealFilter::default(), &page)?.len(),
                    tx.projects().list(&ProjectFilter::default(), &page)?.len(),
                    tx.cycles().list(project, &page)?.len(),
                    tx.issues().list(&IssueFilter::all(IssueKind::Task), &page)?.len(),
                    tx.issues().list(&of_project, &page)?.len(),
                    tx.comments().list(issue, &page)?.len(),
                ])
            })
            .await
    };
    assert_eq!(lengths(&world).await, [1; 9]);
    assert_eq!(lengths(&other_workspace).await, [0; 9]);
}

/// Members, keys and audit entries are per workspace.
pub async fn no_list_of_access_shows_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let ids = async |world: &TestWorkspace| {
        world
            .done(move |tx| {
                let page = PageRequest::first(100);
                Ok([
                    tx.members().list(&page)?.iter().map(|record| record.member.user_id.0).collect::<HashSet<_>>(),
                    tx.api_keys().list(&page)?.iter().map(|key| key.id.0).collect(),
                    tx.audit()
                        .list(&domain::identity::audit::AuditFilter::default(), &page)?
                        .iter()
                        .map(|entry| entry.id.0)
                        .collect(),
                ])
            })
            .await
    };
    for (mine, theirs) in ids(&world).await.iter().zip(&ids(&other_workspace).await) {
        assert!(!mine.is_empty() && !theirs.is_empty() && mine.is_disjoint(theirs));
    }
}

/// Members, sessions and invitations of another workspace cannot be changed.
pub async fn no_change_of_access_reaches_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let (member, key) = (world.member, world.key_id());
    let (session, invitation) = (world.begun(member, PASSWORD).await, world.invitation(member));
    let (id, link, now) = (session.id, invitation.lookup_id.clone(), world.now());
    let lookup_id = link.clone();
    let mut left = world.member(member).await.unwrap().member;
    let mut revoked = world.done(move |tx| tx.api_keys().get_for_update(key)).await.unwrap();
    let any_time = invitation.expires_at;
    assert_eq!(world.done(move |tx| tx.members().put_invitation(&invitation, any_time)).await, None);
    other_workspace
        .done(move |tx| {
            tx.sessions().end(id)?;
            tx.sessions().end_all_of(member)?;
            assert!(!tx.members().use_invitation(member, &lookup_id, now)?);
            tx.members().withdraw_invitation(member)
        })
        .await;
    let before = (left.clone(), revoked.clone());
    left.leave(now);
    revoked.revoked_at = Some(now);
    assert!(other_workspace.run(move |tx| Ok(tx.members().save(&left)?)).await.is_err());
    assert!(other_workspace.run(move |tx| Ok(tx.api_keys().save(&revoked)?)).await.is_err());
    assert!(world.has_session(&session).await);
    let still = world.member(member).await.unwrap().member;
    assert_eq!((still, world.done(move |tx| tx.api_keys().get_for_update(key)).await.unwrap()), before);
    let found = subject.ports.directory.find_invitation(&link).await.unwrap().unwrap();
    assert_eq!(found.invitation.accepted_at, None);
}

/// Deleting, saving and revoking by another workspace's id does nothing.
pub async fn no_change_reaches_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let mine = fill(&world).await;
    let (key, now) = (world.key_id(), world.now());
    let (deal, project, issue, company) = (mine.deal.id, mine.project.id, mine.issue.id, mine.company.id);
    let contact = mine.contact.id;
    other_workspace
        .done(move |tx| {
            assert!(!tx.companies().delete(company, now)?);
            assert!(!tx.contacts().delete(contact, now)?);
            assert!(!tx.deals().delete(deal, now)?);
            assert!(!tx.projects().delete(project, now)?);
            assert!(!tx.issues().delete(issue, now)?);
            Ok(())
        })
        .await;
    let taken_over = Company { name: "Theirs".to_owned(), ..mine.company.clone() };
    assert!(other_workspace.run(move |tx| Ok(tx.companies().save(&taken_over)?)).await.is_err());
    let taken_over = Contact { company_id: None, ..mine.contact.clone() };
    assert!(other_workspace.run(move |tx| Ok(tx.contacts().save(&taken_over)?)).await.is_err());
    world
        .done(move |tx| {
            assert_eq!(tx.companies().get(company)?.as_ref(), Some(&mine.company));
            assert_eq!(tx.contacts().get(contact)?.as_ref(), Some(&mine.contact));
            assert_eq!(tx.deals().get(deal)?.as_ref(), Some(&mine.deal));
            assert_eq!(tx.projects().get(project)?.as_ref(), Some(&mine.project));
            assert_eq!(tx.issues().get(issue)?.as_ref(), Some(&mine.issue));
            assert!(tx.api_keys().get_for_update(key)?.is_some_and(|key| key.revoked_at.is_none()));
            Ok(())
        })
        .await;
}
