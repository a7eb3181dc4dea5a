//! Rate limits: classes, windows, headers, and what requests are counted by.

use std::sync::Arc;

use domain::identity::workspaces::{PlanChange, Role};
use domain::limits::{FixedLimits, LimitName, Plan};
use http_actix::OPERATIONS;
use http_core::{HttpSettings, TrustedProxies};
use limiter::testing::RedisServer;
use limiter::{RedisLimiter, RedisOptions};
use serde_json::json;
use test_support::{ApiResponse, App, AppOptions};
use time::Duration;

use crate::support::{UNKNOWN_ID, path_of, send_in_parallel};

const LIST: &str = "/api/v1/projects";

/// `limit remaining` of a response; empty without these headers.
fn rate_limit(reply: &ApiResponse) -> String {
    format!("{} {}", reply.header("x-ratelimit-limit"), reply.header("x-ratelimit-remaining")).trim().to_owned()
}

#[tokio::test]
async fn each_plan_has_its_limit_and_writes_have_half_of_it() {
    let app = App::with_real_limits().await;
    for (plan, read, write) in
        [(Plan::Starter, 100, 50), (Plan::Professional, 500, 250), (Plan::Enterprise, 2_000, 1_000)]
    {
        let tenant = app.workspace_of(plan).await;
        let client = tenant.full_access().await;
        let user = tenant.user(Role::Member).await;
        for client in [&client, &user.client] {
            let first = client.get(LIST).await.expect(200);
            assert_eq!(rate_limit(&first), format!("{read} {}", read - 1), "{plan}");
            let reset: i64 = first.header("x-ratelimit-reset").parse().unwrap();
            assert_eq!((reset % 60, reset - app.ports.clock.now().unix_timestamp() <= 60), (0, true));
            let created = client.post(LIST, json!({"name": "p"})).await.expect(201);
            assert_eq!(rate_limit(&created), format!("{write} {}", write - 1), "{plan}: a window of its own");
            assert_eq!(rate_limit(&client.get(LIST).await), format!("{read} {}", read - 2));
            let bulk = json!({"issueIds": [UNKNOWN_ID], "patch": {"priority": "low"}});
            let bulk = client.post("/api/v1/issues/bulk-update", bulk).await.expect(200);
            assert_eq!(rate_limit(&bulk), "10 9", "{plan}");
        }
    }
}

#[tokio::test]
async fn a_request_above_the_limit_is_a_flat_429_until_the_window_ends() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let (client, other) = (tenant.full_access().await, tenant.full_access().await);
    for remaining in (0..50).rev() {
        let reply = client.post(LIST, json!({"name": ""})).await.expect(422);
        assert_eq!(rate_limit(&reply), format!("50 {remaining}"), "errors count and carry the headers");
    }
    let refused = client.post(LIST, json!({"name": "p"})).await.expect(429);
    let wait = refused.body["retry_after"].as_i64().unwrap();
    assert_eq!(
        refused.body,
        json!({
            "error": "rate_limit_exceeded", "message": format!("too many requests: try again in {wait} s"),
            "retry_after": wait, "request_id": refused.header("x-request-id"),
        })
    );
    assert!((1..=60).contains(&wait));
    assert_eq!((rate_limit(&refused), refused.header("retry-after")), ("50 0".to_owned(), &*wait.to_string()));
    // The limit is checked before scope, media type and shape.
    let narrow = client.request("POST", LIST).header("Content-Type", "text/plain").body("{");
    assert_eq!(ApiResponse::of(narrow).await.status, 429);
    let _ = client.get(LIST).await.expect(200);
    let _ = other.post(LIST, json!({"name": "p"})).await.expect(201);
    app.advance(Duration::seconds(wait)).await;
    let allowed = client.post(LIST, json!({"name": "p"})).await.expect(201);
    assert_eq!(rate_limit(&allowed), "50 49");
}

#[tokio::test]
async fn counting_is_exact_under_parallel_calls() {
    let app = App::with_real_limits().await;
    let client = app.workspace_of(Plan::Starter).await.full_access().await;
    let replies = send_in_parallel((0..130).map(|_| client.request("GET", LIST))).await;
    let good: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
    assert_eq!(good.len(), 100);
    let mut remaining: Vec<u32> =
        good.iter().map(|reply| reply.header("x-ratelimit-remaining").parse().unwrap()).collect();
    remaining.sort_unstable();
    assert_eq!(remaining, (0..100).collect::<Vec<_>>(), "each number was reported once");
    assert!(replies.iter().all(|reply| matches!(reply.status, 200 | 429)));
}

