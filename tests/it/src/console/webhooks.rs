//! Webhooks in the console: every page and form, as owners use them and as others may not.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Receiver, Screen, Tenant, eventually};

use crate::support::UNKNOWN_ID;
use crate::webhook_events::subscribe;

const LIST: &str = "/settings/webhooks";
/// Stored text that must not become markup of a page.
const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// Fills in and sends the form of a new webhook for a module.
async fn create(browser: &Browser, module: &str, values: &[(&str, &str)]) -> Screen {
    let page = browser.open(&format!("{LIST}/new?module={module}")).await.expect(200);
    browser.submit(&page, LIST, values).await
}

/// The page that the link with this beginning leads to.
fn linked(screen: &Screen, beginning: &str) -> String {
    let links = screen.html().split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut matches = links.filter(|link| link.starts_with(beginning) && link.len() > beginning.len());
    matches.next().unwrap_or_else(|| panic!("no link to {beginning}: {}", screen.html())).to_owned()
}

/// The page of a webhook to a receiver, and the browser of its owner.
async fn webhook_of(tenant: &Tenant, hook: &Receiver) -> (Browser, String) {
    let id = subscribe(tenant, hook, "crm", json!(["deal.created", "deal.won"])).await.id();
    (tenant.signed_in(Role::Owner).await, format!("{LIST}/{id}"))
}

#[tokio::test]
async fn a_webhook_is_created_with_the_fields_of_the_api_and_its_secret_is_shown_once() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let browser = tenant.signed_in(Role::Owner).await;
    let empty = browser.open(LIST).await.expect(200);
    empty.assert_contains(&["No webhooks yet"]);
    let modules = browser.open(&linked(&empty, "/settings/webhooks/n")).await.expect(200);
    modules.assert_contains(&["/settings/webhooks/new?module=scheduling"]);
    let form = browser.open("/settings/webhooks/new?module=crm").await.expect(200);
    form.assert_contains(&["deal.won", "A deal was won", "&#34;stage&#34;"]);
    let values = [
        ("url", hook.url.as_str()),
        ("description", MARKUP),
        ("events", "deal.created"),
        ("events", "deal.won"),
        ("header_name", "X-Gateway"),
        ("header_value", "hidden value"),
    ];
    let created = create(&browser, "crm", &values).await.expect(200);
    let secret = created.html().split("whsec_").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert!(secret.len() > 40, "{secret}");
    let path = linked(&created, "/settings/webhooks/");
    let page = browser.open(&path).await.expect(200);
    assert!(!page.html().contains("whsec_") && !page.html().contains("hidden value"), "{}", page.html());
    assert!(!page.html().contains(MARKUP) && page.html().contains("&#60;img src=x"), "{}", page.html());
    page.assert_contains(&["deal.won", "X-Gateway", "Active", "Nothing sent yet"]);
    let listed = browser.open(LIST).await.expect(200);
    assert!(listed.html().contains(&hook.url) && listed.html().contains("2 events"), "{}", listed.html());
    assert!(!listed.html().contains(MARKUP));
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
    assert_eq!(hook.wait_for(1).await[0].header("x-gateway"), "hidden value");
}

/// One form creates a webhook for each of several modules.
#[tokio::test]
async fn a_form_for_several_modules_offers_the_events_of_all() {
    let (_app, _, browser) = App::with_browser(Role::Owner).await;
    let modules = browser.open("/settings/webhooks/new").await.expect(200);
    modules.assert_contains(&["name=\"module\" value=\"support\""]);
    let form = browser.open("/settings/webhooks/new?module=crm&module=support").await.expect(200);
    form.assert_contains(&[
        "name=\"modules\" value=\"crm\"",
        "name=\"modules\" value=\"support\"",
        "deal.won",
        "ticket.created",
    ]);
}

