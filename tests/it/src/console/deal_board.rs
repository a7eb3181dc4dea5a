//! The board of deals, and saved views (interface 26).

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Client, Tenant};

const DEALS: &str = "/api/v1/crm/deals";

async fn start() -> (App, Tenant, Client, Browser) {
    let (app, tenant, client) = App::with_workspace_client().await;
    let browser = tenant.signed_in(Role::Member).await;
    (app, tenant, client, browser)
}

async fn deal(client: &Client, body: Value) -> String {
    client.create(DEALS, body).await
}

/// The HTML of a board column.
fn column<'a>(html: &'a str, stage: &str) -> &'a str {
    let rest = html.split(&format!("id=\"head-{stage}\"")).nth(1).unwrap_or_default();
    rest.split("</section>").next().unwrap_or_default()
}

#[tokio::test]
async fn columns_show_counts_sums_and_their_newest_deals() {
    let (_app, tenant, client, browser) = start().await;
    for number in 0..23 {
        let _ = deal(
            &client,
            json!({"title": format!("Deal {number}"), "stage": "proposal", "value": 1000.5, "currency": "EUR"}),
        )
        .await;
    }
    let _ = deal(&client, json!({"title": "In dollars", "stage": "proposal", "value": 7, "currency": "USD"})).await;
    let _ = deal(&client, json!({"title": "Paused", "stage": "discovery", "status": "on_hold"})).await;
    let _ = deal(&client, json!({"title": "Gone", "stage": "closed_lost"})).await;
    let board = browser.open("/deals/board").await.expect(200);
    let proposal = column(board.html(), "proposal");
    assert!(
        proposal.contains("24 deals") && proposal.contains("€23,011.50") && proposal.contains("$7.00"),
        "{proposal}"
    );
    assert_eq!(proposal.matches("<article").count(), 12, "{proposal}");
    assert!(proposal.contains("In dollars") && !proposal.contains(">Deal 0<"), "{proposal}");
    let discovery = column(board.html(), "discovery");
    assert!(
        discovery.contains("0 deals") && discovery.contains("1 on hold") && !discovery.contains("Paused"),
        "{discovery}"
    );
    assert!(column(board.html(), "closed_lost").contains("Gone"));
    let more = proposal.split("hx-get=\"/deals/board/more").nth(1).unwrap().split('"').next().unwrap();
    let more = format!("/deals/board/more{}", more.replace("&#38;", "&").replace("&amp;", "&"));
    let rest = browser.open(&more).await.expect(200);
    assert_eq!(rest.html().matches("<article").count(), 12, "{}", rest.html());
    assert!(!rest.html().contains("board-more"), "{}", rest.html());
    let viewer = tenant.signed_in(Role::Viewer).await.open("/deals/board").await.expect(200);
    assert!(viewer.html().contains("In dollars") && !viewer.html().contains("/stage\""), "{}", viewer.html());
}

#[tokio::test]
async fn a_deal_is_moved_closed_and_reopened_by_forms() {
    let (_app, tenant, client, browser) = start().await;
    let id = deal(&client, json!({"title": "Pilot", "value": 10})).await;
    let (action, api) = (format!("/deals/{id}/stage"), format!("{DEALS}/{id}"));
    let board = browser.open("/deals/board").await.expect(200);
    let moved = browser.submit(&board, &action, &[("stage", "proposal")]).await.expect(200);
    assert_eq!(moved.address, "/deals/board");
    assert!(column(moved.html(), "proposal").contains("Pilot"), "{}", moved.html());
    let form = browser.submit(&moved, &action, &[("stage", "closed_lost")]).await.expect(200);
    assert_eq!(form.address, format!("/deals/{id}/close?stage=closed_lost"));
    assert_eq!(client.get(&api).await.data()["stage"], "proposal");
    let close = format!("/deals/{id}/close");
    let refused = browser.submit(&form, &close, &[("lost_reason", &"x".repeat(1_001))]).await.expect(422);
    refused.assert_contains(&["id=\"lost_reason-error\""]);
    let closed = browser.submit(&refused, &close, &[("lost_reason", "Too dear")]).await.expect(200);
    assert_eq!(closed.address, "/deals/board");
    let record = client.get(&api).await.expect(200).data().clone();
    assert_eq!((&record["status"], &record["lost_reason"]), (&json!("closed_lost"), &json!("Too dear")));
    assert!(!record["actual_close_date"].is_null());
    let reopened = browser.submit(&closed, &action, &[("stage", "negotiation")]).await.expect(200);
    assert!(column(reopened.html(), "negotiation").contains("Pilot"), "{}", reopened.html());
    assert_eq!(client.get(&api).await.data()["status"], "open");
    let viewer = tenant.signed_in(Role::Viewer).await;
    let token = viewer.open("/").await.fields_of("/sign-out");
    assert_eq!(viewer.send(viewer.post(&action, &token)).await.status, 403);
    assert_eq!(viewer.send(viewer.post(&close, &token)).await.status, 403);
}

