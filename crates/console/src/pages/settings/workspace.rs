//! The workspace: its name, its defaults, and who can access it.

use domain::crm::contacts::{self, Contact};
use domain::identity::access::{ManageWorkspace, Permit};
use domain::identity::workspaces::{self, DeletionFields, Role, SettingsFields, WorkspaceView};

use super::save_settings;
use crate::pages::account::security::signed_out;
use crate::prelude::*;

pages! {
    Show = "GET /settings", access: ManageWorkspace => show;
    Update = "POST /settings", access: ManageWorkspace => update;
    Delete = "POST /settings/delete", class: Class::Critical, access: ManageWorkspace => delete;
}

/// The settings on this page. The others are on the support page.
const FIELDS: &[&str] = &["name", "default_currency", "allowed_networks", "require_second_factor"];

#[derive(Template)]
#[template(path = "settings/workspace.html")]
struct WorkspacePage {
    shell: Shell,
    form: FormView,
    workspace: WorkspaceView,
    /// Contacts with the same e-mail address as an older contact.
    shared: Vec<Contact>,
    deletion: FormView,
    is_deleting: bool,
    may_delete: bool,
}

/// Loads what the page shows besides its forms.
async fn shown(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<(WorkspaceView, Vec<Contact>), Error> {
    Ok((workspaces::read(ports, permit).await?, contacts::list_with_shared_address(ports, permit).await?))
}

fn workspace_page(browser: &Browser, shown: (WorkspaceView, Vec<Contact>), form: FormView) -> WorkspacePage {
    let (workspace, shared) = shown;
    WorkspacePage {
        shell: browser.shell(text("settings-workspace")),
        form,
        workspace,
        shared,
        deletion: FormView::new::<DeletionFields>(),
        is_deleting: false,
        may_delete: browser.role() == Some(Role::Owner),
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let browser = request.browser;
    let shown = shown(&request.ports, &request.permit).await?;
    let form = FormView::new::<SettingsFields>().only(FIELDS).with_record(&json!(shown.0), &browser.preferences.zone);
    responses::page(&browser, workspace_page(&browser, shown, form))
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    match save_settings(&ports, &permit, &browser, &form, ("settings-workspace", "/settings")).await {
        Ok(response) => response,
        Err(error) => {
            let view = FormView::new::<SettingsFields>().only(FIELDS).with_input(&form).with_error(error)?;
            responses::unprocessable(&browser, workspace_page(&browser, shown(&ports, &permit).await?, view))
        }
    }
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = match form.read_new(&browser) {
        Ok(fields) => workspaces::delete_own(&ports, &permit, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(_) => Ok(signed_out(&browser, "workspace-deleted")),
        Err(error) => {
            let deletion = FormView::new::<DeletionFields>().with_input(&form).with_error(error)?;
            let shown = shown(&ports, &permit).await?;
            let view = FormView::new::<SettingsFields>().only(FIELDS);
            let view = view.with_record(&json!(shown.0), &browser.preferences.zone);
            let page = WorkspacePage { deletion, is_deleting: true, ..workspace_page(&browser, shown, view) };
            responses::unprocessable(&browser, page)
        }
    }
}
