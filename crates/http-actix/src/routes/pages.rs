//! The pages that e-mailed links open. Two are a form over one route of `/api/auth`, one shows a customer their ticket.
//! The token is in the URL fragment and never in a request for a page.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_core::Page;
use ring::digest::{SHA256, digest};

const TEMPLATE: &str = include_str!("one_time_link.html");
const PASSWORD: &str = "<label for=\"password\">Password (12 to 200 characters)</label>\n\
    <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" minlength=\"12\" maxlength=\"200\" required>";
const NAME: &str = "<label for=\"name\">Your name</label>\n\
    <input id=\"name\" name=\"name\" autocomplete=\"name\" maxlength=\"120\" required>\n";

const PORTAL: &str = include_str!("portal.html");

static POLICY: LazyLock<String> = LazyLock::new(|| policy_of(TEMPLATE));
static PORTAL_POLICY: LazyLock<String> = LazyLock::new(|| policy_of(PORTAL));

/// A Content-Security-Policy that allows only the page's own script and style, and requests to its own origin.
fn policy_of(page: &str) -> String {
    let hash = |tag: &str| {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        // Without the tag the policy blocks the script or style, which a test detects.
        let inner = page.split_once(&open).and_then(|(_, rest)| rest.split_once(&close)).map_or("", |(inner, _)| inner);
        STANDARD.encode(digest(&SHA256, inner.as_bytes()))
    };
    format!(
        "default-src 'none'; connect-src 'self'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        hash("script"),
        hash("style")
    )
}

/// The values of a page's template.
struct Form {
    pattern: &'static str,
    title: &'static str,
    action: &'static str,
    password: &'static str,
    button: &'static str,
    asks_name: bool,
}

const INVITATION: Form = Form {
    pattern: "/accept-invitation",
    title: "Accept your invitation",
    action: "/api/auth/accept-invitation",
    password: "password",
    button: "Accept",
    asks_name: true,
};
const RESET: Form = Form {
    pattern: "/reset-password",
    title: "Set a new password",
    action: "/api/auth/reset-password",
    password: "new_password",
    button: "Set it",
    asks_name: false,
};

pub(crate) const PAGES: &[Page] = &[
    Page { pattern: INVITATION.pattern, answer: || show(&INVITATION) },
    Page { pattern: RESET.pattern, answer: || show(&RESET) },
    Page { pattern: "/portal", answer: || page(PORTAL.to_owned(), &PORTAL_POLICY) },
];

fn show(form: &Form) -> HttpResponse {
    let fields = format!("{}{PASSWORD}", if form.asks_name { NAME } else { "" });
    let html = TEMPLATE
        .replace("{{title}}", form.title)
        .replace("{{action}}", form.action)
        .replace("{{password}}", form.password)
        .replace("{{button}}", form.button)
        .replace("{{fields}}", &fields);
    page(html, &POLICY)
}

fn page(html: String, policy: &str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(html)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::SURFACES;
    use http_core::testing::{TestApp, anonymous};

    #[actix_web::test]
    async fn each_page_is_filled_and_runs_only_its_own_script() {
        let world = TestApp::new(SURFACES);
        for page in [&INVITATION, &RESET] {
            let reply = world.answer(anonymous("GET", page.pattern)).await;
            assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
            assert!(!reply.text.contains("{{"), "{}", reply.text);
            assert!(reply.text.contains(page.action) && reply.text.contains(page.title));
            assert_eq!(reply.text.contains("name=\"name\""), page.asks_name);
            let (_, script) = reply.text.split_once("<script>").unwrap();
            let script = script.split_once("</script>").unwrap().0;
            let hash = STANDARD.encode(digest(&SHA256, script.as_bytes()));
            assert!(reply.header("content-security-policy").contains(&format!("script-src 'sha256-{hash}'")));
            assert_eq!(reply.header("x-ratelimit-limit"), "1000000");
        }
        assert_eq!(world.answer(anonymous("POST", RESET.pattern)).await.header("allow"), "GET, HEAD");
    }

    #[actix_web::test]
    async fn the_portal_runs_only_its_own_script_and_writes_only_text() {
        let reply = TestApp::new(SURFACES).answer(anonymous("GET", "/portal")).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
        let (_, script) = reply.text.split_once("<script>").unwrap();
        let script = script.split_once("</script>").unwrap().0;
        let hash = STANDARD.encode(digest(&SHA256, script.as_bytes()));
        assert!(reply.header("content-security-policy").contains(&format!("script-src 'sha256-{hash}'")));
        for way_to_html in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "setAttribute"] {
            assert!(!script.contains(way_to_html), "{way_to_html}");
        }
        for path in
            ["/api/portal/sessions", "/api/portal/ticket", "/api/portal/ticket/replies", "/api/portal/magic-links"]
        {
            assert!(script.contains(path), "{path}");
        }
    }
}
