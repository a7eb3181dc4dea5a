//! The checks fail in order, with the right envelope and headers.

use http_core::testing::{TestApp, anonymous};

use super::SURFACES;
use http_core::admission::AuthScheme;

use http_actix::OPERATIONS;

const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

fn path_of(pattern: &str, id: &str) -> String {
    let segments = pattern.split('/').map(|segment| if segment.starts_with('{') { id } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[actix_web::test]
async fn unknown_routes_are_reported_first() {
    let app = TestApp::new(SURFACES);
    for path in ["/", "/api", "/api/v1", "/api/v1/nope", "/api/v1/crm/contacts/", "//api/v1/projects", "/api-deals"] {
        let reply = app.answer(anonymous("POST", path)).await;
        assert_eq!((reply.status, &*reply.code()), (404, "not_found"), "{path}");
        assert_eq!(reply.json()["error"]["request_id"], reply.header("x-request-id"));
        assert_eq!(reply.header("x-api-version"), if path.starts_with("/api/v1") { "v1" } else { "" }, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
    let flat = app.answer(anonymous("GET", "/api/mcp/tools").insert_header(("X-Request-Id", "r-1"))).await;
    assert_eq!(flat.json()["error"], "not_found");
    assert_eq!((flat.json()["request_id"].as_str(), flat.header("x-request-id")), (Some("r-1"), "r-1"));
    assert_eq!(flat.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn a_route_and_the_table_agree() {
    let app = TestApp::new(SURFACES);
    for operation in OPERATIONS {
        let path = path_of(operation.pattern, ID);
        let methods: Vec<_> =
            OPERATIONS.iter().filter(|other| other.pattern == operation.pattern).map(|other| other.method).collect();
        for method in ["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "BREW"] {
            let reply = app.answer(anonymous(method, &path)).await;
            if methods.contains(&method) {
                // Sent without a credential; if none is needed, without the body.
                let same = OPERATIONS.iter().find(|other| (other.pattern, other.method) == (operation.pattern, method));
                let expected = match same.unwrap().auth_scheme {
                    AuthScheme::Caller | AuthScheme::PortalToken => 401,
                    AuthScheme::WidgetPage | AuthScheme::Browser => 403,
                    AuthScheme::Anonymous => 415,
                };
                assert_eq!(reply.status, expected, "{method} {path}");
            } else {
                assert_eq!((reply.status, reply.header("allow")), (405, &*methods.join(", ")), "{method} {path}");
            }
        }
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(app.answer(anonymous("GET", path)).await.status, 200);
        assert_eq!(app.answer(anonymous("HEAD", path)).await.status, 405);
    }
    // Metrics are for operators, unless they are configured to be public.
    assert_eq!(app.answer(anonymous("GET", "/metrics")).await.code(), "not_found");
    let mut open = TestApp::new(SURFACES);
    open.state.settings.has_public_metrics = true;
    assert_eq!(open.answer(anonymous("GET", "/metrics")).await.status, 200);
    assert_eq!(open.answer(anonymous("HEAD", "/metrics")).await.status, 405);
}

#[actix_web::test]
async fn the_first_failing_check_determines_the_response_of_every_operation() {
    let all =
        ["crm.write", "contacts.write", "deals.write", "projects.write", "issues.write", "tickets.write", "time.write"];
    let (app, narrow) = (TestApp::with_scopes(SURFACES, &all), TestApp::with_scopes(SURFACES, &["bookings.read"]));
    for operation in OPERATIONS.iter().filter(|operation| !operation.scopes().is_empty()) {
        // The required query parameters.
        let required_query = match operation.pattern {
            "/api/v1/time/summary" => "&group_by=member&from=2030-01-01&to=2030-01-31",
            pattern if pattern.ends_with("/kb/search") => "&q=a",
            _ => "",
        };
        let (method, path) = (operation.method, format!("{}?nope=1{required_query}", path_of(operation.pattern, "x")));
        let bare = app.answer(anonymous(method, &path)).await;
        assert_eq!((bare.status, bare.header("www-authenticate")), (401, "Bearer"), "{method} {path}");
        let refused = narrow.answer(narrow.request(method, &path)).await;
        assert_eq!((refused.status, &*refused.code()), (403, "forbidden"), "{method} {path}");
        assert_eq!(refused.details().len(), operation.scopes().len());
        for scope in operation.scopes() {
            assert!(refused.json()["error"]["message"].as_str().unwrap().contains(&scope.to_string()));
        }
        if operation.has_body {
            let untyped = app.answer(app.request(method, &path).set_payload("{}")).await;
            assert_eq!(untyped.status, 415, "{method} {path}");
            let large = app.answer(app.json(method, &path, &" ".repeat(1_048_577))).await;
            assert_eq!((large.status, &*large.code()), (413, "payload_too_large"), "{method} {path}");
        }
        let mut expected = vec!["nope:unknown_parameter".to_owned()];
        // A ticket's reference is not an id: a malformed one is 404.
        let names = operation.pattern.split(['{', '}']).skip(1).step_by(2).filter(|name| *name != "ticket_ref");
        expected.splice(0..0, names.map(|name| format!("{name}:invalid_uuid")));
        let shape = app.answer(app.json(method, &path, "{")).await;
        assert_eq!((shape.status, shape.details()), (400, expected), "{method} {path}");
    }
}

#[actix_web::test]
async fn shape_errors_precede_rule_violations_and_are_reported_together() {
    let app = TestApp::new(SURFACES);
    let path = "/api/v1/crm/deals";
    for (body, status, code, details) in [
        ("{", 400, "invalid_json", &[][..]),
        ("", 400, "invalid_json", &[]),
        ("[]", 400, "invalid_value", &[":invalid_type"]),
        (
            "{\"nope\":1,\"probability\":101,\"value\":\"x\"}",
            400,
            "invalid_value",
            &["title:required", "value:invalid_type", "nope:unknown_field"],
        ),
        (
            "{\"title\":\"\",\"probability\":101}",
            422,
            "validation_failed",
            &["title:required", "probability:out_of_range"],
        ),
    ] {
        let reply = app.answer(app.json("POST", path, body)).await;
        assert_eq!((reply.status, &*reply.code()), (status, code), "{body}: {}", reply.text);
        assert_eq!(reply.details(), details, "{body}");
    }
    let bad_key = app.json("POST", path, "{}").insert_header(("Idempotency-Key", ""));
    assert_eq!(app.answer(bad_key).await.details(), ["Idempotency-Key:invalid_value", "title:required"]);
    let bad_tag = app.json("PATCH", &format!("{path}/{ID}"), "{}").insert_header(("If-Match", "3"));
    assert_eq!(app.answer(bad_tag).await.details(), ["If-Match:invalid_value"]);
}

#[actix_web::test]
async fn headers_that_are_not_text_are_client_errors() {
    let app = TestApp::new(SURFACES);
    let raw = || actix_web::http::header::HeaderValue::from_bytes(b"\xff\xfe").unwrap();
    for name in ["authorization", "content-type", "content-encoding", "idempotency-key", "x-request-id", "accept"] {
        let request = app.json("POST", "/api/v1/projects", "{}").insert_header((name, raw()));
        let reply = app.answer(request).await;
        assert!((400..500).contains(&reply.status), "{name}: {}", reply.text);
    }
    let request = app.request("GET", &format!("/api/v1/projects/{ID}")).insert_header(("if-none-match", raw()));
    assert_eq!(app.answer(request).await.status, 400);
}

#[actix_web::test]
async fn paths_are_compared_decoded() {
    let app = TestApp::new(SURFACES);
    for (path, status) in [
        ("/%61pi/v1/%70rojects", 200),
        ("/api/v1/projects%2f", 404),
        ("/api/v1/projects/%ff", 400),
        ("/api/v1/projects/%00", 400),
        ("/api/v1/projects/%2f", 400),
    ] {
        let reply = app.answer(app.request("GET", path)).await;
        assert_eq!((reply.status, reply.header("x-api-version")), (status, "v1"), "{path}");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    }
    assert_eq!(app.answer(anonymous("GET", "/api/%6dcp")).await.json()["error"], "not_found");
}

#[actix_web::test]
async fn a_body_with_many_errors_gets_a_bounded_response() {
    let app = TestApp::new(SURFACES);
    let members: Vec<_> = (0..90_000).map(|number| format!("\"{number}\":1")).collect();
    let unknown = format!("{{{}}}", members.join(","));
    let items = |name: &str| format!("{{\"{name}\":[{}1]}}", "1,".repeat(500_000));
    for (path, body) in [
        ("/api/v1/crm/deals", unknown),
        ("/api/v1/crm/deals", items("tags")),
        ("/api/v1/issues/bulk-update", items("issueIds")),
    ] {
        let reply = app.answer(app.json("POST", path, &body)).await;
        assert!(reply.status == 400 && reply.text.len() < 1_000_000, "{path}: {} bytes", reply.text.len());
    }
}

/// All problems of a kind are reported, up to 1,000 (interface 2.6).
#[actix_web::test]
async fn at_most_a_thousand_problems_are_reported() {
    let app = TestApp::new(SURFACES);
    for count in [998, 999, 1_000, 1_001, 1_200] {
        let members: Vec<_> = (0..count).map(|number| format!("\"m{number}\":1")).collect();
        let body = format!("{{\"title\":\"d\",{}}}", members.join(","));
        let unknown = app.answer(app.json("POST", "/api/v1/crm/deals", &body)).await;
        assert_eq!((unknown.status, unknown.details().len()), (400, count.min(1_000)), "{count}");
        // One more problem says that there are too many.
        let body = format!("{{\"title\":\"d\",\"tags\":[{}]}}", vec!["\"\""; count].join(","));
        let empty = app.answer(app.json("POST", "/api/v1/crm/deals", &body)).await;
        assert_eq!((empty.status, empty.details().len()), (422, (count + 1).min(1_000)), "{count}");
        assert_eq!(empty.details()[..2], ["tags:too_many", "tags[0]:required"]);
    }
}

#[actix_web::test]
async fn an_idempotency_key_is_bound_to_the_bytes_of_the_body() {
    let app = TestApp::new(SURFACES);
    let keyed = |body: &str| app.json("POST", "/api/v1/crm/deals", body).insert_header(("Idempotency-Key", "k"));
    assert_eq!(app.answer(keyed("{\"title\":\"D\"}")).await.status, 201);
    let other = app.answer(keyed("{\"title\":\"D\"} ")).await;
    assert_eq!((other.status, &*other.code()), (409, "idempotency_conflict"));
}