#[tokio::test]
async fn a_workspace_can_have_its_own_limit() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Enterprise).await.limit_to(&[(LimitName::RequestsPerMinute, 7)]).await;
    let client = tenant.full_access().await;
    assert_eq!(rate_limit(&client.get(LIST).await), "7 6");
    assert_eq!(rate_limit(&client.post(LIST, json!({})).await), "3 2");
    let limits = vec![(LimitName::RequestsPerMinute, None)];
    let tenant = tenant.change_plan(PlanChange { plan: Some(Plan::Starter), limits }).await;
    let fresh = tenant.full_access().await;
    assert_eq!(rate_limit(&fresh.get(LIST).await), "100 99");
}

#[tokio::test]
async fn requests_without_a_valid_credential_count_by_address() {
    let app = App::with_real_limits().await;
    let (none, bad) = (app.anonymous(), app.with_key("svc_nope"));
    for remaining in (0..10).rev() {
        let client = if remaining % 2 == 0 { &none } else { &bad };
        let reply = client.get(LIST).await.expect(401);
        assert_eq!(rate_limit(&reply), format!("10 {remaining}"));
    }
    for client in [&none, &bad] {
        let reply = client.get(LIST).await.expect(429);
        assert_eq!((&reply.body["error"], rate_limit(&reply)), (&json!("rate_limit_exceeded"), "10 0".to_owned()));
    }
    // The route is checked first; a valid credential from the same address has its own window.
    let unknown = none.get("/api/v1/nope").await.expect(404);
    assert_eq!(rate_limit(&unknown), "10 0");
    assert_eq!(ApiResponse::of(none.request("PUT", LIST)).await.status, 405);
    let client = app.workspace_of(Plan::Starter).await.full_access().await;
    assert_eq!(rate_limit(&client.get(LIST).await), "100 99");
    assert_eq!(rate_limit(&client.get("/api/v1/nope").await.expect(404)), "100 98");
    assert_eq!(rate_limit(&ApiResponse::of(client.request("PUT", LIST)).await.expect(405)), "50 49");
}

#[tokio::test]
async fn logins_count_by_address_and_by_account_and_network() {
    let proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
    let settings = HttpSettings { trusted_proxies: proxies, ..HttpSettings::default() };
    let options = AppOptions { settings, limits: FixedLimits::default(), ..AppOptions::default() };
    let app = App::start_as(options).await;
    app.begin_window(Duration::MINUTE).await;
    let tenant = app.workspace_of(Plan::Starter).await;
    tenant.join("ada@example.com", Role::Member).await;
    let log_in = async |from: &str, email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        let request = app.anonymous().request("POST", "/api/auth/login").header("X-Forwarded-For", from);
        ApiResponse::of(request.json(&body)).await
    };
    // From one address, for any account.
    for number in 0..10 {
        let reply = log_in("198.51.100.1", &format!("p{number}@example.com"), "x").await.expect(401);
        assert_eq!(rate_limit(&reply), format!("10 {}", 9 - number));
    }
    assert_eq!(log_in("198.51.100.1", "ada@example.com", "correct horse battery").await.status, 429);
    // For one account from one IPv6 /56, whichever /64; accounts that do not exist are limited the same way.
    for (account, network) in [("ada@example.com", 1), ("nobody@example.com", 2)] {
        let from = |number: u32| format!("2001:db8:{network}:{number}::1");
        for number in 0..10 {
            assert_eq!(log_in(&from(number), account, "x").await.status, 401);
        }
        let refused = log_in(&from(10), &account.to_uppercase(), "correct horse battery").await.expect(429);
        assert_eq!((&refused.body["error"], rate_limit(&refused)), (&json!("rate_limit_exceeded"), "10 0".to_owned()));
    }
    // Other users are not locked out, however many wrong attempts there are.
    for number in 0..30 {
        assert_eq!(log_in(&format!("203.0.113.{number}"), "ada@example.com", "x").await.status, 401);
    }
    assert_eq!(log_in("203.0.113.99", "ada@example.com", "correct horse battery").await.status, 200);
}

