//! Starts the service with what nearly every test needs.

use domain::identity::workspaces::Role;
use domain::limits::FixedLimits;
use time::Duration;

use super::{App, AppOptions, Browser, Client, Tenant, TestUser};
use crate::Receiver;

impl App {
    /// Starts the service, and creates a workspace.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_workspace() -> (Self, Tenant) {
        let app = Self::start().await;
        let tenant = app.workspace().await;
        (app, tenant)
    }

    /// Starts the service, and creates a full-access key of a new workspace.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_client() -> (Self, Client) {
        let (app, _, client) = Self::with_workspace_client().await;
        (app, client)
    }

    /// Starts the service, and creates a workspace and a full-access key of it.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_workspace_client() -> (Self, Tenant, Client) {
        let (app, tenant) = Self::with_workspace().await;
        let client = tenant.full_access().await;
        (app, tenant, client)
    }

    /// Starts the service, and creates a workspace and a signed-in member with this role.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_user(role: Role) -> (Self, Tenant, TestUser) {
        let (app, tenant) = Self::with_workspace().await;
        let user = tenant.user(role).await;
        (app, tenant, user)
    }

    /// Starts the service, and creates a workspace and a browser in which a member with this role is signed in.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_browser(role: Role) -> (Self, Tenant, Browser) {
        let (app, tenant) = Self::with_workspace().await;
        let browser = tenant.signed_in(role).await;
        (app, tenant, browser)
    }

    /// Starts the service so that it delivers webhooks.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn delivering() -> Self {
        Self::start_as(AppOptions { delivers: true, ..AppOptions::default() }).await
    }

    /// Starts the service so that it delivers webhooks, and creates a workspace and a receiver.
    ///
    /// # Panics
    /// If one does not start.
    pub async fn with_receiver() -> (Self, Tenant, Receiver) {
        let app = Self::delivering().await;
        let tenant = app.workspace().await;
        (app, tenant, Receiver::start().await)
    }

    /// Starts the service with the limits of production, at the start of a minute.
    ///
    /// # Panics
    /// If it does not start.
    pub async fn with_real_limits() -> Self {
        let app = Self::start_as(AppOptions { limits: FixedLimits::default(), ..AppOptions::default() }).await;
        app.begin_window(Duration::MINUTE).await;
        app
    }
}
