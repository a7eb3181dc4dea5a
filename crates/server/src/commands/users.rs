//! `user …`

use std::io::BufRead;

use anyhow::Context;
use domain::ports::{Operator, Ports};
use domain::workspaces::{self, NewUser};
use serde_json::json;

use super::{explained, print};
use crate::cli::UserCommand;
use crate::passwords;

pub(super) async fn run(ports: Ports, operator: Operator, command: UserCommand) -> anyhow::Result<()> {
    let UserCommand::Create { workspace, email, name, role, password_stdin: _, json } = command;
    let password = passwords::hash(&read_password()?, &*ports.random)?;
    let workspace = workspaces::find(&ports, &operator, &workspace).await.map_err(|error| explained(&error))?;
    let new = NewUser { email, name, role, password };
    let user =
        workspaces::create_user(&ports, &operator, workspace.id, new).await.map_err(|error| explained(&error))?;
    print(
        json,
        &json!({ "id": user.id, "email": user.email, "name": user.name, "role": role, "workspace_id": workspace.id }),
        &format!("Made {} ({}) {role} of the workspace {}.", user.email, user.id, workspace.slug),
    );
    Ok(())
}

/// One line without its end; an argument or a variable would show in process lists.
fn read_password() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("no password could be read from standard input")?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    Ok(password.strip_suffix('\r').unwrap_or(password).to_owned())
}
