//! Moving the open tasks of a cycle to another cycle of the project.

use domain::CycleId;
use domain::console::undos;
use domain::identity::access::{ReadCycles, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::{CreatedFilter, Field, Several};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{FormerValues, RecordChange, RecordKind};
use domain::work::cycles::{self, CycleStatus, CycleView};
use domain::work::issues::{self, Issue, IssueChange, IssueFields, IssueFilter, IssueStatus};

use super::cycles::path_of;
use crate::form::Choice;
use crate::prelude::*;

pages! {
    ChooseTarget = "GET /cycles/{cycle_id}/move", access: UpdateIssues, path: CycleId => choose_target;
    Move = "POST /cycles/{cycle_id}/move", access: UpdateIssues, path: CycleId => move_open;
}

/// The number of cycles to choose from: the newest.
const MAX_CYCLES: u32 = 100;
/// The maximum number of tasks that are moved at once.
const MAX_MOVED: u32 = 100;

#[derive(Template)]
#[template(path = "work/move.html")]
struct AskPage {
    shell: Shell,
    cycle: CycleView,
    targets: Vec<Choice>,
    error: Option<String>,
}

/// The cycles that tasks can be moved to: all others that have not ended. The next one is preselected.
async fn ask_page(
    ports: &domain::ports::Ports,
    browser: &Browser,
    id: CycleId,
    error: Option<String>,
) -> Result<AskPage, Error> {
    let permit = browser.permit::<ReadCycles>().ok_or(Error::NotFound("cycle"))?;
    let cycle = cycles::read(ports, &permit, id).await?;
    let page =
        cycles::list(ports, &permit, cycle.project_id, CreatedFilter::default(), Paging::first(MAX_CYCLES)).await?;
    let mut others: Vec<_> = page.items.into_iter().filter(|other| other.id != id).collect();
    others.retain(|other| other.status != CycleStatus::Completed);
    others.sort_by_key(|other| other.start_date);
    let next = others.iter().find(|other| other.start_date > cycle.start_date).map(|other| other.id);
    let targets = others.into_iter().map(|other| Choice::new(other.id.to_string(), other.name, Some(other.id) == next));
    Ok(AskPage { shell: browser.shell(text("cycle-move")), targets: targets.collect(), cycle, error })
}

async fn choose_target(request: PageRequest<ChooseTarget>) -> PageResult {
    let PageRequest { ports, path, browser, .. } = request;
    let page = ask_page(&ports, &browser, path, None).await?;
    responses::page(&browser, page)
}

async fn move_open(request: PageRequest<Move>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let reader = browser.permit::<ReadIssues>().ok_or(Error::NotFound("cycle"))?;
    let Some(target) = form.value("cycle_id").and_then(|id| id.parse().ok()).map(CycleId) else {
        let page = ask_page(&ports, &browser, path, Some(text("cycle-move-choose"))).await?;
        return responses::unprocessable(&browser, page);
    };
    let is_open = |status: &IssueStatus| status.kind() == IssueKind::Task && status.is_open();
    let status = Several(IssueStatus::ALL.iter().copied().filter(is_open).collect());
    let filter = IssueFilter { cycle_id: Some(path), status, ..IssueFilter::all(IssueKind::Task) };
    let open = issues::list(&ports, &reader, filter, Paging::first(MAX_MOVED)).await?;
    if open.items.is_empty() {
        return responses::success(&browser, &path_of(path), text("cycle-move-none"));
    }
    let has_more = open.next_cursor.is_some();
    let fields = IssueFields { cycle_id: Field::Set(target), ..IssueFields::default() };
    let fields = IssueChange { fields, ..IssueChange::default() };
    let change = |task: Issue| {
        let expected = ExpectedVersion::OneOf(vec![task.version]);
        RecordChange { id: task.id.0, expected, fields: fields.clone() }
    };
    let outcomes = issues::update_each(&ports, &permit, open.items.into_iter().map(change).collect()).await?;
    let (moved, failed): (Vec<_>, Vec<_>) = outcomes.into_iter().map(|one| one.result).partition(Result::is_ok);
    let moved: Vec<FormerValues> = moved.into_iter().filter_map(Result::ok).collect();
    if let (true, Some(error)) = (moved.is_empty(), failed.into_iter().find_map(Result::err)) {
        let message = FormView::default().with_error(error)?.error;
        return responses::unprocessable(&browser, ask_page(&ports, &browser, path, message).await?);
    }
    let key = if has_more { "cycle-moved-more" } else { "cycle-moved" };
    let notice = Notice::new(text_with(key, [("count", moved.len().into())]));
    let undo = undos::keep(&ports, &permit, RecordKind::Task, moved).await.unwrap_or_default();
    Ok(responses::redirect(&browser, &path_of(path), Some(notice.with_undo_of(undo))))
}
