//! Every kind of caller: an owner who is an operator, an API key, a customer with a ticket, a page with the widget.

use domain::identity::workspaces::Role;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Client, Tenant};

use crate::support::UNKNOWN_ID;

/// The origin of a page with the widget.
pub(crate) const PAGE: &str = "https://help.example.com";

/// All kinds of callers of one workspace.
pub(crate) struct AllCallers {
    owner: Client,
    key: Client,
    customer: Client,
    workspace: String,
}

impl AllCallers {
    pub(crate) async fn start() -> (App, Self) {
        let (app, tenant) = App::with_workspace().await;
        let callers = Self::of(&app, &tenant).await;
        (app, callers)
    }

    pub(crate) async fn of(app: &App, tenant: &Tenant) -> Self {
        // Also an operator: operator actions need no role.
        let owner = tenant.operator(Role::Owner).await.client;
        let key = tenant.full_access().await;
        let reference = open_ticket(&key, "ada@example.org").await;
        let customer = customer_of(app, &key, &reference).await;
        enable_widget(&owner).await;
        Self { owner, key, customer, workspace: tenant.workspace.id.to_string() }
    }

    /// A request by the kind of caller that the path requires.
    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        if path.starts_with("/api/portal/ticket") {
            return self.customer.request(method, path);
        }
        if path.starts_with("/api/public/") {
            return self.key.request(method, path);
        }
        if path.starts_with("/api/widget/") {
            let path = path.replace(UNKNOWN_ID, &self.workspace);
            return self.owner.request(method, &path).header("Origin", PAGE);
        }
        self.owner.request(method, path)
    }
}

/// Enables the widget for [`PAGE`].
pub(crate) async fn enable_widget(owner: &Client) {
    let body = json!({"widget_enabled": true, "widget_origins": [PAGE]});
    let _ = owner.patch("/api/settings/workspace", body).await.expect(200);
}

pub(crate) fn intake(email: &str) -> Value {
    json!({"name": "Ada", "email": email, "subject": "It does not print"})
}

/// Opens a ticket and returns its reference.
pub(crate) async fn open_ticket(client: &Client, email: &str) -> String {
    let created = client.post("/api/public/tickets", intake(email)).await.expect(201);
    created.data()["reference"].as_str().unwrap().to_owned()
}

/// The one-time token of a new link.
pub(crate) async fn link_to(client: &Client, reference: &str) -> String {
    let path = format!("/api/public/tickets/{reference}/tracking-links");
    let created = ApiResponse::of(client.request("POST", &path)).await.expect(201);
    created.data()["token"].as_str().unwrap().to_owned()
}

/// Exchanges a one-time token for a session.
pub(crate) async fn open_session(app: &App, token: &str) -> ApiResponse {
    app.anonymous().post("/api/portal/sessions", json!({ "token": token })).await
}

/// A client with the portal token of the ticket's customer.
pub(crate) async fn customer_of(app: &App, client: &Client, reference: &str) -> Client {
    let session = open_session(app, &link_to(client, reference).await).await.expect(201);
    app.with_key(session.data()["token"].as_str().unwrap())
}

/// The issue id of the ticket with a reference.
pub(crate) async fn issue_of(client: &Client, reference: &str) -> String {
    let list = client.get("/api/v1/issues?kind=ticket&limit=100").await.expect(200);
    let issue_found = list.body["data"].as_array().unwrap().iter().find(|issue| issue["reference"] == reference);
    issue_found.unwrap()["id"].as_str().unwrap().to_owned()
}
