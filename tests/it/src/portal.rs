//! `/api/portal`: links, sessions, replies.

use domain::identity::access::{PlainToken, TokenKind};
use domain::identity::workspaces::{Role, SettableStatus};
use serde_json::json;
use test_support::{ApiResponse, App, Client, assert_members};
use time::Duration;

use crate::all_callers::{customer_of, issue_of, link_to, open_session, open_ticket};
use crate::database::{OtherTransaction, texts};
use crate::support::{UNKNOWN_ID, bad, broken, check_members, send_in_parallel, text};

const TICKET: &str = "/api/portal/ticket";
const REPLIES: &str = "/api/portal/ticket/replies";
const LINKS: &str = "/api/portal/magic-links";

#[tokio::test]
async fn a_link_is_valid_once_and_for_half_an_hour() {
    let (app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let token = link_to(&client, &reference).await;
    let session = open_session(&app, &token).await.expect(201);
    assert_eq!(session.data().as_object().unwrap().len(), 2);
    let again = open_session(&app, &token).await.expect(409);
    assert_eq!(again.code(), "capability_consumed");
    let old = link_to(&client, &reference).await;
    let edge = link_to(&client, &reference).await;
    app.advance(Duration::minutes(29)).await;
    let _ = open_session(&app, &edge).await.expect(201);
    app.advance(Duration::minutes(1)).await;
    assert_eq!(open_session(&app, &token).await.expect(409).code(), "capability_consumed", "a used link stays used");
    let random = domain::testing::SequenceRandom::default();
    let forged = PlainToken::forged(TokenKind::TrackingLink, &old[4..16], &random);
    let unknown = PlainToken::generate(TokenKind::TrackingLink, &random);
    let key = client.key().unwrap();
    for token in [&*old, forged.reveal(), unknown.reveal(), "nope", key] {
        let refused = open_session(&app, token).await.expect(401);
        assert_eq!((refused.code(), refused.header("www-authenticate")), ("unauthorized", "Bearer"));
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("this link is unknown or has expired"), "{message}");
    }
    let cases = vec![broken("token", text(201), &["token:too_long"]), bad("token", json!(1), &["token:invalid_type"])];
    check_members(&app.anonymous(), "/api/portal/sessions", &json!({"token": "x"}), None, cases).await;
}

