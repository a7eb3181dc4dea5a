//! `key …`

use domain::identity::api_keys::{self, ApiKeyView, KeyFields};
use domain::identity::workspaces;
use domain::kernel::input::{CreatedFilter, Input, InputMode, format_timestamp};
use domain::kernel::paging::PageRequest;
use domain::ports::{Operator, Ports};
use domain::{ApiKeyId, Error};
use serde_json::{Map, Value, json};
use time::Duration;

use super::{explain, print, terminal};
use crate::cli::KeyCommand;

/// Page size when all keys are listed.
const PAGE: u32 = 100;

pub(super) async fn run(ports: Ports, operator: Operator, command: KeyCommand) -> anyhow::Result<()> {
    let result = match command {
        KeyCommand::Create {
            workspace,
            name,
            preset,
            scope,
            permission,
            expires_in,
            trial_tools,
            trial_calls,
            json,
        } => {
            let mut fields = Map::from_iter([("name".to_owned(), json!(name))]);
            if let Some(preset) = preset {
                fields.insert("preset".to_owned(), json!(preset));
            } else {
                fields.insert("scopes".to_owned(), json!(scope));
            }
            if !permission.is_empty() {
                let granted: Map<_, _> = permission.into_iter().map(|name| (name, json!(true))).collect();
                fields.insert("permissions".to_owned(), granted.into());
            }
            let mut trial = Map::new();
            if !trial_tools.is_empty() {
                trial.insert("tools".to_owned(), json!(trial_tools));
            }
            if let Some(calls) = trial_calls {
                trial.insert("calls".to_owned(), json!(calls));
            }
            if !trial.is_empty() {
                fields.insert("trial".to_owned(), trial.into());
            }
            create(&ports, &operator, &workspace, fields, expires_in, json).await
        }
        KeyCommand::List { workspace, json } => list(&ports, &operator, &workspace, json).await,
        KeyCommand::Find { json } => find(&ports, &operator, &terminal::secret("API key: ")?, json).await,
        KeyCommand::Revoke { workspace, id, json } => revoke(&ports, &operator, &workspace, ApiKeyId(id), json).await,
    };
    result.map_err(|error| explain(&error))
}

async fn create(
    ports: &Ports,
    operator: &Operator,
    workspace: &str,
    mut fields: Map<String, Value>,
    expires_in: Option<Duration>,
    json: bool,
) -> Result<(), Error> {
    if let Some(lifetime) = expires_in {
        let expiry = ports.clock.now().checked_add(lifetime).filter(|expiry| expiry.year() <= 9999);
        let too_far = || Error::invalid("expires_in", "out_of_range", "must end before the year 10000");
        fields.insert("expires_at".to_owned(), json!(format_timestamp(expiry.ok_or_else(too_far)?)));
    }
    let fields = KeyFields::from_object(fields, InputMode::Create)?;
    let workspace = workspaces::find(ports, operator, workspace).await?;
    let created = api_keys::create(ports, &operator.permit(workspace), fields).await?;
    let (key, plain) = (&created.key, created.plain.reveal());
    print(
        json,
        &json!({
            "id": key.id, "key": plain, "name": key.name, "scopes": key.scopes.to_strings(), "preset": key.preset,
            "permissions": key.permissions,
            "expires_at": key.expires_at.map(format_timestamp),
        }),
        &format!("Created API key \"{}\" ({}). It is shown only once:\n\n  {plain}\n", key.name, key.id),
    );
    Ok(())
}

async fn list(ports: &Ports, operator: &Operator, workspace: &str, json: bool) -> Result<(), Error> {
    let permit = operator.permit(workspaces::find(ports, operator, workspace).await?);
    let mut keys: Vec<ApiKeyView> = Vec::new();
    let mut request = PageRequest::first(PAGE);
    loop {
        let page = api_keys::list(ports, &permit, CreatedFilter::default(), request).await?;
        let is_last = page.next_cursor.is_none();
        keys.extend(page.items);
        let Some(last) = keys.last().filter(|_| !is_last) else { break };
        request = PageRequest::after(last.created_at, last.id.0, PAGE);
    }
    let lines = keys.iter().map(|key| {
        let used =
            key.last_used_at.map_or_else(|| "never used".to_owned(), |at| format!("used {}", format_timestamp(at)));
        format!("{}  {:8}  {}  ({used})", key.id, key.status, key.name)
    });
    let prose = lines.collect::<Vec<_>>().join("\n");
    print(json, &json!(keys), if prose.is_empty() { "No API keys." } else { &prose });
    Ok(())
}

async fn find(ports: &Ports, operator: &Operator, plain: &str, json: bool) -> Result<(), Error> {
    let (workspace, key) = api_keys::find(ports, operator, plain).await?;
    let slug = &workspace.slug;
    print(
        json,
        &json!({
            "id": key.id, "name": key.name, "status": key.status, "workspace_id": workspace.id, "workspace": slug,
        }),
        &format!("{}  {:8}  {}  (workspace {slug})", key.id, key.status, key.name),
    );
    Ok(())
}

async fn revoke(ports: &Ports, operator: &Operator, workspace: &str, id: ApiKeyId, json: bool) -> Result<(), Error> {
    let workspace = workspaces::find(ports, operator, workspace).await?;
    api_keys::revoke(ports, &operator.permit(workspace), id).await?;
    print(json, &json!({ "id": id, "revoked": true }), &format!("Revoked API key {id}."));
    Ok(())
}
