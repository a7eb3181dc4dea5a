//! `mail …`

use domain::email::{EmailFilter, EmailState, EmailSummary};
use domain::identity::workspaces;
use domain::kernel::input::format_timestamp;
use domain::ports::{Operator, Ports};
use domain::{EmailId, Error, email};
use serde_json::{Value, json};

use super::{explain, print};
use crate::cli::EmailCommand;

pub(super) async fn run(ports: Ports, operator: Operator, command: EmailCommand) -> anyhow::Result<()> {
    run_command(&ports, &operator, command).await.map_err(|error| explain(&error))
}

async fn run_command(ports: &Ports, operator: &Operator, command: EmailCommand) -> Result<(), Error> {
    let (EmailCommand::List { workspace, .. } | EmailCommand::Retry { workspace, .. }) = &command;
    let workspace = match workspace {
        Some(name) => Some(workspaces::find(ports, operator, name).await?.id),
        None => None,
    };
    match command {
        EmailCommand::List { status, limit, json, .. } => {
            let all = email::list(ports, operator, EmailFilter { workspace, status, limit }).await?;
            let prose = all.iter().map(line).collect::<Vec<_>>().join("\n");
            let objects: Vec<_> = all.iter().map(to_json).collect();
            print(json, &json!(objects), if prose.is_empty() { "No e-mail." } else { &prose });
        }
        EmailCommand::Retry { id: Some(id), json, .. } => {
            // clap requires a workspace with `--id`.
            let workspace = workspace.ok_or(Error::NotFound("workspace"))?;
            let id = EmailId(id);
            email::retry(ports, operator, workspace, id).await?;
            print(json, &json!({ "id": id, "due": true }), &format!("E-mail {id} is due now."));
        }
        EmailCommand::Retry { id: None, json, .. } => {
            let count = email::retry_all(ports, operator, workspace).await?;
            print(json, &json!({ "due": count }), &format!("E-mails made due now: {count}."));
        }
    }
    Ok(())
}

fn to_json(email: &EmailSummary) -> Value {
    let (due_at, in_flight, sent_at, failed_at) = match email.email_state {
        EmailState::Waiting { due_at, in_flight } => (Some(due_at), in_flight, None, None),
        EmailState::Sent { at } => (None, false, Some(at), None),
        EmailState::Failed { at } => (None, false, None, Some(at)),
    };
    json!({
        "id": email.id, "workspace_id": email.workspace, "workspace": email.slug, "to": email.to, "subject": email.subject,
        "status": email.email_state.status(), "created_at": format_timestamp(email.created_at), "attempts": email.attempts,
        "next_attempt_at": due_at.map(format_timestamp), "in_hand": in_flight, "sent_at": sent_at.map(format_timestamp),
        "failed_at": failed_at.map(format_timestamp), "last_error": email.last_error,
    })
}

fn line(email: &EmailSummary) -> String {
    let email_state = match email.email_state {
        EmailState::Waiting { in_flight: true, .. } => "being sent".to_owned(),
        EmailState::Waiting { due_at, .. } => format!("due {}", format_timestamp(due_at)),
        EmailState::Sent { at } => format!("sent {}", format_timestamp(at)),
        EmailState::Failed { at } => format!("failed {}", format_timestamp(at)),
    };
    let attempts = match email.attempts {
        0 => String::new(),
        1 => ", 1 attempt".to_owned(),
        count => format!(", {count} attempts"),
    };
    let error = email.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!(
        "{}  {}  {:7}  {}  {}  {:?}  ({email_state}{attempts}{error})",
        email.id,
        format_timestamp(email.created_at),
        email.email_state.status(),
        email.slug,
        email.to,
        email.subject
    )
}
