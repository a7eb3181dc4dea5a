//! Whether references point to live records.

use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::ReadDeals;
use domain::kernel::{IssueKind, UniqueValue};
use domain::ports::statement;
use domain::work::issues::Issue;
use domain::work::projects::Project;
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

/// As many as an upsert has are checked as a few are.
pub async fn many_at_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let project = world.add(world.bare_project()).await.id;
    let mut expected = Vec::new();
    for _ in 0..10 {
        expected.extend([
            (Reference::Company(world.add(world.bare_company()).await.id), true),
            (Reference::Company(CompanyId(world.id())), false),
            (Reference::Contact(world.add(world.bare_contact()).await.id), true),
            (Reference::Contact(other.add(other.bare_contact()).await.id), false),
            (Reference::Deal(world.add(world.bare_deal()).await.id), true),
            (Reference::Project(project), true),
            (Reference::Project(ProjectId(world.id())), false),
            (Reference::Member(world.member), true),
            (Reference::Member(other.member), false),
            (Reference::Cycle(project, CycleId(world.id())), false),
        ]);
    }
    check(&world, &expected).await;
}

/// Each unique value finds the live record that has it, and no other.
pub async fn unique_values_find_their_live_record(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let id = || Some("x ' 1".to_owned());
    let contact = world.add(Contact { external_id: id(), ..world.bare_contact() }).await;
    let domain = Some("found.example".to_owned());
    let company = world.add(Company { external_id: id(), domain: domain.clone(), ..world.bare_company() }).await;
    let deal = world.add(Deal { external_id: id(), ..world.bare_deal() }).await.id;
    let project = world.add(Project { external_id: id(), ..world.bare_project() }).await.id;
    let article = world.add(world.bare_article()).await;
    for (value, expected) in [
        (UniqueValue::ContactEmail(contact.email_key()), contact.id.0),
        (UniqueValue::ContactExternalId("x ' 1".to_owned()), contact.id.0),
        (UniqueValue::CompanyDomain("found.example".to_owned()), company.id.0),
        (UniqueValue::CompanyExternalId("x ' 1".to_owned()), company.id.0),
        (UniqueValue::DealExternalId("x ' 1".to_owned()), deal.0),
        (UniqueValue::ProjectExternalId("x ' 1".to_owned()), project.0),
        (UniqueValue::ArticleSlug(article.slug.clone()), article.id.0),
    ] {
        let look = |world: &TestWorkspace| {
            let value = value.clone();
            let ports = world.ports.clone();
            let permit = world.permit::<ReadDeals>();
            async move { statement(&ports, &permit, move |tx| Ok(tx.record_with(&value)?)).await.unwrap() }
        };
        assert_eq!(look(&world).await, Some(expected), "{value:?}");
        assert_eq!(look(&other).await, None, "{value:?}");
    }
    let now = world.now();
    assert!(world.done(move |tx| tx.contacts().delete(contact.id, now)).await);
    let gone = UniqueValue::ContactExternalId("x ' 1".to_owned());
    assert_eq!(world.look(move |tx| tx.record_with(&gone)).await, None);
}
