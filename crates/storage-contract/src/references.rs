//! Checks that references point to live records.

use super::kinds::Sample;
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::ReadDeals;
use domain::kernel::IssueKind;
use domain::ports::statement;
use domain::records::{Kind, ReferringCounts};
use domain::support::kb::Article;
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::{CompanyId, ContactId, CycleId, DealId, IssueId, ProjectId, Reference, UserId};
use uuid::Uuid;

async fn check(world: &TestWorkspace, expected: &[(Reference, bool)]) {
    let references: Vec<_> = expected.iter().map(|(reference, _)| *reference).collect();
    let found = world.commit(move |tx| tx.references_exist(&references)).await;
    let found: Vec<_> = expected.iter().map(|(reference, _)| *reference).zip(found).collect();
    assert_eq!(found, expected);
}

/// References to a live record, and to ones that are deleted, missing, in another workspace or of another kind.
async fn rows<K: Sample>(
    world: &TestWorkspace,
    other: &TestWorkspace,
    reference: fn(Uuid) -> Reference,
    of_another_kind: Uuid,
) -> Vec<(Reference, bool)> {
    let (live, deleted) = (world.add(K::bare(world)).await.uuid(), world.add(K::bare(world)).await.uuid());
    let now = world.now();
    assert!(world.commit(move |tx| tx.records::<K>().delete(deleted.into(), now)).await);
    let foreign = other.add(K::bare(other)).await.uuid();
    [(live, true), (deleted, false), (world.id(), false), (foreign, false), (of_another_kind, false)]
        .map(|(id, expected)| (reference(id), expected))
        .into()
}

/// Mixes all kinds and duplicates, in order, up to the number of references in an upsert.
pub async fn live_records_of_the_workspace_are_found(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    check(&world, &[]).await;
    let mut expected = vec![(Reference::Member(world.member), true)];
    let mut last = world.add(world.bare_company()).await.id.0;
    for _ in 0..4 {
        expected.extend(rows::<Company>(&world, &other, |id| Reference::Company(CompanyId(id)), world.member.0).await);
        expected.extend(rows::<Contact>(&world, &other, |id| Reference::Contact(ContactId(id)), last).await);
        expected.extend(rows::<Deal>(&world, &other, |id| Reference::Deal(DealId(id)), last).await);
        expected.extend(rows::<Project>(&world, &other, |id| Reference::Project(ProjectId(id)), last).await);
        expected.extend([
            (Reference::Company(CompanyId(last)), true),
            (Reference::Member(other.member), false),
            (Reference::Member(UserId(world.id())), false),
            (Reference::Member(world.member), true),
        ]);
        last = world.add(world.bare_company()).await.id.0;
    }
    check(&world, &expected).await;
}

/// A cycle is valid only with its own project.
pub async fn cycles_of_their_own_project(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (project, second) = (world.add(world.bare_project()).await.id, world.add(world.bare_project()).await.id);
    let (cycle, of_second) = (world.add(world.cycle(project, 1)).await.id, world.add(world.cycle(second, 1)).await.id);
    let deleted = world.add(world.bare_project()).await.id;
    let deleted_cycle = world.add(world.cycle(deleted, 1)).await.id;
    let foreign = other.add(other.bare_project()).await.id;
    let foreign_cycle = other.add(other.cycle(foreign, 1)).await.id;
    world.delete::<Project>(deleted).await;
    let rows = [
        (Reference::Cycle(project, cycle), true),
        (Reference::Cycle(second, of_second), true),
        (Reference::Cycle(second, cycle), false),
        (Reference::Cycle(project, of_second), false),
        (Reference::Cycle(deleted, deleted_cycle), false),
        (Reference::Cycle(project, CycleId(world.id())), false),
        (Reference::Cycle(foreign, foreign_cycle), false),
        (Reference::Cycle(project, foreign_cycle), false),
    ];
    check(&world, &rows).await;
}

