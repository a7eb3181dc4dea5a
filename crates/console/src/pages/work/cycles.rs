//! The cycles of a project: their list, their forms, and a page with the burn-up.

use std::fmt::Display;

use domain::console::WantedNames;
use domain::console::undos::Undo;
use domain::identity::access::{
    CreateCycles, DeleteCycles, Permit, ReadCycles, ReadIssues, RestoreRecords, UpdateCycles, UpdateIssues,
};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{CreatedFilter, Input, InputMode, Problems};
use domain::kernel::versions::ExpectedVersion;
use domain::records::RecordKind;
use domain::restore::restore_any;
use domain::work::cycles::{self, CycleFields, CycleStatus, CycleView};
use domain::{CycleId, ProjectId, UndoId};
use http_core::query::Paged;
use http_core::{Operation, joined, length};
use time::Date;

use super::burn_up::Chart;
use super::moves;
use crate::form::{id_response, once_with};
use crate::lists::{ListView, NoFilter};
use crate::pages::kinds::KindPages;
use crate::parts::form_page::FormPage;
use crate::parts::people;
use crate::prelude::*;
use crate::records::{divide, keep_former, report_undo};
use crate::texts;

pages! {
    List = "GET /projects/{project_id}/cycles", access: ReadCycles, path: ProjectId, query: Paged<CycleView> => list;
    New = "GET /projects/{project_id}/cycles/new", access: CreateCycles, path: ProjectId => new;
    Create = "POST /projects/{project_id}/cycles", access: CreateCycles, path: ProjectId => create;
    Show = "GET /cycles/{cycle_id}", access: ReadCycles, path: CycleId => show;
    Edit = "GET /cycles/{cycle_id}/edit", access: UpdateCycles, path: CycleId => edit;
    Update = "POST /cycles/{cycle_id}", access: UpdateCycles, path: CycleId => update;
    Delete = "POST /cycles/{cycle_id}/delete", access: DeleteCycles, path: CycleId => delete;
    Restore = "POST /cycles/{cycle_id}/restore", access: RestoreRecords, path: CycleId => restore;
}

const PAGES: &[&[Operation]] = &[OPERATIONS, moves::OPERATIONS];

pub(crate) const CYCLES: KindPages = KindPages {
    kind: RecordKind::Cycle,
    icon: "refresh",
    detail_is_text: false,
    shows_pictures: false,
    form: FormView::new::<CycleFields>,
    undo: |ports, browser, undo, back| Box::pin(undo_edit(ports, browser, undo, back)),
    pages: &joined::<{ length(PAGES) }>(PAGES),
    list: None,
};

/// A cycle as a line of a list.
pub(super) struct CycleLine {
    pub(super) href: String,
    pub(super) name: String,
    pub(super) status: String,
    pub(super) tone: &'static str,
    pub(super) start: Date,
    pub(super) end: Date,
    pub(super) done: i64,
    pub(super) all: i64,
}

/// Cycles as lines: the current one, then upcoming ones in order, then past ones, the latest first.
pub(super) fn lines_of(cycles: Vec<CycleView>) -> Vec<CycleLine> {
    let mut cycles = cycles;
    cycles.sort_by_key(|cycle| match cycle.status {
        CycleStatus::Active => (0, 0),
        CycleStatus::Upcoming => (1, cycle.start_date.to_julian_day()),
        CycleStatus::Completed => (2, -cycle.start_date.to_julian_day()),
    });
    let line = |cycle: CycleView| CycleLine {
        href: path_of(cycle.id),
        status: texts::label("value", cycle.status.as_str()),
        tone: tone_of(cycle.status),
        name: cycle.name,
        start: cycle.start_date,
        end: cycle.end_date,
        done: cycle.completed_issue_count,
        all: cycle.issue_count,
    };
    cycles.into_iter().map(line).collect()
}

/// The colour of a status. The current cycle stands out.
const fn tone_of(status: CycleStatus) -> &'static str {
    match status {
        CycleStatus::Active => "green",
        CycleStatus::Upcoming => "blue",
        CycleStatus::Completed => "secondary",
    }
}

pub(super) fn path_of(id: impl Display) -> String {
    format!("/cycles/{id}")
}

