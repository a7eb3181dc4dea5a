//! Lists and pages of contacts, companies and deals (interface 26).

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Client, Screen, Tenant, assert_members};

const KINDS: [(&str, &str, &str); 3] = [
    ("/contacts", "/api/v1/crm/contacts", "email"),
    ("/companies", "/api/v1/crm/companies", "name"),
    ("/deals", "/api/v1/crm/deals", "title"),
];

fn minimal(member: &str, text: &str) -> Value {
    if member == "email" { json!({"email": format!("{text}@example.com")}) } else { json!({ member: text }) }
}

/// The page of a record, and the record over the API.
pub(super) async fn added(client: &Client, path: &str, body: Value) -> (String, String) {
    let api = format!("/api/v1/crm{path}");
    let id = client.create(&api, body).await;
    (format!("{path}/{id}"), format!("{api}/{id}"))
}

/// The parts of the HTML between two markers.
pub(super) fn between<'a>(html: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    html.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

pub(super) async fn start() -> (App, Tenant, Client, Browser) {
    let (app, tenant, client) = App::with_workspace_client().await;
    let browser = tenant.signed_in(Role::Owner).await;
    (app, tenant, client, browser)
}

#[tokio::test]
async fn readers_see_records_and_writers_change_them() {
    let (_app, tenant, client, owner) = start().await;
    for (path, api, member) in KINDS {
        let (page, _) = added(&client, path, minimal(member, "first")).await;
        for role in [Role::Owner, Role::Admin, Role::Member, Role::Viewer] {
            let browser = tenant.signed_in(role).await;
            let may = role != Role::Viewer;
            let list = browser.open(path).await.expect(200);
            assert!(list.html().contains(&page), "{role} {path}: {}", list.html());
            assert_eq!(list.html().contains(&format!("{path}/new")), may, "{role} {path}");
            assert_eq!(list.has_form(&format!("{path}/bulk")), may, "{role} {path}");
            let sees_deleted = matches!(role, Role::Owner | Role::Admin);
            assert_eq!(list.html().contains(&format!("{path}?deleted=true")), sees_deleted, "{role} {path}");
            let deleted = browser.open(&format!("{path}?deleted=true")).await;
            assert_eq!(deleted.response.status, if sees_deleted { 200 } else { 403 }, "{role} {path}");
            let shown = browser.open(&page).await.expect(200);
            assert_eq!(shown.has_form(&format!("{page}/delete")), may, "{role} {path}");
            assert_eq!(shown.has_form(&format!("{page}/comments")), may, "{role} {path}");
            assert_eq!(shown.html().contains(&format!("{page}/edit")), may, "{role} {path}");
            let _ = browser.open(&format!("{page}/history")).await.expect(200);
            for form in ["new".to_owned(), format!("{}/edit", page.rsplit('/').next().unwrap())] {
                let opened = browser.open(&format!("{path}/{form}")).await;
                assert_eq!(opened.response.status, if may { 200 } else { 403 }, "{role} {path}/{form}");
            }
        }
        let viewer = tenant.signed_in(Role::Viewer).await;
        let token = viewer.open("/").await.fields_of("/sign-out");
        for action in [path.to_owned(), page.clone(), format!("{page}/delete"), format!("{path}/bulk")] {
            let refused = viewer.send(viewer.post(&action, &token)).await;
            assert_eq!(refused.status, 403, "{action}: {}", refused.text);
        }
        let listed = client.get(api).await.expect(200);
        assert_eq!(listed.data()[0]["version"], 1, "{path}");
        let foreign = foreign_status(&owner, &page).await;
        assert_eq!(foreign, 404, "{path}");
    }
}

/// The status of a page for a user of another workspace.
async fn foreign_status(owner: &Browser, page: &str) -> u16 {
    let unknown = format!("{}/01890a5d-ac96-774b-bcce-b302099a8057", page.rsplit_once('/').unwrap().0);
    owner.open(&unknown).await.response.status
}