/// An issue is valid only under its own kind.
pub async fn issues_of_their_kind(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    for (kind, wrong) in [(IssueKind::Task, IssueKind::Ticket), (IssueKind::Ticket, IssueKind::Task)] {
        let live = world.add(world.bare_issue(kind).await).await.id;
        let deleted = world.add(world.bare_issue(kind).await).await.id;
        world.delete::<Issue>(deleted).await;
        let rows = [
            (Reference::Issue(kind, live), true),
            (Reference::Issue(wrong, live), false),
            (Reference::Issue(kind, deleted), false),
            (Reference::Issue(kind, IssueId(world.id())), false),
            (Reference::Issue(kind, other.add(other.bare_issue(kind).await).await.id), false),
        ];
        check(&world, &rows).await;
    }
    let project = world.add(world.bare_project()).await.id;
    let in_project = |issue| Issue { project_id: Some(project), ..issue };
    let task = world.add(in_project(world.bare_issue(IssueKind::Task).await)).await.id;
    let ticket = world.add(in_project(world.bare_issue(IssueKind::Ticket).await)).await.id;
    world.delete::<Project>(project).await;
    let expected =
        [(Reference::Issue(IssueKind::Task, task), false), (Reference::Issue(IssueKind::Ticket, ticket), true)];
    check(&world, &expected).await;
}

/// Live records that refer to a company or contact are counted, up to a bound.
pub async fn referring_records_are_counted(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let company = world.add(world.bare_company()).await.id;
    let contact = world.add(Contact { company_id: Some(company), ..world.bare_contact() }).await.id;
    let deal = || Deal { company_id: Some(company), contact_id: Some(contact), ..world.bare_deal() };
    let deleted = world.add(deal()).await.id;
    world.delete::<Deal>(deleted).await;
    for _ in 0..3 {
        world.add(deal()).await;
    }
    let bare = world.bare_issue(IssueKind::Task).await;
    world.add(Issue { company_id: Some(company), contact_id: Some(contact), ..bare }).await;
    let of_company = ReferringCounts { deals: 3, tasks: 1, tickets: 0, contacts: 1 };
    let of_contact = ReferringCounts { contacts: 0, ..of_company };
    for (record, most, expected) in [
        (Reference::Company(company), 1_000, of_company),
        (Reference::Contact(contact), 1_000, of_contact),
        (Reference::Company(company), 2, ReferringCounts { deals: 2, ..of_company }),
        (Reference::Deal(deleted), 1_000, ReferringCounts::default()),
    ] {
        assert_eq!(world.commit(move |tx| tx.referring(record, most)).await, expected, "{record:?}");
        assert_eq!(other.commit(move |tx| tx.referring(record, most)).await, ReferringCounts::default(), "{record:?}");
    }
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
        (Contact::unique("email", contact.email_key()), contact.id.0),
        (Contact::unique("external_id", "x ' 1".to_owned()), contact.id.0),
        (Company::unique("domain", "found.example".to_owned()), company.id.0),
        (Company::unique("external_id", "x ' 1".to_owned()), company.id.0),
        (Deal::unique("external_id", "x ' 1".to_owned()), deal.0),
        (Project::unique("external_id", "x ' 1".to_owned()), project.0),
        (Article::unique("slug", article.slug.clone()), article.id.0),
    ] {
        let find = |world: &TestWorkspace| {
            let value = value.clone();
            let ports = world.ports.clone();
            let permit = world.permit::<ReadDeals>();
            async move { statement(&ports, &permit, move |tx| Ok(tx.record_with(&value)?)).await.unwrap() }
        };
        assert_eq!(find(&world).await, Some(expected), "{value:?}");
        assert_eq!(find(&other).await, None, "{value:?}");
    }
    world.delete::<Contact>(contact.id).await;
    let deleted = Contact::unique("external_id", "x ' 1".to_owned());
    assert_eq!(world.read(move |tx| tx.record_with(&deleted)).await, None);
}
