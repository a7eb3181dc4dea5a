//! The table of this surface's operations.

use http_core::Operation;

use crate::routes::{
    account, auth, contacts, deals, issues, modules, operator, portal, projects, public, second_factor, settings,
    widget,
};

/// All operations; routes are registered from this table. If two patterns match a path, the earlier one wins.
pub const OPERATIONS: &[Operation] = &[
    Operation::of::<contacts::List>(),
    Operation::of::<contacts::Create>(),
    Operation::of::<deals::List>(),
    Operation::of::<deals::Create>(),
    Operation::of::<deals::Read>(),
    Operation::of::<deals::Update>(),
    Operation::of::<deals::Delete>(),
    Operation::of::<projects::List>(),
    Operation::of::<projects::Create>(),
    Operation::of::<projects::Read>(),
    Operation::of::<projects::Update>(),
    Operation::of::<projects::Delete>(),
    Operation::of::<projects::cycles::List>(),
    Operation::of::<projects::cycles::Create>(),
    Operation::of::<projects::ListIssues>(),
    Operation::of::<issues::List>(),
    Operation::of::<issues::Create>(),
    Operation::of::<issues::BulkUpdate>(),
    Operation::of::<issues::Read>(),
    Operation::of::<issues::Update>(),
    Operation::of::<issues::Delete>(),
    Operation::of::<issues::comments::List>(),
    Operation::of::<issues::comments::Create>(),
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
            assert_eq!(by_scopes, matches!(operation.needs, Some(AccessRequirement::Scopes(_))), "{operation:?}");
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
                "/api/settings/webhooks/{webhook_id}/test",
                "/api/settings/webhooks/deliveries/{delivery_id}/redeliver",
                LINKS,
            ]
            .contains(&operation.pattern);
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
            let reads = operation.method == "GET" || is_preflight;
            assert_eq!(operation.class == Class::Read, reads, "{operation:?}");
        }
    }
}
