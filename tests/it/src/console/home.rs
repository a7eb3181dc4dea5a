//! Home (interface 26.71): waiting items, the pipeline, recent changes, next steps.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::App;
use time::Duration;
use time::format_description::well_known::Rfc3339;

use super::addresses::{address_in, signed_in};

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

#[tokio::test]
async fn home_shows_waiting_items_and_recent_changes() {
    let (app, tenant) = App::with_workspace().await;
    let (user, client) = (tenant.user(Role::Member).await, tenant.full_access().await);
    let browser = app.browser_of(&user).await;
    let empty = browser.open("/").await.expect(200);
    empty.assert_contains(&[
        "Nothing is assigned",
        "No tickets are waiting",
        "No open deals are",
        "There are no open deals",
    ]);

    let now = app.ports.clock.now();
    let due = (now - Duration::days(1)).format(&Rfc3339).unwrap();
    let task =
        json!({"kind": "task", "title": format!("Call {HOSTILE}"), "assignee_id": user.id.to_string(), "due_at": due});
    let _ = client.post("/api/v1/issues", task).await.expect(201);
    let _ = client.post("/api/v1/issues", json!({"kind": "task", "title": "Of nobody"})).await.expect(201);
    let ticket = json!({"name": "Bob", "email": "bob@example.org", "subject": format!("Broken {HOSTILE}")});
    let _ = client.post("/api/public/tickets", ticket).await.expect(201);
    let soon = (now + Duration::days(3)).date().to_string();
    let later_date = (now + Duration::days(30)).date().to_string();
    for (title, day) in [(format!("Pilot {HOSTILE}"), soon), ("Far away".to_owned(), later_date)] {
        let deal =
            json!({"title": title, "stage": "proposal", "value": 1250, "currency": "EUR", "expected_close_date": day});
        let _ = client.post("/api/v1/crm/deals", deal).await.expect(201);
    }
    let page = browser.open("/").await.expect(200);
    let section = |name: &str| {
        let rest = page.html().split_once(&format!("id=\"{name}\"")).unwrap_or_else(|| panic!("no {name}")).1;
        rest.split("</section>").next().unwrap_or_default().to_owned()
    };
    let escaped = "&#60;img src=x onerror=alert(1)&#62;";
    assert!(section("home-tasks").contains(&format!("Call {escaped}")), "{}", section("home-tasks"));
    assert!(section("home-tasks").contains("Overdue") && !section("home-tasks").contains("Of nobody"));
    assert!(section("home-tickets").contains(&format!("Broken {escaped}")), "{}", section("home-tickets"));
    let deals = section("home-deals");
    assert!(deals.contains(&format!("Pilot {escaped}")) && deals.contains("€1,250.00"), "{deals}");
    assert!(!deals.contains("Far away"), "{deals}");
    let pipeline = section("home-pipeline");
    assert!(pipeline.contains("stage=proposal&#38;status=open") && pipeline.contains("€2,500.00"), "{pipeline}");
    let changes = section("home-changes");
    assert!(changes.contains("Of nobody") && changes.contains("</strong> created <span"), "{changes}");
    assert!(!page.html().contains("<img src=x"), "{}", page.html());
}

/// As in the inbox: the customer who waits longest is first, and answered ones do not wait.
#[tokio::test]
async fn tickets_are_ordered_by_how_long_their_customer_waits() {
    let (app, tenant, client) = App::with_workspace_client().await;
    for subject in ["Answered", "Waits longest", "Waits"] {
        let ticket = json!({"name": "Bob", "email": "bob@example.org", "subject": subject});
        let _ = client.post("/api/public/tickets", ticket).await.expect(201);
        app.clock.advance(Duration::minutes(1));
    }
    let answered = client.get("/api/v1/issues?kind=ticket&search=answered").await.expect(200).ids().remove(0);
    let answer = json!({"body": "Have you tried water?", "visibility": "public"});
    let _ = client.post(&format!("/api/v1/issues/{answered}/comments"), answer).await.expect(201);
    let browser = tenant.signed_in(Role::Member).await;
    let page = browser.open("/").await.expect(200);
    let card = page.html().split("id=\"home-tickets\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(!card.contains("Answered") && card.contains("href=\"/tickets?waiting=true\""), "{card}");
    let (before, after) = card.split_once("Waits longest").unwrap();
    assert!(!before.contains("Waits") && after.contains(">Waits<"), "{card}");
    assert_eq!(card.matches("Customer wrote last, waiting since").count(), 2, "{card}");
    let inbox = browser.open("/tickets?waiting=true").await.expect(200);
    let (before, after) = inbox.html().split_once(">Waits longest<").unwrap();
    assert!(!before.contains(">Waits<") && after.contains(">Waits<"), "{}", inbox.html());
}

