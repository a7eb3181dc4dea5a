//! Filters of contacts, projects and issues.

use time::Duration;

use super::kinds::check_filter;
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter, ContactStatus, ContactType};
use domain::kernel::IssueKind;
use domain::kernel::input::{EmailKey, HostName, Line, Problems, Read, Tag, Value};
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::work::issues::{AssigneeChoice, Issue, IssueFilter, IssueStatus, Requester, RequesterKey, TicketReference};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectStatus};
use domain::{ContactId, UserId};

fn external_id(text: &str) -> Option<Line<255>> {
    Line::parse(text, "external_id").ok()
}

fn tags(texts: &[&str]) -> Vec<Tag> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Each filter alone; address and tags in any case; without deleted contacts.
pub async fn contacts_are_found_by_each_filter(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.bare_company()).await.id;
    let other = world.new_member().await;
    let none = ContactFilter::default;
    let mut all = Vec::new();
    for index in 0..6 {
        let contact_type = [ContactType::New, ContactType::Lead, ContactType::Partner][index % 3];
        let tags = [vec![], vec!["VIP".to_owned(), "ÜBER".to_owned()], vec!["vip-2".to_owned()]][index % 3].clone();
        let company_id = (index % 2 == 0).then_some(company);
        let (external_id, status) =
            (Some(format!("Ext-{index}")), ContactStatus::ALL[index % ContactStatus::ALL.len()]);
        let assigned_to = [None, Some(world.member), Some(other)][index % 3];
        let contact =
            Contact { contact_type, status, tags, company_id, assigned_to, external_id, ..world.bare_contact() };
        all.push(world.add(contact).await);
    }
    let deleted = world.add(Contact { tags: vec!["vip".to_owned()], ..world.bare_contact() }).await;
    let id = deleted.id;
    world.delete::<Contact>(id).await;
    for types in [vec![ContactType::Lead], vec![ContactType::Lead, ContactType::New], vec![ContactType::Vendor]] {
        let filter = ContactFilter { contact_type: types.clone().into(), ..none() };
        check_filter(&world, &all, filter, |contact| types.contains(&contact.contact_type)).await;
    }
    for status in [vec![ContactStatus::Inactive], vec![ContactStatus::Active, ContactStatus::Blocked]] {
        let filter = ContactFilter { status: status.clone().into(), ..none() };
        check_filter(&world, &all, filter, |contact| status.contains(&contact.status)).await;
    }
    for members in [vec![other], vec![world.member, other], vec![UserId(world.id())]] {
        let filter = ContactFilter { assignee: members.clone().into(), ..none() };
        check_filter(&world, &all, filter, |contact| contact.assigned_to.is_some_and(|id| members.contains(&id))).await;
    }
    for contact in &all {
        let email = Some(contact.email.to_uppercase().parse().unwrap());
        check_filter(&world, &all, ContactFilter { email, ..none() }, |other| other.id == contact.id).await;
    }
    check_filter(&world, &all, ContactFilter { email: Some(deleted.email.parse().unwrap()), ..none() }, |_| false)
        .await;
    for text in ["Ext-1", "ext-1", "Ext-"] {
        let filter = ContactFilter { external_id: external_id(text), ..none() };
        check_filter(&world, &all, filter, |contact| contact.external_id.as_deref() == Some(text)).await;
    }
    for wanted in [&["vip"][..], &["über"], &["VIP-2", "vip"], &["vi"], &["vip' | 'x"]] {
        let has = |contact: &Contact| contact.tags.iter().any(|tag| tags(wanted).contains(&tag.parse().unwrap()));
        check_filter(&world, &all, ContactFilter { tag: tags(wanted).into(), ..none() }, has).await;
    }
    let filter = ContactFilter { company_id: Some(company), tag: tags(&["vip"]).into(), ..none() };
    let vip = "VIP".to_owned();
    check_filter(&world, &all, filter, |it| it.company_id == Some(company) && it.tags.contains(&vip)).await;
    let of_company = |contact: &Contact| contact.company_id == Some(company);
    check_filter(&world, &all, ContactFilter { company_id: Some(company), ..none() }, of_company).await;
    // Words do not match tags.
    let search = SearchQuery::parse("vip").unwrap();
    check_filter(&world, &all, ContactFilter { search, ..none() }, |_| false).await;
}

