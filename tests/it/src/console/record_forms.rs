//! Forms of records: the order of fields, hints, and how numbers and currencies are typed.

use std::time::Duration;

use domain::identity::workspaces::Role;
use http_core::HttpSettings;
use serde_json::json;
use test_support::waiting::poll;
use test_support::{App, AppOptions};

use super::records::{added, start};
use crate::database::execute;

#[tokio::test]
async fn a_decimal_comma_never_becomes_another_number() {
    let (_app, _tenant, client, browser) = start().await;
    let (path, api) = added(&client, "/deals", json!({"title": "Pilot", "value": 7, "currency": "CHF"})).await;
    let edit = format!("{path}/edit?field=value");
    let form = browser.open(&edit).await.expect(200);
    form.assert_contains(&["id=\"value-unit\">CHF<"]);
    assert!(form.html().contains("inputmode=\"decimal\"") && !form.html().contains("type=\"number\""));
    for ambiguous in ["1,234", "1.234,50", "1,234.50", "1 234,50"] {
        let refused = browser.submit(&form, &path, &[("value", ambiguous)]).await.expect(422);
        assert!(refused.html().contains("write 1234.50"), "{ambiguous}: {}", refused.html());
        assert!(refused.html().contains(&format!("value=\"{ambiguous}\"")), "{ambiguous}: {}", refused.html());
    }
    assert_eq!(client.get(&api).await.expect(200).data()["value"], json!(7));
    let saved = browser.submit(&form, &path, &[("value", "12,5")]).await.expect(200);
    saved.assert_contains(&["12.50"]);
    assert_eq!(client.get(&api).await.expect(200).data()["value"], json!(12.5));
}

#[tokio::test]
async fn a_currency_may_be_typed_in_lower_case() {
    let (_app, _tenant, client, browser) = start().await;
    let form = browser.open("/deals/new").await.expect(200);
    form.assert_contains(&["<option value=\"EUR\">"]);
    let created = browser.submit(&form, "/deals", &[("title", "Pilot"), ("currency", "chf")]).await.expect(200);
    let deal = client.get(&format!("/api/v1/crm{}", created.address)).await.expect(200);
    assert_eq!(deal.data()["currency"], "CHF");
}

#[tokio::test]
async fn a_new_deal_has_the_common_fields_first_and_belongs_to_its_creator() {
    let (_app, _tenant, client, browser) = start().await;
    let form = browser.open("/deals/new").await.expect(200);
    let (first, more) = form.html().split_once("<details class=\"form-more\">").unwrap();
    for (name, part) in [("title", first), ("value", first), ("currency", first), ("source", more), ("tags", more)] {
        assert!(part.contains(&format!("id=\"field-{name}\"")), "{name}: {}", form.html());
    }
    assert_eq!(first.matches(" autofocus").count(), 1, "{}", form.html());
    let title = first.split("id=\"field-title\"").nth(1).and_then(|rest| rest.split('>').next()).unwrap();
    assert!(title.contains(" autofocus"), "{title}");
    // Terms of the API are not shown to people.
    for program in ["also set stage", "custom fields of the record", "All of its tags"] {
        assert!(!form.html().contains(program), "{program}: {}", form.html());
    }
    form.assert_contains(&["Separate tags with commas."]);
    let created = browser.submit(&form, "/deals", &[("title", "Pilot")]).await.expect(200);
    let deal = client.get(&format!("/api/v1/crm{}", created.address)).await.expect(200);
    assert_eq!(deal.data()["assigned_to"], deal.data()["created_by"]["id"], "{}", deal.text);
}

