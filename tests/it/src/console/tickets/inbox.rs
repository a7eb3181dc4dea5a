//! The inbox, and changes to tickets.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{App, Browser, Screen};

use super::{customer_ticket, decoded, open, path, reply, send_to, ticket, write};
use crate::all_callers::open_session;
use crate::console::bulk_changes::undo_of;

const EVIL: &str = "<img src=x onerror=alert(1)>";

#[tokio::test]
async fn the_inbox_shows_who_waits_and_how_many() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let ann = tenant.user(Role::Member).await;
    let browser = app.browser_of(&ann).await;
    let empty = browser.open("/tickets").await.expect(200);
    empty.assert_contains(&["No tickets yet"]);
    for (title, fields) in [
        ("First free", json!({})),
        ("Second free", json!({"status": "pending"})),
        ("Of Ann", json!({"assignee_id": ann.id})),
        ("Done", json!({"status": "closed"})),
    ] {
        let mut fields = fields;
        fields["title"] = json!(title);
        ticket(&key, fields).await;
    }
    let _ = key.post("/api/v1/issues", json!({"kind": "task", "title": "A task"})).await.expect(201);
    let inbox = browser.open("/tickets").await.expect(200);
    let waiting = "status=open&status=pending&status=on_hold";
    for (view, titles) in [
        ("/tickets".to_owned(), &["First free", "Second free", "Of Ann", "Done"][..]),
        (format!("/tickets?assignee=none&{waiting}"), &["First free", "Second free"]),
        (format!("/tickets?assignee={}&{waiting}", ann.id), &["Of Ann"]),
        ("/tickets?status=open".to_owned(), &["First free", "Of Ann"]),
        ("/tickets?status=closed".to_owned(), &["Done"]),
        ("/tickets?search=second".to_owned(), &["Second free"]),
    ] {
        assert!(!view.contains('&') || inbox.html().contains(&view.replace('&', "&#38;")), "{view}: {}", inbox.html());
        let page = browser.open(&view).await.expect(200);
        for title in ["First free", "Second free", "Of Ann", "Done", "A task"] {
            let link = format!("\">{title}</a>");
            assert_eq!(page.html().contains(&link), titles.contains(&title), "{view}: {title}: {}", page.html());
        }
    }
    for (label, count) in [("Unassigned", 2), ("Mine", 1), ("Open", 2), ("Pending", 1), ("On hold", 0)] {
        let shown = format!("<span>{label}</span> <span class=\"number\">{count}</span>");
        assert!(inbox.html().contains(&shown), "{shown}: {}", inbox.html());
    }
    // The order of earlier releases, in a saved view.
    let _ = browser.open("/tickets?order=updated").await.expect(200);
}

#[tokio::test]
async fn a_customer_waits_again_when_the_answer_is_deleted() {
    let (app, _tenant, key) = App::with_workspace_client().await;
    let (id, ada) = customer_ticket(&app, &key, "ada@example.org").await;
    let waits = async || {
        let results = key.get("/api/v1/issues?kind=ticket&waiting=true").await.expect(200);
        results.data().as_array().is_some_and(|tickets| !tickets.is_empty())
    };
    let comments = format!("/api/v1/issues/{id}/comments");
    let say = async |body: &str, visibility: &str| {
        key.create(&comments, json!({"body": body, "visibility": visibility})).await
    };
    let delete = async |comment: &str| {
        let _ = key.delete(&format!("{comments}/{comment}")).await.expect(200);
    };
    assert!(waits().await);
    let (answer, note) = (say("By tomorrow", "public").await, say("Ask Bob", "internal").await);
    assert!(!waits().await);
    delete(&note).await;
    assert!(!waits().await, "a note is not an answer");
    delete(&answer).await;
    assert!(waits().await);
    let earlier = say("By tomorrow", "public").await;
    let _ = say("By Friday", "public").await;
    delete(&earlier).await;
    assert!(!waits().await, "the last answer is still there");
    reply(&ada, "Thank you").await;
    assert!(waits().await);
}

