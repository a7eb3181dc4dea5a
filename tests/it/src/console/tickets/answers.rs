//! Answers to customers, notes for colleagues, and drafts of both.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{App, Browser, Screen};

use super::super::bulk_changes::undo_of;
use super::{customer_ticket, decoded, draft_text, open, path, replies, reply, send_to, ticket, write};

#[tokio::test]
async fn an_answer_reaches_the_customer_and_a_note_never_does() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let browser = tenant.signed_in(Role::Member).await;
    let page = open(&browser, &id).await;
    page.assert_contains(&["Send to customer", "Add internal note"]);
    let response = write(&browser, &id, "/answer", "We look into it").await.expect(200);
    response.assert_contains(&["Sent to the customer."]);
    let conversation = response.html().split("id=\"write\"").nth(1).unwrap().split("<form").next().unwrap();
    assert!(conversation.contains("Sent to the customer."), "where the page is shown at: {conversation}");
    let note_page = write(&browser, &id, "/note", "Looks **bad**").await.expect(200);
    note_page.assert_contains(&["Looks <strong>bad</strong>"]);
    assert_eq!(replies(&customer).await, ["We look into it"]);
    reply(&customer, "Thank you").await;
    let page = open(&browser, &id).await;
    for (side, body) in [("team", "We look into it"), ("customer", "Thank you")] {
        let message = page.html().split(&format!("message message-{side}")).skip(1).any(|part| part.contains(body));
        assert!(message, "{side}: {}", page.html());
    }
    // The customer's own messages cannot be edited, not even by an owner.
    let of_owner = open(&tenant.signed_in(Role::Owner).await, &id).await;
    for (side, is_offered) in [("team", true), ("customer", false)] {
        let message = of_owner.html().split(&format!("message message-{side}")).nth(1).unwrap();
        let message = message.split("</li>").next().unwrap();
        assert_eq!(message.contains("remark-change"), is_offered, "{message}");
    }
    // The form determines who can read it, whatever fields are sent.
    let fields = page.fields_with(&path(&id, "/note"), &[("body", "secret"), ("visibility", "public")]);
    assert_eq!(browser.send(browser.post(&path(&id, "/note"), &fields)).await.status, 303);
    assert_eq!(replies(&customer).await, ["We look into it", "Thank you"]);
    let refused = write(&browser, &id, "/answer", "").await.expect(422);
    refused.assert_contains(&["id=\"answer-error\""]);
}

#[tokio::test]
async fn an_answer_can_resolve_the_ticket_and_a_closed_ticket_accepts_none() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let browser = tenant.signed_in(Role::Member).await;
    let page = open(&browser, &id).await;
    let values = [("body", "Done"), ("status", "resolved")];
    let _ = browser.submit(&page, &path(&id, "/answer"), &values).await.expect(200);
    let shown = customer.get("/api/portal/ticket").await.expect(200);
    assert_eq!(shown.data()["status"], "resolved");
    let page = open(&browser, &id).await;
    let closed = browser.submit(&page, &path(&id, "/set"), &[("status", "closed")]).await.expect(200);
    assert!(!closed.has_form(&path(&id, "/answer")) && closed.has_form(&path(&id, "/note")));
    let fields = page.fields_with(&path(&id, "/answer"), &[("body", "late")]);
    let refused = browser.send(browser.post(&path(&id, "/answer"), &fields)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert_eq!(replies(&customer).await, ["Done"]);
    // The text is shown and kept, and is sent by opening the ticket again.
    for part in ["late</textarea>", "id=\"answer-error\"", "The ticket is closed", "Reopen and send"] {
        assert!(refused.text.contains(part), "{part}: {}", refused.text);
    }
    let stale = open(&browser, &id).await;
    assert_eq!(draft_text(&stale, &id, "/answer"), "late");
    let response = browser.submit(&stale, &path(&id, "/answer"), &[("_reopen", "true")]).await.expect(200);
    response.assert_contains(&["Sent to the customer."]);
    assert_eq!(replies(&customer).await, ["Done", "late"]);
    let shown = customer.get("/api/portal/ticket").await.expect(200);
    assert_eq!(shown.data()["status"], "open");
}

