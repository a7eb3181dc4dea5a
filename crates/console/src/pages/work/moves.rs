//! Moving what is still open in a cycle to another cycle of the project.

use askama::Template;
use domain::identity::access::{ReadCycles, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::{CreatedFilter, Several};
use domain::kernel::paging::PageRequest as Paging;
use domain::work::cycles::{self, CycleStatus, CycleView};
use domain::work::issues::{self, IssueFilter, IssueStatus};
use domain::{CycleId, Error};
use serde_json::json;

use super::cycles::path_of;
use super::tasks::change_many;
use crate::answers::{self, Notice};
use crate::filters;
use crate::form::{Choice, FormView};
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, page};
use crate::texts::{text, text_with};

page! {
    Ask = "GET /cycles/{cycle_id}/move", access: UpdateIssues, path: CycleId => ask;
    Move = "POST /cycles/{cycle_id}/move", access: UpdateIssues, path: CycleId => move_open;
}

/// The cycles that are offered: the newest.
const OFFERED: u32 = 100;
/// As many tasks as are moved at once.
const MOST: u32 = 100;

#[derive(Template)]
#[template(path = "work/move.html")]
struct AskPage {
    shell: Shell,
    cycle: CycleView,
    targets: Vec<Choice>,
    error: Option<String>,
}

/// The cycles that tasks can be moved to: all others that have not ended, of which the next one is chosen.
async fn ask_page(
    ports: &domain::ports::Ports,
    browser: &Browser,
    id: CycleId,
    error: Option<String>,
) -> Result<AskPage, Error> {
    let permit = browser.permit::<ReadCycles>().ok_or(Error::NotFound("cycle"))?;
    let cycle = cycles::read(ports, &permit, id).await?;
    let page = cycles::list(ports, &permit, cycle.project_id, CreatedFilter::default(), Paging::first(OFFERED)).await?;
    let mut others: Vec<_> = page.items.into_iter().filter(|other| other.id != id).collect();
    others.retain(|other| other.status != CycleStatus::Completed);
    others.sort_by_key(|other| other.start_date);
    let next = others.iter().find(|other| other.start_date > cycle.start_date).map(|other| other.id);
    let targets = others.into_iter().map(|other| Choice {
        is_chosen: Some(other.id) == next,
        value: other.id.to_string(),
        label: other.name,
    });
    Ok(AskPage { shell: browser.shell(text("cycle-move")), targets: targets.collect(), cycle, error })
}

async fn ask(request: PageRequest<Ask>) -> PageResult {
    let PageRequest { ports, path, browser, .. } = request;
    let page = ask_page(&ports, &browser, path, None).await?;
    answers::page(&browser, page)
}

async fn move_open(request: PageRequest<Move>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let reader = browser.permit::<ReadIssues>().ok_or(Error::NotFound("cycle"))?;
    let Some(target) = form.value("cycle_id").filter(|id| !id.is_empty()).map(str::to_owned) else {
        let page = ask_page(&ports, &browser, path, Some(text("cycle-move-choose"))).await?;
        return answers::refused(&browser, page);
    };
    let is_open = |status: &IssueStatus| status.kind() == IssueKind::Task && status.is_open();
    let status = Several(IssueStatus::ALL.iter().copied().filter(is_open).collect());
    let filter = IssueFilter { cycle_id: Some(path), status, ..IssueFilter::all(IssueKind::Task) };
    let open = issues::list(&ports, &reader, filter, Paging::first(MOST)).await?;
    let ids: Vec<_> = open.items.iter().map(|issue| issue.id.0).collect();
    if ids.is_empty() {
        return Ok(answers::redirect(&browser, &path_of(path), Some(Notice::new(text("cycle-move-none")))));
    }
    let patch = [("cycle_id".to_owned(), json!(target))].into_iter().collect();
    match change_many(&ports, &permit, &ids, patch).await {
        Ok(reasons) => {
            let key = if open.next_cursor.is_some() { "cycle-moved-more" } else { "cycle-moved" };
            let notice = text_with(key, [("count", (ids.len() - reasons.len()).into())]);
            Ok(answers::redirect(&browser, &path_of(path), Some(Notice::new(notice))))
        }
        Err(error) => {
            let message = FormView::default().with_error(error)?.error;
            answers::refused(&browser, ask_page(&ports, &browser, path, message).await?)
        }
    }
}
