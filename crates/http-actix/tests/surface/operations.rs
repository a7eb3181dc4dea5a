//! Checks what operations declare against rules that follow from their paths.

use actix_web::http::Method;
use domain::identity::access::{AccessRequirement, Level, Scope};
use domain::limits::Class;
use http_actix::OPERATIONS;
use http_core::Operation;
use http_core::admission::AuthScheme;

const LINKS: &str = "/api/public/tickets/{ticket_ref}/tracking-links";

#[test]
fn each_operation_is_listed_once_with_a_known_method() {
    let known = [Method::GET, Method::POST, Method::PATCH, Method::DELETE, Method::OPTIONS];
    for (index, operation) in OPERATIONS.iter().enumerate() {
        assert!(known.iter().any(|method| method.as_str() == operation.method), "{operation:?}");
        assert!(operation.pattern.starts_with("/api/") && !operation.pattern.ends_with('/'), "{operation:?}");
        // Owners and admins approve time, whatever the scopes.
        let by_role = ["/api/v1/time/entries/approve", "/api/v1/time/entries/reject"].contains(&operation.pattern);
        // Access by an API key's scopes.
        let by_scopes = operation.pattern.starts_with("/api/v1/") && !by_role;
        // `/me` is for every caller except trials; `/members`, `/events` and `/event-types` are for callers who can read records.
        let by_any =
            ["/api/v1/me", "/api/v1/members", "/api/v1/events", "/api/v1/event-types"].contains(&operation.pattern);
        let needs_any =
            matches!(operation.needs, Some(AccessRequirement::AnyScope(_) | AccessRequirement::CredentialButTrial));
        assert_eq!(by_any, needs_any, "{operation:?}");
        let is_exact = matches!(operation.needs, Some(AccessRequirement::Scopes(_)));
        assert_eq!(by_scopes && !by_any, is_exact, "{operation:?}");
        let by_key = operation.pattern.starts_with("/api/public/");
        assert_eq!(by_key, matches!(operation.needs, Some(AccessRequirement::KeyScopes(_))), "{operation:?}");
        let opened = [("/api/portal/ticket", AuthScheme::PortalToken), ("/api/widget/", AuthScheme::WidgetPage)];
        for (root, auth_scheme) in opened {
            assert_eq!(operation.pattern.starts_with(root), operation.auth_scheme == auth_scheme, "{operation:?}");
        }
        // Only the widget's routes have preflights.
        let is_preflight = operation.method == "OPTIONS";
        assert!(!is_preflight || operation.auth_scheme == AuthScheme::WidgetPage, "{operation:?}");
        let same = |other: &&Operation| (other.method, other.pattern) == (operation.method, operation.pattern);
        assert_eq!(OPERATIONS.iter().position(|other| same(&other)), Some(index), "{operation:?}");
        let without_body = [
            "/api/auth/logout",
            "/api/settings/api-keys/{key_id}/revoke",
            "/api/settings/webhooks/{webhook_id}/rotate-secret",
            "/api/settings/webhooks/{webhook_id}/test",
            "/api/settings/webhooks/deliveries/{delivery_id}/redeliver",
            "/api/settings/webhooks/{webhook_id}/replays/{replay_id}/cancel",
            LINKS,
        ]
        .contains(&operation.pattern)
            || operation.pattern.ends_with("/restore");
        // Removing the second factor takes the password, and starting its setup takes nothing.
        let takes: &[&str] = match operation.pattern {
            "/api/account/second-factor" => &["DELETE"],
            // Deleting a workspace takes its slug.
            "/api/operator/workspaces/{workspace_id}" => &["PATCH", "DELETE"],
            _ => &["POST", "PATCH"],
        };
        assert_eq!(operation.has_body, takes.contains(&operation.method) && !without_body, "{operation:?}");
        let reads = |scope: &Scope| scope.level == Level::Read;
        if by_scopes || by_key {
            // A tracking link contains a secret, so its response is never stored.
            let is_stored = operation.method == "POST" && operation.pattern != LINKS;
            assert_eq!(operation.takes_idempotency_key, is_stored, "{operation:?}");
            assert_eq!(operation.scopes().iter().all(reads), operation.method == "GET", "{operation:?}");
        }
    }
}

/// Interface 6.2 and 6.3. The class of a new route follows from its path.
#[test]
fn each_operation_counts_in_its_class() {
    // Sign-in, sign-out, users and passwords, and routes that count by the client's address.
    let by_address = ["/api/auth/", "/api/settings/members", "/api/portal/magic-links", "/api/portal/sessions"];
    let by_session = ["/api/settings/api-keys", "/api/account", "/api/operator/"];
    for operation in OPERATIONS {
        let below = |roots: &[&str]| roots.iter().any(|root| operation.pattern.starts_with(root));
        let reads = operation.method == "GET" || operation.method == "OPTIONS";
        let is_critical = !reads && (below(&by_address) || below(&by_session));
        let class = match (operation.method, operation.pattern) {
            _ if reads => Class::Read,
            _ if is_critical => Class::Critical,
            (
                "POST",
                "/api/v1/issues/bulk-update"
                | "/api/v1/time/entries/submit"
                | "/api/v1/time/entries/approve"
                | "/api/v1/time/entries/reject"
                | "/api/v1/time/entries/export",
            ) => Class::Bulk,
            _ => Class::Write,
        };
        assert_eq!(operation.limits.class, class, "{operation:?}");
        // Removing the second factor takes the password, and password attempts count by address.
        let takes_password = (operation.method, operation.pattern) == ("DELETE", "/api/account/second-factor");
        let has_credential = operation.auth_scheme == AuthScheme::Caller;
        let counts_address = is_critical && has_credential && (below(&by_address) || takes_password);
        assert_eq!(operation.limits.by_address, counts_address, "{operation:?}");
        let public = match (operation.method, operation.pattern) {
            ("POST", "/api/public/tickets" | "/api/widget/{workspace_id}/tickets") => Some(Class::PublicTickets),
            ("GET", "/api/public/tickets" | "/api/public/tickets/{ticket_ref}") => Some(Class::PublicFetches),
            ("GET", "/api/public/kb/search" | "/api/widget/{workspace_id}/kb/search") => Some(Class::PublicKbSearches),
            _ => None,
        };
        assert_eq!(operation.limits.public_class, public, "{operation:?}");
    }
}