#[tokio::test]
async fn a_deal_is_closed_from_its_page_and_its_history_shows_readable_values() {
    let (_app, tenant, client, browser) = start().await;
    let id = deal(&client, json!({"title": "Pilot", "value": 96000, "currency": "EUR"})).await;
    let deal_page = format!("/deals/{id}");
    let page = browser.open(&deal_page).await.expect(200);
    page.assert_contains(&["Close as lost"]);
    let close = format!("{deal_page}/close");
    // Editing the stage or status in place asks for the same details.
    for (member, value) in [("stage", "closed_lost"), ("status", "closed_won")] {
        let field = browser.open(&format!("{deal_page}/edit?field={member}")).await.expect(200);
        let form = browser.submit(&field, &deal_page, &[(member, value)]).await.expect(200);
        assert_eq!(form.address, format!("{close}?stage={value}&from=deal"));
        assert!(form.has_form(&close) && form.html().contains("name=\"actual_close_date\""), "{}", form.html());
    }
    let field = browser.open(&format!("{deal_page}/edit?field=stage")).await.expect(200);
    let moved = browser.submit(&field, &deal_page, &[("stage", "proposal")]).await.expect(200);
    assert_eq!(moved.address, deal_page, "other stages require nothing");
    let form = browser.open(&format!("{close}?stage=closed_won&from=deal")).await.expect(200);
    let refused = browser.submit(&form, &close, &[("value", "-1")]).await.expect(422);
    let closed = browser.submit(&refused, &close, &[("value", "125")]).await.expect(200);
    assert_eq!(closed.address, deal_page);
    assert!(!closed.html().contains("Close as lost"), "it is closed: {}", closed.html());
    let history = browser.open(&format!("{deal_page}/history")).await.expect(200);
    let values = ["<del>€96,000.00</del>", "<ins>€125.00</ins>"];
    assert!(values.iter().all(|value| history.html().contains(value)), "{}", history.html());
    let deleted = tenant.signed_in(Role::Owner).await.open("/deals?deleted=true").await.expect(200);
    assert!(deleted.html().contains(">Deleted <span") && !deleted.html().contains("Deleted: true"), "a chip");
    let viewer = tenant.signed_in(Role::Viewer).await.open(&deal_page).await.expect(200);
    assert!(!viewer.html().contains("Close as"), "{}", viewer.html());
}

#[tokio::test]
async fn a_move_detects_changes_by_others() {
    let (_app, _tenant, client, browser) = start().await;
    let id = deal(&client, json!({"title": "Pilot"})).await;
    let (action, api) = (format!("/deals/{id}/stage"), format!("{DEALS}/{id}"));
    let board = browser.open("/deals/board").await.expect(200);
    // A changed title does not block a move; a changed stage does.
    let _ = client.patch(&api, json!({"title": "Pilot 2"})).await.expect(200);
    let _ = browser.submit(&board, &action, &[("stage", "qualified")]).await.expect(200);
    assert_eq!(client.get(&api).await.data()["stage"], "qualified");
    let board = browser.open("/deals/board").await.expect(200);
    let _ = client.patch(&api, json!({"stage": "proposal"})).await.expect(200);
    let refused = browser.submit(&board, &action, &[("stage", "negotiation")]).await.expect(200);
    let warning = refused.html().split("alert-warning").nth(1).unwrap_or_default();
    assert!(warning.contains("“Pilot 2” was not moved. Someone else moved this deal first"), "{}", refused.html());
    assert_eq!(client.get(&api).await.data()["stage"], "proposal");
    // With scripts, the response contains the current card, the column headers and a message.
    let fields = board.fields_with(&action, &[("stage", "negotiation")]);
    let part = browser.send(browser.post(&action, &fields).header("HX-Request", "true")).await;
    assert_eq!(part.status, 200, "{}", part.text);
    assert!(part.text.contains("data-column=\"proposal\"") && part.text.contains("role=\"alert\""), "{}", part.text);
    assert_eq!(part.text.matches("hx-swap-oob").count(), 7, "{}", part.text);
    assert!(part.text.contains(&format!("role=\"alert\" data-card=\"card-{id}\"")), "{}", part.text);
    let card = part.text.split("</article>").next().unwrap_or_default();
    assert!(!card.contains("Someone else"), "{}", part.text);
    // The message about a move contains an undo form: the reverse move, or for a closed deal its previous values.
    for (from, undo) in [("proposal", &*action), ("closed_lost", "/undo/")] {
        let _ = client.patch(&api, json!({"stage": from})).await.expect(200);
        let board = browser.open("/deals/board").await.expect(200);
        let fields = board.fields_with(&action, &[("stage", "negotiation")]);
        let part = browser.send(browser.post(&action, &fields).header("HX-Request", "true")).await;
        assert!(part.text.contains("Moved “Pilot 2” to Negotiation."), "{}", part.text);
        let form = part.text.split("class=\"btn-list\"").last().unwrap_or_default();
        assert!(form.contains(&format!("action=\"{undo}")) && form.contains(">Undo<"), "{from}: {}", part.text);
    }
}