#[tokio::test]
async fn a_record_is_created_changed_deleted_and_restored_without_scripts() {
    let (_app, _tenant, client, browser) = start().await;
    let form = browser.open("/companies/new").await.expect(200);
    let new = browser.submit(&form, "/companies", &[("name", "Acme"), ("domain", "ACME.example")]).await.expect(200);
    new.assert_contains(&["Created “Acme”", "acme.example"]);
    let path = new.address.clone();
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let saved = browser.submit(&edit, &path, &[("industry", "Steel"), ("domain", "")]).await.expect(200);
    assert_eq!(saved.address, path);
    let api = format!("/api/v1/crm{path}");
    let record = client.get(&api).await.expect(200).data().clone();
    assert_members(&record, &json!({"industry": "Steel", "domain": null, "version": 2}));
    // A form that changes nothing creates no version.
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let _ = browser.submit(&edit, &path, &[]).await.expect(200);
    assert_eq!(client.get(&api).await.expect(200).data()["version"], 2);
    let page = browser.submit(&saved, &format!("{path}/delete"), &[]).await.expect(200);
    assert_eq!(page.address, "/companies");
    page.assert_contains(&["Deleted “Acme”"]);
    let _ = client.get(&api).await.expect(404);
    let deleted = browser.open("/companies?deleted=true").await.expect(200);
    assert!(deleted.html().contains(">Acme<") && !deleted.html().contains(&format!("href=\"{path}\"")));
    let restored = browser.submit(&page, &format!("{path}/restore"), &[]).await.expect(200);
    assert_eq!(restored.address, path);
    let _ = client.get(&api).await.expect(200);
}

#[tokio::test]
async fn a_refused_form_keeps_typed_text_and_reports_errors_next_to_fields() {
    let (_app, _tenant, client, browser) = start().await;
    for (path, values, field, typed) in [
        ("/contacts", [("email", "no address"), ("first_name", "Ann")], "email", "Ann"),
        ("/companies", [("name", "Acme"), ("website", "ftp://x")], "website", "Acme"),
        ("/deals", [("title", "Pilot"), ("value", "-1")], "value", "Pilot"),
    ] {
        let form = browser.open(&format!("{path}/new")).await.expect(200);
        let refused = browser.submit(&form, path, &values).await.expect(422);
        assert!(refused.html().contains(&format!("id=\"{field}-error\"")), "{path}: {}", refused.html());
        assert!(refused.fields_of(path).iter().any(|(_, value)| value == typed), "{path}");
        let (page, _) =
            added(&client, path, minimal(if path == "/contacts" { "email" } else { values[0].0 }, "x")).await;
        for edit in [format!("{page}/edit"), format!("{page}/edit?field={field}")] {
            let form = browser.open(&edit).await.expect(200);
            let bad: Vec<_> = values.iter().copied().filter(|(name, _)| *name == field).collect();
            let refused = browser.submit(&form, &page, &bad).await.expect(422);
            assert!(refused.html().contains(&format!("id=\"{field}-error\"")), "{edit}: {}", refused.html());
            assert!(refused.fields_of(&page).iter().any(|(_, value)| value == bad[0].1), "{edit}");
        }
    }
    let _ = added(&client, "/companies", json!({"name": "Other", "domain": "taken.example"})).await;
    let form = browser.open("/companies/new").await.expect(200);
    let refused =
        browser.submit(&form, "/companies", &[("name", "New"), ("domain", "taken.example")]).await.expect(422);
    refused.assert_contains(&["id=\"domain-error\""]);
}

#[tokio::test]
async fn records_are_picked_by_name() {
    let (_app, tenant, client, browser) = start().await;
    let (company, _) = added(&client, "/companies", json!({"name": "Acme Steel"})).await;
    let _ = added(&client, "/companies", json!({"name": "Acme Wood"})).await;
    let offers = browser.open("/pick/company?q=acme").await.expect(200);
    assert_eq!(between(offers.html(), "data-name=\"", "\""), ["Acme Wood", "Acme Steel"]);
    assert_eq!(browser.open("/pick/nothing?q=x").await.response.status, 404);
    let member = browser.open("/pick/member?q=own").await.expect(200);
    member.assert_contains(&["<li"]);
    let viewer = tenant.signed_in(Role::Viewer).await;
    let _ = viewer.open("/pick/deal?q=x").await.expect(200);

    let form = browser.open("/deals/new").await.expect(200);
    let values = |name| [("title", "Pilot"), ("company_id", name)];
    let several = browser.submit(&form, "/deals", &values("acme")).await.expect(422);
    assert!(several.html().contains("Acme Steel, Acme Wood") || several.html().contains("Acme Wood, Acme Steel"));
    assert!(several.fields_of("/deals").contains(&("company_id".to_owned(), "acme".to_owned())));
    let none = browser.submit(&form, "/deals", &values("zephyr")).await.expect(422);
    none.assert_contains(&["id=\"company_id-error\""]);
    for name in ["acme st", "ACME STEEL"] {
        let created = browser.submit(&form, "/deals", &values(name)).await.expect(200);
        created.assert_contains(&[&format!("<a href=\"{company}\">Acme Steel</a>")]);
    }
    // A picked record is identified by its id, even if another has the same name.
    let (other, _) = added(&client, "/companies", json!({"name": "Acme Steel"})).await;
    let id = other.rsplit('/').next().unwrap();
    let picked =
        [("title", "x"), ("company_id", "Acme Steel"), ("_id.company_id", id), ("_name.company_id", "Acme Steel")];
    let created = browser.submit(&form, "/deals", &picked).await.expect(200);
    assert!(created.html().contains(&other), "{}", created.html());
    let opened = browser.open(&format!("{}/edit?field=company_id", created.address)).await.expect(200);
    assert!(opened.fields_of(&created.address).contains(&("company_id".to_owned(), "Acme Steel".to_owned())));
    let _ = browser.submit(&opened, &created.address, &[("company_id", "")]).await.expect(200);
    assert_eq!(client.get(&format!("/api/v1/crm{}", created.address)).await.data()["company_id"], json!(null));
}

