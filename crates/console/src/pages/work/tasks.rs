//! Tasks.

use std::collections::HashMap;

use domain::identity::access::{CreateIssues, Permit, ReadCycles, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{CreatedFilter, Input, InputMode, Problems};
use domain::kernel::paging::PageRequest as Paging;
use domain::records::RecordKind;
use domain::transfer::ExportedList;
use domain::work::cycles;
use domain::work::issues::{self, BulkUpdate, ChildIssues, Issue, IssueFilter, IssueStatus};
use domain::{IssueId, ProjectId};
use uuid::Uuid;

use super::plan;
use crate::form::FieldKind;
use crate::pages::time::{logged_card, start_button};
use crate::prelude::*;
use crate::records::{
    ColumnOrder, Kind, KindOfIssue, KindView, Markup, Parts, Routes, id_of, mine_tab, routes, tone_of,
};
use crate::texts;

page! {
    Mine = "GET /tasks/mine", access: ReadIssues => mine
}

/// Tasks as pages.
pub(crate) enum Tasks {}

/// The number of cycles to choose from: the newest of the project.
const OFFERED_CYCLES: u32 = 50;
/// The members that can be changed in bulk. Cycles can be chosen if all tasks belong to one project.
const BULK: [&str; 10] = [
    "status",
    "assignee_id",
    "priority",
    "due_at",
    "start_date",
    "project_id",
    "cycle_id",
    "epic_id",
    "add_labels",
    "remove_labels",
];

impl KindOfIssue for Tasks {
    const ISSUE_KIND: IssueKind = IssueKind::Task;
}

impl Kind for Tasks {
    type PageData = ChildIssues;

    const ROUTES: Routes = routes!("tasks", "issue_id");
    const EXPORTED: fn(IssueFilter) -> ExportedList =
        |filter| ExportedList::Issues(IssueFilter { kind: Some(IssueKind::Task), ..filter });
    const VIEW: KindView = KindView {
        orders: &[
            ColumnOrder::ascending("due_at", "due_asc", "due_desc"),
            ColumnOrder::descending("priority", "priority_asc", "priority_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        usual: &["title", "description", "project_id", "assignee_id", "priority", "due_at", "cycle_id"],
        responsible: Some("assignee_id"),
        bulk: &BULK,
        is_open: |status| IssueStatus::parse(status).is_none_or(IssueStatus::is_open),
        ..KindView::of("checkbox", &["status", "priority", "assignee_id", "due_at", "project_id", "labels"])
    };
    const START: &'static str = "/tasks/mine";
    const FIRST: &'static [&'static str] = &["description"];
    const READ_ONLY: &'static [(&'static str, FieldKind)] = &[
        ("labels", FieldKind::List),
        ("epic_id", FieldKind::Record(RecordKind::Task)),
        ("start_date", FieldKind::Date),
        ("completed_at", FieldKind::Time),
    ];

    fn adapt_form(form: FormView) -> FormView {
        let mut form = form.without(&["kind", "reference", "requester"]);
        if let Some(status) = form.field_mut("status") {
            let is_of_tasks = |value: &str| IssueStatus::parse(value).is_some_and(|it| it.kind() == IssueKind::Task);
            status.choices.retain(|choice| is_of_tasks(&choice.value));
        }
        form
    }

    /// Adds the cycles of the project.
    async fn with_choices(
        ports: &Ports,
        browser: &Browser,
        mut form: FormView,
        record: &Json,
    ) -> Result<FormView, Error> {
        let Some(cycle) = form.field_mut("cycle_id").map(|field| field.value.clone()) else { return Ok(form) };
        let typed = form.field_mut("project_id").and_then(|field| field.value.parse().ok());
        let project = typed.or_else(|| id_of(&record["project_id"]));
        let Some((project, permit)) = project.zip(browser.permit::<ReadCycles>()) else {
            return Ok(if cycle.is_empty() && record.is_null() { form.without(&["cycle_id"]) } else { form });
        };
        let (all, first) = (CreatedFilter::default(), Paging::first(OFFERED_CYCLES));
        let page = match cycles::list(ports, &permit, ProjectId(project), all, first).await {
            Err(Error::NotFound(_)) => return Ok(form),
            other => other?,
        };
        let cycles = page.items.into_iter().map(|cycle| (cycle.id.to_string(), cycle.name));
        let mut cycles: Vec<_> = cycles.collect();
        if let (Some(field), false) = (form.field_mut("cycle_id"), cycles.iter().any(|(id, _)| *id == cycle))
            && !cycle.is_empty()
        {
            cycles.push((cycle, field.shown.clone()));
        }
        Ok(form.with_choices("cycle_id", cycles))
    }

    fn presets(browser: &Browser) -> Vec<(&'static str, String)> {
        let mine = browser.user().map(mine_tab);
        let others = [
            ("tasks-unassigned", "assignee=none".to_owned()),
            ("tasks-open", "status=todo&status=in_progress&status=in_review".to_owned()),
        ];
        mine.into_iter().chain(others).collect()
    }

    async fn parts(_: &Ports, browser: &Browser, record: &Json, below: ChildIssues) -> Result<Parts, Error> {
        let (plan, logged) = (plan::card(browser, record)?, logged_card(browser, "task_id", record)?);
        let id = record["id"].as_str().unwrap_or_default();
        let start = start_button(browser, "task_id", id, &format!("{}/{id}", Self::ROUTES.path))?;
        Ok(Parts {
            main: vec![lines_below(browser, record, &below)?],
            side: plan.into_iter().chain(logged).collect(),
            actions: start.into_iter().collect(),
            ..Parts::default()
        })
    }

    async fn read_for_page(
        ports: &Ports,
        permit: &Permit<ReadIssues>,
        id: IssueId,
    ) -> Result<(Issue, ChildIssues), Error> {
        issues::read_with_children(ports, permit, IssueKind::Task, id).await
    }
}

