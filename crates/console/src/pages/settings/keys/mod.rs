//! AI and external connections: API keys, their permissions, and connecting clients with them.

mod choices;
mod clients;
pub(crate) mod create;

use std::collections::HashMap;

use domain::ApiKeyId;
use domain::identity::access::{Actor, ManageKeys};
use domain::identity::api_keys::{self, ApiKey, ApiKeyView, KeyChangeFields, KeyStatus};
use domain::identity::members;
use domain::kernel::input::CreatedFilter;
use domain::tools::{ToolPermission, ToolPermissions};
use http_core::query::Paged;
use uuid::Uuid;

use self::clients::{ClientSetup, Connection, PLACEHOLDER};
use crate::lists::{ListView, NoFilter};
use crate::prelude::*;

pages! {
    List = "GET /settings/keys", access: ManageKeys, query: Paged<ApiKey> => list;
    Show = "GET /settings/keys/{key_id}", access: ManageKeys, path: ApiKeyId => show;
    Update = "POST /settings/keys/{key_id}", class: Class::Critical, access: ManageKeys, path: ApiKeyId => update;
    Revoke = "POST /settings/keys/{key_id}/revoke", class: Class::Critical, access: ManageKeys, path: ApiKeyId => revoke;
}

#[derive(Template)]
#[template(path = "settings/keys.html")]
struct ListPage {
    shell: Shell,
    list: ListView,
    keys: Vec<KeyRow>,
}

#[derive(Template)]
#[template(path = "settings/key.html")]
struct KeyPage {
    shell: Shell,
    form: FormView,
    row: KeyRow,
    granted: Vec<ToolPermission>,
    curl: String,
    clients: Vec<ClientSetup>,
    /// A new key, which is shown once.
    secret: Option<String>,
}

/// A key as a row of the list.
struct KeyRow {
    key: ApiKeyView,
    created_by: String,
}

impl KeyRow {
    fn new(key: ApiKeyView, names: &HashMap<Uuid, String>) -> Self {
        Self { created_by: name_of(key.created_by, names), key }
    }

    /// The preset in words, or the number of scopes.
    fn access(&self) -> String {
        let scopes = || text_with("keys-scopes-count", [("count", self.key.scopes.len().into())]);
        self.key.preset.map_or_else(scopes, |preset| label("value", preset.as_str()))
    }

    fn is_active(&self) -> bool {
        self.key.status == KeyStatus::Active
    }
}

/// The name of a member or key, or that of the service for actors without a name.
fn name_of(actor: Actor, names: &HashMap<Uuid, String>) -> String {
    let own = actor.id.and_then(|id| names.get(&id).cloned());
    own.unwrap_or_else(|| label("value", actor.kind.as_str()))
}

/// The names of those who created the keys.
async fn names(ports: &Ports, browser: &Browser, keys: &[ApiKeyView]) -> Result<HashMap<Uuid, String>, domain::Error> {
    let mut ids: Vec<_> = keys.iter().filter_map(|key| key.created_by.id).collect();
    ids.sort_unstable();
    ids.dedup();
    match &browser.caller {
        Some(caller) if !ids.is_empty() => members::names_of(ports, caller, ids).await,
        _ => Ok(HashMap::new()),
    }
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = api_keys::list(&ports, &permit, CreatedFilter::default(), query.page).await?;
    let list = ListView::new::<NoFilter, _>(&browser.address, &page, &browser.preferences.zone);
    let names = names(&ports, &browser, &page.items).await?;
    let keys = page.items.into_iter().map(|key| KeyRow::new(key, &names)).collect();
    responses::page(&browser, ListPage { shell: browser.shell(text("settings-keys")), list, keys })
}

/// The page of a key. It contains the key itself if it was just created.
async fn key_page(
    ports: &Ports,
    browser: &Browser,
    key: ApiKeyView,
    form: Option<FormView>,
    secret: Option<String>,
) -> Result<KeyPage, domain::Error> {
    let names = names(ports, browser, std::slice::from_ref(&key)).await?;
    let form = form.unwrap_or_else(|| change_form().with_record(&json!(key), &browser.preferences.zone));
    let server = browser.caller.as_ref().map(|caller| caller.workspace().slug.clone()).unwrap_or_default();
    let connection = Connection {
        service: &ports.settings.public_url,
        server: &server,
        key: secret.as_deref().unwrap_or(PLACEHOLDER),
        is_trial: key.trial.is_some(),
    };
    let granted = key.permissions.iter().flat_map(ToolPermissions::granted).collect();
    Ok(KeyPage {
        shell: browser.shell(key.name.clone()),
        form,
        granted,
        curl: connection.curl(),
        clients: connection.setups(),
        row: KeyRow::new(key, &names),
        secret,
    })
}

/// The fields that can be changed directly. Changes to permissions are confirmed by a button.
fn change_form() -> FormView {
    FormView::new::<KeyChangeFields>().without(&["narrows_rest"])
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let key = api_keys::read(&ports, &permit, path).await?;
    responses::page(&browser, key_page(&ports, &browser, key, None, None).await?)
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let result = match form.read_patch(&browser) {
        Ok(fields) => api_keys::update(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(key) => responses::success(&browser, &format!("/settings/keys/{path}"), text_named("keys-saved", &key.name)),
        Err(error) => {
            let view = change_form().with_input(&form).with_error(error)?;
            let key = api_keys::read(&ports, &permit, path).await?;
            responses::unprocessable(&browser, key_page(&ports, &browser, key, Some(view), None).await?)
        }
    }
}

async fn revoke(request: PageRequest<Revoke>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let key = api_keys::revoke(&ports, &permit, path).await?;
    responses::success(&browser, "/settings/keys", text_named("keys-revoked", &key.name))
}