#[tokio::test]
async fn changes_by_an_answer_are_undone_and_a_wrong_status_sends_nothing() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let browser = tenant.signed_in(Role::Member).await;
    let fetch = async || key.get(&format!("/api/v1/issues/{id}")).await.expect(200).data().clone();
    let page = open(&browser, &id).await;
    for wrong in ["done", "bogus"] {
        for end in ["/answer", "/note"] {
            let refused = browser.submit(&page, &path(&id, end), &[("body", "Hello"), ("status", wrong)]).await;
            assert_eq!(refused.response.status, 422, "{end} {wrong}");
            refused.assert_contains(&["A ticket cannot have this status."]);
            assert!(refused.html().contains("Hello</textarea>"), "what was typed stays: {}", refused.html());
        }
    }
    assert_eq!(replies(&customer).await, Vec::<String>::new());
    let values = [("body", "Which one?"), ("status", "pending"), ("_assign", "true")];
    let response = browser.submit(&page, &path(&id, "/answer"), &values).await.expect(200);
    response.assert_contains(&["Undo reverts the changes to the ticket"]);
    assert!(fetch().await["status"] == "pending" && !fetch().await["assignee_id"].is_null());
    let undone = browser.submit(&response, &undo_of(&response), &[]).await.expect(200);
    undone.assert_contains(&["Put 1 record back as it was."]);
    assert!(fetch().await["status"] == "open" && fetch().await["assignee_id"].is_null());
    assert_eq!(replies(&customer).await, ["Which one?"]);
    // Reopening is undone, too.
    let before = open(&browser, &id).await;
    let _ = key.patch(&format!("/api/v1/issues/{id}"), json!({"status": "closed"})).await.expect(200);
    let stale = browser.submit(&before, &path(&id, "/answer"), &[("body", "Once more")]).await;
    stale.assert_contains(&["name=\"_reopen\""]);
    let reopened = browser.submit(&stale, &path(&id, "/answer"), &[("_reopen", "true")]).await.expect(200);
    assert_eq!(fetch().await["status"], "open");
    let undone = browser.submit(&reopened, &undo_of(&reopened), &[]).await.expect(200);
    assert_eq!(fetch().await["status"], "closed", "{}", undone.html());
}

/// The address of the link with this id.
fn link(page: &Screen, id: &str) -> String {
    let link = page.html().split(&format!("id=\"{id}\" href=\"")).nth(1).unwrap_or_else(|| panic!("{}", page.html()));
    decoded(link.split('"').next().unwrap())
}