#[tokio::test]
async fn only_trusted_proxies_are_honoured_and_ipv6_counts_by_64_bit_prefixes() {
    let ask = async |app: &App, from: &str| {
        let request = app.anonymous().request("GET", LIST).header("X-Forwarded-For", from);
        ApiResponse::of(request).await.header("x-ratelimit-remaining").to_owned()
    };
    let app = App::with_real_limits().await;
    assert_eq!(ask(&app, "198.51.100.1").await, "9");
    assert_eq!(ask(&app, "198.51.100.2").await, "8", "no proxy is trusted");
    let proxies = TrustedProxies::parse(["10.0.0.0/8", "127.0.0.1"]).unwrap();
    let settings = HttpSettings { trusted_proxies: proxies, ..HttpSettings::default() };
    let app = App::start_as(AppOptions { settings, limits: FixedLimits::default(), ..AppOptions::default() }).await;
    app.begin_window(Duration::MINUTE).await;
    for (from, remaining) in [
        ("198.51.100.1", "9"),
        ("198.51.100.2", "9"),
        ("1.2.3.4, 198.51.100.2, 10.1.1.1", "8"),
        ("2001:db8:1:2::1", "9"),
        ("2001:db8:1:2:ffff::9", "8"),
        ("2001:db8:1:3::1", "9"),
        ("::ffff:198.51.100.1", "8"),
    ] {
        assert_eq!(ask(&app, from).await, remaining, "{from}");
    }
}

#[tokio::test]
async fn the_networks_of_one_ipv6_customer_count_together() {
    let proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
    let settings = HttpSettings { trusted_proxies: proxies, ..HttpSettings::default() };
    let app = App::start_as(AppOptions { settings, limits: FixedLimits::default(), ..AppOptions::default() }).await;
    app.begin_window(Duration::MINUTE).await;
    let ask = async |from: String| {
        ApiResponse::of(app.anonymous().request("GET", LIST).header("X-Forwarded-For", from)).await
    };
    // Four times the limit of one /64 for its /56, sixteen times for its /48.
    for site in 0..4 {
        for number in 0..40 {
            assert_eq!(ask(format!("2001:db8:1:{site}{number:02x}::1")).await.status, 401, "{site} {number}");
        }
        let refused = ask(format!("2001:db8:1:{site}ff::1")).await.expect(429);
        assert_eq!(rate_limit(&refused), "10 0");
    }
    assert_eq!(ask("2001:db8:1:900::1".to_owned()).await.status, 429, "the /48");
    for other in ["2001:db8:2::1", "192.0.2.1"] {
        assert_eq!(rate_limit(&ask(other.to_owned()).await.expect(401)), "10 9", "{other}");
    }
}

#[tokio::test]
async fn key_changes_are_critical_per_session() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let (one, other) = (tenant.user(Role::Owner).await, tenant.user(Role::Owner).await);
    let body = json!({"name": "k", "preset": "crm"});
    for remaining in (0..10).rev() {
        let created = one.client.post("/api/settings/api-keys", body.clone()).await.expect(201);
        assert_eq!(rate_limit(&created), format!("10 {remaining}"));
    }
    assert_eq!(one.client.post("/api/settings/api-keys", body.clone()).await.status, 429);
    let _ = other.client.post("/api/settings/api-keys", body).await.expect(201);
    let _ = one.client.get("/api/settings/api-keys").await.expect(200);
}

#[tokio::test]
async fn passwords_and_invitations_are_critical_per_address() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let (one, other) = (tenant.user(Role::Owner).await, tenant.user(Role::Owner).await);
    app.begin_window(Duration::MINUTE).await;
    let change = json!({"current_password": "x", "new_password": "another horse battery"});
    for remaining in (5..10).rev() {
        let reply = one.client.post("/api/auth/password", change.clone()).await.expect(422);
        assert_eq!(rate_limit(&reply), format!("10 {remaining}"));
    }
    for remaining in (0..5).rev() {
        let invitation = json!({"email": format!("p{remaining}@example.com"), "role": "member"});
        let reply = other.client.post("/api/settings/members", invitation).await.expect(201);
        assert_eq!(rate_limit(&reply), format!("10 {remaining}"));
    }
    assert_eq!(one.client.post("/api/auth/password", change).await.status, 429);
    let reset = app.anonymous().post("/api/auth/password-resets", json!({"email": one.email})).await;
    assert_eq!(reset.status, 429);
}