#[tokio::test]
async fn a_view_contains_only_parameters_of_its_list() {
    let (_app, tenant, _client, _) = start().await;
    let ann = tenant.signed_in(Role::Owner).await;
    let id = "0190f0de-0000-7000-8000-000000000001";
    for (page, query, refused) in [
        ("contacts", "contact_type=lead&tag=vip&columns=email", "stage=proposal"),
        ("companies", "search=acme&order=updated", "status=open"),
        ("deals", "stage=proposal&order=value", "stage=unknown"),
        ("projects", "status=active&search=web", "label=x"),
        ("tasks", &format!("assignee=none&status=todo&project_id={id}"), "assignee=somebody"),
        ("tickets", "requester=ann@example.com&status=open&label=x", "bogus=1"),
        ("articles", "tag=billing&status=draft", "assignee=none"),
    ] {
        let list = ann.open(&format!("/{page}?{query}")).await.expect(200);
        let action = "/views";
        let wrong = [("name", "Wrong"), ("query", refused)];
        let forged = ann.submit(&list, action, &wrong).await;
        assert_eq!(forged.response.status, 422, "{page}?{refused}: {}", forged.html());
        let name = refused.split('=').next().unwrap();
        assert!(forged.html().contains(name), "{page}?{refused}: {}", forged.html());
        let saved = ann.submit(&list, action, &[("name", "Right")]).await.expect(200);
        assert!(saved.html().contains("Right") && !saved.html().contains("Wrong"), "{page}: {}", saved.html());
    }
}

#[tokio::test]
async fn views_are_saved_shared_renamed_and_deleted() {
    let (_app, tenant, client, ann) = start().await;
    let bob = tenant.signed_in(Role::Member).await;
    let _ = deal(&client, json!({"title": "Pilot", "stage": "proposal"})).await;
    let list = ann.open("/deals?stage=proposal&order=value&columns=stage").await.expect(200);
    let saved = ann.submit(&list, "/views", &[("name", "Hot <b>ones</b>"), ("shared", "true")]).await.expect(200);
    assert!(saved.address.starts_with("/deals?"), "{}", saved.address);
    saved.assert_contains(&["Hot &#60;b&#62;ones", "aria-current=\"page\""]);
    let bobs_list = bob.open("/deals").await.expect(200);
    let href =
        bobs_list.html().split("href=\"/deals?").find(|rest| rest.contains("Hot ")).unwrap().split('"').next().unwrap();
    let href = format!("/deals?{}", href.replace("&#38;", "&").replace("&amp;", "&"));
    let view = bob.open(&href).await.expect(200);
    view.assert_contains(&["Pilot"]);
    let action = view.html().split("action=\"/views/").nth(1).unwrap().split('"').next().unwrap();
    let action = format!("/views/{action}");
    let refused = bob.submit(&view, &action, &[("name", "Mine")]).await;
    assert_eq!(refused.response.status, 403, "{}", refused.html());
    let nameless = ann.submit(&saved, "/views", &[("name", "")]).await.expect(422);
    nameless.assert_contains(&["id=\"name-error\""]);
    let forged = ann.submit(&saved, "/views", &[("name", "x"), ("query", "unknown=1")]).await;
    assert_eq!(forged.response.status, 422, "{}", forged.html());
    let renamed = ann.submit(&saved, &action, &[("name", "Warm ones")]).await.expect(200);
    renamed.assert_contains(&["Warm ones"]);
    let deleted = ann.submit(&renamed, &format!("{action}/delete"), &[]).await.expect(200);
    assert!(!deleted.html().contains("Warm ones</a>") && deleted.address == "/deals", "{}", deleted.html());
    assert_eq!(ann.open("/deals").await.html().matches("Warm ones").count(), 0);
}
