//! E-mails to members: assignments by others, and replies by customers.

use domain::email::EmailPurpose;
use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, TestUser};
use time::Duration;

use crate::all_callers::{customer_of, issue_of, open_ticket};
use crate::support::statuses_in_parallel;
use crate::support_emails::{a_minute_later, texts, with_mail_server};
use crate::tools::run;

const ISSUES: &str = "/api/v1/issues";
const COMPANIES: &str = "/api/v1/crm/companies";
const DEALS: &str = "/api/v1/crm/deals";
const PROJECTS: &str = "/api/v1/projects";
const BULK: &str = "/api/v1/issues/bulk-update";
const ACCOUNT: &str = "/api/account";

fn task(assignee: &TestUser) -> Value {
    json!({"kind": "task", "title": "Water the plants", "assignee_id": assignee.id})
}

fn subjects(app: &App, user: &TestUser) -> Vec<String> {
    app.inbox.to(&user.email).iter().map(|email| email.subject().to_owned()).collect()
}

#[tokio::test]
async fn members_get_emails_about_assignments_by_others() {
    let (app, tenant) = with_mail_server().await;
    let (ann, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Viewer).await);
    let key = tenant.full_access().await;
    let ticket = ann.client.create(ISSUES, json!({"kind": "ticket", "title": "Broken"})).await;
    let deal = key.create(DEALS, json!({"title": "Unassigned"})).await;
    let project = key.create(PROJECTS, json!({"name": "Unassigned"})).await;
    let company = key.create(COMPANIES, json!({"name": "Unassigned"})).await;
    let steps = [
        ("POST", ISSUES.to_owned(), task(&bob), "Assigned to you: task #1"),
        ("PATCH", format!("{ISSUES}/{ticket}"), json!({"assignee_id": bob.id}), "Assigned to you: ticket TKT-"),
        ("POST", DEALS.to_owned(), json!({"title": "Pilot", "assigned_to": bob.id}), "Assigned to you: deal"),
        ("PATCH", format!("{DEALS}/{deal}"), json!({"assigned_to": bob.id}), "Assigned to you: deal"),
        ("POST", PROJECTS.to_owned(), json!({"name": "Move", "lead_user_id": bob.id}), "Assigned to you: project"),
        ("PATCH", format!("{PROJECTS}/{project}"), json!({"lead_user_id": bob.id}), "Assigned to you: project"),
        ("POST", COMPANIES.to_owned(), json!({"name": "Acme", "assigned_to": bob.id}), "Assigned to you: company"),
        ("PATCH", format!("{COMPANIES}/{company}"), json!({"assigned_to": bob.id}), "Assigned to you: company"),
    ];
    for (number, (method, path, body, subject)) in steps.into_iter().enumerate() {
        let reply = ApiResponse::of(ann.client.request(method, &path).json(&body)).await;
        assert!(reply.status < 300, "{}", reply.text);
        // Other changes send no e-mail.
        let record = if method == "POST" { format!("{path}/{}", reply.id()) } else { path };
        let title = if record.starts_with(PROJECTS) || record.starts_with(COMPANIES) { "name" } else { "title" };
        let _ = ann.client.patch(&record, json!({ title: "Another" })).await.expect(200);
        a_minute_later(&app).await;
        let all = subjects(&app, &bob);
        assert_eq!(all.len(), number + 1, "{subject}: {all:?}");
        assert!(all[number].starts_with(subject), "{all:?}");
    }
    let text = &texts(&app, &bob.email)[0];
    assert!(text.starts_with("A member assigned the task #1 to you:\n\nWater the plants\n\nId: "), "{text}");
    assert!(text.contains("To stop these e-mails, change your account: https://"), "how to stop them: {text}");
    // Assignments by a key count as made by others.
    let _ = key.create(ISSUES, task(&bob)).await;
    a_minute_later(&app).await;
    assert!(texts(&app, &bob.email)[8].starts_with("The API key test assigned the task #2 to you:"));
    // Only tools assign contacts.
    let contact = json!({"email": "mia@example.com", "first_name": "Mia", "assigned_to": bob.email});
    let _ = run(&key, "create_contact", contact).await;
    a_minute_later(&app).await;
    let text = &texts(&app, &bob.email)[9];
    assert!(text.starts_with("The API key test assigned the contact to you:\n\nMia\n\nId: "), "{text}");
    assert_eq!(app.inbox.to(&ann.email), [], "the assigning user gets no e-mail");
}

