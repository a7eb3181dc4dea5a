//! The board of a project: its tasks in a column per status. Columns are loaded one at a time, one page each.

use domain::console::{Names, WantedNames};
use domain::identity::access::{ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Field, Several};
use domain::kernel::paging::{PageRequest as Paging, Paginated};
use domain::records::RecordKind;
use domain::work::issues::{self, Issue, IssueFields, IssueFilter, IssueStatus};
use domain::{CycleId, IssueId, ProjectId};
use time::OffsetDateTime;

use crate::errors::message_of;
use crate::form::Choice;
use crate::lists::with;
use crate::pages::work::Tasks;
use crate::parts::move_notice::{MoveNotice, not_moved};
use crate::parts::people;
use crate::prelude::*;
use crate::records::{deleted_page, keep_change, stored, tone_of};
use crate::texts;

page! {
    Board = "GET /projects/{project_id}/board", access: ReadIssues, path: ProjectId, query: BoardQuery => show;
    Move = "POST /tasks/{issue_id}/status", access: UpdateIssues, path: IssueId => move_card;
}

/// The number of cards per page of a column.
const CARDS_PER_PAGE: u32 = 20;

/// The column to load, if any, and the filters of the board.
pub(crate) struct BoardQuery {
    status: Option<IssueStatus>,
    cycle: Option<CycleId>,
    page: Paging,
}

impl Query for BoardQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let status = Parameters::single(query, "status").and_then(|text| IssueStatus::parse(&text));
        let cycle = Parameters::single(query, "cycle_id").and_then(|text| text.parse().ok()).map(CycleId);
        let page = query.page(Issue::LIST);
        Self { status: status.filter(|status| status.kind() == IssueKind::Task), cycle, page }
    }
}

struct Card {
    id: String,
    title: String,
    version: i64,
    status: &'static str,
    priority: String,
    tone: &'static str,
    assignee: Option<String>,
    due_at: Option<OffsetDateTime>,
    is_open: bool,
    labels: Vec<String>,
    statuses: Vec<Choice>,
    may_update: bool,
    /// The board, for browsers without scripts.
    back: String,
}

struct Column {
    status: &'static str,
    label: String,
    tone: &'static str,
    /// The board with the cards of this column.
    href: String,
    /// The list of all tasks in the column.
    list: String,
    cards: Option<Vec<Card>>,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "work/board.html")]
struct BoardPage {
    shell: Shell,
    project: String,
    columns: Vec<Column>,
    may_create: bool,
    may_update: bool,
}

fn statuses() -> impl Iterator<Item = IssueStatus> {
    IssueStatus::ALL.iter().copied().filter(|status| status.kind() == IssueKind::Task)
}

fn card(issue: &Issue, names: &Names, browser: &Browser, back: &str) -> Card {
    let choice =
        |status: IssueStatus| Choice::new(status.as_str(), label("value", status.as_str()), status == issue.status);
    let statuses = statuses().map(choice);
    Card {
        id: issue.id.to_string(),
        title: issue.title.clone(),
        version: issue.version,
        status: issue.status.as_str(),
        priority: texts::label("value", issue.priority.as_str()),
        tone: tone_of(issue.priority.as_str()),
        assignee: issue.assignee_id.and_then(|id| names.people.get(&id.0).cloned()),
        due_at: issue.due_at,
        is_open: issue.status.is_open(),
        labels: issue.labels.clone(),
        statuses: statuses.collect(),
        may_update: browser.may::<UpdateIssues>(),
        back: back.to_owned(),
    }
}

