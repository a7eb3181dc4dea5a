//! All workspaces of the installation, for its operators.

use domain::WorkspaceId;
use domain::identity::access::{OperateService, Permit};
use domain::identity::workspaces::{
    self, CreatedWorkspace, DeletionFields, LimitFields, NewWorkspaceFields, OperatorWorkspaceView, Workspace,
    WorkspaceChangeFields, WorkspaceFilter, WorkspaceStatus,
};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Plan;
use http_core::query::Filtered;

use crate::form::{id_response, once_with};
use crate::lists::ListView;
use crate::prelude::*;

pages! {
    List = "GET /operator", access: OperateService, query: Filtered<WorkspaceFilter, Workspace> => list;
    New = "GET /operator/new", access: OperateService => new;
    Create = "POST /operator", class: Class::Critical, access: OperateService => create;
    Show = "GET /operator/{workspace_id}", access: OperateService, path: WorkspaceId => show;
    Update = "POST /operator/{workspace_id}", class: Class::Critical, access: OperateService, path: WorkspaceId
    => update;
    Delete = "POST /operator/{workspace_id}/delete", class: Class::Critical, access: OperateService, path: WorkspaceId
    => delete;
    Restore = "POST /operator/{workspace_id}/restore", class: Class::Critical, access: OperateService,
    path: WorkspaceId => restore;
}

#[derive(Template)]
#[template(path = "operator/workspaces.html")]
struct ListPage {
    shell: Shell,
    list: ListView,
    workspaces: Vec<OperatorWorkspaceView>,
}

#[derive(Template)]
#[template(path = "operator/new.html")]
struct NewPage {
    shell: Shell,
    form: FormView,
}

#[derive(Template)]
#[template(path = "operator/workspace.html")]
struct WorkspacePage {
    shell: Shell,
    workspace: OperatorWorkspaceView,
    form: FormView,
    forms: Forms,
}

impl WorkspacePage {
    fn is_deleted(&self) -> bool {
        self.workspace.status == WorkspaceStatus::Deleted
    }
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = workspaces::search(&ports, &permit, query.filter, query.page).await?;
    let list = ListView::new::<WorkspaceFilter, _>(&browser.address, &page, &browser.preferences.zone);
    let shell = browser.shell(text("operator-title"));
    responses::page(&browser, ListPage { shell, list, workspaces: page.items })
}

fn new_page(browser: &Browser, form: FormView) -> NewPage {
    NewPage { shell: browser.shell(text("operator-new")).part("nav-operator"), form }
}

async fn new(request: PageRequest<New>) -> PageResult {
    responses::page(&request.browser, new_page(&request.browser, FormView::new::<NewWorkspaceFields>()))
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async {
        let response = |made: &CreatedWorkspace| id_response(&json!(made.workspace.id));
        workspaces::create_as_operator(
            &ports,
            &permit,
            once_with(&form, Create::ROUTE, response),
            form.read_new(&browser)?,
        )
        .await
    };
    match result.await {
        Ok(IdempotentResult::Replayed(response)) => {
            responses::success(&browser, &format!("/operator/{}", response.body), text("made-already"))
        }
        Ok(IdempotentResult::Fresh(created)) => {
            let message = match &created.owner {
                Some(owner) => {
                    let sent = ports.settings.has_mail_server;
                    let key = if sent { "operator-created-invited" } else { "operator-created-invited-file" };
                    text_with(key, [("email", owner.email.as_str().into())])
                }
                None => text_named("operator-created", &created.workspace.name),
            };
            let path = format!("/operator/{}", created.workspace.id);
            responses::success(&browser, &path, message)
        }
        Err(error) => {
            let view = FormView::new::<NewWorkspaceFields>().with_input(&form).with_error(error)?;
            responses::unprocessable(&browser, new_page(&browser, view))
        }
    }
}

/// The form for plan, status and each limit.
fn change_form(plan: Plan) -> FormView {
    let mut form = FormView::new::<WorkspaceChangeFields>().only(&["plan", "status"]);
    // The help of the API explains null. In a form, an empty choice stands for null.
    form.fields.iter_mut().for_each(|field| field.help.clear());
    form.fields.extend(FormView::new::<LimitFields>().fields);
    let limits = plan.limits();
    for (name, limit) in [
        ("requests_per_minute", Some(limits.requests_per_minute)),
        ("crm_quota_per_month", limits.crm_quota_per_month),
        ("emails_per_hour", Some(limits.emails_per_hour)),
        ("event_bytes_per_day", Some(limits.event_bytes_per_day)),
    ] {
        let limit_text = limit.map_or_else(
            || text("operator-plan-unlimited"),
            |limit| text_with("operator-plan-limit", [("limit", limit.into())]),
        );
        if let Some(field) = form.field_mut(name) {
            field.help = format!("{} {limit_text}", field.help);
        }
    }
    form
}

