//! Who may call an operation.

use domain::identity::access::{AccessRequirement, Scope};
use http_core::Operation;
use http_core::admission::AuthScheme;
use serde_json::{Value as Json, json};

const API_KEY: &str = "apiKey";
const ACCESS_TOKEN: &str = "accessToken";
const PORTAL_TOKEN: &str = "portalToken";
const WIDGET_ORIGIN: &str = "widgetOrigin";

pub(crate) fn schemes() -> Json {
    let bearer = |description: &str| json!({ "type": "http", "scheme": "bearer", "description": description });
    json!({
        API_KEY: bearer("An API key, created in the settings of the workspace."),
        ACCESS_TOKEN: bearer("The access token of a member's session, from `POST /api/auth/login`."),
        PORTAL_TOKEN: bearer("The token of a customer's portal session, from `POST /api/portal/sessions`."),
        WIDGET_ORIGIN: {
            "type": "apiKey", "in": "header", "name": "Origin",
            "description": "The origin of the page, sent by the browser. It must be in the workspace's `widget_origins`.",
        },
    })
}

/// The alternative schemes, each with its required scopes.
pub(crate) fn requirements(operation: &Operation) -> Vec<Json> {
    let names = |scopes: &[Scope]| scopes.iter().map(ToString::to_string).collect::<Vec<_>>();
    match (operation.auth_scheme, operation.needs) {
        (AuthScheme::PortalToken, _) => vec![json!({ PORTAL_TOKEN: [] })],
        (AuthScheme::WidgetPage, _) => vec![json!({ WIDGET_ORIGIN: [] })],
        (AuthScheme::Anonymous | AuthScheme::Browser, _) | (_, None) => vec![],
        (AuthScheme::Caller, Some(needs)) => match needs {
            AccessRequirement::Scopes(scopes) => {
                vec![json!({ API_KEY: names(scopes) }), json!({ ACCESS_TOKEN: names(scopes) })]
            }
            AccessRequirement::KeyScopes(scopes) => vec![json!({ API_KEY: names(scopes) })],
            AccessRequirement::SessionScopes(scopes) => vec![json!({ ACCESS_TOKEN: names(scopes) })],
            AccessRequirement::AnyScope(_)
            | AccessRequirement::CredentialButTrial
            | AccessRequirement::AdministratorOrGrant(_) => vec![json!({ API_KEY: [] }), json!({ ACCESS_TOKEN: [] })],
            // Only operations of the tool API accept any credential, and of those only keys.
            AccessRequirement::Credential => vec![json!({ API_KEY: [] })],
            AccessRequirement::Session | AccessRequirement::Administrator | AccessRequirement::Operator => {
                vec![json!({ ACCESS_TOKEN: [] })]
            }
        },
    }
}

/// A sentence for what the schemes cannot express.
pub(crate) fn sentence(operation: &Operation) -> String {
    let listed = |scopes: &[Scope], separator: &str| {
        scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>().join(separator)
    };
    let all_of = |scopes: &[Scope]| {
        let noun = if scopes.len() == 1 { "scope" } else { "scopes" };
        format!("{noun} {}", listed(scopes, " and "))
    };
    let needs = match (operation.auth_scheme, operation.needs) {
        (AuthScheme::PortalToken, _) => return "Requires the token of a portal session.".to_owned(),
        (AuthScheme::WidgetPage, _) => {
            return "Accepts only requests from pages in the workspace's `widget_origins`.".to_owned();
        }
        (AuthScheme::Anonymous | AuthScheme::Browser, _) | (_, None) => return "Requires no credential.".to_owned(),
        (AuthScheme::Caller, Some(needs)) => needs,
    };
    match needs {
        AccessRequirement::Scopes(scopes) if !scopes.is_empty() => format!("Requires the {}.", all_of(scopes)),
        AccessRequirement::KeyScopes(scopes) => format!("Requires an API key with the {}.", all_of(scopes)),
        AccessRequirement::SessionScopes(scopes) => format!(
            "Requires the access token of a member whose role has the {}; API keys are not accepted.",
            all_of(scopes)
        ),
        AccessRequirement::AnyScope(scopes) => format!("Requires any of the scopes {}.", listed(scopes, ", ")),
        AccessRequirement::CredentialButTrial => "Accepts any credential except a trial key.".to_owned(),
        AccessRequirement::Session => "Requires a member's access token; API keys are not accepted.".to_owned(),
        AccessRequirement::Administrator => {
            "Requires the access token of an owner or admin; API keys are not accepted.".to_owned()
        }
        AccessRequirement::Operator => {
            "Requires the access token of an operator; API keys are not accepted.".to_owned()
        }
        AccessRequirement::AdministratorOrGrant(permission) => format!(
            "Requires the access token of an owner or admin, or an API key whose permission map grants `{}`.",
            permission.as_str()
        ),
        AccessRequirement::Scopes(_) => "Accepts any credential.".to_owned(),
        AccessRequirement::Credential => "Accepts any API key.".to_owned(),
    }
}
