//! A test's workspace, and clients with different permissions in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use domain::identity::accounts::sign_in_link;
use domain::identity::api_keys::{self, KeyFields};
use domain::identity::workspaces::{self, NewUser, PasswordHash, PlanChange, Role, SettableStatus, Workspace};
use domain::kernel::input::{Input, InputMode, format_timestamp};
use domain::limits::LimitName;
use domain::ports::Ports;
use domain::testing;
use domain::{ApiKeyId, UserId};
use serde_json::{Value, json};
use time::Duration;

use super::{App, Browser, Client, PLENTY};

/// The password of every test user.
const PASSWORD: &str = "correct horse battery";
/// Its hash with the minimum cost that Argon2 allows: with the service's cost, each test that signs in spends a tenth
/// of its time on hashing.
const HASH_OF_PASSWORD: &str =
    "$argon2id$v=19$m=8,t=1,p=1$b2YgdGhlIHRlc3Qga2l0IQ$R/PD4ZqkRb2tSa5cQDaZfjFdYNFXhM1/ZS4k6ZKQu+0";

/// A workspace of an [`App`].
#[derive(Debug)]
pub struct Tenant {
    base_url: String,
    ports: Ports,
    next: Arc<AtomicU32>,
    pub workspace: Workspace,
}

/// A signed-in user.
#[derive(Debug, Clone)]
pub struct TestUser {
    /// A client with the user's access token.
    pub client: Client,
    pub id: UserId,
    pub email: String,
    pub password: &'static str,
    /// The slug of the workspace of the access token.
    pub workspace: String,
}

impl Tenant {
    pub(super) fn new(app: &App, workspace: Workspace) -> Self {
        Self { base_url: app.base_url.clone(), ports: app.ports.clone(), next: Arc::clone(&app.next), workspace }
    }

    /// A client with a full-access key.
    pub async fn full_access(&self) -> Client {
        self.key(json!({"preset": "full_access"})).await.0
    }

    /// A client with exactly these scopes.
    pub async fn with_scopes(&self, scopes: &[&str]) -> Client {
        self.key(json!({ "scopes": scopes })).await.0
    }

    /// A client whose key expires after a time, and the key's id.
    pub async fn expiring(&self, after: Duration) -> (Client, ApiKeyId) {
        let expiry = format_timestamp(self.ports.clock.now() + after);
        self.key(json!({"preset": "full_access", "expires_at": expiry})).await
    }

    /// A client with a key made from these members, and the key's id.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn key(&self, mut fields: Value) -> (Client, ApiKeyId) {
        fields["name"] = json!("test");
        let fields = fields.as_object().cloned().unwrap_or_default();
        let fields = KeyFields::from_object(fields, InputMode::Create).unwrap_or_else(|error| panic!("{error}"));
        let permit = testing::operator().permit(self.workspace.clone());
        let created = api_keys::create(&self.ports, &permit, fields).await;
        let created = created.unwrap_or_else(|error| panic!("{error}"));
        (Client::new(&self.base_url, Some(created.plain.reveal())), created.key.id)
    }

    /// Revokes a key, as another process would: this instance is not notified.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn revoke(&self, id: ApiKeyId) {
        let permit = testing::operator().permit(self.workspace.clone());
        let result = api_keys::revoke(&self.elsewhere(), &permit, id).await;
        result.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Changes the status of the workspace, as another process would.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn set_status(&self, status: SettableStatus) {
        let permit = testing::operator().permit(self.workspace.clone());
        let result = workspaces::set_status(&self.elsewhere(), &permit, status).await;
        result.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Changes plan and limits.
    ///
    /// # Panics
    /// If it is rejected.
    #[must_use = "the returned tenant has the change"]
    pub async fn change_plan(self, change: PlanChange) -> Self {
        let permit = testing::operator().permit(self.workspace.clone());
        let workspace = workspaces::change_plan(&self.ports, &permit, change).await;
        Self { workspace: workspace.unwrap_or_else(|error| panic!("{error}")), ..self }
    }

    /// Sets limits, which replace those of the plan.
    ///
    /// # Panics
    /// If one is rejected.
    #[must_use = "the returned tenant has the limits"]
    pub async fn limit_to(self, limits: &[(LimitName, u64)]) -> Self {
        let limits = limits.iter().map(|(name, limit)| (*name, Some(*limit))).collect();
        self.change_plan(PlanChange { plan: None, limits }).await
    }

    /// Raises the limits so that no test reaches them.
    pub(crate) async fn without_limits(self) -> Self {
        let long_limits = [LimitName::CrmQuotaPerMonth, LimitName::EventBytesPerDay];
        let counted = LimitName::ALL.iter().filter(|name| !long_limits.contains(name));
        self.limit_to(&counted.map(|name| (*name, u64::from(PLENTY))).collect::<Vec<_>>()).await
    }

    /// The path of a link that signs a member in once, without a password.
    ///
    /// # Panics
    /// If nobody has the address.
    pub async fn sign_in_link(&self, email: &str) -> String {
        let link = sign_in_link::issue(&self.ports, &testing::operator(), &self.workspace, email).await;
        let link = link.unwrap_or_else(|error| panic!("{email}: {error}"));
        format!("/sign-in/link/{}", link.reveal())
    }

    /// Creates an operator of the service, and signs them in to this workspace.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn operator(&self, role: Role) -> TestUser {
        let user = self.user(role).await;
        let created = workspaces::set_operator(&self.ports, &testing::operator(), &user.email, true).await;
        created.unwrap_or_else(|error| panic!("{error}"));
        user
    }

    /// Creates a member who cannot sign in.
    pub async fn member(&self, email: &str) -> UserId {
        self.add(email, Role::Member, PasswordHash("not a hash".to_owned())).await
    }

    /// Creates a member and signs them in.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn user(&self, role: Role) -> TestUser {
        let email = format!("{role}.{}@example.com", self.next.fetch_add(1, Ordering::Relaxed));
        let id = self.join(&email, role).await;
        let body = json!({"email": email, "password": PASSWORD, "workspace": self.workspace.slug});
        let login = Client::new(&self.base_url, None).post("/api/auth/login", body).await.expect(200);
        let token = login.data()["access_token"].as_str().unwrap_or_else(|| panic!("no token in {}", login.text));
        let workspace = self.workspace.slug.clone();
        TestUser { client: Client::new(&self.base_url, Some(token)), id, email, password: PASSWORD, workspace }
    }

    /// A browser in which a new member with this role is signed in.
    pub async fn signed_in(&self, role: Role) -> Browser {
        let user = self.user(role).await;
        let browser = Browser::new(&self.base_url);
        let _ = browser.sign_in(&user.email, user.password, &self.workspace.slug).await;
        browser
    }

    /// Adds a member with the password of all test users.
    ///
    /// # Panics
    /// If it is rejected.
    pub async fn join(&self, email: &str, role: Role) -> UserId {
        self.add(email, role, PasswordHash(HASH_OF_PASSWORD.to_owned())).await
    }

    async fn add(&self, email: &str, role: Role, password: PasswordHash) -> UserId {
        let new = NewUser { email: email.to_owned(), name: "A member".to_owned(), role, password };
        let permit = testing::operator().permit(self.workspace.clone());
        let created = workspaces::create_user(&self.ports, &permit, new).await;
        created.unwrap_or_else(|error| panic!("{error}")).user.id
    }

    /// The app's ports with separate caches, so that changes look as if another process made them.
    fn elsewhere(&self) -> Ports {
        Ports { credential_cache: Arc::default(), ..self.ports.clone() }
    }
}