/// The workspace with its limits as members, as the form has them.
fn with_limit_members(workspace: &OperatorWorkspaceView) -> Json {
    let mut record = json!(workspace);
    let limits = record["limits"].take();
    for (name, value) in limits.as_object().into_iter().flatten() {
        record[name.as_str()] = value.clone();
    }
    record
}

/// The form as a body of the API. An empty limit means the limit of the plan.
fn body_of(mut form: Form, browser: &Browser) -> Form {
    let limits: Map<String, Json> = form.to_object(&LimitFields::members(), &browser.preferences.zone);
    if !limits.is_empty() {
        form.set("limits", &Json::Object(limits).to_string());
    }
    form
}

/// The forms of the page, one of which may have been rejected.
struct Forms {
    /// `None` to show the stored values.
    change: Option<FormView>,
    deletion: FormView,
    is_deleting: bool,
    /// Why another action was rejected.
    refusal: Option<String>,
}

impl Default for Forms {
    fn default() -> Self {
        Self { change: None, deletion: FormView::new::<DeletionFields>(), is_deleting: false, refusal: None }
    }
}

async fn workspace_page(
    ports: &Ports,
    permit: &Permit<OperateService>,
    browser: &Browser,
    id: WorkspaceId,
    mut forms: Forms,
) -> Result<WorkspacePage, Error> {
    let workspace = workspaces::read_as_operator(ports, permit, id).await?;
    let stored = || change_form(workspace.plan).with_record(&with_limit_members(&workspace), &browser.preferences.zone);
    let form = forms.change.take().unwrap_or_else(stored);
    Ok(WorkspacePage { shell: browser.shell(workspace.name.clone()), form, forms, workspace })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    responses::page(&browser, workspace_page(&ports, &permit, &browser, path, Forms::default()).await?)
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let body = body_of(form, &browser);
    let result = match body.read_patch(&browser) {
        Ok(fields) => workspaces::update_as_operator(&ports, &permit, path, body.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(workspace) => {
            let status = label("value", workspace.status.as_str());
            let values = [("name", workspace.name.as_str().into()), ("status", status.into())];
            responses::success(&browser, &format!("/operator/{path}"), text_with("operator-saved", values))
        }
        Err(error) => {
            let plan = body.value("plan").and_then(Plan::parse).unwrap_or_default();
            let change = Some(change_form(plan).with_input(&body).with_error(error)?);
            let forms = Forms { change, ..Forms::default() };
            responses::unprocessable(&browser, workspace_page(&ports, &permit, &browser, path, forms).await?)
        }
    }
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let result = match form.read_new(&browser) {
        Ok(fields) => workspaces::delete_as_operator(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(_) => {
            let notice = Notice::new(text("operator-deleted")).with_undo(format!("/operator/{path}/restore"));
            Ok(responses::redirect(&browser, &format!("/operator/{path}"), Some(notice)))
        }
        Err(error) => {
            let deletion = FormView::new::<DeletionFields>().with_input(&form).with_error(error)?;
            let forms = Forms { deletion, is_deleting: true, ..Forms::default() };
            responses::unprocessable(&browser, workspace_page(&ports, &permit, &browser, path, forms).await?)
        }
    }
}

/// Restores a deleted workspace. No version is needed, since nothing is overwritten.
async fn restore(request: PageRequest<Restore>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let active = Map::from_iter([("status".to_owned(), json!("active"))]);
    let fields = WorkspaceChangeFields::from_object(active, InputMode::Patch)?;
    match workspaces::update_as_operator(&ports, &permit, path, ExpectedVersion::Any, fields).await {
        Ok(workspace) => {
            responses::success(&browser, &format!("/operator/{path}"), text_named("operator-restored", &workspace.name))
        }
        Err(error) => {
            let refusal = FormView::default().with_error(error)?.error;
            let forms = Forms { refusal, ..Forms::default() };
            responses::unprocessable(&browser, workspace_page(&ports, &permit, &browser, path, forms).await?)
        }
    }
}