#[tokio::test]
async fn errors_are_next_to_their_fields_and_typed_text_stays() {
    let (app, _, browser) = App::with_browser(Role::Admin).await;
    let values = [
        ("url", "gopher://example.com"),
        ("description", "Kept as it was typed"),
        ("project_id", "No such project"),
        ("header_name", "Host"),
        ("header_value", "x"),
    ];
    let refused = create(&browser, "projects", &values).await.expect(422);
    let fields = refused.fields_of(LIST);
    for (name, value) in [values[0], values[1], values[2], values[3]] {
        let typed = fields.iter().any(|(known, typed)| known == name && typed == value);
        assert!(typed || name == "description", "{name}: {fields:?}");
    }
    refused.assert_contains(&["Kept as it was typed"]);
    let help = "A public https address";
    assert!(refused.html().contains(help) && !refused.html().contains("SERVICE_WEBHOOK"), "{}", refused.html());
    let tenant = app.workspace().await;
    let operator = app.browser_of(&tenant.operator(Role::Admin).await).await;
    let form = operator.open("/settings/webhooks/new?module=crm").await.expect(200);
    assert!(form.html().contains("SERVICE_WEBHOOK_ALLOW_HTTP"), "operators can allow others: {}", form.html());
    let wrong = create(&browser, "projects", &[("url", "gopher://example.com")]).await.expect(422);
    super::keys::leads_to_its_fields(&wrong, &["url", "events"]);
    for (field, message) in [("url-error", "must"), ("events-error", "must have at least one event")] {
        let error = wrong.html().split(field).last().unwrap_or_default();
        assert!(error.split('\n').next().unwrap().contains(message), "{field}: {}", wrong.html());
    }
    let chosen = create(&browser, "crm", &[("url", ""), ("events", "deal.won")]).await.expect(422);
    let kept =
        chosen.fields_of(LIST).iter().any(|(name, value)| (name.as_str(), value.as_str()) == ("events", "deal.won"));
    assert!(kept, "{}", chosen.html());
    let free =
        create(&browser, "scheduling", &[("url", "https://receiver.example/hook"), ("events", "Bad Name")]).await;
    assert!(free.expect(422).html().contains("booking.confirmed"));
}

#[tokio::test]
async fn a_webhook_is_limited_to_a_project_by_its_name() {
    let (_app, tenant) = App::with_workspace().await;
    let (browser, key) = (tenant.signed_in(Role::Owner).await, tenant.full_access().await);
    let project = key.create("/api/v1/projects", json!({"name": "Roastery"})).await;
    let hook = Receiver::start().await;
    let values = [("url", hook.url.as_str()), ("events", "*"), ("project_id", "Roastery")];
    let created = create(&browser, "projects", &values).await.expect(200);
    let path = linked(&created, "/settings/webhooks/");
    assert!(browser.open(&path).await.html().contains(&project));
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    edit.assert_contains(&["value=\"Roastery\""]);
    let kept = browser.submit(&edit, &path, &[("description", "Still narrowed")]).await.expect(200);
    assert!(kept.html().contains(&project), "{}", kept.html());
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let wide = browser.submit(&edit, &path, &[("project_id", "")]).await.expect(200);
    assert!(!wide.html().contains(&project), "{}", wide.html());
}

#[tokio::test]
async fn a_webhook_is_changed_disabled_and_deleted_and_another_host_gets_a_new_secret() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    let edit = browser.open(&format!("{path}/edit")).await.expect(200);
    let values = [("description", "For the books"), ("events", "*")];
    let saved = browser.submit(&edit, &path, &values).await.expect(200);
    assert_eq!(saved.address, path);
    saved.assert_contains(&["The webhook is saved", "For the books", "All events"]);
    // Another user saved first.
    let conflict = browser.submit(&edit, &path, &[("description", "Mine")]).await;
    assert_eq!(conflict.response.status, 409, "{}", conflict.html());
    conflict.assert_contains(&["Mine", "For the books"]);
    let resolved = browser.submit(&conflict, &path, &[("_choice.description", "mine")]).await.expect(200);
    resolved.assert_contains(&["Mine", "All events"]);

    let disabled = browser.submit(&resolved, &path, &[]).await.expect(200);
    disabled.assert_contains(&["The webhook is disabled"]);
    let enabled = browser.submit(&disabled, &path, &[]).await.expect(200);
    enabled.assert_contains(&["The webhook is enabled"]);

    let form = browser.open(&format!("{path}/edit")).await.expect(200);
    let moved = browser.submit(&form, &path, &[("url", "https://other.example/hook")]).await.expect(200);
    moved.assert_contains(&["whsec_", "another host"]);

    let ask = browser.open(&format!("{path}/delete")).await.expect(200);
    ask.assert_contains(&["other.example", "cannot be undone"]);
    let deleted = browser.submit(&ask, &format!("{path}/delete"), &[]).await.expect(200);
    assert!(deleted.address == LIST && deleted.html().contains("The webhook is deleted"), "{}", deleted.html());
    let _ = browser.open(&path).await.expect(404);
}

