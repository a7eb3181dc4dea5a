//! `mail …`

use domain::email::{ListedMail, MailFilter, MailStanding, MailStatus};
use domain::identity::workspaces;
use domain::kernel::input::format_timestamp;
use domain::ports::{Operator, Ports};
use domain::{Error, MailId, WorkspaceId, email};
use serde_json::{Value, json};

use super::{explained, print};
use crate::cli::MailCommand;

pub(super) async fn run(ports: Ports, operator: Operator, command: MailCommand) -> anyhow::Result<()> {
    let done = match command {
        MailCommand::List { workspace, status, limit, json } => {
            list(&ports, &operator, workspace.as_deref(), status, limit, json).await
        }
        MailCommand::Retry { workspace, id: Some(id), json, .. } => {
            retry(&ports, &operator, workspace.as_deref(), MailId(id), json).await
        }
        MailCommand::Retry { workspace, id: None, json, .. } => {
            retry_all(&ports, &operator, workspace.as_deref(), json).await
        }
    };
    done.map_err(|error| explained(&error))
}

async fn named(ports: &Ports, operator: &Operator, workspace: Option<&str>) -> Result<Option<WorkspaceId>, Error> {
    let Some(name) = workspace else { return Ok(None) };
    Ok(Some(workspaces::find(ports, operator, name).await?.id))
}

async fn list(
    ports: &Ports,
    operator: &Operator,
    workspace: Option<&str>,
    status: Option<MailStatus>,
    limit: u32,
    json: bool,
) -> Result<(), Error> {
    let filter = MailFilter { workspace: named(ports, operator, workspace).await?, status, limit };
    let all = email::list(ports, operator, filter).await?;
    let prose = all.iter().map(line).collect::<Vec<_>>().join("\n");
    let objects: Vec<_> = all.iter().map(shown).collect();
    print(json, &json!(objects), if prose.is_empty() { "There is no such letter." } else { &prose });
    Ok(())
}

fn shown(mail: &ListedMail) -> Value {
    let (due_at, in_hand, sent_at, failed_at) = match mail.standing {
        MailStanding::Waiting { due_at, in_hand } => (Some(due_at), in_hand, None, None),
        MailStanding::Sent { at } => (None, false, Some(at), None),
        MailStanding::Failed { at } => (None, false, None, Some(at)),
    };
    json!({
        "id": mail.id, "workspace_id": mail.workspace, "workspace": mail.slug, "to": mail.to, "subject": mail.subject,
        "status": mail.standing.status(), "created_at": format_timestamp(mail.created_at), "attempts": mail.attempts,
        "next_attempt_at": due_at.map(format_timestamp), "in_hand": in_hand, "sent_at": sent_at.map(format_timestamp),
        "failed_at": failed_at.map(format_timestamp), "last_error": mail.last_error,
    })
}

fn line(mail: &ListedMail) -> String {
    let standing = match mail.standing {
        MailStanding::Waiting { in_hand: true, .. } => "being sent".to_owned(),
        MailStanding::Waiting { due_at, .. } => format!("due {}", format_timestamp(due_at)),
        MailStanding::Sent { at } => format!("sent {}", format_timestamp(at)),
        MailStanding::Failed { at } => format!("given up {}", format_timestamp(at)),
    };
    let attempts = match mail.attempts {
        0 => String::new(),
        1 => ", 1 attempt".to_owned(),
        count => format!(", {count} attempts"),
    };
    let error = mail.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!(
        "{}  {}  {:7}  {}  {}  {:?}  ({standing}{attempts}{error})",
        mail.id,
        format_timestamp(mail.created_at),
        mail.standing.status(),
        mail.slug,
        mail.to,
        mail.subject
    )
}

async fn retry(
    ports: &Ports,
    operator: &Operator,
    workspace: Option<&str>,
    id: MailId,
    json: bool,
) -> Result<(), Error> {
    // The command line does not go without.
    let workspace = named(ports, operator, workspace).await?.ok_or(Error::NotFound("workspace"))?;
    email::retry(ports, operator, workspace, id).await?;
    print(json, &json!({ "id": id, "due": true }), &format!("The letter {id} is due now."));
    Ok(())
}

async fn retry_all(ports: &Ports, operator: &Operator, workspace: Option<&str>, json: bool) -> Result<(), Error> {
    let workspace = named(ports, operator, workspace).await?;
    let count = email::retry_all(ports, operator, workspace).await?;
    print(json, &json!({ "due": count }), &format!("Letters that are due now, and waited for later before: {count}."));
    Ok(())
}
