//! Whether references point to live records.

use super::{StoreUnderTest, TestWorkspace};
use domain::kernel::IssueKind;
use domain::work::issues::Issue;
use domain::{CompanyId, ContactId, CycleId, DealId, IssueId, ProjectId, Reference, UserId};

async fn check(world: &TestWorkspace, expected: &[(Reference, bool)]) {
    let references: Vec<_> = expected.iter().map(|(reference, _)| *reference).collect();
    let found = world.done(move |tx| tx.references_exist(&references)).await;
    let found: Vec<_> = expected.iter().map(|(reference, _)| *reference).zip(found).collect();
    assert_eq!(found, expected);
}

/// Live, deleted, missing, of another workspace, and of another kind.
pub async fn companies_and_contacts(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (live, gone) = (world.add(world.bare_company()).await.id, world.add(world.bare_company()).await.id);
    let contact = world.add(world.bare_contact()).await.id;
    let gone_contact = world.add(world.bare_contact()).await.id;
    let now = world.now();
    assert!(
        world.done(move |tx| Ok(tx.companies().delete(gone, now)? && tx.contacts().delete(gone_contact, now)?)).await
    );
    check(
        &world,
        &[
            (Reference::Company(live), true),
            (Reference::Company(gone), false),
            (Reference::Company(CompanyId(world.id())), false),
            (Reference::Company(other.add(other.bare_company()).await.id), false),
            (Reference::Company(CompanyId(contact.0)), false),
            (Reference::Contact(contact), true),
            (Reference::Contact(gone_contact), false),
            (Reference::Contact(ContactId(world.id())), false),
            (Reference::Contact(other.add(other.bare_contact()).await.id), false),
            (Reference::Contact(ContactId(live.0)), false),
        ],
    )
    .await;
}

/// Live, deleted, missing, of another workspace, and of another kind.
pub async fn deals_and_projects(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (deal, gone_deal) = (world.add(world.bare_deal()).await.id, world.add(world.bare_deal()).await.id);
    let (project, gone) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let now = world.now();
    assert!(world.done(move |tx| Ok(tx.deals().delete(gone_deal, now)? && tx.projects().delete(gone, now)?)).await);
    check(
        &world,
        &[
            (Reference::Deal(deal), true),
            (Reference::Deal(gone_deal), false),
            (Reference::Deal(DealId(world.id())), false),
            (Reference::Deal(other.add(other.bare_deal()).await.id), false),
            (Reference::Deal(DealId(project.0)), false),
            (Reference::Project(project), true),
            (Reference::Project(gone), false),
            (Reference::Project(ProjectId(world.id())), false),
            (Reference::Project(other.add(other.bare_project()).await.id), false),
            (Reference::Project(ProjectId(deal.0)), false),
        ],
    )
    .await;
}

/// A cycle is valid only with its own project.
pub async fn cycles_of_their_own_project(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (project, second) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let (cycle, of_second) = (world.add(world.cycle(project, 1)).await.id, world.add(world.cycle(second, 1)).await.id);
    let gone = world.add(world.bare_project()).await.id;
    let gone_cycle = world.add(world.cycle(gone, 1)).await.id;
    let foreign = other.add(other.bare_project()).await.id;
    let foreign_cycle = other.add(other.cycle(foreign, 1)).await.id;
    let now = world.now();
    assert!(world.done(move |tx| tx.projects().delete(gone, now)).await);
    check(
        &world,
        &[
            (Reference::Cycle(project, cycle), true),
            (Reference::Cycle(second, of_second), true),
            (Reference::Cycle(second, cycle), false),
            (Reference::Cycle(project, of_second), false),
            (Reference::Cycle(gone, gone_cycle), false),
            (Reference::Cycle(project, CycleId(world.id())), false),
            (Reference::Cycle(foreign, foreign_cycle), false),
            (Reference::Cycle(project, foreign_cycle), false),
        ],
    )
    .await;
}

/// An issue is valid only under its own kind.
pub async fn issues_of_their_kind(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let now = world.now();
    for (kind, wrong) in [(IssueKind::Task, IssueKind::Ticket), (IssueKind::Ticket, IssueKind::Task)] {
        let live = world.add(world.bare_issue(kind).await).await.id;
        let gone = world.add(world.bare_issue(kind).await).await.id;
        assert!(world.done(move |tx| tx.issues().delete(gone, now)).await);
        check(
            &world,
            &[
                (Reference::Issue(kind, live), true),
                (Reference::Issue(wrong, live), false),
                (Reference::Issue(kind, gone), false),
                (Reference::Issue(kind, IssueId(world.id())), false),
                (Reference::Issue(kind, other.add(other.bare_issue(kind).await).await.id), false),
            ],
        )
        .await;
    }
    let project = world.add(world.bare_project()).await.id;
    let place = |issue| Issue { project_id: Some(project), ..issue };
    let task = world.add(place(world.bare_issue(IssueKind::Task).await)).await.id;
    let ticket = world.add(place(world.bare_issue(IssueKind::Ticket).await)).await.id;
    assert!(world.done(move |tx| tx.projects().delete(project, now)).await);
    let expected =
        [(Reference::Issue(IssueKind::Task, task), false), (Reference::Issue(IssueKind::Ticket, ticket), true)];
    check(&world, &expected).await;
}

/// Active members of this workspace only.
pub async fn members_of_the_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    check(
        &world,
        &[
            (Reference::Member(world.member), true),
            (Reference::Member(other.member), false),
            (Reference::Member(UserId(world.id())), false),
        ],
    )
    .await;
}

/// One result per reference, in order, with duplicates and all kinds mixed.
pub async fn results_are_in_the_order_of_the_references(subject: &StoreUnderTest) {
    let world = subject.world().await;
    check(&world, &[]).await;
    let company = world.add(world.bare_company()).await.id;
    let deal = world.add(world.bare_deal()).await.id;
    let project = world.add(world.bare_project()).await.id;
    let cycle = world.add(world.cycle(project, 1)).await.id;
    let task = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let contact = world.add(world.bare_contact()).await.id;
    check(
        &world,
        &[
            (Reference::Member(world.member), true),
            (Reference::Deal(DealId(world.id())), false),
            (Reference::Company(company), true),
            (Reference::Company(company), true),
            (Reference::Issue(IssueKind::Ticket, task), false),
            (Reference::Cycle(project, cycle), true),
            (Reference::Deal(deal), true),
            (Reference::Issue(IssueKind::Task, task), true),
            (Reference::Project(project), true),
            (Reference::Contact(contact), true),
            (Reference::Deal(DealId(world.id())), false),
            (Reference::Member(world.member), true),
        ],
    )
    .await;
}
