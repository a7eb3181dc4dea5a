//! The members of a task that only the bulk update can change: labels, epic and start date.

use domain::IssueId;
use domain::identity::access::{ReadIssues, UpdateIssues};
use domain::kernel::input::Input;
use domain::kernel::input::json::Json;
use domain::work::issues::{BulkPatch, Issue};

use super::tasks::{Tasks, change_many};
use crate::parts::form_page::FormPage;
use crate::parts::{people, pick};
use crate::prelude::*;
use crate::records::{Kind, Markup, UseCases, keep_change, stored};

page! {
    Plan = "POST /tasks/{issue_id}/plan", access: UpdateIssues, path: IssueId => plan;
    Edit = "GET /tasks/{issue_id}/plan", access: UpdateIssues, path: IssueId => edit;
}

/// The members of the form.
const MEMBERS: [&str; 4] = ["add_labels", "remove_labels", "epic_id", "start_date"];

#[derive(Template)]
#[template(path = "work/plan.html")]
struct Card {
    shell: Shell,
    id: String,
    labels: Vec<String>,
    form: FormView,
}

fn blank() -> FormView {
    FormView::new::<BulkPatch>()
        .only(&MEMBERS)
        .with_help("add_labels", "plan-help-add")
        .with_help("remove_labels", "plan-help-remove")
        .with_help("epic_id", "plan-help-epic")
        .with_help("start_date", "plan-help-start")
}

/// The form on a task's page, if the caller may change the task.
pub(super) fn card(browser: &Browser, record: &Json) -> Result<Option<Markup>, Error> {
    if !browser.may::<UpdateIssues>() {
        return Ok(None);
    }
    let labels: Vec<String> = serde_json::from_value(record["labels"].clone()).unwrap_or_default();
    let form = blank().only(&["add_labels"]);
    let id = record["id"].as_str().unwrap_or_default().to_owned();
    Markup::of(&Card { shell: browser.shell(""), id, labels, form }).map(Some)
}

fn form_page(browser: &Browser, task: Issue, form: FormView) -> FormPage {
    let path = format!("{}/{}", Tasks::ROUTES.path, task.id);
    let (shell, action) = (browser.shell(task.title).part("plan-title"), format!("{path}/plan"));
    FormPage { shell, form, above: (text("back-to-record"), path), action, button: "save", is_new: false }
}

async fn edit(request: PageRequest<Edit>) -> PageResult {
    let PageRequest { ports, path, browser, .. } = request;
    let reader = browser.permit::<ReadIssues>().ok_or(Error::NotFound("task"))?;
    let task = Tasks::read(&ports, &reader, path).await?;
    let form = blank().with_record(&json!(task), &browser.preferences.zone);
    let names = people::names(&ports, &browser, form.wanted_names()).await?;
    responses::page(&browser, form_page(&browser, task, form.with_names(&names)))
}

async fn plan(request: PageRequest<Plan>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    let typed = form.clone();
    let before = stored::<Tasks>(&ports, &browser, path).await?;
    let members: Vec<_> = BulkPatch::members().into_iter().filter(|member| MEMBERS.contains(&member.name)).collect();
    let saved = async {
        pick::resolve(&ports, &browser, &mut form, &members).await?;
        let patch = form.to_object(&members, &browser.preferences.zone);
        change_many(&ports, &permit, &[path.0], patch).await
    };
    let error = match saved.await {
        Ok(reasons) => match reasons.into_values().next() {
            None => {
                let to = format!("{}/{path}", Tasks::ROUTES.path);
                let after = stored::<Tasks>(&ports, &browser, path).await?;
                let undo = keep_change::<Tasks>(&ports, &browser, &before, &after).await;
                let notice = Notice::new(text("plan-saved")).with_undo_of(undo);
                return Ok(responses::redirect(&browser, &to, Some(notice)));
            }
            Some(reason) => Error::Conflict(reason),
        },
        Err(error) => for_form(error),
    };
    let reader = browser.permit::<ReadIssues>().ok_or(Error::NotFound("task"))?;
    let task = Tasks::read(&ports, &reader, path).await?;
    let view = blank().with_input(&typed);
    let names = people::names(&ports, &browser, view.wanted_names()).await?;
    let form = view.with_names(&names).with_error(error)?;
    responses::unprocessable(&browser, form_page(&browser, task, form))
}

/// Renames problems of the bulk update's patch to the members of the form.
fn for_form(error: Error) -> Error {
    let shortened = |mut problems: Vec<domain::kernel::input::Problem>| {
        for problem in &mut problems {
            problem.field = problem.field.trim_start_matches("patch.").to_owned();
        }
        problems
    };
    match error {
        Error::Invalid(problems) => Error::Invalid(shortened(problems)),
        Error::Malformed(problems) => Error::Malformed(shortened(problems)),
        other => other,
    }
}
