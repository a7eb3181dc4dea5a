//! Large texts and files: each is bounded, and rendering does not multiply their size.

use console::OPERATIONS;
use domain::identity::workspaces::Role;
use domain::limits::Class;
use serde_json::{Value, json};
use test_support::{App, Browser, Samples, eventually};

async fn preview(browser: &Browser, kind: &str, body: String) -> test_support::ApiResponse {
    let page = browser.open("/account").await.expect(200);
    let token = page.fields_of("/account").into_iter().find(|(name, _)| name == "_token").unwrap();
    let fields = [token, ("_of".to_owned(), kind.to_owned()), ("body".to_owned(), body)];
    browser.send(browser.post("/preview", &fields)).await
}

#[tokio::test]
async fn a_preview_has_the_limit_of_its_text() {
    let (_app, _tenant, viewer) = App::with_browser(Role::Viewer).await;
    for (kind, longest) in [("", 10_000), ("comment", 10_000), ("article", 100_000)] {
        // Long texts are rendered on the rendering threads.
        let shown = preview(&viewer, kind, format!("{}w", ">".repeat(longest - 1))).await.expect(200);
        assert_eq!(shown.text.matches("<blockquote>").count(), 20, "{kind}");
        let refused = preview(&viewer, kind, "a".repeat(longest + 1)).await.expect(422);
        assert!(refused.text.contains(&format!("must be at most {longest} characters long")), "{}", refused.text);
    }
    let refused = preview(&viewer, "article", ">".repeat(300_000)).await.expect(422);
    assert!(refused.text.len() < 20_000, "{}", refused.text.len());
}

#[tokio::test]
async fn a_page_of_long_comments_is_small() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let task = key.create("/api/v1/issues", json!({"kind": "task", "title": "Read"})).await;
    for number in 0..50 {
        let body = format!("{} number {number}.", ">".repeat(9_900));
        let _ = key.post(&format!("/api/v1/issues/{task}/comments"), json!({"body": body})).await.expect(201);
    }
    let page = format!("/tasks/{task}");
    for (role, most) in [(Role::Viewer, 100_000), (Role::Owner, 1_000_000)] {
        let browser = tenant.signed_in(role).await;
        let (mut address, mut count, mut pages) = (page.clone(), 0, 0);
        loop {
            let shown = browser.open(&address).await.expect(200);
            let bytes = shown.html().len();
            assert!(bytes < most, "{bytes} bytes for {role}");
            count += shown.html().matches("class=\"remark\"").count();
            pages += 1;
            let next = shown.links().into_iter().find(|link| link.starts_with(&format!("{page}?cursor=")));
            match next {
                Some(next) => address = next,
                None => break,
            }
        }
        assert_eq!(count, 50, "every comment is on one page");
        assert!((2..=5).contains(&pages), "{pages}");
    }
}

#[tokio::test]
async fn a_long_rendered_article_is_cached_until_it_changes() {
    let (app, tenant) = App::with_workspace().await;
    let owner = tenant.user(Role::Owner).await.client;
    let article =
        json!({"title": "Long", "body": format!("{}\n\nfirst", "> a\n\n".repeat(10_000)), "status": "published"});
    let article = owner.create("/api/settings/kb/articles", article).await;
    let address = format!("/kb/{}/long", tenant.workspace.slug);
    let reader = app.browser();
    for _ in 0..2 {
        let shown = reader.open(&address).await.expect(200);
        assert!(shown.html().contains("<p>first</p>") && shown.html().len() < 1_000_000);
    }
    let etag = reader.open(&address).await.response.header("etag").to_owned();
    let known = reader.send(reader.request("GET", &address).header("If-None-Match", etag)).await;
    assert_eq!((known.status, known.text.len()), (304, 0));
    let _ = owner.patch(&format!("/api/settings/kb/articles/{article}"), json!({"body": "*second*"})).await.expect(200);
    let shown = reader.open(&address).await.expect(200);
    assert!(shown.html().contains("<em>second</em>") && !shown.html().contains("first"), "{}", shown.html());
}