#[tokio::test]
async fn own_assignments_and_disabled_notifications_send_no_email() {
    let (app, tenant) = with_mail_server().await;
    let (ann, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let own_task = ann.client.create(ISSUES, task(&ann)).await;
    let _ = ann.client.patch(&format!("{ISSUES}/{own_task}"), json!({"assignee_id": null})).await.expect(200);
    let _ = ann.client.patch(&format!("{ISSUES}/{own_task}"), json!({"assignee_id": ann.id})).await.expect(200);
    let off = bob.client.patch(ACCOUNT, json!({"notify_assigned": false})).await.expect(200);
    assert_eq!((&off.data()["notify_assigned"], &off.data()["notify_replies"]), (&json!(false), &json!(true)));
    let _ = ann.client.create(ISSUES, task(&bob)).await;
    let ids = vec![ann.client.create(ISSUES, json!({"kind": "task", "title": "t"})).await];
    let bulk = json!({"issueIds": ids, "patch": {"assignee_id": bob.id}});
    let _ = ann.client.post(BULK, bulk).await.expect(200);
    a_minute_later(&app).await;
    assert_eq!((app.inbox.to(&ann.email), app.inbox.to(&bob.email)), (vec![], vec![]));
    // Null restores the default.
    let on = bob.client.patch(ACCOUNT, json!({"notify_assigned": null})).await.expect(200);
    assert_eq!(on.data()["notify_assigned"], true);
    let _ = ann.client.create(ISSUES, task(&bob)).await;
    a_minute_later(&app).await;
    assert_eq!(app.inbox.to(&bob.email).len(), 1);
}

#[tokio::test]
async fn five_hundred_assigned_tasks_are_one_email() {
    let (app, tenant) = with_mail_server().await;
    let (ann, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let mut ids = Vec::new();
    for number in 0..500 {
        let body = json!({"kind": "task", "title": format!("Task {number}")});
        ids.push(ann.client.create(ISSUES, body).await);
    }
    let bulk = |user: &TestUser| json!({"issueIds": ids, "patch": {"assignee_id": user.id}});
    let result = ann.client.post(BULK, bulk(&bob)).await.expect(200);
    assert_eq!(result.data()["updatedCount"], 500);
    let repeated = ann.client.post(BULK, bulk(&bob)).await.expect(200);
    assert_eq!(repeated.data()["updatedCount"], 500);
    a_minute_later(&app).await;
    let inbox = app.inbox.to(&bob.email);
    let [email] = inbox.as_slice() else { panic!("{} e-mails", inbox.len()) };
    assert_eq!(email.subject(), "Assigned to you: 500 tasks");
    assert_eq!(email.text().matches("\n- task #").count(), 20);
    assert!(email.text().contains("\n\nand 480 more\n"), "{}", email.text());
}

#[tokio::test]
async fn concurrent_assignments_are_one_email() {
    let (app, tenant) = with_mail_server().await;
    let (key, bob) = (tenant.full_access().await, tenant.user(Role::Member).await);
    let create = |number| {
        let body = json!({"kind": "task", "title": format!("Title {number}."), "assignee_id": bob.id});
        key.request("POST", ISSUES).json(&body)
    };
    assert_eq!(statuses_in_parallel((0..16).map(create)).await, [201; 16]);
    a_minute_later(&app).await;
    let emails = texts(&app, &bob.email);
    let [text] = emails.as_slice() else { panic!("{} e-mails", emails.len()) };
    for number in 0..16 {
        assert_eq!(text.matches(&format!("Title {number}.")).count(), 1, "{text}");
    }
}

#[tokio::test]
async fn deals_that_an_upsert_assigns_are_one_email() {
    let (app, tenant) = with_mail_server().await;
    let (key, bob) = (tenant.full_access().await, tenant.user(Role::Member).await);
    let _ = key.create(DEALS, json!({"title": "Old", "external_id": "1"})).await;
    let item = |id: &str| json!({"external_id": id, "title": "Deal", "assigned_to": bob.id});
    for dry_run in [true, false, false] {
        let _ = run(&key, "upsert_deals", json!({"items": [item("1"), item("2")], "dry_run": dry_run})).await;
    }
    a_minute_later(&app).await;
    assert_eq!(subjects(&app, &bob), ["Assigned to you: 2 deals"]);
}

#[tokio::test]
async fn assignments_within_a_minute_are_one_email_without_reverted_ones() {
    let (app, tenant) = with_mail_server().await;
    let users = [tenant.user(Role::Member).await, tenant.user(Role::Member).await, tenant.user(Role::Member).await];
    let [ann, bob, cleo] = &users;
    let titles = ["One", "Two", "Three"];
    let mut ids = Vec::new();
    for title in titles {
        let body = json!({"kind": "task", "title": title, "assignee_id": bob.id});
        ids.push(ann.client.create(ISSUES, body).await);
    }
    let _ = ann.client.patch(&format!("{ISSUES}/{}", ids[0]), json!({"assignee_id": cleo.id})).await.expect(200);
    a_minute_later(&app).await;
    assert_eq!(subjects(&app, bob), ["Several updates to your work"]);
    let text = &texts(&app, &bob.email)[0];
    assert!(!text.contains("One") && text.contains("Two") && text.contains("Three"), "{text}");
    assert_eq!(subjects(&app, cleo), ["Assigned to you: task #1"]);
    // If nothing remains, there is no e-mail.
    let short = ann.client.create(ISSUES, task(bob)).await;
    let _ = ann.client.patch(&format!("{ISSUES}/{short}"), json!({"assignee_id": null})).await.expect(200);
    a_minute_later(&app).await;
    assert_eq!(subjects(&app, bob).len(), 1);
}

#[tokio::test]
async fn removed_members_get_no_more_emails() {
    let (app, tenant) = with_mail_server().await;
    let (owner, bob) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let issue = format!("{ISSUES}/{}", issue_of(&client, &reference).await);
    let _ = owner.client.patch(&issue, json!({"assignee_id": bob.id})).await.expect(200);
    // The e-mail is queued, but must no longer be sent to them.
    let _ = owner.client.delete(&format!("/api/settings/members/{}", bob.id)).await.expect(200);
    let customer = customer_of(&app, &client, &reference).await;
    let _ = customer.post("/api/portal/ticket/replies", json!({"body": "Still"})).await.expect(201);
    a_minute_later(&app).await;
    assert_eq!(app.inbox.to(&bob.email), []);
    assert_eq!(app.inbox.to(&owner.email), []);
}

#[tokio::test]
async fn a_customers_reply_is_emailed_only_to_the_assignee() {
    let (app, tenant) = with_mail_server().await;
    let (owner, bob) = (tenant.user(Role::Owner).await, tenant.user(Role::Member).await);
    let client = tenant.full_access().await;
    let reference = open_ticket(&client, "ada@example.org").await;
    let id = issue_of(&client, &reference).await;
    let issue = format!("{ISSUES}/{id}");
    let customer = customer_of(&app, &client, &reference).await;
    let reply = async |body: &str| {
        let _ = customer.post("/api/portal/ticket/replies", json!({ "body": body })).await.expect(201);
    };
    reply("Nobody is responsible").await;
    let _ = client.patch(&issue, json!({"assignee_id": bob.id})).await.expect(200);
    a_minute_later(&app).await;
    assert_eq!(subjects(&app, &bob), [format!("Assigned to you: ticket {reference}")]);
    reply("Is anybody <b>there</b>?").await;
    a_minute_later(&app).await;
    let emails = app.inbox.to(&bob.email);
    assert_eq!(emails[1].subject(), format!("The customer replied: ticket {reference}"));
    let expected = format!(
        "Ada replied to the ticket {reference}, It does not print:\n\nIs anybody <b>there</b>?\n\nId: {}\n",
        issue.rsplit('/').next().unwrap()
    );
    assert!(emails[1].text().starts_with(&expected), "{}", emails[1].text());
    // Several replies within a minute, in order, without the workspace's answers.
    for body in ["First", "Second"] {
        reply(body).await;
    }
    let comment = json!({"body": "To the customer", "visibility": "public"});
    let _ = client.post(&format!("{issue}/comments"), comment).await.expect(201);
    a_minute_later(&app).await;
    let emails = app.inbox.to(&bob.email);
    let (first, second) = (emails[2].text().find("First"), emails[2].text().find("Second"));
    assert!(emails.len() == 3 && first.is_some() && first < second, "{}", emails[2].text());
    assert!(!emails[2].text().contains("To the customer"));
    let off = bob.client.patch(ACCOUNT, json!({"notify_replies": false})).await.expect(200);
    assert_eq!((&off.data()["notify_assigned"], &off.data()["notify_replies"]), (&json!(true), &json!(false)));
    reply("Unheard").await;
    a_minute_later(&app).await;
    assert_eq!((app.inbox.to(&bob.email).len(), app.inbox.to(&owner.email).len()), (3, 0));
}

#[tokio::test]
async fn notifications_to_a_mailbox_per_hour_are_limited() {
    let (app, tenant) = with_mail_server().await;
    app.begin_window(Duration::HOUR).await;
    let other = app.workspace().await;
    let bound = EmailPurpose::Notification.per_mailbox().0 as usize;
    let address = |number: usize| format!("bob+{number}@example.com");
    for tenant in [&tenant, &other] {
        let client = tenant.full_access().await;
        // Each member has another form of the same address.
        for number in 0..=bound / 2 {
            let id = tenant.member(&address(number)).await;
            let _ = client.create(ISSUES, json!({"kind": "task", "title": "t", "assignee_id": id})).await;
        }
    }
    a_minute_later(&app).await;
    let email_count: usize = (0..=bound / 2).map(|number| app.inbox.to(&address(number)).len()).sum();
    assert_eq!(email_count, bound);
}

#[tokio::test]
async fn notification_settings_belong_to_the_account_and_are_validated() {
    let app = App::start().await;
    let (one, two) = (app.workspace().await, app.workspace().await);
    let bob = one.user(Role::Viewer).await;
    let shown = bob.client.get(ACCOUNT).await.expect(200);
    assert_eq!((&shown.data()["notify_assigned"], &shown.data()["notify_replies"]), (&json!(true), &json!(true)));
    let _ = bob.client.patch(ACCOUNT, json!({"notify_replies": false, "name": "Bob"})).await.expect(200);
    let _ = two.join(&bob.email, Role::Member).await;
    let other_session = app.log_in(&bob, &two.workspace.slug).await;
    let shown = other_session.get(ACCOUNT).await.expect(200);
    assert_eq!((&shown.data()["notify_replies"], &shown.data()["name"]), (&json!(false), &json!("Bob")));
    for member in ["notify_assigned", "notify_replies"] {
        let refused = bob.client.patch(ACCOUNT, json!({ member: 1 })).await.expect(400);
        assert_eq!(refused.details(), [format!("{member}:invalid_type")]);
    }
    let owner = one.user(Role::Owner).await;
    let log = owner.client.get("/api/settings/audit-log").await.expect(200);
    let entry = log.data().as_array().unwrap().iter().find(|entry| entry["action"] == "account.updated").unwrap();
    let expected = json!({"name": {"from": "A member", "to": "Bob"}, "notify_replies": {"from": true, "to": false}});
    assert_eq!(entry["details"], expected);
}