#[tokio::test]
async fn an_answer_assigns_the_ticket_and_leads_to_the_next_in_its_list() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let mut ids = Vec::new();
    for email in ["ada@example.org", "bob@example.org", "eve@example.org"] {
        ids.push(customer_ticket(&app, &key, email).await.0);
    }
    let ann = tenant.user(Role::Member).await;
    let browser = app.browser_of(&ann).await;
    let list = "/tickets?assignee=none&status=open&status=pending&status=on_hold";
    let inbox = browser.open(list).await.expect(200);
    let first =
        decoded(inbox.html().split("class=\"ticket-title\" href=\"").nth(1).unwrap().split('"').next().unwrap());
    assert!(first.starts_with(&path(&ids[0], "?list=")), "{first}");
    let page = browser.open(&first).await.expect(200);
    assert_eq!(link(&page, "to-list"), list);
    let values = [("body", "Which one?"), ("status", "pending")];
    let next_page = browser.submit(&page, &path(&ids[0], "/answer"), &values).await.expect(200);
    next_page.assert_contains(&["Sent to the customer."]);
    let fetch = async |id: &str| key.get(&format!("/api/v1/issues/{id}")).await.expect(200).data().clone();
    let answered = fetch(&ids[0]).await;
    assert_eq!((&answered["status"], &answered["assignee_id"]), (&json!("pending"), &json!(ann.id)));
    // The ticket has left the list, and the one after it is next.
    let next = browser.open(&link(&next_page, "go-on")).await.expect(200);
    assert!(next.address.starts_with(&path(&ids[1], "?list=")), "{}", next.address);
    let fields = next.fields_of(&path(&ids[1], "/answer"));
    let fields_left: Vec<_> = fields.into_iter().filter(|(name, _)| name != "_assign" && name != "body").collect();
    let fields_left: Vec<_> = fields_left.into_iter().chain([("body".to_owned(), "Thank you".to_owned())]).collect();
    assert_eq!(browser.send(browser.post(&path(&ids[1], "/answer"), &fields_left)).await.status, 303);
    assert_eq!(fetch(&ids[1]).await["assignee_id"], json!(null), "not taken");
    let final_page = browser.open(&link(&next, "next-ticket")).await.expect(200);
    assert!(final_page.address.starts_with(&path(&ids[2], "?list=")), "{}", final_page.address);
    // The answered ticket comes after waiting ones; the first has no predecessor.
    let behind = browser.open(&link(&final_page, "next-ticket")).await.expect(200);
    assert!(behind.address.starts_with(&path(&ids[1], "?list=")), "{}", behind.address);
    // At the end, the list starts over and says so.
    let message = "You have reached the end of this list.";
    assert!(!behind.html().contains(message), "{}", behind.html());
    let again = browser.open(&link(&behind, "next-ticket")).await.expect(200);
    assert!(again.address.starts_with(&path(&ids[2], "?list=")) && again.html().contains(message), "{}", again.html());
    // An invalid position in the address is ignored.
    for forged in ["?list=status%3Dopen&place=zzz", "?place=zzz", "?list=order%3Dzzz"] {
        let page = browser.open(&path(&ids[1], forged)).await.expect(200);
        let next = browser.open(&link(&page, "next-ticket")).await.expect(200);
        assert!(next.address.starts_with("/tickets/"), "{}", next.address);
    }
    let before = browser.open(&link(&final_page, "previous-ticket")).await.expect(200);
    before.assert_contains(&["There is no ticket before this one."]);
    assert_eq!(before.address, list);
    // So does changing or deleting a comment.
    let note_page = browser.submit(&final_page, &path(&ids[2], "/note"), &[("body", "Ask Bob")]).await.expect(200);
    let note = note_page.html().split("action=\"/comments/").nth(1).unwrap().split('"').next().unwrap();
    let note = format!("/comments/{note}");
    let ticket = final_page.address.split("&place=").next().unwrap();
    let changed = browser.submit(&note_page, &note, &[("body", "Ask Eve")]).await.expect(200);
    let deleted = browser.submit(&changed, &format!("{note}/delete"), &[]).await.expect(200);
    assert_eq!((changed.address.as_str(), deleted.address.as_str()), (ticket, ticket));
    // Without a list, it is the ticket that waits longest.
    let page = open(&browser, &ids[0]).await;
    let waiting = browser.open(&link(&page, "next-ticket")).await.expect(200);
    assert!(waiting.address.starts_with(&path(&ids[2], "")), "{}", waiting.address);
}