/// The titles of a list, in order.
fn titles(page: &Screen) -> Vec<String> {
    let titles = page.html().split("class=\"ticket-title\"").skip(1);
    titles.map(|rest| rest.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_longest_waiting_ticket_is_first_and_new_ones_are_unread() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let (first, ada) = customer_ticket(&app, &key, "ada@example.org").await;
    let (second, _) = customer_ticket(&app, &key, "bob@example.org").await;
    for (id, title) in [(&first, "First"), (&second, "Second")] {
        let _ = key.patch(&format!("/api/v1/issues/{id}"), json!({ "title": title })).await.expect(200);
    }
    ticket(&key, json!({"title": "Late", "due_at": "2020-01-01T00:00:00Z"})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let list = async |query: &str| browser.open(&format!("/tickets{query}")).await.expect(200);
    let inbox = list("").await;
    assert_eq!(titles(&inbox), ["First", "Second", "Late"]);
    assert_eq!(inbox.html().matches("waiting since").count(), 2, "{}", inbox.html());
    assert_eq!(inbox.html().matches(">Unread<").count(), 3, "{}", inbox.html());
    inbox.assert_contains(&["Overdue:</span> <time"]);
    let by_due = "\"/tickets?status=open&status=pending&status=on_hold&order=due_asc\"";
    assert!(decoded(inbox.html()).contains(by_due), "without the finished ones: {}", inbox.html());
    for (query, expected) in [
        ("?waiting=true", &["First", "Second"][..]),
        ("?waiting=false", &["Late"]),
        ("?overdue=true", &["Late"]),
        ("?order=due_asc", &["Late", "First", "Second"]),
        ("?order=newest", &["Late", "Second", "First"]),
        ("?due_before=2021-01-01T00:00:00Z", &["Late"]),
    ] {
        let mut shown = titles(&list(query).await);
        let mut expected = expected.to_vec();
        // Tickets without a due time are ordered by id.
        if query == "?order=due_asc" {
            assert_eq!(shown.remove(0), expected.remove(0));
            shown.sort_unstable();
        }
        assert_eq!(shown, expected, "{query}");
    }
    let overdue = list("?overdue=true").await;
    overdue.assert_contains(&["<a class=\"badge\" href=\"/tickets\">Overdue"]);
    // An answer moves the ticket after those that wait, and a reply moves it back.
    let _ = write(&browser, &first, "/answer", "We look into it").await.expect(200);
    let inbox = list("").await;
    assert_eq!(titles(&inbox), ["Second", "First", "Late"]);
    assert_eq!(inbox.html().matches(">Unread<").count(), 2, "the writer has read it: {}", inbox.html());
    reply(&ada, "Thank you").await;
    let inbox = list("").await;
    assert_eq!(titles(&inbox), ["Second", "First", "Late"]);
    assert_eq!(inbox.html().matches("waiting since").count(), 2, "{}", inbox.html());
    assert_eq!(inbox.html().matches(">Unread<").count(), 3, "{}", inbox.html());
    // Lists do not mark tickets as read, and each colleague has their own state.
    let _ = open(&browser, &first).await;
    assert_eq!(list("").await.html().matches(">Unread<").count(), 2);
    let colleague = tenant.signed_in(Role::Member).await;
    assert_eq!(colleague.open("/tickets").await.expect(200).html().matches(">Unread<").count(), 3);
    // Finished tickets do not wait.
    let _ = key.patch(&format!("/api/v1/issues/{second}"), json!({"status": "resolved"})).await.expect(200);
    assert_eq!(titles(&list("?waiting=true").await), ["First"]);
    // The API has the same filters.
    let waiting = key.get("/api/v1/issues?kind=ticket&waiting=true&order=waiting").await.expect(200);
    assert_eq!(waiting.ids(), [first]);
    let refused = key.get("/api/v1/issues?order=waiting").await.expect(400);
    assert_eq!(refused.details(), ["order:invalid_value"]);
}

#[tokio::test]
async fn one_click_changes_only_the_version_that_the_user_saw() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let id = ticket(&key, json!({})).await;
    let ann = tenant.user(Role::Member).await;
    let browser = app.browser_of(&ann).await;
    let me = ann.id.to_string();
    let set = path(&id, "/set");
    let fetch = async || key.get(&format!("/api/v1/issues/{id}")).await.expect(200).data().clone();
    for (name, value) in [("assignee_id", &*me), ("status", "pending"), ("priority", "urgent")] {
        let page = open(&browser, &id).await;
        let _ = browser.submit(&page, &set, &[(name, value)]).await.expect(200);
        assert_eq!(fetch().await[name], value, "{name}");
    }
    let page = open(&browser, &id).await;
    let _ = browser.submit(&page, &set, &[("assignee_id", "")]).await.expect(200);
    assert_eq!(fetch().await["assignee_id"], Value::Null);
    // Found by name, as typed.
    let page = open(&browser, &id).await;
    let _ = browser.submit(&page, &set, &[("assignee_id", &*ann.email)]).await.expect(200);
    assert_eq!(fetch().await["assignee_id"], *me);
    let stale = open(&browser, &id).await;
    let _ = key.patch(&format!("/api/v1/issues/{id}"), json!({"title": "Changed"})).await.expect(200);
    let refused = browser.submit(&stale, &set, &[("status", "closed")]).await.expect(422);
    refused.assert_contains(&["role=\"alert\"", "Changed"]);
    assert_eq!(fetch().await["status"], "pending");
    let unknown = browser.submit(&refused, &set, &[("assignee_id", "nobody by this name")]).await.expect(422);
    unknown.assert_contains(&["was not found"]);
    // Labels that others add meanwhile stay.
    let page = open(&browser, &id).await;
    let patch = json!({"issueIds": [id], "patch": {"add_labels": ["theirs"]}});
    let _ = key.post("/api/v1/issues/bulk-update", patch).await.expect(200);
    let labels = path(&id, "/labels");
    let _ = browser.submit(&page, &labels, &[("labels", "mine, other")]).await.expect(200);
    assert_eq!(fetch().await["labels"], json!(["theirs", "mine", "other"]));
    let page = open(&browser, &id).await;
    let _ = browser.submit(&page, &labels, &[("labels", "mine")]).await.expect(200);
    assert_eq!(fetch().await["labels"], json!(["mine"]));
}

#[tokio::test]
async fn a_form_changes_all_members_and_the_history_shows_it() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let id = ticket(&key, json!({})).await;
    let browser = tenant.signed_in(Role::Member).await;
    let form = browser.open(&path(&id, "/edit")).await.expect(200);
    let saved = browser.submit(&form, &path(&id, ""), &[("title", "Another title")]).await.expect(200);
    saved.assert_contains(&["Another title"]);
    let refused = browser.submit(&form, &path(&id, ""), &[("title", "")]).await.expect(422);
    refused.assert_contains(&["id=\"title-error\""]);
    let history = browser.open(&path(&id, "/history")).await.expect(200);
    history.assert_contains(&["Another title"]);
}

