//! `key …`

use domain::api_keys::{self, NewKey};
use domain::input::format_timestamp;
use domain::ports::{Operator, Ports};
use domain::{ApiKeyId, workspaces};
use serde_json::json;

use super::{explained, print};
use crate::cli::KeyCommand;

pub(super) async fn run(ports: Ports, operator: Operator, command: KeyCommand) -> anyhow::Result<()> {
    match command {
        KeyCommand::Create { workspace, name, preset, scope, expires_in, json } => {
            let new = NewKey { name, preset, scopes: scope, expires_in };
            create(&ports, &operator, &workspace, &new, json).await
        }
        KeyCommand::Revoke { workspace, id, json } => revoke(&ports, &operator, &workspace, ApiKeyId(id), json).await,
    }
}

async fn create(ports: &Ports, operator: &Operator, workspace: &str, new: &NewKey, json: bool) -> anyhow::Result<()> {
    let workspace = workspaces::find(ports, operator, workspace).await.map_err(|error| explained(&error))?;
    let made = api_keys::create(ports, operator, workspace.id, new).await.map_err(|error| explained(&error))?;
    let (key, plain) = (&made.key, made.plain.reveal());
    print(
        json,
        &json!({
            "id": key.id, "key": plain, "name": key.name, "scopes": key.scopes.words(), "preset": key.preset,
            "expires_at": key.expires_at.map(format_timestamp),
        }),
        &format!("Made the key {} ({}). It is shown this once:\n\n  {plain}\n", key.name, key.id),
    );
    Ok(())
}

async fn revoke(ports: &Ports, operator: &Operator, workspace: &str, id: ApiKeyId, json: bool) -> anyhow::Result<()> {
    let workspace = workspaces::find(ports, operator, workspace).await.map_err(|error| explained(&error))?;
    api_keys::revoke(ports, operator, workspace.id, id).await.map_err(|error| explained(&error))?;
    print(json, &json!({ "id": id, "revoked": true }), &format!("Revoked the key {id}."));
    Ok(())
}
