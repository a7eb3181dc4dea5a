//! `user …`

use std::io::{IsTerminal, Write};

use domain::Error;
use domain::identity::accounts::{self, HashTurn, NewPassword};
use domain::identity::workspaces::{self, CreatedUser, NewUser};
use domain::ports::{Operator, Ports};
use serde_json::json;

use super::{explain, print, terminal};
use crate::cli::{CreateUserOptions, UserCommand};
use crate::config::Config;
use crate::hand_over::{self, HandOver};

/// A command and the answers to its prompts, collected before opening the database.
pub(super) struct PreparedCommand {
    command: UserCommand,
    password: Option<NewPassword>,
}

impl PreparedCommand {
    pub(super) fn of(command: UserCommand) -> anyhow::Result<Self> {
        let password = match &command {
            UserCommand::Create(options) => Some(terminal::new_password(options.password_stdin)?),
            _ => None,
        };
        Ok(Self { command, password })
    }
}

pub(super) async fn run(
    ports: Ports,
    operator: Operator,
    config: &Config,
    prepared: PreparedCommand,
) -> anyhow::Result<()> {
    let PreparedCommand { command, password } = prepared;
    let result = match (command, password) {
        (UserCommand::Create(options), Some(password)) => create(&ports, &operator, options, &password).await,
        // Creating a user always comes with a password.
        (UserCommand::Create(_), None) => Ok(()),
        (UserCommand::Update { email, operator: flag, json }, _) => update(&ports, &operator, &email, flag, json).await,
        (UserCommand::SignInLink { workspace, email }, _) => {
            sign_in_link(&ports, &operator, config, &workspace, &email).await
        }
        (UserCommand::ListOperators { json }, _) => list_operators(&ports, &operator, json).await,
        (UserCommand::ResetSecondFactor { email, json }, _) => {
            reset_second_factor(&ports, &operator, &email, json).await
        }
    };
    result.map_err(|error| explain(&error))
}

async fn create(
    ports: &Ports,
    operator: &Operator,
    options: CreateUserOptions,
    password: &NewPassword,
) -> Result<(), Error> {
    // The person who sets up an installation operates it: until then, no one has signed in to anything. The demo has an operator
    // from the start, who has no password.
    let is_first = !ports.directory.has_users().await? && workspaces::list_operators(ports, operator).await?.is_empty();
    let password = ports.passwords.hash(password, HashTurn::known(None)).await?;
    let workspace = workspaces::find(ports, operator, &options.workspace).await?;
    let (id, slug) = (workspace.id, workspace.slug.clone());
    let role = options.role;
    let new = NewUser { email: options.email, name: options.name, role, password };
    let created = workspaces::create_user(ports, &operator.permit(workspace), new).await?;
    let CreatedUser { user, keeps_password, is_operator: was_operator } = created;
    let is_operator = was_operator || options.operator || is_first;
    if is_operator && !was_operator {
        workspaces::set_operator(ports, operator, &user.email, true).await?;
    }
    let kept_note = if keeps_password { " The existing name and password are kept." } else { "" };
    let operates = match (is_operator, is_first) {
        (false, _) => "",
        (true, false) => " They are an operator of the service.",
        (true, true) => " As the first user, they are an operator of the service.",
    };
    print(
        options.json,
        &json!({
            "id": user.id, "email": user.email, "name": user.name, "role": role, "workspace_id": id,
            "operator": is_operator,
        }),
        &format!("Added {} ({}) to workspace {slug} as {role}.{kept_note}{operates}", user.email, user.id),
    );
    Ok(())
}

async fn update(ports: &Ports, operator: &Operator, email: &str, flag: bool, json: bool) -> Result<(), Error> {
    let user = workspaces::set_operator(ports, operator, email, flag).await?;
    let status = if flag { "is an operator of the service" } else { "is not an operator of the service" };
    print(
        json,
        &json!({ "id": user.id, "email": user.email, "operator": flag }),
        &format!("{} ({}) {status}.", user.email, user.id),
    );
    Ok(())
}

async fn sign_in_link(
    ports: &Ports,
    operator: &Operator,
    config: &Config,
    workspace: &str,
    email: &str,
) -> Result<(), Error> {
    let workspace = workspaces::find(ports, operator, workspace).await?;
    let link = accounts::sign_in_link::issue(ports, operator, &workspace, email).await?;
    let mut output = std::io::stdout();
    let running = hand_over::running_address(&config.data_dir);
    let address = running.as_ref().unwrap_or(&config.bind);
    let to = HandOver { data_dir: &config.data_dir, address, is_terminal: output.is_terminal() };
    let mut text = to.link(&link);
    if running.is_none() {
        let note = format!(
            "\nNo running service was found for the data folder {}, so the link assumes the address {address}. If the service \
             listens elsewhere, put its address into the link, or set SERVICE_BIND and run the command again.\n",
            config.data_dir.display()
        );
        text.push_str(&note);
    }
    let _ = output.write_all(text.as_bytes());
    Ok(())
}

async fn list_operators(ports: &Ports, operator: &Operator, json: bool) -> Result<(), Error> {
    let all = workspaces::list_operators(ports, operator).await?;
    let lines: Vec<_> = all.iter().map(|user| format!("{}  {}  {}", user.id, user.email, user.name)).collect();
    let objects: Vec<_> =
        all.iter().map(|user| json!({ "id": user.id, "email": user.email, "name": user.name })).collect();
    let prose = if lines.is_empty() { "No operators.".to_owned() } else { lines.join("\n") };
    print(json, &json!(objects), &prose);
    Ok(())
}

async fn reset_second_factor(ports: &Ports, operator: &Operator, email: &str, json: bool) -> Result<(), Error> {
    let user = accounts::reset_second_factor(ports, operator, email).await?;
    print(
        json,
        &json!({ "id": user.id, "email": user.email, "second_factor": false }),
        &format!("Turned off the second factor of {} ({}). Let them know.", user.email, user.id),
    );
    Ok(())
}