#[tokio::test]
async fn many_tickets_are_changed_at_once_with_a_result_for_each() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let (open_one, closed) = (
        ticket(&key, json!({"title": "Open one"})).await,
        ticket(&key, json!({"title": "Closed one", "status": "closed"})).await,
    );
    let browser = tenant.signed_in(Role::Member).await;
    let inbox = browser.open("/tickets").await.expect(200);
    let both = [("selected", &*open_one), ("selected", &*closed)];
    let change = async |extra: &[(&str, &str)]| {
        let values: Vec<_> = both.iter().chain(extra).copied().collect();
        browser.submit(&inbox, "/tickets/bulk", &values).await
    };
    let page = change(&[]).await.expect(200);
    page.assert_contains(&["Edit 2 records", "Now: Closed (1), Open (1)"]);
    let apply = async |values: &[(&str, &str)]| browser.submit(&page, "/tickets/bulk/apply", values).await;
    let mixed = apply(&[("status", "pending")]).await.expect(200);
    mixed.assert_contains(&["Changed 1 record."]);
    let row = mixed.html().split(&format!("href=\"/tickets/{closed}\"")).nth(1).unwrap();
    assert!(row.split("</tr>").next().unwrap().contains("cannot become pending"), "{}", mixed.html());
    // Buttons act immediately, and their message has an undo button.
    let reply = change(&[("_set", "assignee_id=")]).await.expect(200);
    assert_eq!(reply.address, "/tickets");
    assert!(reply.html().contains("Changed 2 records.") && !reply.html().contains("/undo/"), "{}", reply.html());
    let mine = change(&[("_set", "priority=urgent")]).await.expect(200);
    mine.assert_contains(&["Changed 2 records."]);
    let undone = browser.submit(&mine, &undo_of(&mine), &[]).await.expect(200);
    undone.assert_contains(&["Put 2 records back"]);
    let unknown = change(&[("_set", "title=x")]).await;
    assert_eq!(unknown.response.status, 400, "{}", unknown.html());
    let nothing = apply(&[("status", "")]).await.expect(422);
    nothing.assert_contains(&["Choose what to change"]);
    let none = browser.submit(&inbox, "/tickets/bulk", &[("status", "closed")]).await.expect(200);
    none.assert_contains(&["Select records first."]);
}

