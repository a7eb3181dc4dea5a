//! Limits on e-mails to others that one caller can cause (docs/security.md).

use domain::email::{EmailBounds, EmailPurpose};
use domain::identity::workspaces::Role;
use domain::limits::LimitName;
use serde_json::json;
use test_support::{App, AppOptions, Client, eventually};
use time::Duration;

use crate::all_callers::{issue_of, open_ticket};

/// Opens a ticket and returns the path of its comments.
async fn comments_of(client: &Client, email: &str) -> String {
    let reference = open_ticket(client, email).await;
    format!("/api/v1/issues/{}/comments", issue_of(client, &reference).await)
}

async fn answer(client: &Client, comments: &str, body: &str) {
    let _ = client.post(comments, json!({"body": body, "visibility": "public"})).await.expect(201);
}

#[tokio::test]
async fn comments_within_a_minute_are_one_email_that_names_its_sender() {
    let minute = std::time::Duration::from_mins(1);
    let app = App::start_as(AppOptions { answer_delay: minute, ..AppOptions::default() }).await;
    let tenant = app.workspace().await;
    let client = tenant.full_access().await;
    let comments = comments_of(&client, "ada@example.org").await;
    let other = comments_of(&client, "bob@example.org").await;
    for body in ["One <b>", "Two https://evil.example/", "Three"] {
        answer(&client, &comments, body).await;
    }
    answer(&client, &other, "Elsewhere").await;
    app.advance(Duration::minutes(1)).await;
    let _ = app.inbox.token("ada@example.org", 1).await;
    let _ = app.inbox.token("bob@example.org", 1).await;
    let inbox = app.inbox.to("ada@example.org");
    let [email] = inbox.as_slice() else { panic!("{} e-mails", inbox.len()) };
    let expected = "One <b>\n\n* * *\n\nTwo https://evil.example/\n\n* * *\n\nThree\n\n-- \n";
    assert!(email.text().starts_with(expected), "{}", email.text());
    let name = &tenant.workspace.name;
    for words in [
        format!("on behalf of {name} by the service at https://work.example.com"),
        "forward this e-mail to abuse@example.com".to_owned(),
    ] {
        assert!(email.text().contains(&words), "{words}: {}", email.text());
    }
    assert!(!email.subject().contains("print"), "no text of the ticket in {}", email.subject());
    // Later comments are another e-mail.
    answer(&client, &comments, "Later").await;
    app.advance(Duration::minutes(1)).await;
    let _ = app.inbox.token("ada@example.org", 2).await;
    assert!(app.inbox.to("ada@example.org")[1].text().starts_with("Later\n"));
}

#[tokio::test]
async fn the_emails_of_a_workspace_per_hour_are_limited() {
    let app = App::start().await;
    app.begin_window(Duration::HOUR).await;
    let (tenant, other) = (app.workspace().await, app.workspace().await);
    let tenant = tenant.limit_to(&[(LimitName::EmailsPerHour, 3)]).await;
    let (owner, client) = (tenant.user(Role::Owner).await, tenant.full_access().await);
    for number in 0..6 {
        let comments = comments_of(&client, &format!("p{number}@example.org")).await;
        // The comment is stored even if no e-mail is sent.
        answer(&client, &comments, "Hello").await;
    }
    let invitation = |email: &str| json!({"email": email, "role": "member"});
    let refused = owner.client.post("/api/settings/members", invitation("new@example.com")).await;
    assert_eq!((refused.status, &refused.body["error"]), (429, &json!("rate_limit_exceeded")), "{}", refused.text);
    assert!((1..=3_600).contains(&refused.header("Retry-After").parse::<u32>().unwrap()));
    let members = owner.client.get("/api/settings/members?limit=100").await.expect(200);
    assert!(!members.text.contains("new@example.com"), "nobody was invited");
    // Another workspace is not affected, and neither is this one an hour later.
    let others = other.user(Role::Owner).await;
    let _ = others.client.post("/api/settings/members", invitation("else@example.com")).await.expect(201);
    let _ = app.inbox.token("else@example.com", 1).await;
    let counts = || (0..6).map(|number| app.inbox.to(&format!("p{number}@example.org")).len());
    eventually("those within the bound are sent", async || counts().sum::<usize>() >= 3).await;
    assert_eq!(counts().sum::<usize>(), 3);
    app.advance(Duration::hours(1)).await;
    let _ = owner.client.post("/api/settings/members", invitation("new@example.com")).await.expect(201);
    let _ = app.inbox.token("new@example.com", 1).await;
    assert_eq!(counts().sum::<usize>(), 3);
}

#[tokio::test]
async fn answers_to_a_mailbox_per_day_are_limited_but_password_resets_still_arrive() {
    let app = App::start().await;
    let bound = EmailBounds::default().answers as usize;
    let tenants = [app.workspace().await, app.workspace().await, app.workspace().await];
    let ann = tenants[0].user(Role::Owner).await;
    for tenant in &tenants {
        let client = tenant.full_access().await;
        // Each ticket has another form of the same address.
        for number in 0..bound / 2 {
            let address = ann.email.replace('@', &format!("+{number}@"));
            let comments = comments_of(&client, &address).await;
            answer(&client, &comments, "Buy").await;
        }
    }
    let all = || {
        let addresses = (0..bound / 2).map(|number| ann.email.replace('@', &format!("+{number}@")));
        addresses.map(|address| app.inbox.to(&address).len()).sum::<usize>()
    };
    eventually("all answers within the bound have arrived", async || all() == bound).await;
    let reset = json!({"email": ann.email});
    let _ = app.anonymous().post("/api/auth/password-resets", reset).await.expect(202);
    let token = app.inbox.token(&ann.email, 1).await;
    assert!(token.starts_with("svp_"));
    assert_eq!(all(), bound);
}

#[tokio::test]
async fn invitations_to_an_outsider_are_limited() {
    let app = App::start().await;
    let bound = EmailPurpose::Invitation.per_mailbox().0;
    let mut statuses = Vec::new();
    for _ in 0..bound + 2 {
        let owner = app.workspace().await.user(Role::Owner).await;
        let invitation = json!({"email": "outsider@example.com", "role": "member"});
        statuses.push(owner.client.post("/api/settings/members", invitation.clone()).await.status);
        // The same workspace has to wait in any case.
        let retry = owner.client.post("/api/settings/members", invitation).await;
        assert_eq!(retry.status, 429, "{}", retry.text);
        assert!(retry.header("Retry-After").parse::<u32>().is_ok_and(|wait| wait > 0));
    }
    let expected: Vec<u16> = (0..bound + 2).map(|number| if number < bound { 201 } else { 429 }).collect();
    assert_eq!(statuses, expected);
}

#[tokio::test]
async fn an_address_is_invited_again_only_after_a_while() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    let invite = async || {
        let invitation = json!({"email": "new@example.com", "role": "member"});
        owner.client.post("/api/settings/members", invitation).await
    };
    let _ = invite().await.expect(201);
    app.advance(Duration::minutes(4)).await;
    let refused = invite().await;
    assert_eq!((refused.status, &refused.body["error"]), (429, &json!("rate_limit_exceeded")), "{}", refused.text);
    let wait: i64 = refused.header("Retry-After").parse().unwrap();
    assert!((1..=360).contains(&wait), "{wait}");
    let token = app.inbox.token("new@example.com", 1).await;
    app.advance(Duration::seconds(wait)).await;
    let _ = invite().await.expect(201);
    assert_ne!(app.inbox.token("new@example.com", 2).await, token);
}
