//! The same record in two windows, and changes by others while a page is open.

use browser::{AriaRole, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{COMPANIES, at_work};

/// Changes a field in place.
async fn change(page: &Page, field: &str, value: &str) {
    page.link(&format!("Edit {field}")).click().await;
    page.field(field).fill(value).await;
    page.button("Save").click().await;
    page.link(&format!("Edit {field}")).wait().await;
}

#[tokio::test]
async fn the_second_of_two_conflicting_editors_sees_the_conflict_and_chooses() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let company = json!({"name": "Acme", "industry": "Steel", "phone": "1"});
        let id = client.post(COMPANIES, company).await.expect(201).id();
        let (record, api) = (format!("/companies/{id}"), format!("{COMPANIES}/{id}"));
        let ann = at_work(test, &tenant, Role::Member, "Ann").await;
        let bob = at_work(test, &tenant, Role::Member, "Bob").await;
        ann.open(&record).await;
        bob.open(&record).await;
        bob.link("Edit").click().await;
        bob.field("Industry").fill("Wood").await;
        bob.field("Website").fill("https://acme.example").await;

        change(&ann, "Industry", "Iron").await;
        change(&ann, "Phone", "2").await;
        bob.button("Save").click().await;
        bob.shows("Ann changed this too").await;
        bob.shows("Iron").await;
        assert_eq!(bob.field("Industry").value().await, "Wood", "the input is kept");
        assert_eq!(client.get(&api).await.expect(200).data()["industry"], "Iron", "nothing is overwritten silently");
        bob.field("Mine (editable)").click().await;
        bob.button("Save").click().await;
        bob.shows("Saved “Acme”.").await;
        let stored = client.get(&api).await.expect(200).data().clone();
        let members = ["industry", "phone", "website"].map(|name| stored[name].clone());
        assert_eq!(members, ["Wood", "2", "https://acme.example"].map(|text| json!(text)));

        // Ann, whose page has stayed open, sees Bob's change without reloading.
        ann.shows("Wood").await;
    })
    .await;
}

#[tokio::test]
async fn own_in_place_changes_do_not_block_a_deletion_and_changes_by_others_do() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let page = at_work(test, &tenant, Role::Owner, "Ann").await;
        let open = async |name: &str| {
            let company = json!({"name": name, "industry": "Steel", "phone": "1"});
            let id = client.post(COMPANIES, company).await.expect(201).id();
            page.open(&format!("/companies/{id}")).await;
            change(&page, "Industry", "Iron").await;
            id
        };
        let _ = open("Acme").await;
        change(&page, "Phone", "2").await;
        page.button("Delete").click().await;
        page.shows("Deleted “Acme”.").await;

        let _ = open("Globex").await;
        page.button("Undo").click().await;
        page.shows("Put 1 record back as it was.").await;
        page.button("Delete").click().await;
        page.shows("Deleted “Globex”.").await;

        let id = open("Initech").await;
        let _ = client.patch(&format!("{COMPANIES}/{id}"), json!({"phone": "555-0199"})).await.expect(200);
        page.shows("555-0199").await;
        change(&page, "Industry", "Gold").await;
        page.button("Delete").click().await;
        page.any(AriaRole::Alert).containing("This record changed after you opened it.").wait().await;
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["phone"], "555-0199");
    })
    .await;
}

#[tokio::test]
async fn changes_by_a_colleague_appear_automatically_with_their_name() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let company = json!({"name": "Acme", "industry": "Steel", "phone": "1"});
        let id = client.post(COMPANIES, company).await.expect(201).id();
        let ann = at_work(test, &tenant, Role::Member, "Ann").await;
        let bob = at_work(test, &tenant, Role::Member, "Bob").await;
        let list = at_work(test, &tenant, Role::Viewer, "Vera").await;
        list.open("/companies?columns=industry").await;
        ann.open(&format!("/companies/{id}")).await;
        bob.open(&format!("/companies/{id}")).await;
        // Text that is being typed is not replaced.
        ann.link("Edit Phone").click().await;
        ann.field("Phone").fill("+49 30").await;
        change(&bob, "Industry", "Iron").await;
        ann.any(AriaRole::Status).containing("Changed by Bob").wait().await;
        list.any(AriaRole::Row).containing("Iron").wait().await;
        assert_eq!(ann.field("Phone").value().await, "+49 30");
        ann.button("Save").click().await;
        ann.shows("Iron").await;
        bob.shows("+49 30").await;
        bob.any(AriaRole::Status).containing("Changed by Ann").wait().await;

        // The history distinguishes them.
        bob.link("History").click().await;
        bob.any(AriaRole::ListItem).containing("Ann changed it").wait().await;
        bob.any(AriaRole::ListItem).containing("Bob changed it").wait().await;
    })
    .await;
}

#[tokio::test]
async fn going_back_to_a_form_creates_only_one_record() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        page.open("/companies/new").await;
        page.field("Name").fill("Acme").await;
        page.button("Save").click().await;
        page.shows("Created “Acme”.").await;
        let record = page.path().await;
        page.back().await;
        page.heading("New company").wait().await;
        page.settles().await;
        page.field("Name").fill("Acme").await;
        page.button("Save").click().await;
        page.shows("This form was already submitted.").await;
        assert_eq!(page.path().await, record);
        // A new form creates another record.
        page.open("/companies/new").await;
        page.field("Name").fill("Acme").await;
        page.button("Save").click().await;
        page.shows("Created “Acme”.").await;
        assert_ne!(page.path().await, record);
        assert_eq!(client.get(COMPANIES).await.expect(200).ids().len(), 2);
    })
    .await;
}
