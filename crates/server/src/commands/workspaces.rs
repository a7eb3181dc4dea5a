//! `workspace …`

use domain::Error;
use domain::identity::workspaces::{self, NewWorkspace, PlanChange, SettableStatus, Workspace};
use domain::kernel::input::format_timestamp;
use domain::ports::{Operator, Ports};
use serde_json::{Value, json};

use super::{explain, print, terminal};
use crate::cli::{NamedWorkspace, WorkspaceCommand};
use crate::housekeeping::ERASE_BATCH;

/// Page size when all workspaces are listed.
const PAGE: u32 = 500;

/// Prompts for the confirmation of a deletion, before the database is opened.
pub(super) fn with_confirmation(command: WorkspaceCommand) -> anyhow::Result<WorkspaceCommand> {
    Ok(match command {
        WorkspaceCommand::Delete { named, confirm, now } => {
            let days = workspaces::KEPT_AFTER_DELETION.whole_days();
            let when = if now { "immediately and permanently".to_owned() } else { format!("after {days} days") };
            let question = format!("This erases the workspace {} {when}. Enter its slug to confirm: ", named.workspace);
            let confirm = Some(terminal::confirmation(confirm, &question)?);
            WorkspaceCommand::Delete { named, confirm, now }
        }
        other => other,
    })
}

pub(super) async fn run(ports: Ports, operator: Operator, command: WorkspaceCommand) -> anyhow::Result<()> {
    run_command(&ports, &operator, command).await.map_err(|error| explain(&error))
}

async fn run_command(ports: &Ports, operator: &Operator, command: WorkspaceCommand) -> Result<(), Error> {
    let (workspace, json, verb) = match command {
        WorkspaceCommand::List { json } => return list(ports, operator, json).await,
        WorkspaceCommand::Create { name, slug, plan, json } => {
            let plan = plan.unwrap_or(ports.settings.default_plan);
            (workspaces::create(ports, operator, &NewWorkspace { name, slug, plan }).await?, json, "Created")
        }
        WorkspaceCommand::Suspend(named) => {
            (set(ports, operator, &named, SettableStatus::Suspended).await?, named.json, "Suspended")
        }
        WorkspaceCommand::Restrict(named) => {
            (set(ports, operator, &named, SettableStatus::Restricted).await?, named.json, "Restricted")
        }
        WorkspaceCommand::Activate(named) => {
            (set(ports, operator, &named, SettableStatus::Active).await?, named.json, "Activated")
        }
        WorkspaceCommand::Delete { named, confirm, now } => {
            return delete(ports, operator, &named, confirm.as_deref().unwrap_or_default(), now).await;
        }
        WorkspaceCommand::AllowAllNetworks(named) => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            (workspaces::allow_all_networks(ports, &operator.permit(found)).await?, named.json, "Opened")
        }
        WorkspaceCommand::Update { named, plan, limits } => {
            let found = workspaces::find(ports, operator, &named.workspace).await?;
            let change = PlanChange { plan, limits };
            (workspaces::change_plan(ports, &operator.permit(found), change).await?, named.json, "Updated")
        }
    };
    print(json, &to_json(&workspace), &format!("{verb} workspace {} ({}).", workspace.slug, workspace.id));
    Ok(())
}

async fn set(
    ports: &Ports,
    operator: &Operator,
    named: &NamedWorkspace,
    status: SettableStatus,
) -> Result<Workspace, Error> {
    let found = workspaces::find(ports, operator, &named.workspace).await?;
    workspaces::set_status(ports, &operator.permit(found), status).await
}

async fn delete(
    ports: &Ports,
    operator: &Operator,
    named: &NamedWorkspace,
    confirmation: &str,
    now: bool,
) -> Result<(), Error> {
    let found = workspaces::find(ports, operator, &named.workspace).await?;
    let workspace = workspaces::delete(ports, &operator.permit(found), confirmation, now).await?;
    let mut object = to_json(&workspace);
    if !now {
        let due_at = workspace.erasure.map(|erasure| format_timestamp(erasure.due_at)).unwrap_or_default();
        let prose = format!(
            "Deleted workspace {} ({}). It is erased after {due_at}; until then, `workspace-service workspace activate \
             --workspace {}` brings it back.",
            workspace.slug, workspace.id, workspace.slug
        );
        print(named.json, &object, &prose);
        return Ok(());
    }
    let mut rows = 0;
    // The service erases what this command does not get to.
    loop {
        let step = ports.directory.erase_workspaces(ports.clock.now(), ERASE_BATCH).await?;
        rows += step.rows;
        if step.rows == 0 || step.erased == Some(workspace.id) {
            break;
        }
    }
    let is_erased = ports.directory.find_workspace(&workspace.id.to_string()).await?.is_none();
    object["erased"] = json!(is_erased);
    let outcome = if is_erased { format!("erased it: {rows} rows") } else { "the service is erasing it".to_owned() };
    print(named.json, &object, &format!("Deleted workspace {} ({}), and {outcome}.", workspace.slug, workspace.id));
    Ok(())
}

fn to_json(workspace: &Workspace) -> Value {
    json!({
        "id": workspace.id, "slug": workspace.slug, "name": workspace.name, "plan": workspace.plan,
        "status": workspace.status, "limits": workspace.limits,
        "erase_at": workspace.erasure.map(|erasure| format_timestamp(erasure.due_at)),
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
    let objects: Vec<_> = all.iter().map(to_json).collect();
    print(json, &json!(objects), if prose.is_empty() { "No workspaces." } else { &prose });
    Ok(())
}
