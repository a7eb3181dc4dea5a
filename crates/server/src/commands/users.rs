//! `user …`

use std::io::BufRead;

use anyhow::Context;
use domain::identity::accounts::{self, HashTurn, NewPassword};
use domain::identity::workspaces::{self, CreatedUser, NewUser};
use domain::ports::{Operator, Ports};
use serde_json::json;

use super::{explained, print};
use crate::cli::UserCommand;

pub(super) async fn run(ports: Ports, operator: Operator, command: UserCommand) -> anyhow::Result<()> {
    let (workspace, email, name, role, json) = match command {
        UserCommand::Create { workspace, email, name, role, password_stdin: _, json } => {
            (workspace, email, name, role, json)
        }
        UserCommand::ResetSecondFactor { email, json } => {
            return reset_second_factor(&ports, &operator, &email, json).await;
        }
    };
    let password = NewPassword::parse(&read_password()?).map_err(|error| explained(&error))?;
    let password = ports.passwords.hash(&password, HashTurn::known(None)).await.map_err(|error| explained(&error))?;
    let workspace = workspaces::find(&ports, &operator, &workspace).await.map_err(|error| explained(&error))?;
    let (id, slug) = (workspace.id, workspace.slug.clone());
    let new = NewUser { email, name, role, password };
    let made = workspaces::create_user(&ports, &operator.permit(workspace), new).await;
    let CreatedUser { user, keeps_password } = made.map_err(|error| explained(&error))?;
    let known = if keeps_password { " The existing name and password are kept." } else { "" };
    print(
        json,
        &json!({ "id": user.id, "email": user.email, "name": user.name, "role": role, "workspace_id": id }),
        &format!("Added {} ({}) to workspace {slug} as {role}.{known}", user.email, user.id),
    );
    Ok(())
}

async fn reset_second_factor(ports: &Ports, operator: &Operator, email: &str, json: bool) -> anyhow::Result<()> {
    let user = accounts::reset_second_factor(ports, operator, email).await.map_err(|error| explained(&error))?;
    print(
        json,
        &json!({ "id": user.id, "email": user.email, "second_factor": false }),
        &format!("Switched off the second factor of {} ({}): tell them.", user.email, user.id),
    );
    Ok(())
}

/// Reads one line. An argument or environment variable would show in process lists.
fn read_password() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("cannot read the password from standard input")?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    Ok(password.strip_suffix('\r').unwrap_or(password).to_owned())
}