/// Host name and external id match exactly, and find only live companies.
pub async fn companies_are_found_by_each_filter(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.full_company()).await;
    world.add(world.bare_company()).await;
    let domain = HostName::read(company.domain.clone().unwrap().into(), "domain", &mut Problems::default());
    let Read::Value(domain) = domain else { panic!("no host name") };
    let external_id = external_id(company.external_id.as_deref().unwrap());
    let by_domain = CompanyFilter { domain: Some(domain), ..CompanyFilter::default() };
    let by_id = CompanyFilter { external_id, ..CompanyFilter::default() };
    let by_member = CompanyFilter { assignee: vec![world.member].into(), ..CompanyFilter::default() };
    let both = CompanyFilter { domain: by_domain.domain.clone(), ..by_id.clone() };
    let all = [company];
    let of_others = CompanyFilter { assignee: vec![UserId(world.id())].into(), ..CompanyFilter::default() };
    check_filter(&world, &all, of_others, |_| false).await;
    for filter in [&by_domain, &by_id, &by_member, &both] {
        check_filter(&world, &all, filter.clone(), |_| true).await;
    }
    let id = all[0].id;
    world.delete::<Company>(id).await;
    for filter in [by_domain, by_id, by_member, both] {
        check_filter(&world, &all, filter, |_| false).await;
    }
}

pub async fn projects_are_found_by_each_filter(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for (index, status) in ProjectStatus::ALL.iter().copied().enumerate() {
        let name = ["Website relaunch", "Größere Pläne"][index % 2].to_owned();
        let description = (index == 0).then(|| "About pumps".to_owned());
        let external_id = Some(format!("p{index}"));
        all.push(world.add(Project { name, description, status, external_id, ..world.bare_project() }).await);
    }
    let check = async |filter, rule: &dyn Fn(&Project) -> bool| check_filter(&world, &all, filter, rule).await;
    let none = ProjectFilter::default;
    check(none(), &|_| true).await;
    for status in [vec![ProjectStatus::Active], vec![ProjectStatus::Active, ProjectStatus::Archived]] {
        check(ProjectFilter { status: status.clone().into(), ..none() }, &|it| status.contains(&it.status)).await;
    }
    check(ProjectFilter { external_id: external_id("p3"), ..none() }, &|it| it.external_id.as_deref() == Some("p3"))
        .await;
    let search = |text: &str| ProjectFilter { search: SearchQuery::parse(text).unwrap(), ..none() };
    check(search("relaunch web"), &|it| it.name == "Website relaunch").await;
    check(search("GROSSERE"), &|it| it.name == "Größere Pläne").await;
    check(search("pump"), &|it| it.description.is_some()).await;
    check(search("aunch"), &|_| false).await;
    let changed = Project { name: "Quartz".to_owned(), description: None, ..all[0].clone() };
    world.save(&changed).await;
    check(search("pump"), &|_| false).await;
    check(search("quar"), &|it| it.id == changed.id).await;
}

/// Checks that a filter finds exactly the issues of its kind that the rule selects.
pub(super) async fn check_issues(
    world: &TestWorkspace,
    all: &[Issue],
    filter: IssueFilter,
    rule: impl Fn(&Issue) -> bool,
) {
    let (description, kind) = (format!("{filter:?}"), filter.kind());
    let mut found = world.list::<Issue>(filter).await;
    found.sort_by_key(|issue| issue.id);
    let mut expected: Vec<_> = all.iter().filter(|issue| issue.kind == kind && rule(issue)).cloned().collect();
    expected.sort_by_key(|issue| issue.id);
    assert_eq!(found, expected, "{description}");
}

async fn issues(world: &TestWorkspace) -> Vec<Issue> {
    let project = world.add(world.bare_project()).await.id;
    let cycle = world.add(world.cycle(project, 1)).await.id;
    let members = [None, Some(world.member), Some(world.new_member().await)];
    let mut all = Vec::new();
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        for index in 0..6_usize {
            let planned = index % 2 == 0;
            let issue = Issue {
                project_id: planned.then_some(project),
                cycle_id: planned.then_some(cycle),
                assignee_id: members[index % 3],
                priority: Priority::ALL[index % 4],
                labels: [vec![], vec!["Bug".to_owned(), "UI".to_owned()]][index % 2].clone(),
                due_at: (index > 0).then(|| world.now() + Duration::days(i64::try_from(index).unwrap())),
                ..world.bare_issue(kind).await
            };
            all.push(world.add(issue).await);
        }
    }
    all
}

