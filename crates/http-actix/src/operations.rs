//! The table of this surface's operations.

use http_core::Operation;

use crate::routes::{
    account, auth, companies, company_comments, contacts, deal_comments, deals, event_types, events, issues, me,
    members, modules, operator, portal, projects, public, second_factor, settings, widget,
};

/// All operations; routes are registered from this table. If two patterns match a path, the earlier one wins.
pub const OPERATIONS: &[Operation] = &[
    Operation::of::<me::Read>(),
    Operation::of::<members::List>(),
    Operation::of::<event_types::List>(),
    Operation::of::<events::List>(),
    Operation::of::<contacts::List>(),
    Operation::of::<contacts::Create>(),
    Operation::of::<companies::List>(),
    Operation::of::<companies::Create>(),
    Operation::of::<companies::Read>(),
    Operation::of::<companies::Update>(),
    Operation::of::<companies::Delete>(),
    Operation::of::<companies::History>(),
    Operation::of::<companies::Restore>(),
    Operation::of::<company_comments::List>(),
    Operation::of::<company_comments::Create>(),
    Operation::of::<company_comments::Update>(),
    Operation::of::<company_comments::Delete>(),
    Operation::of::<deals::List>(),
    Operation::of::<deals::Create>(),
    Operation::of::<deals::Read>(),
    Operation::of::<deals::Update>(),
    Operation::of::<deals::Delete>(),
    Operation::of::<deals::History>(),
    Operation::of::<deals::Restore>(),
    Operation::of::<deal_comments::List>(),
    Operation::of::<deal_comments::Create>(),
    Operation::of::<deal_comments::Update>(),
    Operation::of::<deal_comments::Delete>(),
    Operation::of::<projects::List>(),
    Operation::of::<projects::Create>(),
    Operation::of::<projects::Read>(),
    Operation::of::<projects::Update>(),
    Operation::of::<projects::Delete>(),
    Operation::of::<projects::History>(),
    Operation::of::<projects::Restore>(),
    Operation::of::<projects::cycles::List>(),
    Operation::of::<projects::cycles::Create>(),
    Operation::of::<projects::cycles::Update>(),
    Operation::of::<projects::cycles::Delete>(),
    Operation::of::<projects::ListIssues>(),
    Operation::of::<issues::List>(),
    Operation::of::<issues::Create>(),
    Operation::of::<issues::BulkUpdate>(),
    Operation::of::<issues::Read>(),
    Operation::of::<issues::Update>(),
    Operation::of::<issues::Delete>(),
    Operation::of::<issues::History>(),
    Operation::of::<issues::Restore>(),
    Operation::of::<issues::comments::List>(),
    Operation::of::<issues::comments::Create>(),
    Operation::of::<issues::comments::Update>(),
    Operation::of::<issues::comments::Delete>(),
    Operation::of::<auth::LogIn>(),
    Operation::of::<second_factor::FinishSignIn>(),
    Operation::of::<auth::LogOut>(),
    Operation::of::<auth::ChangePassword>(),
    Operation::of::<auth::AcceptInvitation>(),
    Operation::of::<auth::RequestPasswordReset>(),
    Operation::of::<auth::ResetPassword>(),
    Operation::of::<account::Read>(),
    Operation::of::<account::Update>(),
    Operation::of::<account::ListSessions>(),
    Operation::of::<account::EndSession>(),
    Operation::of::<second_factor::Begin>(),
    Operation::of::<second_factor::Confirm>(),
    Operation::of::<second_factor::Remove>(),
    Operation::of::<operator::List>(),
    Operation::of::<operator::Create>(),
    Operation::of::<operator::Read>(),
    Operation::of::<operator::Update>(),
    Operation::of::<operator::Delete>(),
    Operation::of::<settings::workspace::Read>(),
    Operation::of::<settings::workspace::Update>(),
    Operation::of::<settings::members::List>(),
    Operation::of::<settings::members::Invite>(),
    Operation::of::<settings::members::Update>(),
    Operation::of::<settings::members::Remove>(),
    Operation::of::<settings::keys::List>(),
    Operation::of::<settings::keys::Create>(),
    Operation::of::<settings::keys::Update>(),
    Operation::of::<settings::keys::Revoke>(),
    Operation::of::<settings::usage::Read>(),
    Operation::of::<settings::audit_log::List>(),
    Operation::of::<settings::erasures::Create>(),
    Operation::of::<settings::erasures::Read>(),
    Operation::of::<settings::webhooks::List>(),
    Operation::of::<settings::webhooks::Create>(),
    Operation::of::<settings::webhooks::deliveries::Read>(),
    Operation::of::<settings::webhooks::deliveries::Redeliver>(),
    Operation::of::<settings::webhooks::Read>(),
    Operation::of::<settings::webhooks::Update>(),
    Operation::of::<settings::webhooks::Delete>(),
    Operation::of::<settings::webhooks::RotateSecret>(),
    Operation::of::<settings::webhooks::Test>(),
    Operation::of::<settings::webhooks::deliveries::List>(),
    Operation::of::<settings::webhooks::replays::Start>(),
    Operation::of::<settings::webhooks::replays::List>(),
    Operation::of::<settings::webhooks::replays::Read>(),
    Operation::of::<settings::webhooks::replays::Cancel>(),
    Operation::of::<modules::Report>(),
    Operation::of::<settings::kb::List>(),
    Operation::of::<settings::kb::Create>(),
    Operation::of::<settings::kb::Read>(),
    Operation::of::<settings::kb::Update>(),
    Operation::of::<settings::kb::Delete>(),
    Operation::of::<public::tickets::List>(),
    Operation::of::<public::tickets::Create>(),
    Operation::of::<public::tickets::Read>(),
    Operation::of::<public::tickets::MakeLink>(),
    Operation::of::<public::kb::Search>(),
    Operation::of::<portal::SendMagicLink>(),
    Operation::of::<portal::BeginSession>(),
    Operation::of::<portal::ReadTicket>(),
    Operation::of::<portal::ReplyToTicket>(),
    Operation::of::<widget::CreateTicket>(),
    Operation::of::<widget::PreflightTicket>(),
    Operation::of::<widget::SearchKb>(),
    Operation::of::<widget::PreflightSearch>(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::Method;
    use domain::identity::access::{AccessRequirement, Level, Scope};
    use domain::limits::Class;
    use http_core::admission::AuthScheme;

    const LINKS: &str = "/api/public/tickets/{ticket_ref}/tracking-links";

    #[test]
    fn each_operation_is_listed_once_with_a_known_method() {
        let known = [Method::GET, Method::POST, Method::PATCH, Method::DELETE, Method::OPTIONS];
        for (index, operation) in OPERATIONS.iter().enumerate() {
            assert!(known.iter().any(|method| method.as_str() == operation.method), "{operation:?}");
            assert!(operation.pattern.starts_with("/api/") && !operation.pattern.ends_with('/'), "{operation:?}");
            // Access by an API key's scopes.
            let by_scopes = operation.pattern.starts_with("/api/v1/");
            // `/me` is for everybody but trials, `/members`, `/events` and `/event-types` for everybody who reads records.
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
            let bare = [
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
            // Switching the second factor off takes the password, and beginning takes nothing.
            let takes: &[&str] = match operation.pattern {
                "/api/account/second-factor" => &["DELETE"],
                // Deleting a workspace takes its slug.
                "/api/operator/workspaces/{workspace_id}" => &["PATCH", "DELETE"],
                _ => &["POST", "PATCH"],
            };
            assert_eq!(operation.has_body, takes.contains(&operation.method) && !bare, "{operation:?}");
            let reads = |scope: &Scope| scope.level == Level::Read;
            if by_scopes || by_key {
                // A tracking link contains a secret, so its response is never stored.
                let kept = operation.method == "POST" && operation.pattern != LINKS;
                assert_eq!(operation.takes_idempotency_key, kept, "{operation:?}");
                assert_eq!(operation.scopes().iter().all(reads), operation.method == "GET", "{operation:?}");
            }
        }
    }

    /// Interface 6.2 and 6.3. What a new route counts as follows from where it is.
    #[test]
    fn each_operation_counts_in_its_class() {
        // Signing in and out, users and passwords; what is counted by the client's address.
        let by_address = ["/api/auth/", "/api/settings/members", "/api/portal/magic-links", "/api/portal/sessions"];
        let by_session = ["/api/settings/api-keys", "/api/account", "/api/operator/"];
        for operation in OPERATIONS {
            let below = |roots: &[&str]| roots.iter().any(|root| operation.pattern.starts_with(root));
            let reads = operation.method == "GET" || operation.method == "OPTIONS";
            let is_critical = !reads && (below(&by_address) || below(&by_session));
            let class = match (operation.method, operation.pattern) {
                _ if reads => Class::Read,
                _ if is_critical => Class::Critical,
                // Deleting a cycle changes all issues that are in it.
                ("POST", "/api/v1/issues/bulk-update" | "/api/settings/erasures")
                | ("DELETE", "/api/v1/projects/{project_id}/cycles/{cycle_id}") => Class::Bulk,
                _ => Class::Write,
            };
            assert_eq!(operation.limits.class, class, "{operation:?}");
            // Removing the second factor takes the password, whose tries count by address.
            let takes_password = (operation.method, operation.pattern) == ("DELETE", "/api/account/second-factor");
            let has_credential = operation.auth_scheme == AuthScheme::Caller;
            let counts_address = is_critical && has_credential && (below(&by_address) || takes_password);
            assert_eq!(operation.limits.by_address, counts_address, "{operation:?}");
            let public = match (operation.method, operation.pattern) {
                ("POST", "/api/public/tickets" | "/api/widget/{workspace_id}/tickets") => Some(Class::PublicTickets),
                ("GET", "/api/public/tickets" | "/api/public/tickets/{ticket_ref}") => Some(Class::PublicFetches),
                ("GET", "/api/public/kb/search" | "/api/widget/{workspace_id}/kb/search") => {
                    Some(Class::PublicKbSearches)
                }
                _ => None,
            };
            assert_eq!(operation.limits.public_class, public, "{operation:?}");
        }
    }
}