#[tokio::test]
async fn the_team_opens_tickets_for_customers() {
    let (app, tenant, key) = App::with_workspace_client().await;
    let contact = json!({"email": "Ada@example.org", "first_name": "Ada", "last_name": "Lovelace"});
    let _ = key.post("/api/v1/crm/contacts", contact).await.expect(201);
    let browser = tenant.signed_in(Role::Member).await;
    let form = browser.open("/tickets/new").await.expect(200);
    let wrong = [("title", ""), ("requester_email", "no address"), ("description", "It is broken")];
    let refused = browser.submit(&form, "/tickets", &wrong).await.expect(422);
    for field in ["title", "requester_email"] {
        assert!(refused.html().contains(&format!("id=\"{field}-error\"")), "{field}: {}", refused.html());
    }
    let right = [("title", "Broken"), ("requester_email", "ada@example.org")];
    let created = browser.submit(&refused, "/tickets", &right).await.expect(200);
    created.assert_contains(&["It is broken", "Ada Lovelace"]);
    let id = created.address.strip_prefix("/tickets/").unwrap().to_owned();
    let second = [("title", "Another"), ("requester_email", "ada@example.org")];
    let _ = browser.submit(&form, "/tickets", &second).await.expect(200);
    let requester = browser.open(&path(&id, "/requester")).await.expect(200);
    requester.assert_contains(&["Another", "/contacts/"]);
    // A link signs the customer in once.
    let link = browser.submit(&created, &path(&id, "/link"), &[]).await.expect(200);
    let url = decoded(link.html().split("id=\"link\" value=\"").nth(1).unwrap().split('"').next().unwrap());
    let (token, rest) = url.split_once("#token=").unwrap().1.split_once('&').unwrap();
    // Once it no longer works, its page can request another one.
    let is_complete = rest.starts_with(&format!("workspace={}&reference=", tenant.workspace.id));
    assert!(is_complete, "{url}");
    let _ = open_session(&app, token).await.expect(201);
}

#[tokio::test]
async fn pages_list_their_shortcuts() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let id = ticket(&key, json!({})).await;
    let (member, viewer) = (tenant.signed_in(Role::Member).await, tenant.signed_in(Role::Viewer).await);
    let keys_of = async |browser: &Browser, path: &str| {
        let page = browser.open(path).await.expect(200);
        let keys = page.html().split("<dl class=\"keys\">").nth(1).unwrap().split("</dl>").next().unwrap().to_owned();
        let is_listed = |key: &&str| keys.contains(&format!("<kbd>{key}</kbd>"));
        ["r", "n", "a", "e", "x", "c", "u"].into_iter().filter(is_listed).collect::<Vec<_>>()
    };
    let (list, one) = ("/tickets", path(&id, ""));
    let keys = [
        keys_of(&member, list).await,
        keys_of(&member, &one).await,
        keys_of(&viewer, list).await,
        keys_of(&viewer, &one).await,
    ];
    assert_eq!(keys, [vec!["a", "e", "x", "c"], vec!["r", "n", "a", "e", "u"], vec![], vec!["u"]]);
}

#[tokio::test]
async fn markup_of_others_is_shown_as_text() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let browser = tenant.signed_in(Role::Owner).await;
    let form = browser.open("/tickets/new").await.expect(200);
    let values =
        [("title", EVIL), ("description", EVIL), ("requester_email", "ada@example.org"), ("requester_name", EVIL)];
    let created = browser.submit(&form, "/tickets", &values).await.expect(200);
    let id = created.address.strip_prefix("/tickets/").unwrap().to_owned();
    let _ = write(&browser, &id, "/answer", EVIL).await.expect(200);
    let _ = write(&browser, &id, "/note", EVIL).await.expect(200);
    let page = open(&browser, &id).await;
    let _ = browser.submit(&page, &path(&id, "/labels"), &[("labels", EVIL)]).await.expect(200);
    assert_eq!(send_to(&browser, &page, (&id, "/note"), "/draft", EVIL).await, 303);
    let _ = key.get("/api/v1/issues?kind=ticket").await.expect(200);
    for path in
        ["/tickets".to_owned(), path(&id, ""), path(&id, "/requester"), path(&id, "/edit"), path(&id, "/history")]
    {
        let page = browser.open(&path).await.expect(200);
        assert!(!page.html().contains("<img"), "{path}: {}", page.html());
        assert!(page.html().contains("onerror"), "{path}");
    }
}
