//! `workspace …`

use domain::ports::{Operator, Ports};
use domain::workspaces::{self, NewWorkspace};
use serde_json::json;

use super::{explained, print};
use crate::cli::WorkspaceCommand;

pub(super) async fn run(ports: Ports, operator: Operator, command: WorkspaceCommand) -> anyhow::Result<()> {
    let WorkspaceCommand::Create { name, slug, plan, json } = command;
    let new = NewWorkspace { name, slug, plan };
    let workspace = workspaces::create(&ports, &operator, &new).await.map_err(|error| explained(&error))?;
    print(
        json,
        &json!({
            "id": workspace.id, "slug": workspace.slug, "name": workspace.name,
            "plan": workspace.plan, "status": workspace.status,
        }),
        &format!("Made the workspace {} ({}) on the plan {}.", workspace.slug, workspace.id, workspace.plan),
    );
    Ok(())
}