#[tokio::test]
async fn the_address_is_the_state_of_a_list() {
    let (_app, _tenant, client, browser) = start().await;
    for (title, value, stage) in [("Small", 10, "discovery"), ("Large", 900, "proposal"), ("Middle", 50, "proposal")] {
        let _ = added(&client, "/deals", json!({"title": title, "value": value, "stage": stage})).await;
    }
    let titles = |screen: &Screen| {
        let cells = between(screen.html(), "class=\"title-cell\">", "</td>");
        cells.iter().map(|cell| between(cell, ">", "<").concat()).collect::<Vec<_>>()
    };
    let list = browser.open("/deals?stage=proposal&order=value").await.expect(200);
    assert_eq!(titles(&list), ["Large", "Middle"]);
    list.assert_contains(&["href=\"/deals?order=value\"", "aria-sort=\"descending\""]);
    assert_eq!(titles(&browser.open("/deals?order=value").await), ["Large", "Middle", "Small"]);
    assert_eq!(titles(&browser.open("/deals?search=mid").await), ["Middle"]);
    let page = browser.open("/deals?order=value&limit=2").await.expect(200);
    let next = between(page.html(), "rel=\"next\" href=\"", "\"")[0].replace("&#38;", "&").replace("&amp;", "&");
    assert_eq!(titles(&browser.open(&next).await.expect(200)), ["Small"]);
    let columns = browser.open("/deals?columns=currency&columns=created_at").await.expect(200);
    let heads = between(columns.html(), "<thead>", "</thead>")[0];
    assert!(heads.contains("Currency") && heads.contains("Created") && !heads.contains("Stage"), "{heads}");
    assert_eq!(browser.open("/deals?stage=unknown").await.response.status, 400);
    assert!(browser.open("/deals?search=nothing").await.html().contains("No deals match these filters"));
    assert!(browser.open("/companies").await.html().contains("No companies yet"));
}

#[tokio::test]
async fn a_missing_number_is_aligned_like_the_others() {
    let (_app, _tenant, client, browser) = start().await;
    let _ = added(&client, "/deals", json!({"title": "Free"})).await;
    let list = browser.open("/deals?columns=value&columns=source").await.expect(200);
    for class in [" class=\"number\"", ""] {
        let cell = format!("<td{class}><span class=\"text-secondary\" aria-hidden=\"true\">–</span>");
        assert_eq!(list.html().matches(&cell).count(), 1, "{class}: {}", list.html());
    }
}

#[tokio::test]
async fn records_of_a_record_are_listed_with_it() {
    let (_app, _tenant, client, browser) = start().await;
    let (company, _) = added(&client, "/companies", json!({"name": "Acme"})).await;
    let id = company.rsplit('/').next().unwrap();
    let (contact, _) = added(&client, "/contacts", json!({"email": "ann@acme.example", "company_id": id})).await;
    let (deal, _) = added(&client, "/deals", json!({"title": "Pilot", "company_id": id, "value": 7})).await;
    let shown = browser.open(&company).await.expect(200);
    for (path, record, text) in [("/contacts", &contact, "ann@acme.example"), ("/deals", &deal, "Pilot")] {
        shown.assert_contains(&[&format!("href=\"{path}?company_id={id}\""), &format!("{path}/new?company_id={id}")]);
        let short = browser.open(&format!("{path}/related?company_id={id}&limit=5")).await.expect(200);
        assert!(short.html().contains(record) && short.html().contains(text), "{}", short.html());
        let listed = browser.open(&format!("{path}?company_id={id}")).await.expect(200);
        listed.assert_contains(&["Company: Acme"]);
        let new = browser.open(&format!("{path}/new?company_id={id}")).await.expect(200);
        assert!(new.fields_of(path).contains(&("company_id".to_owned(), "Acme".to_owned())), "{}", new.html());
    }
}