async fn show(request: PageRequest<Board>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let board = format!("/projects/{path}/board");
    let cycle = query.cycle.map(|id| format!("cycle_id={id}")).unwrap_or_default();
    let record = (RecordKind::Project, path.0);
    let mut wanted = WantedNames { records: vec![record], ..WantedNames::default() };
    let column_page = match query.status {
        Some(status) => {
            let filter = IssueFilter {
                project_id: Some(path),
                cycle_id: query.cycle,
                status: Several(vec![status]),
                ..IssueFilter::all(IssueKind::Task)
            };
            let page = issues::list(&ports, &permit, filter, Paging { limit: CARDS_PER_PAGE, ..query.page }).await?;
            wanted.people.extend(page.items.iter().filter_map(|issue| issue.assignee_id).map(|id| id.0));
            Some((status, page))
        }
        None => None,
    };
    let names = people::names(&ports, &browser, wanted).await?;
    let title = names.records.get(&record).cloned().ok_or(Error::NotFound("project"))?;
    let columns = statuses().map(|status| {
        let href = with(&board, &cycle, "status", status.as_str());
        let project = format!("project_id={path}&{cycle}");
        let loaded = column_page.as_ref().filter(|(of, _)| *of == status).map(|(_, page)| page);
        Column {
            status: status.as_str(),
            label: texts::label("value", status.as_str()),
            tone: tone_of(status.as_str()),
            list: with("/tasks", project.trim_end_matches('&'), "status", status.as_str()),
            cards: loaded.map(|page| page.items.iter().map(|issue| card(issue, &names, &browser, &href)).collect()),
            next: loaded.and_then(|page| {
                let query = href.split_once('?').map_or("", |(_, query)| query);
                page.next_cursor.as_deref().map(|cursor| with(&board, query, "cursor", cursor))
            }),
            href,
        }
    });
    let view = BoardPage {
        columns: columns.collect(),
        shell: browser.shell(title).part("task-board"),
        project: path.to_string(),
        may_create: browser.may::<domain::identity::access::CreateIssues>(),
        may_update: browser.may::<UpdateIssues>(),
    };
    responses::page(&browser, view)
}

/// The card, which scripts put in place of the moved one, and a notice.
#[derive(Template)]
#[template(path = "work/board_moved.html")]
struct MovedPart {
    shell: Shell,
    card: Card,
    moved: Option<MoveNotice>,
    /// Why the card was not moved.
    refusal: Option<String>,
}

async fn move_card(request: PageRequest<Move>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let back = form.next_path().unwrap_or("/tasks").to_owned();
    let status = form.value("status").and_then(IssueStatus::parse);
    let status = status.ok_or_else(|| Error::malformed("status", "invalid_value", "must be the status of a task"))?;
    let fields = IssueFields { status: Field::Set(status), ..IssueFields::default() };
    let before = match stored::<Tasks>(&ports, &browser, path).await {
        Err(Error::NotFound(_)) => return deleted_page::<Tasks>(&ports, &browser, path).await,
        before => before?,
    };
    let result = issues::update(&ports, &permit, path, form.version()?, fields).await;
    let from = form.value("_from").and_then(IssueStatus::parse).map(IssueStatus::as_str);
    let notice_of = |task: &Json| MoveNotice::new(task, "status", from);
    let refusal_for = |why: &str| not_moved(before["title"].as_str().unwrap_or_default(), why);
    if !browser.is_htmx {
        let notice = match result {
            Ok(issue) => {
                let task = json!(issue);
                let undo = keep_change::<Tasks>(&ports, &browser, &before, &task).await;
                MoveNotice { undo, ..notice_of(&task) }.into_notice()
            }
            Err(Error::ConcurrentUpdate { .. }) => Notice::refusal(refusal_for(&texts::text("task-changed-before"))),
            Err(error) => return Err(error.into()),
        };
        return Ok(responses::redirect(&browser, &back, Some(notice)));
    }
    let (issue, moved, refusal) = match result {
        Ok(issue) => {
            let fields = [("_next", back.clone())];
            let moved = notice_of(&json!(issue)).with_fields(format!("/tasks/{path}/status"), fields);
            (issue, Some(moved), None)
        }
        Err(error @ (Error::Store(_) | Error::NotFound(_))) => return Err(error.into()),
        Err(error) => {
            let reader = browser.permit::<ReadIssues>().ok_or(Error::NotFound("task"))?;
            let message = match error {
                Error::ConcurrentUpdate { .. } => texts::text("task-changed-before"),
                other => message_of(&other),
            };
            (issues::read(&ports, &reader, path).await?, None, Some(refusal_for(&message)))
        }
    };
    let people = issue.assignee_id.map(|id| id.0).into_iter().collect();
    let names = people::names(&ports, &browser, WantedNames { people, ..WantedNames::default() }).await?;
    let card = card(&issue, &names, &browser, &back);
    responses::page(&browser, MovedPart { shell: browser.shell(""), card, moved, refusal })
}
