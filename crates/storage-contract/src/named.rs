//! Look-ups of companies, contacts and projects by name.

use super::{StoreUnderTest, TestWorkspace};
use domain::CompanyId;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::ports::{BatchRepo, MAX_NAMESAKE_PROJECTS, MAX_NAMESAKES, NamedProject, NamedRecord};
use domain::work::projects::Project;

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

async fn companies(world: &TestWorkspace, names: &[&str]) -> Vec<NamedRecord> {
    let names = owned(names);
    let mut found = world.read(move |tx| tx.companies().named(&names)).await;
    found.sort_by(|one, other| one.external_id.cmp(&other.external_id));
    found
}

/// Finds live records by their full names in any spelling, and returns each name as passed; if many share a
/// name, it returns some of them.
pub async fn records_are_found_by_name(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let company = |name: &str, external_id: &str| Company {
        name: name.to_owned(),
        external_id: Some(external_id.to_owned()),
        ..world.bare_company()
    };
    let lantern = world.add(company("Lantern & Söhne's \"Co\"", "1")).await;
    let longer = world.add(company("Lantern & Söhne's \"Co\" Berlin", "2")).await;
    let deleted = world.add(company("Lantern & Söhne's \"Co\"", "3")).await;
    world.delete::<Company>(deleted.id).await;
    let queries = ["LANTERN & söhne's \"co\"", "Lantern", "&", "lantern & söhne's \"co\" BERLIN"];
    let named = |name: &str, company: &Company| NamedRecord {
        name: name.to_owned(),
        id: company.id.0,
        external_id: company.external_id.clone(),
    };
    assert_eq!(companies(&world, &queries).await, [named(queries[0], &lantern), named(queries[3], &longer)]);
    assert_eq!(companies(&other_world, &queries).await, []);
    assert_eq!(companies(&world, &[]).await, []);
    for number in 0..=MAX_NAMESAKES {
        world.add(company("Many", &format!("many {number}"))).await;
    }
    assert_eq!(companies(&world, &["many"]).await.len(), MAX_NAMESAKES);

    for (number, (stored, typed)) in [
        ("ΣΥΝΝΕΦΟΣ", "Συννεφος"),
        ("Cafe\u{301} Mac", "Café  MAC"),
        ("Blue\u{a0}Ember", "blue ember"),
        ("Zero\u{200b}width", "zero\u{ad}width"),
        ("Ｗｉｄｅ ＡＧ", "wide ag"),
        ("O’Brien – Straße", "o'brien - STRASSE"),
    ]
    .into_iter()
    .enumerate()
    {
        let stored = world.add(company(stored, &format!("spelling {number}"))).await;
        assert_eq!(companies(&world, &[typed]).await, [named(typed, &stored)]);
    }
    assert_eq!(companies(&world, &["Cafe Mac"]).await, [], "an accent makes another name");
    // There are more records with longer names than are compared.
    let branches: Vec<_> =
        (0..120).map(|number| company(&format!("Ember branch {number}"), &format!("ember {number}"))).collect();
    world.commit(move |tx| BatchRepo::<Company>::insert_many(tx.companies(), &branches)).await;
    let ember = world.add(company("Ember\u{200b}", "ember")).await;
    assert_eq!(companies(&world, &["EMBER"]).await, [named("EMBER", &ember)]);

    let contact = |first: Option<&str>, last: Option<&str>| Contact {
        first_name: first.map(str::to_owned),
        last_name: last.map(str::to_owned),
        ..world.bare_contact()
    };
    let mia = world.add(contact(Some("Mia"), Some("van Lantern"))).await;
    let last = world.add(contact(None, Some("Berg"))).await;
    world.add(contact(None, None)).await;
    let queries = owned(&["mia VAN lantern", "Berg", "Mia"]);
    let mut found = world.read(move |tx| tx.contacts().named(&queries)).await;
    found.sort_by_key(|record| record.name.clone());
    assert_eq!(found.iter().map(|record| record.id).collect::<Vec<_>>(), [last.id.0, mia.id.0]);
}

async fn projects(world: &TestWorkspace, names: &[&str]) -> Vec<NamedProject> {
    let names = owned(names);
    let mut found = world.read(move |tx| tx.projects().named(&names)).await;
    found.sort_by_key(|project| project.id);
    found
}

async fn add_projects(world: &TestWorkspace, projects: Vec<Project>) {
    world.commit(move |tx| projects.iter().try_for_each(|project| tx.records::<Project>().insert(project))).await;
}

/// Finds live projects as companies are found, with the company of each.
pub async fn projects_are_found_by_name(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let company = world.add(world.bare_company()).await;
    let project = |name: &str, company_id: Option<CompanyId>| Project {
        name: name.to_owned(),
        company_id,
        ..world.bare_project()
    };
    let of_company = world.add(project("Web Shop", Some(company.id))).await;
    let internal = world.add(project("WEB\u{a0}shop", None)).await;
    let deleted = world.add(project("Web Shop", None)).await;
    world.delete::<Project>(deleted.id).await;
    let app = world.add(project("O’Brien App", None)).await;
    // There are more projects with longer names than are compared.
    let branches: Vec<_> = (0..300).map(|number| project(&format!("Web Shop branch {number}"), None)).collect();
    add_projects(&world, branches).await;

    let queries = ["web  SHOP", "&", "Shop", "o'brien app", "Web Shöp"];
    let named = |name: &str, project: &Project| NamedProject {
        name: name.to_owned(),
        id: project.id,
        company_id: project.company_id,
    };
    let mut expected = [named(queries[0], &of_company), named(queries[0], &internal), named(queries[3], &app)];
    expected.sort_by_key(|project| project.id);
    assert_eq!(projects(&world, &queries).await, expected);
    assert_eq!(projects(&other_world, &queries).await, []);
    assert_eq!(projects(&world, &[]).await, []);
    let many: Vec<_> = (0..=MAX_NAMESAKE_PROJECTS).map(|_| project("Many", None)).collect();
    add_projects(&world, many).await;
    assert_eq!(projects(&world, &["many"]).await.len(), MAX_NAMESAKE_PROJECTS);
}