#[tokio::test]
async fn a_new_secret_signs_together_with_the_old_one_for_the_chosen_time() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    let form = browser.open(&format!("{path}/secret")).await.expect(200);
    let rotated = browser.submit(&form, &format!("{path}/secret"), &[("overlap_seconds", "3600")]).await.expect(200);
    rotated.assert_contains(&["whsec_"]);
    let page = browser.open(&path).await.expect(200);
    page.assert_contains(&["The previous secret also signs"]);
    browser.submit(&page, &format!("{path}/test"), &[]).await.expect(200).html();
    assert_ne!(hook.wait_for(1).await[0].header("x-service-signature-next"), "");
    let bad = browser.submit(&form, &format!("{path}/secret"), &[("overlap_seconds", "-1")]).await.expect(422);
    bad.assert_contains(&["is-invalid"]);
}

#[tokio::test]
async fn a_test_leads_to_its_delivery_which_shows_request_and_response_and_can_be_redelivered() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    hook.answer(418);
    let page = browser.open(&path).await.expect(200);
    let delivery = browser.submit(&page, &format!("{path}/test"), &[]).await.expect(200);
    assert!(delivery.address.starts_with(&format!("{path}/deliveries/")), "{}", delivery.address);
    let is_answered = async || browser.open(&delivery.address).await.html().contains(">418<");
    eventually("the answer is shown", is_answered).await;
    let shown = browser.open(&delivery.address).await.expect(200);
    let received = &hook.wait_for(1).await[0];
    shown.assert_contains(&["webhook.test", "Failed", " ms", "This is a test.", "x-service-signature", ">ok<"]);
    for name in ["x-service-signature", "webhook-signature", "x-service-timestamp", "x-service-delivery-id"] {
        // Templates escape what Base 64 may end with.
        let value = received.header(name).replace('=', "&#61;");
        let is_shown = shown.html().contains(received.header(name)) || shown.html().contains(&value);
        assert!(is_shown, "{name}: {value}: {}", shown.html());
    }
    let redelivered = browser.submit(&shown, &format!("{}/redeliver", delivery.address), &[]).await.expect(200);
    redelivered.assert_contains(&["The delivery is being sent again"]);
    hook.wait_for(2).await;
    eventually("both attempts are shown", async || browser.open(&delivery.address).await.html().contains("Attempt 2"))
        .await;

    // Scripts show the result on the webhook's page.
    let fields = page.fields_of(&format!("{path}/test"));
    let request = browser.post(&format!("{path}/test"), &fields).header("HX-Request", "true");
    let fragment = browser.send(request).await;
    assert!(fragment.status == 200 && fragment.text.contains("id=\"outcome\""), "{}", fragment.text);
    // Once it has ended, the list and chart of that page also show it.
    assert_eq!(page.html().matches("hx-trigger=\"delivery-ended from:body\"").count(), 2, "{}", page.html());
    eventually("scripts learn that it has ended", async || {
        let part = browser.send(browser.request("GET", &delivery.address).header("HX-Request", "true")).await;
        part.headers.get("hx-trigger").is_some_and(|event| event == "delivery-ended")
    })
    .await;
}