/// Applies one patch to many tasks. Returns the reason for each task that was not changed.
pub(super) async fn change_many(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    ids: &[Uuid],
    patch: Map<String, Json>,
) -> Result<HashMap<Uuid, String>, Error> {
    let object = [("issueIds".to_owned(), json!(ids)), ("patch".to_owned(), Json::Object(patch))];
    let problems = Problems::in_context(ports);
    let update = BulkUpdate::from_object_with(object.into_iter().collect(), InputMode::Create, problems)?;
    let updated = issues::bulk_update(ports, permit, None, update).await?.made_now()?;
    Ok(updated.failed.into_iter().map(|failure| (failure.id.0, failure.message)).collect())
}

/// The list of the user's own tasks, which the navigation links to.
async fn mine(request: PageRequest<Mine>) -> PageResult {
    let browser = request.browser;
    let query = browser.user().map(|user| format!("?assignee={}", user.0)).unwrap_or_default();
    Ok(responses::redirect(&browser, &format!("{}{query}", Tasks::ROUTES.path), None))
}

/// A sub-task or a task of an epic, as a line.
struct Line {
    href: String,
    title: String,
    status: String,
    tone: &'static str,
    is_done: bool,
}

impl Line {
    fn of(issue: &Issue) -> Self {
        Self {
            href: format!("{}/{}", Tasks::ROUTES.path, issue.id),
            title: issue.title.clone(),
            status: texts::label("value", issue.status.as_str()),
            tone: tone_of(issue.status.as_str()),
            is_done: issue.status.is_completed(),
        }
    }
}

#[derive(Template)]
#[template(path = "work/below.html")]
struct Family {
    shell: Shell,
    id: String,
    project: String,
    parts: Vec<Line>,
    done: usize,
    in_epic: Vec<Line>,
    may_create: bool,
}

/// The sub-tasks and the tasks of the epic.
fn lines_below(browser: &Browser, record: &Json, below: &ChildIssues) -> Result<Markup, Error> {
    let lines: Vec<_> = below.parts.iter().map(Line::of).collect();
    Markup::of(&Family {
        shell: browser.shell(""),
        id: record["id"].as_str().unwrap_or_default().to_owned(),
        project: record["project_id"].as_str().unwrap_or_default().to_owned(),
        done: lines.iter().filter(|line| line.is_done).count(),
        parts: lines,
        in_epic: below.in_epic.iter().map(Line::of).collect(),
        may_create: browser.may::<CreateIssues>(),
    })
}