#[tokio::test]
async fn a_workspace_has_at_most_two_exports_at_a_time() {
    let (app, tenant, key) = App::with_workspace_client().await;
    // More than socket buffers hold of a response that nobody reads.
    let description = "\u{20000}".repeat(50_000);
    for number in 0..120 {
        let task = json!({"kind": "task", "title": format!("Task {number}"), "description": description});
        let _ = key.post("/api/v1/issues", task).await.expect(201);
    }
    let owner = tenant.signed_in(Role::Owner).await;
    let (admin, other_admin) = (tenant.signed_in(Role::Admin).await, tenant.signed_in(Role::Admin).await);
    let (member, viewer) = (tenant.signed_in(Role::Member).await, tenant.signed_in(Role::Viewer).await);
    let refused = async |browser: &Browser, path: &str, reason: &str| {
        let refused = browser.send(browser.request("GET", path)).await.expect(429);
        assert_eq!(refused.header("retry-after"), "5", "{path}");
        // The page capitalizes the sentence.
        assert!(refused.text.contains(&reason[1..]), "{path}: {}", refused.text);
    };
    let of_member = member.request("GET", "/export/tasks").send().await.unwrap();
    assert_eq!(of_member.status().as_u16(), 200);
    refused(&member, "/export/contacts", "you already have a running export").await;
    refused(&viewer, "/export/contacts", "the members and viewers of this workspace").await;
    let second = admin.request("GET", "/export/tasks").send().await.unwrap();
    assert_eq!(second.status().as_u16(), 200, "one is reserved for owners and admins");
    for path in ["/export/tasks", "/export/contacts", "/settings/audit-log.csv"] {
        refused(&owner, path, "reached its limit of 2 running exports").await;
    }
    let other = app.workspace().await.signed_in(Role::Owner).await;
    let _ = other.send(other.request("GET", "/export/tasks")).await.expect(200);
    // A client that disconnects makes room.
    drop(of_member);
    eventually("room for another export", async || {
        other_admin.send(other_admin.request("GET", "/export/contacts")).await.status == 200
    })
    .await;
    let file = second.text().await.unwrap();
    assert_eq!(file.lines().count(), 121, "every record once");
}

#[tokio::test]
async fn the_report_of_an_import_does_not_repeat_empty_cells() {
    let (_app, _tenant, owner) = App::with_browser(Role::Owner).await;
    let page = owner.open("/account").await.expect(200);
    let token = page.fields_of("/account").into_iter().find(|(name, _)| name == "_token").unwrap();
    let header: Vec<_> = (0..1_000).map(|number| format!("c{number}")).collect();
    let fields = [
        ("header", &*format!("{}\r\n", header.join(","))),
        ("rows", &"a\r\n".repeat(500)),
        ("count", "500"),
        ("match", "update"),
        ("try", "true"),
        ("from", "0"),
        ("column.0", "name"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let left_out = (1..1_000).map(|index| (format!("column.{index}"), String::new()));
    let fields: Vec<_> = std::iter::once(token).chain(fields).chain(left_out).collect();
    let part = owner.post("/import/companies/rows", &fields);
    let answer = owner.send(part).await.expect(200);
    assert!(answer.text.len() < 200_000, "{}", answer.text.len());
    let answer: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(answer["progress"]["refused"], 500, "{}", answer["progress"]);
    assert_eq!((&answer["report"][0][0], &answer["report"][0][1]), (&json!("\"a\""), &json!(999)));
}

#[tokio::test]
async fn links_from_other_sites_have_no_side_effects() {
    let (_app, tenant) = App::with_workspace().await;
    let samples = Samples::make(&tenant).await;
    let owner = tenant.signed_in(Role::Owner).await;
    let acting = OPERATIONS.iter().filter(|one| one.method == "GET" && one.limits.class == Class::Bulk);
    let acting: Vec<_> = acting.map(|one| one.pattern).collect();
    assert!(acting.contains(&"/export/{records}") && acting.contains(&"/settings/audit-log.csv"), "{acting:?}");
    for pattern in acting {
        let path = samples.path_of(pattern);
        for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
            let answer = owner.send(owner.request("GET", &path).header("Sec-Fetch-Site", site)).await;
            assert_eq!(answer.status, status, "{path} {site}: {}", answer.text);
        }
    }
}
