//! E-mails to customers: acknowledgements and resolutions.

use domain::email::{EmailFilter, EmailMessage, EmailPurpose, EmailSource, EmailStatus, QueuedEmail};
use domain::identity::workspaces::Role;
use domain::kernel::input::EmailAddress;
use domain::limits::LimitName;
use domain::ports::{Abort, Tx};
use serde_json::{Value, json};
use test_support::{ApiResponse, App, AppOptions, Client, Tenant, eventually};
use time::Duration;

use crate::all_callers::{PAGE, customer_of, enable_widget, intake, issue_of, open_session, open_ticket};
use crate::tools::run;

const SETTINGS: &str = "/api/settings/workspace";
const CUSTOMER: &str = "ada@example.org";

/// A service with a mail server and the default delay of a minute for e-mails.
pub(crate) async fn with_mail_server() -> (App, Tenant) {
    let answer_delay = std::time::Duration::from_mins(1);
    let app = App::start_as(AppOptions { has_mail_server: true, answer_delay, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    (app, tenant)
}

/// Addresses of e-mails that wake the worker.
const WAKE: &str = "wake-";

/// Advances the clock by a minute and waits until every queued e-mail is sent. Another e-mail wakes the worker, which otherwise
/// polls seconds later.
pub(crate) async fn a_minute_later(app: &App) {
    app.advance(Duration::minutes(1)).await;
    let workspace = app.ports.directory.list_workspaces("", 1).await.unwrap().remove(0).id;
    let to = EmailAddress::parse(&format!("{WAKE}{}@example.com", app.ports.ids.new_id())).unwrap();
    let source = EmailSource { workspace, per_hour: None, purpose: EmailPurpose::Notice };
    let email = QueuedEmail::seal(&app.ports, source, &EmailMessage::new(&to, "Wake", "up")).unwrap();
    let queue = move |tx: &mut dyn Tx| tx.emails().enqueue(&email).map(drop).map_err(Abort::Store);
    app.ports.store.run(workspace, Box::new(queue)).await.unwrap();
    let waiting = EmailFilter { workspace: None, status: Some(EmailStatus::Waiting), limit: 1 };
    let is_empty = async || app.ports.directory.list_emails(waiting).await.is_ok_and(|queued| queued.is_empty());
    eventually("every e-mail has been sent", is_empty).await;
}

/// The texts of all e-mails to an address, oldest first.
pub(crate) fn texts(app: &App, address: &str) -> Vec<String> {
    app.inbox.to(address).iter().map(|email| email.text().to_owned()).collect()
}

/// A ticket of [`CUSTOMER`]: its reference and the path of its issue. The acknowledgement is not counted.
async fn ticket(client: &Client) -> (String, String) {
    let reference = open_ticket(client, CUSTOMER).await;
    let issue = format!("/api/v1/issues/{}", issue_of(client, &reference).await);
    (reference, issue)
}

async fn set_status(client: &Client, issue: &str, status: &str) {
    let _ = client.patch(issue, json!({ "status": status })).await.expect(200);
}

/// E-mails to the customer other than acknowledgements.
fn other_emails(app: &App) -> Vec<String> {
    texts(app, CUSTOMER).into_iter().filter(|text| !text.contains("has received your request")).collect()
}

#[tokio::test]
async fn a_ticket_by_key_or_widget_is_acknowledged_once_without_quoting_it() {
    let (app, tenant) = with_mail_server().await;
    let (key, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await);
    enable_widget(&owner.client).await;
    let widget = format!("/api/widget/{}/tickets", tenant.workspace.id);
    let body = |email: &str| {
        let (name, subject) = ("Prize https://evil.example/", "You won https://evil.example/");
        json!({"name": name, "email": email, "subject": subject, "description": "Click here"})
    };
    let by_key = |body: Value| key.request("POST", "/api/public/tickets").json(&body);
    let by_widget = |body: Value| app.anonymous().request("POST", &widget).header("Origin", PAGE).json(&body);
    for (email, number) in [("by-key@example.org", 0), ("by-widget@example.org", 1)] {
        let mut reference = String::new();
        for _ in 0..2 {
            let request = if number == 0 { by_key(body(email)) } else { by_widget(body(email)) };
            let created = ApiResponse::of(request.header("Idempotency-Key", "once")).await.expect(201);
            reference = created.data()["reference"].as_str().unwrap().to_owned();
        }
        a_minute_later(&app).await;
        let inbox = app.inbox.to(email);
        let [sent] = inbox.as_slice() else { panic!("{} e-mails to {email}", inbox.len()) };
        assert_eq!(sent.subject(), format!("We have received your ticket {reference}"));
        for word in ["evil", "Prize", "won", "Click"] {
            assert!(!sent.text().contains(word), "{}", sent.text());
        }
        let name = &tenant.workspace.name;
        let link_start = format!("#workspace={}&reference={reference}&email=by-", tenant.workspace.id);
        for words in [name, &link_start, "forward this e-mail to abuse@example.com"] {
            assert!(sent.text().contains(words), "{words}: {}", sent.text());
        }
        // The link opens this ticket, once and for half an hour.
        let token = app.inbox.token(email, 1).await;
        let session = open_session(&app, &token).await.expect(201);
        let customer = app.with_key(session.data()["token"].as_str().unwrap());
        assert_eq!(customer.get("/api/portal/ticket").await.expect(200).data()["reference"], reference);
        assert_eq!(open_session(&app, &token).await.status, 409);
    }
}

#[tokio::test]
async fn the_workspace_decides_and_the_default_depends_on_a_mail_server() {
    for has_mail_server in [true, false] {
        let app = App::start_as(AppOptions { has_mail_server, ..AppOptions::default() }).await;
        let tenant = app.workspace().await;
        let (client, owner) = (tenant.full_access().await, tenant.user(Role::Owner).await);
        let shown = owner.client.get(SETTINGS).await.expect(200);
        assert_eq!(shown.data()["notify_requesters"], has_mail_server);
        let steps = [(None, has_mail_server), (Some(json!(true)), true), (Some(json!(false)), false)];
        let by_default = (Some(Value::Null), has_mail_server);
        for (number, (value, expected)) in steps.into_iter().chain([by_default]).enumerate() {
            if let Some(value) = value {
                let changed = owner.client.patch(SETTINGS, json!({ "notify_requesters": value })).await.expect(200);
                assert_eq!(changed.data()["notify_requesters"], expected);
            }
            let address = format!("p{number}@example.org");
            let reference = open_ticket(&client, &address).await;
            let issue = format!("/api/v1/issues/{}", issue_of(&client, &reference).await);
            set_status(&client, &issue, "resolved").await;
            a_minute_later(&app).await;
            let count = app.inbox.to(&address).len();
            assert_eq!(count, if expected { 2 } else { 0 }, "step {number}, mail server: {has_mail_server}");
        }
        let log = owner.client.get("/api/settings/audit-log").await.expect(200);
        assert_eq!(log.data()[0]["details"]["notify_requesters"], json!({"from": false, "to": null}));
        let refused = owner.client.patch(SETTINGS, json!({"notify_requesters": "yes"})).await.expect(400);
        assert_eq!(refused.details(), ["notify_requesters:invalid_type"]);
    }
}

#[tokio::test]
async fn a_resolution_is_emailed_once_a_minute_unless_it_was_reverted() {
    let (app, tenant) = with_mail_server().await;
    let client = tenant.full_access().await;
    for (statuses, expected) in [
        (vec!["resolved"], Some("was marked as resolved")),
        (vec!["resolved", "open", "resolved"], Some("was marked as resolved")),
        (vec!["pending", "on_hold", "open"], None),
        (vec!["resolved", "open"], None),
        (vec!["resolved", "closed"], Some("was marked as resolved")),
        (vec!["closed"], Some("was closed")),
        (vec!["resolved", "open", "closed"], Some("was closed")),
        (vec!["closed", "open"], None),
    ] {
        let (reference, issue) = ticket(&client).await;
        a_minute_later(&app).await;
        let before = other_emails(&app).len();
        for status in &statuses {
            set_status(&client, &issue, status).await;
        }
        a_minute_later(&app).await;
        let emails = other_emails(&app).split_off(before);
        assert_eq!(emails.len(), usize::from(expected.is_some()), "{statuses:?}: {emails:?}");
        if let Some(words) = expected {
            assert!(emails[0].starts_with(&format!("Your ticket {reference} {words}. ")), "{}", emails[0]);
            assert!(!emails[0].contains("print"), "nothing of the ticket: {}", emails[0]);
        }
        // A minute later there is another e-mail, but not when a resolved ticket is closed.
        if statuses == ["resolved"] {
            set_status(&client, &issue, "closed").await;
            a_minute_later(&app).await;
            assert_eq!(other_emails(&app).len(), before + 1, "its end was reported");
            for status in ["open", "resolved"] {
                set_status(&client, &issue, status).await;
            }
            a_minute_later(&app).await;
            assert_eq!(other_emails(&app).len(), before + 2);
        }
        app.advance(Duration::days(1)).await;
    }
}

#[tokio::test]
async fn an_answer_and_the_resolution_are_one_email() {
    let (app, tenant) = with_mail_server().await;
    let client = tenant.full_access().await;
    let (reference, issue) = ticket(&client).await;
    for (body, visibility) in [("He is angry", "internal"), ("Turn it on", "public")] {
        let comment = json!({ "body": body, "visibility": visibility });
        let _ = client.post(&format!("{issue}/comments"), comment).await.expect(201);
    }
    set_status(&client, &issue, "resolved").await;
    a_minute_later(&app).await;
    let emails = other_emails(&app);
    let [text] = emails.as_slice() else { panic!("{emails:?}") };
    assert!(text.starts_with(&format!("Your ticket {reference} was marked as resolved.")), "{text}");
    assert!(text.contains("\n\n* * *\n\nTurn it on\n\n-- \n") && !text.contains("angry"), "{text}");
    let token = app.inbox.token(CUSTOMER, 2).await;
    let _ = open_session(&app, &token).await.expect(201);
    // The answer is still sent if the resolution is reverted, even by the customer.
    let customer = customer_of(&app, &client, &reference).await;
    let _ =
        client.post(&format!("{issue}/comments"), json!({"body": "Or off", "visibility": "public"})).await.expect(201);
    for status in ["open", "resolved"] {
        set_status(&client, &issue, status).await;
    }
    let _ = customer.post("/api/portal/ticket/replies", json!({"body": "No"})).await.expect(201);
    a_minute_later(&app).await;
    assert!(other_emails(&app)[1].starts_with("Or off\n\n-- \n"), "{}", other_emails(&app)[1]);
}

#[tokio::test]
async fn every_email_says_that_replies_are_not_read() {
    let (app, tenant) = with_mail_server().await;
    let (client, bob) = (tenant.full_access().await, tenant.user(Role::Member).await);
    let (reference, issue) = ticket(&client).await;
    // Customers get an acknowledgement, an answer, a requested link, and the resolution.
    let answer = json!({"body": "Turn it on", "visibility": "public"});
    let _ = client.post(&format!("{issue}/comments"), answer).await.expect(201);
    a_minute_later(&app).await;
    let request = json!({"workspace_id": tenant.workspace.id, "email": CUSTOMER, "reference": reference});
    let _ = app.anonymous().post("/api/portal/magic-links", request).await.expect(202);
    let _ = app.inbox.token(CUSTOMER, 3).await;
    // Members get e-mails about an assignment and a customer's reply.
    let _ = client.patch(&issue, json!({"assignee_id": bob.id})).await.expect(200);
    a_minute_later(&app).await;
    let customer = customer_of(&app, &client, &reference).await;
    let _ = customer.post("/api/portal/ticket/replies", json!({"body": "It is on"})).await.expect(201);
    a_minute_later(&app).await;
    set_status(&client, &issue, "closed").await;
    a_minute_later(&app).await;
    for (address, count, words) in [
        (CUSTOMER, 4, "Replies to this e-mail do not reach your ticket. To "),
        (bob.email.as_str(), 2, "Replies to this e-mail are not read. To answer or change something, open "),
    ] {
        let emails = texts(&app, address);
        assert_eq!(emails.len(), count, "{address}: {emails:?}");
        for text in &emails {
            assert_eq!(text.matches(words).count(), 1, "{address}: {text}");
        }
    }
}

#[tokio::test]
async fn a_bulk_update_emails_each_requester_once() {
    let (app, tenant) = with_mail_server().await;
    let client = tenant.full_access().await;
    let mut ids = Vec::new();
    for number in 0..3 {
        let reference = open_ticket(&client, &format!("p{number}@example.org")).await;
        ids.push(issue_of(&client, &reference).await);
    }
    for kind in ["ticket", "task"] {
        ids.push(client.create("/api/v1/issues", json!({"kind": kind, "title": "Inside"})).await);
    }
    let patch = json!({"issueIds": ids, "patch": {"status": "resolved"}});
    let result = client.post("/api/v1/issues/bulk-update", patch).await.expect(200);
    assert_eq!(result.data()["updatedCount"], 4, "{}", result.text);
    a_minute_later(&app).await;
    for number in 0..3 {
        let emails = texts(&app, &format!("p{number}@example.org"));
        assert_eq!(emails.iter().filter(|text| text.contains("was marked as resolved")).count(), 1, "{emails:?}");
        assert_eq!(emails.len(), 2);
        // Each e-mail has its own link.
        let token = app.inbox.token(&format!("p{number}@example.org"), 2).await;
        let _ = open_session(&app, &token).await.expect(201);
    }
}

#[tokio::test]
async fn acknowledgements_to_a_mailbox_per_day_are_limited() {
    let (app, tenant) = with_mail_server().await;
    let bound = EmailPurpose::Acknowledgement.per_mailbox().0 as usize;
    let tenants = [tenant, app.workspace().await];
    let address = |number: usize| format!("victim+{number}@example.org");
    for tenant in &tenants {
        let client = tenant.full_access().await;
        for number in 0..bound {
            let _ = open_ticket(&client, &address(number)).await;
        }
    }
    a_minute_later(&app).await;
    let email_count: usize = (0..bound).map(|number| app.inbox.to(&address(number)).len()).sum();
    assert_eq!(email_count, bound);
}

#[tokio::test]
async fn unauthenticated_clients_use_at_most_half_of_the_workspaces_emails() {
    let app = App::start_as(AppOptions { has_mail_server: true, ..AppOptions::default() }).await;
    app.begin_window(Duration::HOUR).await;
    let tenant = app.workspace().await;
    let tenant = tenant.limit_to(&[(LimitName::EmailsPerHour, 4)]).await;
    let client = tenant.full_access().await;
    let mut issues = Vec::new();
    for number in 0..5 {
        // The ticket is opened, with or without an e-mail.
        let reference = open_ticket(&client, &format!("p{number}@example.org")).await;
        issues.push(issue_of(&client, &reference).await);
    }
    for issue in &issues[2..] {
        let comment = json!({"body": "Hello", "visibility": "public"});
        let _ = client.post(&format!("/api/v1/issues/{issue}/comments"), comment).await.expect(201);
    }
    a_minute_later(&app).await;
    let counts: Vec<_> = (0..5).map(|number| app.inbox.to(&format!("p{number}@example.org")).len()).collect();
    assert_eq!(counts, [1, 1, 1, 1, 0], "two acknowledgements, then two answers");
}

#[tokio::test]
async fn tickets_that_the_workspace_opens_itself_are_not_acknowledged() {
    let (app, tenant) = with_mail_server().await;
    let client = tenant.full_access().await;
    let body = json!({"kind": "ticket", "title": "Inside"});
    let new = client.post("/api/v1/issues", body).await.expect(201);
    set_status(&client, &format!("/api/v1/issues/{}", new.id()), "resolved").await;
    // The requester of a ticket that a tool opens only gets an e-mail about its resolution.
    let created = json!({"title": "By telephone", "requester_email": "bob@example.org"});
    let created = run(&client, "create_ticket", created).await;
    a_minute_later(&app).await;
    assert_eq!(texts(&app, "bob@example.org"), [""; 0]);
    set_status(&client, &format!("/api/v1/issues/{}", created["id"].as_str().unwrap()), "closed").await;
    a_minute_later(&app).await;
    assert_eq!(texts(&app, "bob@example.org").len(), 1);
    let _ = client.post("/api/public/tickets", intake(CUSTOMER)).await.expect(201);
    a_minute_later(&app).await;
    let emails =
        app.ports.directory.list_emails(EmailFilter { workspace: None, status: None, limit: 9 }).await.unwrap();
    let recipients = emails.iter().map(|email| &*email.to).filter(|to| !to.starts_with(WAKE));
    assert_eq!(recipients.collect::<Vec<_>>(), [CUSTOMER, "bob@example.org"]);
}
