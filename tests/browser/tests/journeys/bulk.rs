//! Bulk changes: owners, projects and cycles of tasks, and all matching records beyond the page.

use browser::{AriaRole, walk};
use domain::identity::workspaces::Role;
use serde_json::{Value, json};

use crate::deals::{DEALS, Selling};
use crate::people::{COMPANIES, at_work, browser_of, member};

#[tokio::test]
async fn contacts_and_companies_get_an_owner_and_undo_restores_the_previous_one() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let ann = member(&tenant, Role::Member, "Ann").await;
        let page = browser_of(test, &ann).await;
        let people = [("Ada", "ada@example.com"), ("Alan", "alan@example.com")];
        let people = people.map(|(name, email)| json!({"first_name": name, "email": email}));
        let companies = ["Acme", "Bruma"].map(|name| json!({ "name": name }));
        for (list, api, records, titles) in [
            ("/contacts", "/api/v1/crm/contacts", people, ["Ada", "Alan"]),
            ("/companies", COMPANIES, companies, ["Acme", "Bruma"]),
        ] {
            let mut ids = Vec::new();
            for record in records {
                ids.push(client.post(api, record).await.expect(201).id());
            }
            let owners = async || {
                let mut owners = Vec::new();
                for id in &ids {
                    let stored = client.get(&format!("{api}?ids={id}")).await.expect(200);
                    owners.push(stored.data()[0]["assigned_to"].clone());
                }
                owners
            };
            page.open(list).await;
            for title in titles {
                page.field(&format!("Select {title}")).click().await;
            }
            page.shows("2 selected").await;
            page.button("Edit").click().await;
            page.heading("Edit 2 records").wait().await;
            page.shows("Now: nothing (2)").await;
            page.field("Assigned to").select("Ann").await;
            page.button("Apply").click().await;
            page.shows("Changed 2 records.").await;
            page.wait_for_path(list).await;
            assert_eq!(owners().await, [json!(ann.id), json!(ann.id)], "{list}");
            for title in titles {
                let row = page.any(AriaRole::Row).containing(title).text().await;
                assert!(row.contains("Ann"), "{list}: {row}");
            }
            page.button("Undo").click().await;
            page.shows("Put 2 records back as they were.").await;
            assert_eq!(owners().await, [Value::Null, Value::Null], "{list}");
        }
    })
    .await;
}

#[tokio::test]
async fn tasks_get_a_project_and_then_a_cycle_of_it() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let project = client.post("/api/v1/projects", json!({"name": "Shop"})).await.expect(201).id();
        let cycle = json!({"name": "First", "start_date": "2031-01-01", "end_date": "2031-01-10"});
        let cycle = client.post(&format!("/api/v1/projects/{project}/cycles"), cycle).await.expect(201).id();
        let mut ids = Vec::new();
        for title in ["Roast", "Brew", "Grind"] {
            let task = json!({"kind": "task", "title": title});
            ids.push(client.post("/api/v1/issues", task).await.expect(201).id());
        }
        let members = async |name: &str| {
            let mut values = Vec::new();
            for id in &ids {
                let stored = client.get(&format!("/api/v1/issues/{id}")).await.expect(200);
                values.push(stored.data()[name].clone());
            }
            values
        };
        let page = at_work(test, &tenant, Role::Member, "Ann").await;
        let edit = async || {
            page.open("/tasks").await;
            for title in ["Select Roast", "Select Brew"] {
                page.field(title).click().await;
            }
            page.button("Edit").click().await;
            page.heading("Edit 2 records").wait().await;
        };
        let choose_project = async || {
            page.field("Project").type_text("sho").await;
            page.any(AriaRole::Option).containing("Shop").click().await;
            assert_eq!(page.field("Project").value().await, "Shop");
            page.button("Apply").click().await;
            page.shows("Changed 2 records.").await;
        };
        let undo = async || {
            page.button("Undo").click().await;
            page.shows("Put 2 records back as they were.").await;
        };
        edit().await;
        assert_eq!(page.field("Cycle").count().await, 0, "only tasks of one project can get a cycle");
        choose_project().await;
        assert_eq!(members("project_id").await, [json!(project), json!(project), Value::Null]);
        undo().await;
        assert_eq!(members("project_id").await, [Value::Null, Value::Null, Value::Null]);

        edit().await;
        choose_project().await;
        edit().await;
        page.shows("Now: Shop (2)").await;
        page.field("Cycle").select("First").await;
        page.button("Apply").click().await;
        page.shows("Changed 2 records.").await;
        assert_eq!(members("cycle_id").await, [json!(cycle), json!(cycle), Value::Null]);
        undo().await;
        assert_eq!(members("cycle_id").await, [Value::Null, Value::Null, Value::Null]);
        assert_eq!(members("project_id").await, [json!(project), json!(project), Value::Null]);
    })
    .await;
}

/// More than fit on a page.
const HOT: u32 = 53;

#[tokio::test]
async fn all_matching_records_are_edited_beyond_the_page_and_restored() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[]).await;
        for number in 0..HOT + 2 {
            let tag = if number < HOT { "hot" } else { "cold" };
            let deal = json!({"title": format!("Deal {number}"), "tags": [tag]});
            let _ = selling.client.post(DEALS, deal).await.expect(201);
        }
        let proposed = async || {
            let response = selling.client.get(&format!("{DEALS}?stage=proposal&limit=100")).await.expect(200);
            response.ids().len()
        };
        let page = &selling.page;
        page.open("/deals?tag=hot").await;
        page.shows("53 deals").await;
        let all = page.field("Select all that match");
        assert_eq!(all.count().await, 0, "it is offered only once the whole page is selected");
        page.field("Select all").click().await;
        page.shows("50 selected").await;
        all.click().await;
        page.button("Edit").click().await;
        page.heading("Edit all 53 records that match").wait().await;
        page.shows("Now: Discovery (53)").await;
        page.field("Stage").select("Proposal").await;
        page.button("Apply").click().await;
        page.shows("Changed 53 records.").await;
        page.wait_for_path("/deals?tag=hot").await;
        assert_eq!(proposed().await, 53, "and no other");
        page.button("Undo").click().await;
        page.shows("Put 53 records back as they were.").await;
        assert_eq!(proposed().await, 0);

        // The page that edits a few records offers to edit all.
        page.field("Select Deal 52").click().await;
        page.button("Edit").click().await;
        page.heading("Edit 1 record").wait().await;
        page.field("Stage").select("Qualified").await;
        page.button("Select all that match").click().await;
        page.heading("Edit all 53 records that match").wait().await;
        assert_eq!(page.field("Stage").value().await, "qualified", "what was chosen stays");
    })
    .await;
}

#[tokio::test]
async fn going_back_to_the_bulk_edit_page_works() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        page.open("/deals").await;
        for title in ["Select Pilot", "Select Renewal"] {
            page.field(title).click().await;
        }
        page.button("Edit").click().await;
        page.heading("Edit 2 records").wait().await;
        page.field("Stage").select("Proposal").await;
        page.button("Apply").click().await;
        page.shows("Changed 2 records.").await;
        page.wait_for_path("/deals").await;
        page.back().await;
        page.heading("Edit 2 records").wait().await;
        page.shows("Now: Proposal (2)").await;
        page.back().await;
        page.wait_for_path("/deals").await;
    })
    .await;
}
