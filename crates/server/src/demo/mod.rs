//! The demo workspace of the first start: a small company with believable records.

mod clock;
mod player;

use std::path::Path;
use std::sync::Arc;

use domain::Error;
use domain::email::EmailBounds;
use domain::identity::access::PlainToken;
use domain::identity::accounts::sign_in_link;
use domain::identity::api_keys::{self, KeyFields};
use domain::identity::workspaces::{self, DemoMember, NewDemo, NewWorkspace, Role};
use domain::kernel::input::{Input, InputMode};
use domain::ports::{Operator, Ports, Settings, StoreError};
use domain::webhooks::TargetPolicy;
use serde_json::json;
use time::Duration;

use clock::{DemoClock, DemoIds};
use player::Player;

const SLUG: &str = "demo";
/// The owner, who signs in by a link and has no password.
const OWNER: &str = "owner@demo.example";
/// How long ago the records begin.
const AGE: Duration = Duration::days(60);

/// This file is in the data folder while the records are being created.
const UNFINISHED: &str = "demo-unfinished";
/// The maximum number of rows that one transaction erases.
const ERASE_BATCH: u32 = 5_000;

/// The members: their names in the records, their full names, and their roles.
const MEMBERS: [(&str, &str, Role); 4] = [
    ("owner", "Mara Lindqvist", Role::Owner),
    ("admin", "Tomas Berger", Role::Admin),
    ("member", "Priya Nair", Role::Member),
    ("viewer", "Jonas Weber", Role::Viewer),
];

/// The secrets that a start hands over to its user.
pub(crate) struct Demo {
    /// A key with full access; only from the first start.
    pub(crate) key: Option<PlainToken>,
    /// Signs in the owner, once.
    pub(crate) link: PlainToken,
}

/// Creates the demo workspace unless any workspace exists, and a sign-in link as long as the owner has no password. Leftovers of an
/// interrupted start are erased first, so that nobody sees an incomplete demo.
pub(crate) async fn prepare(ports: &Ports, operator: &Operator, data_dir: &Path) -> Result<Option<Demo>, Error> {
    let unfinished = data_dir.join(UNFINISHED);
    let io_error = |error: std::io::Error| StoreError::Internal(format!("{}: {error}", unfinished.display()));
    if unfinished.exists() {
        erase(ports, operator).await?;
    }
    let key = if ports.directory.has_workspaces().await? {
        None
    } else {
        std::fs::write(&unfinished, "").map_err(io_error)?;
        Some(make(ports, operator).await?)
    };
    if unfinished.exists() {
        std::fs::remove_file(&unfinished).map_err(io_error)?;
    }
    let (Some(workspace), Some(owner)) =
        (ports.directory.find_workspace(SLUG).await?, ports.directory.find_account(OWNER).await?)
    else {
        return Ok(None);
    };
    if owner.user.password.is_some() {
        return Ok(None);
    }
    match sign_in_link::issue(ports, operator, &workspace, OWNER).await {
        Ok(link) => Ok(Some(Demo { key, link })),
        // The workspace was suspended or its owner removed. Keep what an operator did.
        Err(Error::Conflict(_) | Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Erases the demo workspace.
async fn erase(ports: &Ports, operator: &Operator) -> Result<(), Error> {
    let Some(workspace) = ports.directory.find_workspace(SLUG).await? else { return Ok(()) };
    if workspace.erasure.is_none() {
        workspaces::delete(ports, &operator.permit(workspace.clone()), SLUG, true).await?;
    }
    loop {
        let step = ports.directory.erase_workspaces(ports.clock.now(), ERASE_BATCH).await?;
        if step.rows == 0 || step.erased == Some(workspace.id) {
            return Ok(());
        }
    }
}

/// Creates the demo workspace; returns its key with full access.
///
/// # Errors
/// The first step that a use case refuses, or a failure of the store.
pub async fn make(ports: &Ports, operator: &Operator) -> Result<PlainToken, Error> {
    let made_at = ports.clock.now();
    let clock = Arc::new(DemoClock::new(made_at - AGE, Arc::clone(&ports.clock)));
    let ports = Ports {
        clock: Arc::clone(&clock) as _,
        ids: Arc::new(DemoIds { clock: Arc::clone(&clock), random: Arc::clone(&ports.random) }),
        credential_cache: Arc::default(),
        settings: Arc::new(Settings {
            // Send no e-mails, whatever mail server is configured.
            email_bounds: EmailBounds { answers: 0 },
            // The webhook in the records is disabled, and its target is this machine.
            targets: TargetPolicy { allows_http: true, allows_private_networks: true },
            ..(*ports.settings).clone()
        }),
        ..ports.clone()
    };
    let member = |(name, full_name, role): (&str, &str, Role)| DemoMember {
        name: full_name.to_owned(),
        email: format!("{name}@demo.example"),
        role,
    };
    let workspace =
        NewWorkspace { name: "Lantern Coffee".to_owned(), slug: SLUG.to_owned(), plan: ports.settings.default_plan };
    let members = MEMBERS.into_iter().map(member).collect();
    let new = NewDemo { workspace, default_currency: "EUR".to_owned(), members, made_at };
    let (workspace, _) = workspaces::create_demo(&ports, operator, &new).await?;
    let fields = json!({ "name": "demo", "preset": "full_access" });
    let fields = KeyFields::from_object(fields.as_object().cloned().unwrap_or_default(), InputMode::Create)?;
    let key = api_keys::create(&ports, &operator.permit(workspace.clone()), fields).await?.plain;
    let player = Player::sign_in(&ports, operator, &workspace, &key, &clock, made_at).await?;
    player.play().await?;
    Ok(key)
}