#[tokio::test]
async fn deliveries_are_filtered_by_state_and_event_and_belong_to_one_webhook() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    let _ = tenant.full_access().await.post("/api/v1/crm/deals", json!({"title": MARKUP})).await.expect(201);
    let (succeeded, of_it) = (format!("{path}?state=succeeded"), format!("href=\"{path}/deliveries/"));
    eventually("it was delivered", async || browser.open(&succeeded).await.html().contains(&of_it)).await;
    let delivery = linked(&browser.open(&path).await, &format!("{path}/deliveries/"));
    let shown = browser.open(&delivery).await.expect(200);
    assert!(!shown.html().contains(MARKUP) && shown.html().contains("&#60;img src=x"), "{}", shown.html());
    for (query, count) in [
        ("?state=succeeded", true),
        ("?state=failed", false),
        ("?event=deal.created&state=", true),
        ("?event=deal.won", false),
        ("?event=webhook.test", false),
    ] {
        let list = browser.open(&format!("{path}{query}")).await.expect(200);
        assert_eq!(list.html().contains(&delivery), count, "{query}");
        assert_eq!(list.html().contains("No deliveries match"), !count, "{query}");
    }
    for bad in ["?state=x", "?event=x", "?cursor=x", "?other=x"] {
        let _ = browser.open(&format!("{path}{bad}")).await.expect(400);
    }
    let other = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let foreign = delivery.replace(path.rsplit('/').next().unwrap(), &other);
    let _ = browser.open(&foreign).await.expect(404);
}

#[tokio::test]
async fn charts_of_deliveries_are_also_tables() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    let health = format!("{path}/health");
    let empty = browser.open(&health).await.expect(200);
    empty.assert_contains(&["<svg", "–</dd>"]);
    let key = tenant.full_access().await;
    for status in [200, 404] {
        hook.answer(status);
        let _ = key.post("/api/v1/crm/deals", json!({"title": "D"})).await.expect(201);
        let ended = if status == 200 { "succeeded" } else { "failed" };
        let (list, of_it) = (format!("{path}?state={ended}"), format!("href=\"{path}/deliveries/"));
        eventually(ended, async || browser.open(&list).await.html().contains(&of_it)).await;
    }
    for window in ["", "?window=24h", "?window=7d"] {
        let page = browser.open(&format!("{health}{window}")).await.expect(200);
        assert!(page.html().contains("50 %</dd>"), "{window}: {}", page.html());
        page.assert_contains(&["<td class=\"number\">2</td><td class=\"number\">1</td><td class=\"number\">1</td>"]);
    }
    let _ = browser.open(&format!("{health}?window=1y")).await.expect(400);
    let _ = browser.open(&format!("{LIST}/{UNKNOWN_ID}/health")).await.expect(404);
    assert!(browser.open(&path).await.html().contains(&format!("hx-get=\"{health}\"")));
}

#[tokio::test]
async fn past_events_are_counted_replayed_and_monitored() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let (browser, path) = webhook_of(&tenant, &hook).await;
    let key = tenant.full_access().await;
    for title in ["One", "Two"] {
        let _ = key.post("/api/v1/crm/deals", json!({ "title": title })).await.expect(201);
    }
    hook.wait_for(2).await;
    let (form, action) = (browser.open(&format!("{path}/replay")).await.expect(200), format!("{path}/replay"));
    let missing = browser.submit(&form, &action, &[("step", "count")]).await.expect(422);
    missing.assert_contains(&["since-error"]);
    let values = [("since", "2000-01-01T00:00"), ("events", "deal.created"), ("step", "count")];
    let counted = browser.submit(&form, &action, &values).await.expect(200);
    counted.assert_contains(&["2 events match."]);
    let started = browser.submit(&counted, &action, &[("step", "start")]).await.expect(200);
    assert!(started.address.starts_with(&format!("{path}/replays/")), "{}", started.address);
    started.assert_contains(&["deal.created"]);
    hook.wait_for(4).await;
    eventually("it is completed", async || browser.open(&started.address).await.html().contains("Completed")).await;
    let listed = browser.open(&path).await.expect(200);
    assert!(listed.html().contains(&started.address) && listed.html().contains("2 / 2"), "{}", listed.html());
    // A form from when the replay was still running.
    let token = form.fields_of(&action).into_iter().filter(|(name, _)| name == "_token").collect::<Vec<_>>();
    let response = browser.send(browser.post(&format!("{}/cancel", started.address), &token)).await;
    assert_eq!((response.status, response.header("location")), (303, started.address.as_str()));
    let ended = browser.open(&started.address).await.expect(200);
    ended.assert_contains(&["The replay is completed"]);
}

