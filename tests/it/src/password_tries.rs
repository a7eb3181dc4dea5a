//! Guessing the password of a session's user.

use domain::identity::workspaces::Role;
use domain::limits::FixedLimits;
use http_core::{HttpSettings, TrustedProxies};
use serde_json::json;
use test_support::{ApiResponse, App, AppOptions, Client};
use time::Duration;

const PASSWORD: (&str, &str) = ("POST", "/api/auth/password");
const SECOND_FACTOR: (&str, &str) = ("DELETE", "/api/account/second-factor");

async fn guess(client: &Client, (method, path): (&str, &str), typed: &str, from: u32) -> ApiResponse {
    let body = match method {
        "POST" => json!({"current_password": typed, "new_password": "quite another 77 horses"}),
        _ => json!({"password": typed}),
    };
    let request = client.request(method, path).header("X-Forwarded-For", format!("198.51.100.{from}"));
    ApiResponse::of(request.json(&body)).await
}

#[tokio::test]
async fn wrong_passwords_count_per_user_whatever_the_address_the_session_and_the_route() {
    let settings =
        HttpSettings { trusted_proxies: TrustedProxies::parse(["127.0.0.1"]).unwrap(), ..HttpSettings::default() };
    let options = AppOptions { settings, limits: FixedLimits::default(), ..AppOptions::default() };
    let app = App::start_as(options).await;
    app.begin_window(Duration::MINUTE).await;
    let tenant = app.workspace().await;
    let (ada, bob) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    let other_session = app.log_in(&ada, &ada.workspace).await;
    for number in 0..10 {
        let route = if number % 2 == 0 { PASSWORD } else { SECOND_FACTOR };
        let client = if number < 5 { &ada.client } else { &other_session };
        let member = if route == PASSWORD { "current_password" } else { "password" };
        let reply = guess(client, route, &format!("guess number {number}"), number).await.expect(422);
        assert_eq!(reply.details(), [format!("{member}:incorrect")], "{number}");
    }
    for (number, (client, route, typed)) in [
        (&ada.client, PASSWORD, "guess number 10"),
        (&ada.client, PASSWORD, ada.password),
        (&other_session, SECOND_FACTOR, ada.password),
    ]
    .into_iter()
    .enumerate()
    {
        let reply = guess(client, route, typed, 100 + u32::try_from(number).unwrap()).await.expect(429);
        assert_eq!(reply.body["error"], json!("rate_limit_exceeded"), "{}", reply.text);
        assert!(!reply.header("retry-after").is_empty());
    }
    // Nobody else is affected, and the user can sign in again in the next minute.
    assert_eq!(guess(&bob.client, PASSWORD, "guess", 1).await.status, 422);
    app.advance(Duration::MINUTE).await;
    assert_eq!(guess(&ada.client, PASSWORD, ada.password, 1).await.status, 200);
}