#[tokio::test]
async fn the_tickets_of_a_contact_are_on_its_page() {
    let (_app, tenant, client, browser) = start().await;
    let (contact, _) = added(&client, "/contacts", json!({"email": "Ann+1@acme.example"})).await;
    let form = browser.open("/tickets/new").await.expect(200);
    let values = [("title", "Pump leaks"), ("requester_email", "ann+1@acme.example"), ("requester_name", "Ann")];
    let ticket = browser.submit(&form, "/tickets", &values).await.expect(200).address;
    let values = [("title", "Another's"), ("requester_email", "bob@acme.example"), ("requester_name", "Bob")];
    let _ = browser.submit(&form, "/tickets", &values).await.expect(200);
    let shown = browser.open(&contact).await.expect(200);
    let filter = "requester=Ann%2B1%40acme.example";
    shown.assert_contains(&[&format!("href=\"/tickets?{filter}\"")]);
    let short = browser.open(&format!("/tickets/related?{filter}&limit=5")).await.expect(200);
    assert!(short.html().contains(&ticket) && !short.html().contains("Another"), "{}", short.html());
    let new = format!("/tickets/new?{}", filter.replace("requester", "requester_email"));
    assert!(shown.html().contains(&new), "{}", shown.html());
    let form = browser.open(&new).await.expect(200);
    assert!(form.fields_of("/tickets").contains(&("requester_email".to_owned(), "Ann+1@acme.example".to_owned())));
    let viewer = tenant.signed_in(Role::Viewer).await.open(&contact).await.expect(200);
    assert!(viewer.html().contains("/tickets/related?") && !viewer.html().contains("/tickets/new?"));
}

#[tokio::test]
async fn stored_html_is_text_on_every_page() {
    const EVIL: &str = "<img src=x onerror=alert(1)>";
    let (_app, _tenant, client, browser) = start().await;
    let company = json!({"name": EVIL, "industry": EVIL, "phone": EVIL, "notes": EVIL, "external_id": EVIL});
    let (company, _) = added(&client, "/companies", company).await;
    let id = company.rsplit('/').next().unwrap();
    let contact = json!({
        "email": "x@example.com", "first_name": EVIL, "last_name": EVIL, "phone": EVIL, "job_title": EVIL, "company_id": id,
        "company_name": EVIL, "lead_source": EVIL, "industry": EVIL, "notes": EVIL, "tags": [EVIL], "custom_fields": {EVIL: EVIL},
        "external_id": EVIL, "country": EVIL, "state": EVIL, "city": EVIL,
    });
    let (contact, _) = added(&client, "/contacts", contact).await;
    let deal = json!({
        "title": EVIL, "description": EVIL, "company_id": id, "contact_id": contact.rsplit('/').next().unwrap(), "source": EVIL,
        "tags": [EVIL], "custom_fields": {EVIL: EVIL}, "external_id": EVIL, "territory": EVIL,
        "stage": "closed_lost", "lost_reason": EVIL,
    });
    let (deal, api) = added(&client, "/deals", deal).await;
    let _ = client.post(&format!("{api}/comments"), json!({"body": EVIL})).await.expect(201);
    let _ = client.patch(&api, json!({"territory": format!("{EVIL}2")})).await.expect(200);
    let columns =
        "columns=notes&columns=description&columns=tags&columns=custom_fields&columns=industry&columns=territory";
    let mut pages =
        vec!["/deals/board".to_owned(), "/pick/company?q=img".to_owned(), format!("{deal}/close?stage=closed_won")];
    for (path, page) in [("/companies", &company), ("/contacts", &contact), ("/deals", &deal)] {
        pages.extend([
            path.to_owned(),
            format!("{path}?{columns}"),
            format!("{path}?search=onerror"),
            format!("{path}/related"),
        ]);
        pages.extend([
            page.clone(),
            format!("{page}/edit"),
            format!("{page}/edit?field=notes"),
            format!("{page}/history"),
        ]);
    }
    for page in pages {
        let screen = browser.open(&page).await.expect(200);
        assert!(!screen.html().contains("<img"), "{page}: {}", screen.html());
    }
    let shown = browser.open(&deal).await.expect(200);
    shown.assert_contains(&["&#60;img src=x onerror=alert(1)&#62;"]);
    let typed = browser.open("/deals/new").await;
    let refused =
        browser.submit(&typed, "/deals", &[("title", EVIL), ("value", EVIL), ("company_id", EVIL)]).await.expect(422);
    assert!(!refused.html().contains("<img"), "{}", refused.html());
}
