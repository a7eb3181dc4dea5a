//! The page of a record: its fields, which can be changed in place, its comments, its related records and its history.

use domain::console::WantedNames;
use domain::identity::access::{ActorKind, CreateComments, ReadComments};
use domain::kernel::input::json::Json;
use domain::kernel::paging::{Page, PageRequest as Paging, Paginated};
use domain::records;
use domain::work::comments::{self, AnyComment, CommentedRecord};
use domain::work::drafts;
use http_core::path::RecordPath;
use time::OffsetDateTime;

use super::related::RelatedCard;
use super::{Action, Cell, CellMaker, History, Kind, Parts, Show, path_of};
use crate::markdown::may_have_pictures;
use crate::parts::history::{self, Entry};
use crate::parts::people;
use crate::prelude::*;
use crate::records::cells::author;

/// The number of comments on a page.
pub(super) const COMMENTS_PER_PAGE: u32 = 50;

/// The maximum bytes of comments on a page. Each comment is rendered twice: as text, and in the form that changes it.
pub(crate) const COMMENT_BYTES: usize = 128 * 1024;

/// The page of comments to show.
pub(crate) struct Comments(Paging);

impl Query for Comments {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let page = query.page(AnyComment::LIST);
        Self(if page.limit == domain::kernel::paging::DEFAULT_LIMIT {
            Paging { limit: COMMENTS_PER_PAGE, ..page }
        } else {
            page
        })
    }
}

/// A line with a member of the record.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    pub(crate) cell: Cell,
    pub(crate) is_long: bool,
    pub(crate) is_writable: bool,
}

impl Line {
    /// Whether an optional member is empty or off.
    fn is_idle<K: Kind>(&self, record: &Json) -> bool {
        let is_off = record[self.name].as_bool() == Some(false);
        (self.cell.is_empty() || is_off) && !K::VIEW.columns.contains(&self.name)
    }
}

/// A comment as it is shown.
pub(crate) struct CommentView {
    pub(crate) id: String,
    pub(crate) version: i64,
    pub(crate) author: Cell,
    pub(crate) at: OffsetDateTime,
    pub(crate) is_edited: bool,
    pub(crate) body: String,
    /// Whether a member wrote it, so that its pictures load on a click.
    pub(crate) is_by_staff: bool,
    pub(crate) may_change: bool,
}

/// The record that a page is about.
pub(crate) struct Subject {
    pub(crate) list: String,
    pub(crate) list_path: &'static str,
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) version: i64,
    pub(crate) may_update: bool,
    pub(crate) may_delete: bool,
}

impl Subject {
    pub(crate) fn of<K: Kind>(browser: &Browser, record: &Json) -> Self {
        let may_change = K::may_change(browser, record);
        Self {
            list: text(K::ROUTES.title),
            list_path: K::ROUTES.path,
            path: path_of::<K>(record["id"].as_str().unwrap_or_default()),
            id: record["id"].as_str().unwrap_or_default().to_owned(),
            title: (K::VIEW.title_of)(record),
            version: record["version"].as_i64().unwrap_or_default(),
            may_update: may_change && browser.may::<K::Update>(),
            may_delete: may_change && browser.may::<K::Delete>(),
        }
    }
}

/// The comments of a record.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) remarks: Vec<CommentView>,
    /// The URL of the first comments, if these are later ones.
    pub(crate) first: Option<String>,
    pub(crate) next: Option<String>,
    pub(crate) may_comment: bool,
    /// The rejected text, or the draft.
    pub(crate) typed: String,
    pub(crate) is_draft: bool,
    pub(crate) error: Option<String>,
}

impl Thread {
    fn has_pictures(&self) -> bool {
        self.remarks.iter().any(|remark| remark.is_by_staff && may_have_pictures(&remark.body))
    }
}

#[derive(Template)]
#[template(path = "records/show.html")]
struct ShowPage {
    shell: Shell,
    subject: Subject,
    more: Vec<Action>,
    lines: Vec<Line>,
    /// Optional members without a value.
    idle: Vec<Line>,
    created_at: Option<OffsetDateTime>,
    updated_at: Option<OffsetDateTime>,
    created_by: Cell,
    related: Vec<RelatedCard>,
    thread: Option<Thread>,
    parts: Parts,
}