#[tokio::test]
async fn of_many_concurrent_uses_of_a_link_one_succeeds() {
    let (app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let token = link_to(&client, &reference).await;
    let request = |_| app.anonymous().request("POST", "/api/portal/sessions").json(&json!({ "token": token }));
    let replies = send_in_parallel((0..16).map(request)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
    assert!(replies.iter().all(|reply| reply.status == 201 || reply.code() == "capability_consumed"));
}

#[tokio::test]
async fn a_session_lasts_an_hour_and_ends_with_its_workspace() {
    let (app, tenant, client) = App::with_workspace_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let customer = customer_of(&app, &client, &reference).await;
    let link = link_to(&client, &reference).await;
    assert_eq!(customer.get(TICKET).await.expect(200).data()["reference"], reference);
    tenant.set_status(SettableStatus::Suspended).await;
    let refused = customer.get(TICKET).await.expect(401);
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    assert_eq!(open_session(&app, &link).await.status, 401, "nor does a link work");
    tenant.set_status(SettableStatus::Active).await;
    let _ = customer.get(TICKET).await.expect(200);
    app.advance(Duration::minutes(60)).await;
    assert_eq!(customer.get(TICKET).await.status, 401);
    let random = domain::testing::SequenceRandom::default();
    let token = customer.key().unwrap();
    let forged = PlainToken::forged(TokenKind::PortalSession, &token[4..16], &random);
    for bad in [app.anonymous(), app.with_key(forged.reveal()), client, app.with_key(&link)] {
        let refused = bad.get(TICKET).await.expect(401);
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("a valid portal token is required"), "{message}");
        assert_eq!(bad.post(REPLIES, json!({"body": "b"})).await.status, 401);
    }
}

#[tokio::test]
async fn a_customer_reads_their_ticket_and_replies_to_it() {
    let (app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let other = open_ticket(&client, "ada@example.org").await;
    let issue = format!("/api/v1/issues/{}", issue_of(&client, &reference).await);
    let comments = format!("{issue}/comments");
    let _ = client.post(&comments, json!({"body": "inside"})).await.expect(201);
    let customer = customer_of(&app, &client, &reference).await;
    let reply = customer.post(REPLIES, json!({"body": " Still <b>broken</b>\r\n"})).await.expect(201);
    assert_eq!((&reply.data()["body"], &reply.data()["author"]), (&json!("Still <b>broken</b>"), &json!("customer")));
    let view = customer.get(TICKET).await.expect(200);
    assert!(!view.text.contains("inside"));
    assert_eq!(view.data()["comments"], json!([reply.data()]));
    assert_eq!(view.data(), client.get(&format!("/api/public/tickets/{reference}")).await.expect(200).data());
    let unseen = client.get(&format!("/api/public/tickets/{other}")).await.expect(200);
    assert_eq!(unseen.data()["comments"], json!([]));
    let listed = client.get(&comments).await.expect(200);
    let stored = &listed.body["data"][1];
    assert_members(stored, &json!({"author": {"type": "customer", "id": null}, "visibility": "public"}));
    assert_members(stored, &json!({"created_by": {"type": "system", "id": null}}));
    for (status, after, version) in
        [("pending", "open", 2), ("resolved", "open", 2), ("on_hold", "on_hold", 1), ("open", "open", 1)]
    {
        let before = client.patch(&issue, json!({ "status": status })).await.expect(200);
        let _ = customer.post(REPLIES, json!({"body": "again"})).await.expect(201);
        let now = client.get(&issue).await.expect(200);
        assert_eq!(now.data()["status"], after, "{status}");
        let rise = now.data()["version"].as_i64().unwrap() - before.data()["version"].as_i64().unwrap();
        assert_eq!(rise, version - 1, "{status}");
    }
    let _ = client.patch(&issue, json!({"status": "closed"})).await.expect(200);
    let refused = customer.post(REPLIES, json!({"body": "too late"})).await.expect(409);
    assert_eq!(refused.code(), "invalid_state_change");
    assert!(!customer.get(TICKET).await.expect(200).text.contains("too late"));
}

#[tokio::test]
async fn replies_are_bounded_and_have_idempotency_keys() {
    let (app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let customer = customer_of(&app, &client, &reference).await;
    let cases = vec![
        broken("body", text(10_001), &["body:too_long"]),
        bad("visibility", json!("internal"), &["visibility:unknown_field"]),
    ];
    check_members(&customer, REPLIES, &json!({"body": "b"}), None, cases).await;
    let send = async |client: &Client, body: &str| {
        let request = client.request("POST", REPLIES).header("Idempotency-Key", "k");
        ApiResponse::of(request.json(&json!({ "body": body }))).await
    };
    let first = send(&customer, "b").await.expect(201);
    let second = send(&customer, "b").await.expect(201);
    assert_eq!((&second.text, second.header("idempotent-replayed")), (&first.text, "true"));
    assert_eq!(send(&customer, "c").await.code(), "idempotency_conflict");
    // Even with a new link: the idempotency key belongs to the ticket.
    let later = customer_of(&app, &client, &reference).await;
    assert_eq!(send(&later, "b").await.header("idempotent-replayed"), "true");
    let other = customer_of(&app, &client, &open_ticket(&client, "ada@example.org").await).await;
    assert_eq!(send(&other, "b").await.expect(201).header("idempotent-replayed"), "");
    assert_eq!(customer.get(TICKET).await.expect(200).data()["comments"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_magic_link_is_e_mailed_only_if_all_three_match() {
    let app = App::start().await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "Ada@example.org").await;
    let anonymous = app.anonymous();
    let ask = async |workspace: &str, email: &str, reference: &str| {
        let body = json!({"workspace_id": workspace, "email": email, "reference": reference});
        anonymous.post(LINKS, body).await.expect(202).text
    };
    let (own, foreign) = (tenant.workspace.id.to_string(), other.workspace.id.to_string());
    let mut answers = vec![
        ask(&foreign, "ada@example.org", &reference).await,
        ask(UNKNOWN_ID, "ada@example.org", &reference).await,
        ask(&own, "bob@example.org", &reference).await,
        ask(&own, "ada@example.org", "TKT-0000000000").await,
        ask(&own, "ada@example.org", "nope").await,
    ];
    answers.push(ask(&own, "ADA@example.org", &format!(" {} ", reference.to_lowercase())).await);
    answers.dedup();
    assert_eq!(answers, [r#"{"data":{"done":true}}"#]);
    let token = app.inbox.token("ada@example.org", 1).await;
    let session = open_session(&app, &token).await.expect(201);
    let customer = app.with_key(session.data()["token"].as_str().unwrap());
    assert_eq!(customer.get(TICKET).await.expect(200).data()["reference"], reference);
    assert_eq!((app.inbox.to("ada@example.org").len(), app.inbox.to("bob@example.org").len()), (1, 0));
    let good = json!({"workspace_id": own, "email": "a@example.org", "reference": "x"});
    let cases = vec![
        bad("workspace_id", json!("x"), &["workspace_id:invalid_uuid"]),
        broken("email", json!("x"), &["email:invalid_email"]),
        broken("reference", text(201), &["reference:too_long"]),
        bad("token", json!("x"), &["token:unknown_field"]),
    ];
    check_members(&anonymous, LINKS, &good, None, cases).await;
}

#[tokio::test]
async fn a_request_that_cannot_be_stored_is_not_accepted() {
    let (app, tenant) = App::with_workspace().await;
    let reference = open_ticket(&tenant.full_access().await, "ada@example.org").await;
    let link = json!({"workspace_id": tenant.workspace.id, "email": "ada@example.org", "reference": reference});
    let other = OtherTransaction::begin(&app, "LOCK TABLE link_requests");
    let anonymous = app.anonymous();
    let reset = json!({"email": "ada@example.org"});
    let replies = tokio::join!(anonymous.post(LINKS, link.clone()), anonymous.post("/api/auth/password-resets", reset));
    for refused in <[ApiResponse; 2]>::from(replies) {
        let refused = refused.expect(503);
        assert_eq!((refused.code(), refused.header("retry-after")), ("unavailable", "1"));
    }
    other.commit();
    let _ = anonymous.post(LINKS, link).await.expect(202);
    let _ = app.inbox.token("ada@example.org", 1).await;
    assert_eq!(app.inbox.to("ada@example.org").len(), 1);
}

#[tokio::test]
async fn links_and_sessions_are_critical_and_customers_have_the_lowest_limit() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace().await;
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let customer = customer_of(&app, &client, &reference).await;
    let view = customer.get(TICKET).await.expect(200);
    assert_eq!((view.header("x-ratelimit-limit"), view.header("x-ratelimit-remaining")), ("100", "99"));
    let reply = customer.post(REPLIES, json!({"body": "b"})).await.expect(201);
    assert_eq!((reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining")), ("50", "49"));
    let body = json!({"workspace_id": tenant.workspace.id, "email": "x@example.org", "reference": "x"});
    for remaining in (0..9).rev() {
        let reply = app.anonymous().post(LINKS, body.clone()).await.expect(202);
        let expected = ("10", &*remaining.to_string());
        assert_eq!((reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining")), expected);
    }
    assert_eq!(app.anonymous().post(LINKS, body).await.status, 429);
    assert_eq!(open_session(&app, &link_to(&client, &reference).await).await.status, 429);
    for remaining in (0..10).rev() {
        let reply = app.anonymous().get(TICKET).await.expect(401);
        assert_eq!(reply.header("x-ratelimit-remaining"), remaining.to_string());
    }
    assert_eq!(app.anonymous().get(TICKET).await.status, 429);
}

#[tokio::test]
async fn the_page_of_a_link_names_the_workspace() {
    let app = App::start().await;
    let (tenant, foreign) = (app.workspace().await, app.workspace().await);
    let owner = tenant.user(Role::Owner).await.client;
    let named = json!({"name": "Acme <b>& Co</b>", "help_centre_enabled": true});
    let _ = owner.patch("/api/settings/workspace", named).await.expect(200);
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let link = link_to(&client, &reference).await;
    let browser = app.browser();
    let blank = browser.open("/portal").await.expect(200);
    assert!(!blank.html().contains("Acme") && !blank.html().contains("data-workspace"), "{}", blank.html());
    let open = async |token: &str| browser.submit(&blank, "/portal/link", &[("token", token)]).await.expect(200);
    let page = open(&link).await;
    assert_eq!(page.address, format!("/portal?workspace={}", tenant.workspace.id));
    let name = "Acme &#60;b&#62;&#38; Co&#60;/b&#62;";
    let help = format!("href=\"/kb/{}\"", tenant.workspace.slug);
    page.assert_contains(&[&format!("<title>Your ticket · {name}</title>"), &format!("<span>{name}</span>"), &help]);
    // Viewing does not use up the link.
    let _ = open_session(&app, &link).await.expect(201);
    assert_eq!(open(&link).await.address, page.address);
    // The form needs no cookie, but is accepted only from a page of the service.
    let bare = app.browser();
    let response = bare.send(bare.post("/portal/link", &[("token".to_owned(), link.clone())])).await.expect(303);
    assert_eq!((response.header("location"), response.header("set-cookie")), (&*page.address, ""));
    let cross_site = bare.post("/portal/link", &[]).header("Origin", "https://example.com");
    assert_eq!(bare.send(cross_site).await.status, 403);

    let random = domain::testing::SequenceRandom::default();
    let forged = PlainToken::forged(TokenKind::TrackingLink, &link[4..16], &random);
    for token in [forged.reveal(), "nope", ""] {
        let page = open(token).await;
        assert_eq!(page.address, "/portal?workspace=none");
        assert!(!page.html().contains("Acme"), "{}", page.html());
    }
    foreign.set_status(SettableStatus::Suspended).await;
    for id in [foreign.workspace.id.to_string(), UNKNOWN_ID.to_owned(), "%00".to_owned(), tenant.workspace.slug.clone()]
    {
        let page = browser.open(&format!("/portal?workspace={id}")).await.expect(200);
        assert!(!page.html().contains("data-workspace"), "{}", page.html());
    }
}

#[tokio::test]
async fn a_customer_without_a_link_requests_one_without_scripts() {
    let (app, tenant) = App::with_workspace().await;
    let reference = open_ticket(&tenant.full_access().await, "ada@example.org").await;
    let browser = app.browser();
    let blank = browser.open("/portal").await.expect(200);
    let form = "/portal/links";
    let ask = async |help_centre: &str, email: &str, reference: &str| {
        let fields = [("help_centre", help_centre), ("email", email), ("reference", reference)];
        browser.submit(&blank, form, &fields).await
    };
    let home = format!("https://work.example.com/kb/{}/", tenant.workspace.slug);
    let (home, reference) = (home.as_str(), reference.as_str());
    for (help_centre, email, reference) in [
        ("no-such-company", "ada@example.org", reference),
        (home, "bob@example.org", reference),
        (home, "ada@example.org", "TKT-0000000000"),
        (home, "ada@example.org", reference),
    ] {
        let asked = ask(help_centre, email, reference).await.expect(200);
        assert_eq!(asked.address, "/portal?requested=yes");
        asked.assert_contains(&["a new link is on its way"]);
    }
    let token = app.inbox.token("ada@example.org", 1).await;
    let _ = open_session(&app, &token).await.expect(201);
    assert_eq!((app.inbox.to("ada@example.org").len(), app.inbox.to("bob@example.org").len()), (1, 0));

    let refused = ask(home, "nobody", reference).await.expect(422);
    refused.assert_contains(&["id=\"email-error\""]);
    assert!(refused.fields_of(form).contains(&("help_centre".to_owned(), home.to_owned())));
}

#[tokio::test]
async fn the_page_explains_how_often_and_how_long_a_link_works_and_what_to_do_then() {
    let app = App::start().await;
    let page = app.browser().open("/portal").await.expect(200);
    page.assert_contains(&[
        "For your safety, the link in the e-mail opens your ticket only once, and only within 30 minutes.",
        "You then have an hour to read and reply.",
        "After that, you can request a new link on this page.",
    ]);
}

#[tokio::test]
async fn pages_answer_head_requests() {
    let app = App::start().await;
    let anonymous = app.anonymous();
    for (page, allowed) in
        [("/portal", "GET, HEAD"), ("/accept-invitation", "GET, HEAD, POST"), ("/reset-password", "GET, HEAD, POST")]
    {
        let (whole, head) =
            (anonymous.get(page).await.expect(200), ApiResponse::of(anonymous.request("HEAD", page)).await);
        assert_eq!((head.status, &*head.text), (200, ""), "{page}");
        for name in ["content-type", "content-length", "content-security-policy", "cache-control"] {
            assert!(!head.header(name).is_empty(), "{page} {name}");
            assert_eq!(head.header(name), whole.header(name), "{page} {name}");
        }
        assert_eq!(ApiResponse::of(anonymous.request("PUT", page)).await.expect(405).header("allow"), allowed);
    }
}

#[tokio::test]
async fn stored_tokens_are_not_usable_as_credentials() {
    let (app, client) = App::with_client().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let link = link_to(&client, &reference).await;
    let customer = customer_of(&app, &client, &reference).await;
    let tables = ["tracking_links", "portal_sessions", "idempotency_keys"];
    let rows = tables.map(|table| texts(&app, &format!("SELECT {table}::text FROM {table}"))).concat();
    assert_eq!(rows.len(), 3);
    for token in [&*link, customer.key().unwrap()] {
        assert!(rows.iter().all(|row| !row.contains(&token[16..48])), "a secret is kept");
    }
}