#[tokio::test]
async fn people_keys_and_agents_are_distinguished() {
    let (app, tenant) = App::with_workspace().await;
    let (user, client) = (tenant.user(Role::Member).await, tenant.full_access().await);
    let _ = user.client.post("/api/v1/crm/companies", json!({"name": "By a person"})).await.expect(201);
    let _ = client.post("/api/v1/crm/companies", json!({"name": "By a key"})).await.expect(201);
    let call = json!({"name": "create_company", "arguments": {"name": "By an agent"}});
    let called = client.post("/api/mcp/tools/call", call).await;
    let browser = app.browser_of(&user).await;
    let page = browser.open("/").await.expect(200);
    let rows: Vec<_> = page.html().split("class=\"change-row\"").skip(1).collect();
    let kind_of = |title: &str| {
        let row = rows.iter().find(|row| row.contains(title)).unwrap_or_else(|| panic!("no {title}: {}", called.text));
        let kind = row.split_once("title=\"").map(|(_, rest)| rest.split('"').next().unwrap_or_default());
        kind.unwrap_or_default().to_owned()
    };
    assert_eq!(
        ["By a person", "By a key", "By an agent"].map(kind_of),
        ["someone", "An API key", "AI agent"].map(str::to_owned)
    );
}

#[tokio::test]
async fn histories_and_comments_also_distinguish_people_keys_and_agents() {
    let (_app, tenant, client) = App::with_workspace_client().await;
    let created = client.post("/api/v1/crm/companies", json!({"name": "Acme"})).await.expect(201);
    let (id, version) = (created.id(), &created.data()["version"]);
    let comment = json!({"body": "Noted by a program"});
    let _ = client.post(&format!("/api/v1/crm/companies/{id}/comments"), comment).await.expect(201);
    let call =
        json!({"name": "update_company", "arguments": {"id": id, "expected_version": version, "industry": "Pumps"}});
    let called = client.post("/api/mcp/tools/call", call).await;
    let browser = tenant.signed_in(Role::Member).await;
    let history = browser.open(&format!("/companies/{id}/history")).await.expect(200);
    let entries: Vec<_> = history.html().split("class=\"history-entry\"").skip(1).collect();
    let kinds = |entry: &&str| (entry.contains("title=\"AI agent\""), entry.contains("title=\"An API key\""));
    assert_eq!(
        entries.iter().map(kinds).collect::<Vec<_>>(),
        [(true, false), (false, true), (false, true)],
        "{}",
        called.text
    );
    assert!(entries[0].contains("update_company"), "{}", entries[0]);
    let shown = browser.open(&format!("/companies/{id}")).await.expect(200);
    let thread = shown.html().split("id=\"comments\"").nth(1).unwrap();
    assert!(thread.contains("title=\"An API key\"") && thread.contains("Noted by a program"), "{thread}");
}

#[tokio::test]
async fn the_next_steps_are_ticked_off_and_can_be_hidden() {
    let (app, tenant, browser) = App::with_browser(Role::Owner).await;
    let page = browser.open("/").await.expect(200);
    let undone = |html: &str| html.contains("href=\"/settings/keys/new\"");
    assert!(undone(page.html()) && page.html().contains("steps-title"), "{}", page.html());
    let _ = tenant.full_access().await;
    let page = browser.open("/").await.expect(200);
    assert!(!undone(page.html()) && page.html().contains("steps-title"), "{}", page.html());
    let hidden = browser.submit(&page, "/home/hide-steps", &[]).await.expect(200);
    assert!(hidden.address == "/" && !hidden.html().contains("steps-title"));
    // In another workspace of the same browser they have to be hidden separately.
    let other = app.workspace().await;
    let cookie = "__Host-hidden-steps";
    let first = browser.cookie(cookie).unwrap();
    assert_eq!(first, tenant.workspace.id.to_string());
    let other_browser = other.signed_in(Role::Owner).await;
    other_browser.set_cookie(cookie, &format!("{first}.nonsense"));
    let page = other_browser.open("/").await.expect(200);
    page.assert_contains(&["steps-title"]);
    let hidden = other_browser.submit(&page, "/home/hide-steps", &[]).await.expect(200);
    assert!(!hidden.html().contains("steps-title"));
    assert_eq!(other_browser.cookie(cookie), Some(format!("{}.{first}", other.workspace.id)));
    // Hidden only in this workspace and browser.
    assert!(tenant.signed_in(Role::Admin).await.open("/").await.html().contains("steps-title"));
    for role in [Role::Member, Role::Viewer] {
        let page = tenant.signed_in(role).await.open("/").await.expect(200);
        assert!(!page.html().contains("/settings/") && !page.html().contains("steps-title"), "{role}");
    }
}

/// `/` leads to the page of a workspace, or to signing in.
#[tokio::test]
async fn home_answers_head_requests() {
    let (app, tenant, user) = App::with_user(Role::Member).await;
    let (member, visitor) = (signed_in(&app, &user, &tenant).await, app.browser().literally());
    let (root, home) = ("/".to_owned(), address_in(&tenant, ""));
    for (browser, path, status, leads_to) in
        [(&member, &home, 200, ""), (&member, &root, 303, &*home), (&visitor, &root, 303, "/sign-in")]
    {
        let whole = browser.send(browser.request("GET", path)).await.expect(status);
        assert_eq!((whole.header("location"), whole.text.is_empty()), (leads_to, status == 303), "{path}");
        let head = browser.send(browser.request("HEAD", path)).await.expect(status);
        assert_eq!(head.text, "", "{path}");
        for name in ["location", "content-type", "cache-control"] {
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
    }
}