pub(super) async fn show<K: Kind>(request: PageRequest<Show<K>>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let (record, data) = match K::read_for_page(&ports, &permit, path.record()).await {
        Err(Error::NotFound(_)) => return super::remove::deleted_page::<K>(&ports, &browser, path.record()).await,
        read => read?,
    };
    page_of::<K>(&ports, &browser, (&json!(record), data), query.0, None).await
}

/// The page of a record, with a rejected comment if there is one.
pub(super) async fn page_of<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    (record, data): (&Json, K::PageData),
    page: Paging,
    refused: Option<(&Form, Error)>,
) -> PageResult {
    let comments = comments_on::<K>(ports, browser, record, page).await?;
    let maker = CellMaker::new::<K>(&[]);
    let mut wanted = WantedNames::default();
    CellMaker::note_names(maker.columns.iter(), record, &mut wanted);
    let remarks = comments.as_ref().map(|page| page.items.iter().map(comment_json).collect::<Vec<_>>());
    let remarks = remarks.unwrap_or_default();
    wanted.people.extend(remarks.iter().filter_map(|comment| super::id_of(&comment["author"]["id"])));
    let names = people::names(ports, browser, wanted).await?;
    let subject = Subject::of::<K>(browser, record);
    let withheld = K::withheld(browser);
    let columns = maker.title.iter().chain(&maker.columns).filter(|column| column.is_member());
    let lines = columns.map(|column| Line {
        name: column.name,
        label: column.label.clone(),
        cell: illustrated::<K>(maker.cell(column, record, &names)),
        is_long: column.is_long(),
        is_writable: subject.may_update && column.is_writable() && !withheld.contains(&column.name),
    });
    let (idle, mut lines) = lines.partition::<Vec<_>, _>(|line| line.is_idle::<K>(record));
    lines.sort_by_key(|line| !K::FIRST.contains(&line.name));
    let mut thread = comments.map(|page| Thread {
        remarks: remarks.iter().map(|comment| comment_view(browser, comment, &names)).collect(),
        first: (page.page != Some(1)).then(|| subject.path.clone()),
        next: page.next_cursor.map(|cursor| crate::lists::with(&subject.path, "", "cursor", &cursor)),
        may_comment: browser.may::<CreateComments>() && subject.may_update,
        ..Thread::default()
    });
    if let Some(thread) = thread.as_mut().filter(|thread| thread.may_comment && refused.is_none()) {
        thread.typed = draft_of::<K>(ports, browser, record).await?;
        thread.is_draft = !thread.typed.is_empty();
    }
    let status_is_refused = refused.is_some();
    if let (Some(thread), Some((form, error))) = (&mut thread, refused) {
        form.value("body").unwrap_or_default().clone_into(&mut thread.typed);
        thread.error = Some(refusal_of(error)?);
    }
    let has_pictures = K::SHOWS_PICTURES || thread.as_ref().is_some_and(Thread::has_pictures);
    let view = ShowPage {
        shell: browser.shell(subject.title.clone()),
        more: K::actions(browser, Some(record)),
        lines,
        idle,
        created_at: super::cells::time_of(&record["created_at"]),
        updated_at: super::cells::time_of(&record["updated_at"]),
        created_by: author(&record["created_by"], &names),
        related: super::related::cards(K::VIEW.related, browser, record),
        thread,
        parts: K::parts(ports, browser, record, data).await?,
        subject,
    };
    let page = if status_is_refused { responses::unprocessable(browser, view) } else { responses::page(browser, view) };
    if has_pictures { responses::with_pictures(page) } else { page }
}

/// Shows pictures in a text if the kind allows them.
fn illustrated<K: Kind>(cell: Cell) -> Cell {
    match cell {
        Cell::Long(text) if K::SHOWS_PICTURES => Cell::Illustrated(text),
        cell => cell,
    }
}

/// The message for an error in a form with a single text.
///
/// # Errors
/// Every error that is not about the input.
pub(crate) fn refusal_of(error: Error) -> Result<String, Error> {
    match error.details().into_iter().next() {
        Some(problem) => Ok(problem.message),
        None => match error {
            Error::NotFound(_) | Error::Unauthorized | Error::Store(_) => Err(error),
            other => Ok(crate::errors::message_of(&other)),
        },
    }
}

