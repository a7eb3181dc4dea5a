//! The user's workspaces: switching between them, and creating one.

use domain::identity::access::{ManageOwnAccount, OperateService, Permit};
use domain::identity::accounts::{self, Client, OwnWorkspace};
use domain::identity::workspaces::{self, NewWorkspaceFields};

use super::sign_in;
use crate::addresses;
use crate::prelude::*;

pages! {
    List = "GET /workspaces", access: ManageOwnAccount => list;
    Switch = "POST /workspaces/switch", access: ManageOwnAccount => switch;
    New = "GET /workspaces/new", access: OperateService => new;
    Create = "POST /workspaces", access: OperateService => create;
}

#[derive(Template)]
#[template(path = "workspaces.html")]
struct ListPage {
    shell: Shell,
    workspaces: Vec<WorkspaceRow>,
    may_create: bool,
}

/// A workspace, and the URL of its pages if this browser has a session there.
struct WorkspaceRow {
    own: OwnWorkspace,
    href: Option<String>,
}

#[derive(Template)]
#[template(path = "workspace_new.html")]
struct NewPage {
    shell: Shell,
    form: FormView,
}

async fn list(request: PageRequest<List>) -> PageResult {
    let browser = request.browser;
    let workspaces = accounts::list_workspaces(&request.ports, &request.permit).await?;
    let shown = |own: OwnWorkspace| {
        let slug = &own.workspace.slug;
        WorkspaceRow { href: browser.workspaces.has(slug).then(|| addresses::base_of(slug)), own }
    };
    let workspaces = workspaces.into_iter().map(shown).collect();
    let shell = browser.shell(text("workspaces-title"));
    responses::page(&browser, ListPage { shell, workspaces, may_create: browser.may::<OperateService>() })
}

async fn switch(request: PageRequest<Switch>) -> PageResult {
    let PageRequest { ports, permit, client, form, browser, .. } = request;
    let wanted = form.value("workspace").unwrap_or_default();
    enter(&ports, &permit, &client, &browser, (wanted, form.value("next").unwrap_or("/"), None)).await
}

/// Switches the browser to another workspace of the user, and shows the notice there. The current session stays valid.
async fn enter(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    client: &Client,
    browser: &Browser,
    (wanted, next, notice): (&str, &str, Option<Notice>),
) -> PageResult {
    let Some(entered) = accounts::switch_workspace(ports, permit, client, wanted).await? else {
        return Ok(responses::redirect(browser, "/", notice));
    };
    sign_in::continue_sign_in(browser, &entered, next, notice)
}

fn form() -> FormView {
    let form = FormView::new::<NewWorkspaceFields>().only(&["name", "slug"]).without_help();
    form.with_autocomplete(&[("name", "organization"), ("slug", "off")])
        .with_label("name", "member-workspace-name")
        .with_help("slug", "slug-rules")
}

fn new_page(browser: &Browser, form: FormView) -> NewPage {
    NewPage { shell: browser.shell(text("workspaces-new")), form }
}

async fn new(request: PageRequest<New>) -> PageResult {
    responses::page(&request.browser, new_page(&request.browser, form()))
}

/// Creates a workspace with the caller as its owner, and switches to it.
async fn create(request: PageRequest<Create>) -> PageResult {
    let account = request.browser.permit::<ManageOwnAccount>().ok_or(Error::Unauthorized)?;
    let PageRequest { ports, permit, client, form: sent, browser, .. } = request;
    let result = async { workspaces::create_own(&ports, &permit, sent.read_new(&browser)?).await };
    match result.await {
        Ok(workspace) => {
            let notice = Notice::new(text_named("workspaces-made", &workspace.name));
            enter(&ports, &account, &client, &browser, (&workspace.slug, "/", Some(notice))).await
        }
        Err(error) => {
            let view = form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, new_page(&browser, view))
        }
    }
}