#[derive(Template)]
#[template(path = "work/cycles.html")]
struct ListPage {
    shell: Shell,
    project: String,
    project_name: String,
    cycles: Vec<CycleLine>,
    list: ListView,
    may_create: bool,
}

pub(super) async fn name_of(ports: &Ports, browser: &Browser, project: ProjectId) -> Result<String, Error> {
    let record = (RecordKind::Project, project.0);
    let names = people::names(ports, browser, WantedNames { records: vec![record], ..WantedNames::default() }).await?;
    names.records.get(&record).cloned().ok_or(Error::NotFound("project"))
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let page = cycles::list(&ports, &permit, path, CreatedFilter::default(), query.page).await?;
    let view = ListPage {
        shell: browser.shell(text("cycles-title")),
        project: path.to_string(),
        project_name: name_of(&ports, &browser, path).await?,
        list: ListView::new::<NoFilter, _>(&browser.address, &page, &browser.preferences.zone),
        cycles: lines_of(page.items),
        may_create: browser.may::<CreateCycles>(),
    };
    responses::page(&browser, view)
}

fn blank() -> FormView {
    FormView::new::<CycleFields>().with_help("end_date", "cycle-help-end")
}

fn new_page(browser: &Browser, project: ProjectId, name: String, form: FormView) -> FormPage {
    let (shell, project) = (browser.shell(text("cycles-new")), format!("/projects/{project}"));
    let action = format!("{project}/cycles");
    FormPage { shell, form, above: (name, project), action, button: "save", is_new: true }
}

async fn new(request: PageRequest<New>) -> PageResult {
    let PageRequest { ports, path, browser, .. } = request;
    let name = name_of(&ports, &browser, path).await?;
    responses::page(&browser, new_page(&browser, path, name, blank()))
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let result = async {
        let once = once_with(&form, Create::ROUTE, |cycle: &CycleView| id_response(&json!(cycle.id)));
        cycles::create(&ports, &permit, once, path, form.read_new(&browser)?).await
    };
    match result.await {
        Ok(IdempotentResult::Replayed(response)) => {
            responses::success(&browser, &path_of(response.body), text("made-already"))
        }
        Ok(IdempotentResult::Fresh(cycle)) => {
            responses::success(&browser, &path_of(cycle.id), text_named("record-created", &cycle.name))
        }
        Err(error) => {
            let view = blank().with_input(&form).with_error(error)?;
            let name = name_of(&ports, &browser, path).await?;
            responses::unprocessable(&browser, new_page(&browser, path, name, view))
        }
    }
}

#[derive(Template)]
#[template(path = "work/cycle.html")]
struct ShowPage {
    shell: Shell,
    cycle: CycleView,
    status: String,
    tone: &'static str,
    project_name: String,
    chart: Option<Chart>,
    tasks: String,
    short_tasks: String,
    may_update: bool,
    may_delete: bool,
    /// The page for moving open tasks to another cycle.
    move_path: Option<String>,
    may_read_tasks: bool,
    new_task: String,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let (cycle, days) = cycles::read_with_burn_up(&ports, &permit, path).await?;
    let filter = format!("cycle_id={path}");
    let view = ShowPage {
        shell: browser.shell(cycle.name.clone()),
        status: texts::label("value", cycle.status.as_str()),
        tone: tone_of(cycle.status),
        project_name: name_of(&ports, &browser, cycle.project_id).await?,
        chart: Chart::of(&days, cycle.start_date, cycle.end_date),
        tasks: format!("/tasks?{filter}"),
        short_tasks: format!("/tasks/related?{filter}&limit=10"),
        new_task: format!("/tasks/new?project_id={}&{filter}", cycle.project_id),
        may_update: browser.may::<UpdateCycles>(),
        may_delete: browser.may::<DeleteCycles>(),
        move_path: (browser.may::<UpdateIssues>() && cycle.issue_count > cycle.completed_issue_count)
            .then(|| format!("{}/move", path_of(path))),
        may_read_tasks: browser.may::<ReadIssues>(),
        cycle,
    };
    responses::page(&browser, view)
}

