//! No workspace can access another's work, members, keys or audit entries. [`super::kinds`] checks this for other records.

use std::collections::HashSet;

use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::identity::audit::AuditFilter;
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::work::issues::{Issue, IssueFilter, Relation};

/// Another workspace's id of a cycle or an issue is treated like an unknown one, whatever a filter names.
pub async fn no_workspace_reaches_the_work_of_another(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let project = world.add(world.bare_project()).await.id;
    let cycle = world.add(world.cycle(project, 1)).await;
    let planned =
        Issue { project_id: Some(project), cycle_id: Some(cycle.id), ..world.bare_issue(IssueKind::Task).await };
    let mine = world.add(planned).await;
    world.add(world.comment(mine.id)).await;
    let issue = mine.id;
    let lengths = async |world: &TestWorkspace| {
        world
            .commit(move |tx| {
                let (all, page) = (CreatedFilter::default(), PageRequest::first(100));
                let of_project = IssueFilter { project_id: Some(project), ..IssueFilter::all(IssueKind::Task) };
                Ok([
                    tx.cycles().list(project, &all, &page)?.len(),
                    tx.lists::<Issue>().list(&IssueFilter::all(IssueKind::Task), &page)?.len(),
                    tx.lists::<Issue>().list(&of_project, &page)?.len(),
                    tx.comments().list(issue, &all, &page)?.len(),
                ])
            })
            .await
    };
    assert_eq!((lengths(&world).await, lengths(&other_workspace).await), ([1; 4], [0; 4]));
    let now = world.now();
    other_workspace
        .commit(move |tx| {
            assert_eq!(tx.records::<Issue>().get(issue)?, None);
            assert_eq!(tx.records::<Issue>().get_for_update(issue)?, None);
            assert_eq!(tx.issues().get_many_for_update(&[issue])?, []);
            assert_eq!(tx.issues().kind_of(issue)?, None);
            assert_eq!(tx.issues().project_of_cycle(cycle.id)?, None);
            assert_eq!(tx.cycles().highest_number(project)?, 0);
            assert_eq!(tx.cycles().overlapping(project, None, cycle.start_date, cycle.end_date)?, None);
            let above = tx.issues().ancestors(issue, Relation::Parent)?;
            assert!(above.iter().all(|id| *id == issue));
            assert!(!tx.records::<Issue>().delete(issue, now)?);
            Ok(())
        })
        .await;
    assert_eq!(world.get::<Issue>(issue).await, Some(mine));
}

/// Members, keys and audit entries are per workspace.
pub async fn no_list_of_access_shows_another_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let ids = async |world: &TestWorkspace| {
        world
            .commit(move |tx| {
                let (all, page) = (CreatedFilter::default(), PageRequest::first(100));
                let members = tx.members().list(&all, &page)?;
                Ok([
                    members.iter().map(|record| record.member.user_id.0).collect::<HashSet<_>>(),
                    tx.api_keys().list(&all, &page)?.iter().map(|key| key.id.0).collect(),
                    tx.audit().list(&AuditFilter::default(), &page)?.iter().map(|entry| entry.id.0).collect(),
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
    let (session, invitation) = (world.begin_session(member, PASSWORD).await, world.invitation(member));
    let (id, link, now) = (session.id, invitation.lookup_id.clone(), world.now());
    let lookup_id = link.clone();
    let mut left = world.member(member).await.unwrap().member;
    let mut revoked = world.commit(move |tx| tx.api_keys().get_for_update(key)).await.unwrap();
    let any_time = invitation.expires_at;
    assert_eq!(world.commit(move |tx| tx.members().put_invitation(&invitation, any_time)).await, None);
    let address = world.member(member).await.unwrap().email.to_lowercase();
    other_workspace
        .commit(move |tx| {
            assert_eq!(tx.api_keys().get_for_update(key)?, None);
            assert_eq!(tx.members().get_for_update(member)?, None);
            assert_eq!(tx.members().find_by_email(&address)?, None);
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
    let after = world.member(member).await.unwrap().member;
    assert_eq!((after, world.commit(move |tx| tx.api_keys().get_for_update(key)).await.unwrap()), before);
    let found = subject.ports.directory.find_invitation(&link).await.unwrap().unwrap();
    assert_eq!(found.invitation.accepted_at, None);
}