#[tokio::test]
async fn drafts_survive_everything_and_are_deleted_when_sent() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, _) = customer_ticket(&app, &key, "ada@example.org").await;
    let ann = tenant.user(Role::Member).await;
    let browser = app.browser_of(&ann).await;
    let page = open(&browser, &id).await;
    for (form, body) in [("/answer", "An answer <b>"), ("/note", "A note")] {
        assert_eq!(send_to(&browser, &page, (&id, form), "/draft", body).await, 303);
    }
    // A colleague changes the ticket, and Ann signs out.
    let ours = tenant.user(Role::Member).await;
    let _ = key.patch(&format!("/api/v1/issues/{id}"), json!({"assignee_id": ours.id})).await.expect(200);
    let home = open(&browser, &id).await;
    let _ = browser.submit(&home, "/sign-out", &[]).await.expect(200);
    let other_browser = app.browser_of(&ann).await;
    let page = open(&other_browser, &id).await;
    assert_eq!((&*draft_text(&page, &id, "/answer"), &*draft_text(&page, &id, "/note")), ("An answer <b>", "A note"));
    let theirs = tenant.signed_in(Role::Owner).await;
    assert_eq!(draft_text(&open(&theirs, &id).await, &id, "/answer"), "", "a draft belongs to one user");
    // Scripts save while typing, and get no page.
    let fields = page.fields_with(&path(&id, "/answer"), &[("body", "A longer answer")]);
    let saved =
        other_browser.send(other_browser.post(&path(&id, "/draft"), &fields).header("HX-Request", "true")).await;
    assert_eq!((saved.status, saved.text.as_str()), (204, ""));
    let page = open(&other_browser, &id).await;
    assert_eq!(draft_text(&page, &id, "/answer"), "A longer answer");
    let response = other_browser.submit(&page, &path(&id, "/answer"), &[]).await.expect(200);
    assert_eq!((&*draft_text(&response, &id, "/answer"), &*draft_text(&response, &id, "/note")), ("", "A note"));
    assert_eq!(send_to(&other_browser, &response, (&id, "/note"), "/draft/discard", "x").await, 303);
    assert_eq!(draft_text(&open(&other_browser, &id).await, &id, "/note"), "");
    let too_long = "x".repeat(10_001);
    assert_eq!(send_to(&other_browser, &response, (&id, "/note"), "/draft", &too_long).await, 422);
}

#[tokio::test]
async fn an_answer_that_crosses_another_is_held_and_shown_next_to_it() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let (ann, ben) = (tenant.signed_in(Role::Member).await, tenant.signed_in(Role::Member).await);
    let (page, of_ben) = (open(&ann, &id).await, open(&ben, &id).await);
    let _ = ben.submit(&of_ben, &path(&id, "/answer"), &[("body", "From Ben")]).await.expect(200);
    // Notes by colleagues do not count as crossing.
    let _ = write(&ben, &id, "/note", "An aside").await.expect(200);
    let conflict = ann.submit(&page, &path(&id, "/answer"), &[("body", "From Ann")]).await.expect(409);
    let part = conflict.html().split("id=\"held\"").nth(1).unwrap().split("<form").next().unwrap();
    assert!(part.contains("From Ben") && !part.contains("An aside"), "{part}");
    conflict.assert_contains(&["Send anyway"]);
    assert_eq!(draft_text(&conflict, &id, "/answer"), "From Ann");
    assert_eq!(replies(&customer).await, ["From Ben"]);
    // Another answer arrives while Ann reads the first.
    reply(&customer, "And this").await;
    let second_conflict = ann.submit(&conflict, &path(&id, "/answer"), &[]).await.expect(409);
    assert!(second_conflict.html().split("id=\"held\"").nth(1).unwrap().contains("And this"));
    let _ = ann.submit(&second_conflict, &path(&id, "/answer"), &[]).await.expect(200);
    assert_eq!(replies(&customer).await, ["From Ben", "And this", "From Ann"]);
}