#[tokio::test]
async fn pages_and_forms_of_webhooks_are_for_owners_and_admins() {
    let (app, tenant) = App::with_workspace().await;
    let hook = Receiver::start().await;
    let id = subscribe(&tenant, &hook, "crm", json!(["*"])).await.id();
    let path = format!("{LIST}/{id}");
    let pages = ["", "/edit", "/secret", "/delete", "/replay", "/health"].map(|end| format!("{path}{end}"));
    let pages: Vec<_> = pages.into_iter().chain([LIST.to_owned(), format!("{LIST}/new")]).collect();
    for role in [Role::Owner, Role::Admin] {
        let browser = tenant.signed_in(role).await;
        for page in &pages {
            let _ = browser.open(page).await.expect(200);
        }
        for missing in ["", "/edit", "/secret", "/delete", "/replay"] {
            let _ = browser.open(&format!("{LIST}/{UNKNOWN_ID}{missing}")).await.expect(404);
        }
    }
    for role in [Role::Member, Role::Viewer] {
        let browser = tenant.signed_in(role).await;
        for page in &pages {
            let _ = browser.open(page).await.expect(403);
        }
        let token: Vec<_> = browser.open("/").await.fields_of("/sign-out");
        let posts = ["", "/test", "/secret", "/delete", "/replay"].map(|end| format!("{path}{end}"));
        let delivery = format!("{path}/deliveries/{UNKNOWN_ID}/redeliver");
        let replay = format!("{path}/replays/{UNKNOWN_ID}/cancel");
        for action in posts.into_iter().chain([LIST.to_owned(), delivery, replay]) {
            assert_eq!(browser.send(browser.post(&action, &token)).await.status, 403, "{role} {action}");
        }
        assert!(!browser.open("/").await.html().contains("/settings"), "{role}");
    }
    let outsider = app.workspace().await.signed_in(Role::Owner).await;
    for page in &pages[..6] {
        let _ = outsider.open(page).await.expect(404);
    }
}

#[tokio::test]
async fn a_form_that_is_sent_again_creates_no_second_webhook_or_secret() {
    let (_app, tenant, hook) = App::with_receiver().await;
    let browser = tenant.signed_in(Role::Owner).await;
    let form = browser.open(&format!("{LIST}/new?module=crm")).await.expect(200);
    let values = [("url", hook.url.as_str()), ("events", "deal.created")];
    let created = browser.submit(&form, LIST, &values).await.expect(200);
    let path = linked(&created, "/settings/webhooks/");
    let repeated = browser.submit(&form, LIST, &values).await.expect(200);
    assert_eq!(repeated.address, path);
    assert!(repeated.html().contains("already created") && !repeated.html().contains("whsec_"), "{}", repeated.html());
    let listed = browser.open(LIST).await.expect(200);
    assert_eq!(listed.html().matches(&hook.url).count(), 1, "{}", listed.html());

    let form = browser.open(&format!("{path}/secret")).await.expect(200);
    let action = format!("{path}/secret");
    let new = browser.submit(&form, &action, &[("overlap_seconds", "0")]).await.expect(200);
    new.assert_contains(&["whsec_"]);
    let repeated = browser.submit(&form, &action, &[("overlap_seconds", "0")]).await.expect(200);
    assert_eq!(repeated.address, path);
    assert!(repeated.html().contains("already created") && !repeated.html().contains("whsec_"), "{}", repeated.html());
}