#[tokio::test]
async fn new_contacts_and_companies_belong_to_their_creator_and_are_listed_as_mine() {
    let (_app, _tenant, client, browser) = start().await;
    for (path, member, value) in [("/contacts", "email", "ola@acme.example"), ("/companies", "name", "Acme")] {
        let (list, other) = (format!("/api/v1/crm{path}"), format!("x{value}"));
        let _ = client.post(&list, json!({ member: other })).await.expect(201);
        let form = browser.open(&format!("{path}/new")).await.expect(200);
        let _ = browser.submit(&form, path, &[(member, value)]).await.expect(200);
        let links = browser.open(path).await.expect(200).links();
        let mine = links.iter().find(|link| link.starts_with(&format!("{path}?assignee="))).unwrap();
        let shown = browser.open(mine).await.expect(200);
        assert!(shown.html().contains(value) && !shown.html().contains(&other), "{}", shown.html());
        let results = client.get(&list).await.expect(200);
        let created = results.body["data"].as_array().unwrap().iter().find(|one| one[member] == value).unwrap();
        assert_eq!(created["assigned_to"], created["created_by"]["id"], "{created}");
    }
}

#[tokio::test]
async fn a_refused_form_leads_to_the_first_wrong_field_even_among_hidden_ones() {
    let (_app, _tenant, _client, browser) = start().await;
    let form = browser.open("/contacts/new").await.expect(200);
    let values = [("email", "no address"), ("social_linkedin", "ftp://x")];
    let refused = browser.submit(&form, "/contacts", &values).await.expect(422);
    refused.assert_contains(&["<details class=\"form-more\" open>"]);
    for link in ["#field-email", "#field-social_linkedin"] {
        assert!(refused.html().contains(&format!("href=\"{link}\"")), "{link}: {}", refused.html());
    }
    assert_eq!(refused.html().matches(" autofocus").count(), 1, "{}", refused.html());
    let email = refused.html().split("id=\"field-email\"").nth(1).and_then(|rest| rest.split('>').next()).unwrap();
    assert!(email.contains(" autofocus"), "{email}");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_creates_one_record_and_shows_it() {
    let (_app, tenant, owner) = App::with_browser(Role::Owner).await;
    let key = tenant.full_access().await;
    let project = key.create("/api/v1/projects", json!({"name": "Move"})).await;
    let task = key.create("/api/v1/issues", json!({"kind": "task", "title": "Pack"})).await;
    let cycles = format!("/projects/{project}/cycles");
    for (page, action, values, list) in [
        ("/companies/new", "/companies", &[("name", "Twice")][..], "/api/v1/crm/companies"),
        (
            "/contacts/new",
            "/contacts",
            &[("email", "twice@acme.example"), ("first_name", "Twice")],
            "/api/v1/crm/contacts",
        ),
        ("/deals/new", "/deals", &[("title", "Twice")], "/api/v1/crm/deals"),
        ("/projects/new", "/projects", &[("name", "Twice")], "/api/v1/projects"),
        ("/tasks/new", "/tasks", &[("title", "Twice")], "/api/v1/issues?kind=task&search=twice"),
        ("/tickets/new", "/tickets", &[("title", "Twice")], "/api/v1/issues?kind=ticket&search=twice"),
        ("/articles/new", "/articles", &[("title", "Twice")], ""),
        (
            &*format!("{cycles}/new"),
            &*cycles,
            &[("name", "Twice"), ("start_date", "2096-03-05"), ("end_date", "2096-03-18")],
            &*format!("/api/v1/projects/{project}/cycles"),
        ),
    ] {
        let form = owner.open(page).await.expect(200);
        let first = owner.submit(&form, action, values).await.expect(200);
        let second = owner.submit(&form, action, values).await.expect(200);
        assert_eq!(second.address, first.address, "{action}");
        assert!(second.html().contains("This form was already submitted"), "{action}: {}", second.html());
        if !list.is_empty() {
            let results = key.get(list).await.expect(200);
            assert_eq!(results.text.matches("\"Twice\"").count(), 1, "{action}: {}", results.text);
        }
        // With other values, it is treated as another form.
        let other = values.iter().map(|(name, value)| (*name, if *value == "Twice" { "Other" } else { *value }));
        let other: Vec<_> = other.collect();
        if !["/contacts", &*cycles].contains(&action) {
            let third = owner.submit(&form, action, &other).await.expect(200);
            assert_ne!(third.address, first.address, "{action}");
        }
    }
    let page = format!("/tasks/{task}");
    let shown = owner.open(&page).await.expect(200);
    for _ in 0..2 {
        let _ = owner.submit(&shown, &format!("{page}/comments"), &[("body", "Once")]).await.expect(200);
    }
    let comments = key.get(&format!("/api/v1/issues/{task}/comments")).await.expect(200);
    assert_eq!(comments.ids().len(), 1, "{}", comments.text);
    let list = owner.open("/companies?search=acme").await.expect(200);
    for _ in 0..2 {
        let _ = owner.submit(&list, "/views", &[("name", "Ours")]).await.expect(200);
    }
    let list = owner.open("/companies").await.expect(200);
    assert_eq!(list.html().matches(">Ours").count(), 1, "{}", list.html());
    let members = owner.open("/settings/members").await.expect(200);
    let invitation = [("email", "new@acme.example"), ("role", "member")];
    for _ in 0..2 {
        let _ = owner.submit(&members, "/settings/members", &invitation).await.expect(200);
    }
}

#[tokio::test]
async fn a_form_that_is_shown_again_keeps_its_number() {
    let (_app, _tenant, _client, browser) = start().await;
    for (page, action, wrong) in [
        ("/contacts/new", "/contacts", ("email", "no address")),
        ("/tickets/new", "/tickets", ("requester_email", "no address")),
        ("/settings/keys/new", "/settings/keys", ("allowed_networks", "here")),
        ("/settings/webhooks/new?module=crm", "/settings/webhooks", ("url", "no address")),
    ] {
        let form = browser.open(page).await.expect(200);
        let refused = browser.submit(&form, action, &[wrong]).await.expect(422);
        let number = form.value_of(action, "_once");
        assert!(number.is_some(), "{action}: {}", form.html());
        assert_eq!(refused.value_of(action, "_once"), number, "{action}: {}", refused.html());
    }
}

/// The service reports a failure, and the database saves the record a moment later.
#[tokio::test]
async fn a_form_that_times_out_is_kept_and_creates_one_record() {
    let settings = HttpSettings { deadline: Duration::from_secs(3), ..AppOptions::default().settings };
    let app = App::start_as(AppOptions { settings, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let (client, browser) = (tenant.full_access().await, tenant.signed_in(Role::Owner).await);
    let form = browser.open("/deals/new").await.expect(200);
    let slow = "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS \
                'BEGIN PERFORM pg_sleep(5); RETURN NEW; END'; \
                CREATE TRIGGER dawdle BEFORE INSERT ON deals FOR EACH ROW EXECUTE FUNCTION dawdle()";
    execute(&app, slow);
    let mut pending = browser.submit(&form, "/deals", &[("title", "Pilot <b>")]).await.expect(503);
    pending.assert_contains(&["nothing is created twice", "Pilot &#60;b&#62;", "Send again"]);
    // While it is being saved, each response contains the same form.
    let number = form.value_of("/deals", "_once");
    let saved = poll(async || {
        let response = browser.submit(&pending, "/deals", &[]).await;
        if response.response.status == 200 {
            return Ok(response);
        }
        assert!(matches!(response.response.status, 422 | 503), "{}", response.html());
        assert_eq!(response.value_of("/deals", "_once"), number, "{}", response.html());
        pending = response;
        Err(pending.html().to_owned())
    });
    let pending = saved.await.unwrap_or_else(|last| panic!("not saved in time: {last}"));
    pending.assert_contains(&["Pilot &#60;b&#62;"]);
    let deals = client.get("/api/v1/crm/deals").await.expect(200).ids();
    assert_eq!((deals.len(), pending.address), (1, format!("/deals/{}", deals[0])));
}