fn comment_json(comment: &AnyComment) -> Json {
    match comment {
        AnyComment::OnIssue(comment) => json!(comment),
        AnyComment::OnRecord(comment) => json!(comment),
    }
}

/// The record that comments belong to; `None` for kinds without comments.
fn commented<K: Kind>(record: &Json) -> Option<CommentedRecord> {
    CommentedRecord::of(K::KIND, super::id_of(&record["id"])?)
}

async fn comments_on<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    record: &Json,
    page: Paging,
) -> Result<Option<Page<AnyComment>>, Error> {
    match (browser.permit::<ReadComments>(), commented::<K>(record)) {
        (Some(permit), Some(commented)) => {
            comments::list_of_loaded(ports, &permit, commented, page).await.map(|page| Some(shortened(page)))
        }
        _ => Ok(None),
    }
}

/// Cuts a page short before it becomes too large. The next page begins with the remaining comments.
pub(crate) fn shortened(mut page: Page<AnyComment>) -> Page<AnyComment> {
    let mut bytes = 0;
    let is_full = |comment: &AnyComment| {
        bytes += comment.body().len();
        bytes >= COMMENT_BYTES
    };
    if let Some(last) = page.items.iter().position(is_full) {
        page.truncate_after(last + 1);
    }
    page
}

/// The caller's unfinished comment; empty if there is none. One statement.
async fn draft_of<K: Kind>(ports: &Ports, browser: &Browser, record: &Json) -> Result<String, Error> {
    let (Some(permit), Some(commented)) = (browser.permit::<CreateComments>(), commented::<K>(record)) else {
        return Ok(String::new());
    };
    let drafts = drafts::read(ports, &permit, commented).await?;
    Ok(drafts.into_iter().next().map(|draft| draft.body).unwrap_or_default())
}

fn comment_view(browser: &Browser, comment: &Json, names: &domain::console::Names) -> CommentView {
    let by = super::id_of(&comment["author"]["id"]);
    let own = browser.user().is_some_and(|user| by == Some(user.0));
    CommentView {
        id: comment["id"].as_str().unwrap_or_default().to_owned(),
        version: comment["version"].as_i64().unwrap_or_default(),
        author: author(&comment["author"], names),
        at: super::cells::time_of(&comment["created_at"]).unwrap_or(OffsetDateTime::UNIX_EPOCH),
        is_edited: !comment["edited_at"].is_null(),
        body: comment["body"].as_str().unwrap_or_default().to_owned(),
        is_by_staff: comment["author"]["type"].as_str() == Some(ActorKind::User.as_str()),
        may_change: own || browser.administers(),
    }
}

#[derive(Template)]
#[template(path = "records/history.html")]
struct HistoryPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    path: String,
    entries: Vec<Entry>,
    next: Option<String>,
}

pub(super) async fn history<K: Kind>(request: PageRequest<History<K>>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, renderer, .. } = request;
    let id = path.record().to_string();
    let record = (K::KIND, id.parse().unwrap_or_default());
    let page = records::read_any_history(&ports, &permit, record, query.page).await?;
    let size = history::size_of(&page.items);
    let events = page.items;
    let noted = move || {
        let mut wanted = WantedNames { records: vec![record], ..WantedNames::default() };
        history::note_names(&events, &mut wanted);
        (events, wanted)
    };
    let (events, wanted) = renderer.run_on(size, noted).await?;
    let names = people::names(&ports, &browser, wanted).await?;
    let path = path_of::<K>(&id);
    let title = names.records.get(&record).filter(|name| !name.is_empty());
    let title = title.map_or_else(|| text("record-gone"), String::clone);
    let zone = browser.preferences.zone.clone();
    let entries = renderer.run_on(size, move || history::entries(events, &names, &zone)).await?;
    let view = HistoryPage {
        shell: browser.shell(title).part("history"),
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        next: page.next_cursor.map(|cursor| crate::lists::with(&format!("{path}/history"), "", "cursor", &cursor)),
        entries,
        path,
    };
    responses::page(&browser, view)
}