/// Each filter alone; `none` finds unassigned issues, alone and together with members.
pub async fn issues_are_found_by_each_filter(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = issues(&world).await;
    let cycle_id = all[0].cycle_id;
    let other = all[2].assignee_id.unwrap();
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let none = || IssueFilter::all(kind);
        check_issues(&world, &all, IssueFilter { cycle_id, ..none() }, |issue| issue.cycle_id == cycle_id).await;
        let choice = |member: Option<UserId>| member.map_or(AssigneeChoice::Nobody, AssigneeChoice::Member);
        for assignees in [vec![None], vec![Some(other)], vec![None, Some(other)], vec![Some(world.member), Some(other)]]
        {
            let assignee: Vec<_> = assignees.iter().copied().map(choice).collect();
            let filter = IssueFilter { assignee: assignee.into(), ..none() };
            check_issues(&world, &all, filter, |issue| assignees.contains(&issue.assignee_id)).await;
        }
        for priority in [vec![Priority::Urgent], vec![Priority::Low, Priority::High]] {
            let filter = IssueFilter { priority: priority.clone().into(), ..none() };
            check_issues(&world, &all, filter, |issue| priority.contains(&issue.priority)).await;
        }
        for label in [&["bug"][..], &["UI"], &["nothing", "BUG"]] {
            let filter = IssueFilter { label: tags(label).into(), ..none() };
            check_issues(&world, &all, filter, |issue| !issue.labels.is_empty()).await;
        }
        check_issues(&world, &all, IssueFilter { label: tags(&["bu"]).into(), ..none() }, |_| false).await;
        // The lower bound is inclusive, the upper one is not.
        let (from, to) = (all[2].due_at.unwrap(), all[4].due_at.unwrap());
        let filter = IssueFilter { due_after: Some(from), due_before: Some(to), ..none() };
        check_issues(&world, &all, filter, |issue| issue.due_at.is_some_and(|due| due >= from && due < to)).await;
        let several =
            vec![IssueStatus::default_of(kind), *IssueStatus::ALL.iter().rfind(|it| it.kind() == kind).unwrap()];
        check_issues(&world, &all, IssueFilter { status: several.into(), ..none() }, |_| true).await;
    }
    // Only labels are changed.
    let changed = Issue { labels: vec!["New".to_owned()], ..all[1].clone() };
    world.save_issues(std::slice::from_ref(&changed)).await;
    let id = changed.id;
    all[1] = changed;
    let new = IssueFilter { label: tags(&["new"]).into(), ..IssueFilter::all(IssueKind::Task) };
    check_issues(&world, &all, new, |issue| issue.id == id).await;
    let old = IssueFilter { label: tags(&["bug"]).into(), ..IssueFilter::all(IssueKind::Task) };
    check_issues(&world, &all, old, |issue| !issue.labels.is_empty() && issue.id != id).await;
}

/// By reference, by the address as sent, and by the current address of the contact; each ticket once, in order, in pages.
pub async fn tickets_are_found_by_reference_and_requester(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let contact = world.add(Contact { email: "Grace@Example.org".to_owned(), ..world.bare_contact() }).await;
    let with_requester = |email: &str, contact: Option<ContactId>, ticket: Issue| {
        let requester = Requester { contact_id: contact, email: email.to_owned(), ..ticket.requester.unwrap() };
        Issue { requester: Some(requester), ..ticket }
    };
    let mut all = Vec::new();
    for (email, linked) in [
        ("grace@example.org", true),
        ("old@example.org", true),
        ("GRACE@example.org", false),
        ("ada@example.org", false),
        ("grace@example.org", true),
    ] {
        let ticket = world.ticket(email).await;
        all.push(world.add(with_requester(email, linked.then_some(contact.id), ticket)).await);
    }
    let none = || IssueFilter::all(IssueKind::Ticket);
    let requester_key = |email: &str| RequesterKey::from(email.parse::<EmailKey>().unwrap());
    for ticket in &all {
        let reference = ticket.reference.as_deref().and_then(TicketReference::parse);
        check_issues(&world, &all, IssueFilter { reference, ..none() }, |other| other.id == ticket.id).await;
    }
    for (email, found) in [("GRACE@Example.ORG", &[0, 1, 2, 4][..]), ("old@example.org", &[1]), ("x@example.org", &[])]
    {
        let filter = IssueFilter { requester: Some(requester_key(email)), ..none() };
        let ids: Vec<_> = found.iter().map(|index| all[*index].id).collect();
        check_issues(&world, &all, filter.clone(), |ticket| ids.contains(&ticket.id)).await;
        let search = SearchQuery::parse("nothing").unwrap();
        check_issues(&world, &all, IssueFilter { search, ..filter }, |_| false).await;
    }
    // Only by the address as sent.
    let sent = RequesterKey { by_contact: false, ..requester_key("grace@example.org") };
    let ids = [0, 2, 4].map(|index: usize| all[index].id);
    check_issues(&world, &all, IssueFilter { requester: Some(sent), ..none() }, |ticket| ids.contains(&ticket.id))
        .await;
    let filter = IssueFilter { requester: Some(requester_key("grace@example.org")), ..none() };
    let mut newest: Vec<_> = [0, 1, 2, 4].map(|index: usize| &all[index]).into();
    newest.sort_by_key(|ticket| std::cmp::Reverse((ticket.created_at, ticket.id)));
    let after = PageRequest::after(newest[1].created_at, newest[1].id.0, 10);
    let (first, rest) = (filter.clone(), filter);
    let page = world.read(move |tx| tx.lists::<Issue>().list(&first, &PageRequest::first(1))).await;
    assert_eq!(page.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), [newest[0].id, newest[1].id]);
    let page = world.read(move |tx| tx.lists::<Issue>().list(&rest, &after)).await;
    assert_eq!(page.iter().map(|ticket| ticket.id).collect::<Vec<_>>(), [newest[2].id, newest[3].id]);
}
