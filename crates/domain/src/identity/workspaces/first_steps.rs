//! The first steps of a new user (interface 26.8).

use serde::Serialize;

use crate::Error;
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::ports::{Ports, read_only};

/// Whether each first step is done. Samples of a demo workspace do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "steps, each done or not")]
pub struct FirstSteps {
    /// Whether the user is in an active workspace that is not a demo.
    pub has_own_workspace: bool,
    /// Whether the workspace has another member, invited or active.
    pub has_colleague: bool,
    /// Whether a key was created.
    pub has_key: bool,
    /// Whether a key was used over the tool API.
    pub has_ai_client: bool,
    /// Whether there is a webhook.
    pub has_webhook: bool,
    /// Whether the user has no password yet. Only for the console, which then offers to set one.
    #[serde(skip)]
    pub lacks_password: bool,
}

/// The first steps of the caller in their workspace. One statement.
pub async fn first_steps(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<FirstSteps, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    read_only(ports, permit, move |tx| Ok(tx.workspace().first_steps(user)?)).await
}