fn edit_page(browser: &Browser, cycle: CycleView, form: FormView) -> FormPage {
    let (shell, action) = (browser.shell(text_named("edit-field", &cycle.name)), path_of(cycle.id));
    FormPage { shell, form, above: (cycle.name, action.clone()), action, button: "save", is_new: false }
}

async fn stored(ports: &Ports, browser: &Browser, id: CycleId) -> Result<CycleView, Error> {
    let permit = browser.permit::<ReadCycles>().ok_or(Error::NotFound("cycle"))?;
    cycles::read(ports, &permit, id).await
}

async fn edit(request: PageRequest<Edit>) -> PageResult {
    let PageRequest { ports, path, browser, .. } = request;
    let cycle = stored(&ports, &browser, path).await?;
    let record: Json = json!(cycle);
    let form = blank().with_record(&record, &browser.preferences.zone);
    responses::page(&browser, edit_page(&browser, cycle, form))
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let before = stored(&ports, &browser, path).await?;
    let saved = match form.read_patch::<CycleFields>(&browser) {
        Ok(fields) => cycles::update(&ports, &permit, path.0.into(), form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(cycle) => {
            let undo = keep_edit(&ports, &permit, &before, &cycle).await;
            let notice = Notice::new(text_named("record-saved", &cycle.name)).with_undo_of(undo);
            Ok(responses::redirect(&browser, &path_of(path), Some(notice)))
        }
        Err(error) => {
            let cycle = stored(&ports, &browser, path).await?;
            let is_late = matches!(error, Error::ConcurrentUpdate { .. });
            let mut view = blank().with_input(&form).with_error(error)?;
            if is_late {
                // The form keeps what was typed. Saving it again overwrites the other change on purpose.
                view.error = Some(text("cycle-changed-before"));
                view.version = Some(cycle.version);
            }
            responses::unprocessable(&browser, edit_page(&browser, cycle, view))
        }
    }
}

/// Keeps the former values of an edit for its undo.
async fn keep_edit(
    ports: &Ports,
    permit: &Permit<UpdateCycles>,
    before: &CycleView,
    after: &CycleView,
) -> Option<UndoId> {
    let members = CycleFields::members();
    keep_former(ports, permit, (RecordKind::Cycle, &members[..]), &json!(before), &json!(after)).await
}

/// Undoes an edit. Cycles are only changed one at a time.
async fn undo_edit(ports: &Ports, browser: &Browser, undo: Undo, back: String) -> PageResult {
    let former = undo.entries.into_iter().next().ok_or(Error::NotFound("cycle"))?;
    let permit = browser.permit::<UpdateCycles>().ok_or(Error::RoleNeeded)?;
    let id = CycleId(former.id);
    let outcome = async {
        let before = stored(ports, browser, id).await?;
        let Some(divided) = divide(&former, &json!(before))? else { return Ok((None, Map::new())) };
        let expected = ExpectedVersion::OneOf(vec![before.version]);
        let problems = Problems::in_context(ports);
        let fields = CycleFields::from_object_with(divided.to_put_back, InputMode::Patch, problems)?;
        let after = cycles::update(ports, &permit, id.0.into(), expected, fields).await?;
        Ok((keep_edit(ports, &permit, &before, &after).await, divided.changed_since))
    };
    let outcome = outcome.await;
    report_undo(ports, &permit, browser, (undo.id, former, back.as_str()), outcome).await
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let project = stored(&ports, &browser, path).await?.project_id;
    match cycles::delete(&ports, &permit, path.0.into(), form.version()?).await {
        Ok(()) => {
            let name = form.value("_name").unwrap_or_default();
            let notice = Notice::new(text_named("record-deleted", name));
            let notice = notice.with_undo(format!("{}/restore", path_of(path)));
            Ok(responses::redirect(&browser, &format!("/projects/{project}"), Some(notice)))
        }
        Err(Error::ConcurrentUpdate { .. }) => {
            let notice = Notice::refusal(text("record-changed-before"));
            Ok(responses::redirect(&browser, &path_of(path), Some(notice)))
        }
        Err(error) => Err(error.into()),
    }
}

async fn restore(request: PageRequest<Restore>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let restored = restore_any(&ports, &permit, None, RecordKind::Cycle, path.0).await?.made_now()?;
    responses::success(&browser, &path_of(path), text_named("record-restored", &restored.name))
}
