//! `workspace …`

use domain::Error;
use domain::identity::workspaces::{self, NewWorkspace, PlanChange, Workspace, WorkspaceStatus};
use domain::ports::{Operator, Ports};
use serde_json::{Value, json};

use super::{explained, print};
use crate::cli::WorkspaceCommand;

/// Page size when all workspaces are listed.
const PAGE: u32 = 500;

pub(super) async fn run(ports: Ports, operator: Operator, command: WorkspaceCommand) -> anyhow::Result<()> {
    run_command(&ports, &operator, command).await.map_err(|error| explained(&error))
}

async fn run_command(ports: &Ports, operator: &Operator, command: WorkspaceCommand) -> Result<(), Error> {
    let (workspace, json, what) = match command {
        WorkspaceCommand::List { json } => return list(ports, operator, json).await,
        WorkspaceCommand::Create { name, slug, plan, json } => {
            (workspaces::create(ports, operator, &NewWorkspace { name, slug, plan }).await?, json, "Created")
        }
        WorkspaceCommand::Suspend { named } => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            let permit = operator.permit(found);
            (workspaces::set_status(ports, &permit, WorkspaceStatus::Suspended).await?, named.json, "Suspended")
        }
        WorkspaceCommand::Activate { named } => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            let permit = operator.permit(found);
            (workspaces::set_status(ports, &permit, WorkspaceStatus::Active).await?, named.json, "Activated")
        }
        WorkspaceCommand::AllowAllNetworks { named } => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            (workspaces::allow_all_networks(ports, &operator.permit(found)).await?, named.json, "Opened")
        }
        WorkspaceCommand::Update { named, plan, limits } => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            let change = PlanChange { plan, limits };
            (workspaces::change_plan(ports, &operator.permit(found), change).await?, named.json, "Updated")
        }
    };
    print(json, &shown(&workspace), &format!("{what} workspace {} ({}).", workspace.slug, workspace.id));
    Ok(())
}

fn shown(workspace: &Workspace) -> Value {
    json!({
        "id": workspace.id, "slug": workspace.slug, "name": workspace.name, "plan": workspace.plan,
        "status": workspace.status, "limits": workspace.limits,
    })
}

async fn list(ports: &Ports, operator: &Operator, json: bool) -> Result<(), Error> {
    let mut all: Vec<Workspace> = Vec::new();
    loop {
        let after = all.last().map(|workspace| workspace.slug.clone()).unwrap_or_default();
        let page = workspaces::list(ports, operator, &after, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        all.extend(page);
        if is_last {
            break;
        }
    }
    let lines =
        all.iter().map(|one| format!("{}  {:9}  {:12}  {}  ({})", one.id, one.status, one.plan, one.slug, one.name));
    let prose = lines.collect::<Vec<_>>().join("\n");
    let objects: Vec<_> = all.iter().map(shown).collect();
    print(json, &json!(objects), if prose.is_empty() { "No workspaces." } else { &prose });
    Ok(())
}