/// Interface 6.3: this covers more than inviting, and applies to every plan.
#[tokio::test]
async fn signing_out_and_changing_users_are_critical() {
    let app = App::with_real_limits().await;
    let tenant = app.workspace_of(Plan::Enterprise).await;
    let (owner, other) = (tenant.user(Role::Owner).await, tenant.user(Role::Owner).await);
    let (one, two) = (tenant.user(Role::Member).await, tenant.user(Role::Member).await);
    app.begin_window(Duration::MINUTE).await;
    let member = |user: &test_support::TestUser| format!("/api/settings/members/{}", user.id);
    let count = async |request: reqwest::RequestBuilder, status: u16| {
        let reply = ApiResponse::of(request).await;
        assert_eq!(reply.status, status, "{}", reply.text);
        rate_limit(&reply)
    };
    let change = owner.client.request("PATCH", &member(&one)).json(&json!({"role": "viewer"}));
    assert_eq!(count(change, 200).await, "10 9");
    assert_eq!(count(other.client.request("DELETE", &member(&one)), 200).await, "10 8", "by address, whoever it is");
    assert_eq!(count(two.client.request("POST", "/api/auth/logout"), 200).await, "10 7");
    for remaining in (0..7).rev() {
        let change = owner.client.request("DELETE", &member(&one));
        assert_eq!(count(change, 404).await, format!("10 {remaining}"));
    }
    let _ = other.client.post("/api/auth/logout", json!({})).await.expect(429);
    // Changes to the user's own account count by session.
    let rename = owner.client.request("PATCH", "/api/account").json(&json!({"name": "N"}));
    assert_eq!(count(rename, 200).await, "10 9");
    let end = format!("/api/account/sessions/{UNKNOWN_ID}");
    assert_eq!(count(owner.client.request("DELETE", &end), 404).await, "10 8");
    assert_eq!(count(owner.client.request("GET", "/api/settings/members"), 200).await, "2000 1999");
}

#[tokio::test]
async fn every_response_has_the_headers_except_probes() {
    let (app, _tenant, owner) = App::with_user(Role::Owner).await;
    for client in [&app.anonymous(), &owner.client] {
        for operation in OPERATIONS {
            let reply = ApiResponse::of(client.request(operation.method, &path_of(operation.pattern))).await;
            for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
                let value: i64 = reply.header(name).parse().unwrap_or(-1);
                assert!(value >= 0, "{name} of {} {}", operation.method, operation.pattern);
            }
        }
    }
    for (method, path) in [("GET", "/healthz"), ("GET", "/readyz"), ("PUT", "/readyz")] {
        assert_eq!(rate_limit(&ApiResponse::of(app.anonymous().request(method, path)).await), "", "{method} {path}");
    }
}

async fn instance(first: Option<&App>, server: &RedisServer) -> App {
    // On a busy machine, slow replies must not be mistaken for a lost Redis.
    let patient = RedisOptions { response_timeout: std::time::Duration::from_secs(10), ..RedisOptions::default() };
    let limiter = Arc::new(RedisLimiter::connect_with(&server.url(), patient).await.unwrap());
    let options = AppOptions { limiter, limits: FixedLimits::default(), ..AppOptions::default() };
    match first {
        Some(first) => first.another(options).await,
        None => App::start_as(options).await,
    }
}

#[tokio::test]
async fn two_instances_share_one_window_and_count_locally_without_redis() {
    let Some(mut redis) = RedisServer::start() else { return };
    let app = instance(None, &redis).await;
    let other = instance(Some(&app), &redis).await;
    app.begin_window(Duration::MINUTE).await;
    let tenant = app.workspace_of(Plan::Starter).await;
    let first = tenant.full_access().await;
    let second = other.with_key(first.key().unwrap());
    let requests = (0..80_usize).map(|number| [&first, &second][number % 2].request("GET", LIST));
    assert!(send_in_parallel(requests).await.iter().all(|reply| reply.status == 200));
    assert_eq!(rate_limit(&first.get(LIST).await), "100 19");
    assert_eq!(rate_limit(&second.get(LIST).await), "100 18");
    redis.kill();
    // No request fails and no limit is lifted: each instance counts the requests that it handles.
    let response = first.get(LIST).await.expect(200);
    assert_eq!(rate_limit(&response), "100 58", "41 requests were its own, and this one");
    for _ in 0..58 {
        let _ = first.get(LIST).await.expect(200);
    }
    assert_eq!(first.get(LIST).await.status, 429);
    assert_eq!(second.get(LIST).await.status, 200);
}