#[tokio::test]
async fn colleagues_see_who_else_has_the_ticket_open() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let id = ticket(&key, json!({})).await;
    let (ann, ben) = (tenant.signed_in(Role::Member).await, tenant.signed_in(Role::Viewer).await);
    let presence = async |browser: &Browser, state: &str| {
        let page = browser.open(&path(&id, "")).await.expect(200);
        let token = page.fields_of("/sign-out").into_iter().find(|(name, _)| name == "_token").unwrap();
        let fields = [token, ("state".to_owned(), state.to_owned())];
        let answer = browser.send(browser.post(&path(&id, "/presence"), &fields)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    };
    assert_eq!(presence(&ann, "looking").await.trim(), "");
    assert!(presence(&ben, "looking").await.contains("is viewing"));
    let _ = presence(&ann, "writing").await;
    assert!(presence(&ben, "looking").await.contains("is writing"));
    let _ = presence(&ann, "gone").await;
    assert_eq!(presence(&ben, "looking").await.trim(), "");
    // For a foreign or unknown ticket, nothing is reported or stored.
    let foreign = ticket(&app.workspace().await.full_access().await, json!({})).await;
    let page = ann.open(&path(&id, "")).await.expect(200);
    let mut fields = page.fields_of("/sign-out");
    fields.push(("state".to_owned(), "looking".to_owned()));
    for other in [foreign.as_str(), "00000000-0000-7000-8000-00000000000a"] {
        let answer = ann.send(ann.post(&path(other, "/presence"), &fields)).await;
        assert_eq!(answer.status, 404, "{other}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_long_conversation_shows_its_end_and_links_to_its_start() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let id = ticket(&key, json!({"description": "How it began"})).await;
    for number in 0..=100 {
        let body = json!({"body": format!("Comment {number}.")});
        let _ = key.post(&format!("/api/v1/issues/{id}/comments"), body).await.expect(201);
    }
    let browser = tenant.signed_in(Role::Viewer).await;
    let end = open(&browser, &id).await;
    assert!(end.html().contains("Comment 100.") && !end.html().contains("Comment 0."));
    let listed = browser.open(&path(&id, "?list=status%3Dopen")).await.expect(200);
    let beginning = path(&id, "?list=status%3Dopen&from=beginning");
    assert!(decoded(listed.html()).contains(&format!("href=\"{beginning}\"")), "{}", listed.html());
    let beginning = browser.open(&beginning).await.expect(200);
    beginning.assert_contains(&["How it began", "Comment 0."]);
    assert!(!beginning.html().contains("Comment 100.") && beginning.html().contains("rel=\"next\""));
    let next = beginning.html().split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(decoded(next).starts_with(&path(&id, "?list=status%3Dopen&cursor=")), "{next}");
    let later = browser.open(&decoded(next)).await.expect(200);
    assert_eq!(link(&later, "to-list"), "/tickets?status=open");
    later.assert_contains(&["Comment 60."]);
}

#[tokio::test]
async fn a_viewer_reads_and_changes_nothing() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (id, customer) = customer_ticket(&app, &key, "ada@example.org").await;
    let (member, viewer) = (tenant.signed_in(Role::Member).await, tenant.signed_in(Role::Viewer).await);
    let (page, shown) = (open(&member, &id).await, open(&viewer, &id).await);
    let token = |page: &Screen| page.fields_of("/sign-out").into_iter().find(|(name, _)| name == "_token").unwrap();
    for end in ["/answer", "/note", "/set", "/labels"] {
        assert!(page.has_form(&path(&id, end)) && !shown.has_form(&path(&id, end)), "{end}");
    }
    assert!(!viewer.open("/tickets").await.expect(200).html().contains("name=\"selected\""));
    for end in ["/answer", "/note", "/draft", "/draft/discard", "/set", "/labels", "/link", ""] {
        let fields = [token(&shown), ("body".to_owned(), "x".to_owned()), ("_version".to_owned(), "1".to_owned())];
        let refused = viewer.send(viewer.post(&path(&id, end), &fields)).await;
        assert_eq!(refused.status, 403, "{end}: {}", refused.text);
    }
    for (method, path) in [("GET", "/tickets/new"), ("POST", "/tickets"), ("POST", "/tickets/bulk")] {
        let request = if method == "GET" { viewer.request(method, path) } else { viewer.post(path, &[token(&shown)]) };
        assert_eq!(viewer.send(request).await.status, 403, "{method} {path}");
    }
    assert_eq!(replies(&customer).await, Vec::<String>::new());
    // Nobody opens tickets of another workspace, or tasks as tickets.
    let task = key.create("/api/v1/issues", json!({"kind": "task", "title": "x"})).await;
    let outsider = app.workspace().await.signed_in(Role::Owner).await;
    for (browser, id) in [(&outsider, &id), (&member, &task)] {
        for end in ["", "/requester", "/edit"] {
            let _ = browser.open(&path(id, end)).await.expect(404);
        }
    }
}
