//! The board of deals: a column for each stage, which begins with its newest deals and loads more by cursor.

mod cards;
pub(crate) mod close;
pub(crate) mod moves;

use domain::crm::deals::{self, BoardColumn, Deal, DealFilter, DealStage, DealStatus};
use domain::identity::access::{CreateDeals, ReadDeals, UpdateDeals};
use domain::kernel::paging::{Page, PageRequest as Paging};
use domain::records;

use self::cards::{Card, Head, column_headers, named_cards};
use crate::lists::with;
use crate::prelude::*;
use crate::texts;

pages! {
    Board = "GET /deals/board", access: ReadDeals => board;
    More = "GET /deals/board/more", access: ReadDeals, query: ColumnPage => more;
}

pub(crate) const PATH: &str = "/deals/board";

/// One more page of a column.
pub(crate) struct ColumnPage {
    stage: DealStage,
    page: Paging,
}

impl Query for ColumnPage {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let page = query.page(<Deal as domain::kernel::paging::Paginated>::LIST);
        let stage = query.choice("stage", DealStage::parse, DealStage::allowed_values);
        Self { stage: stage.unwrap_or(DealStage::Discovery), page: Paging { limit: deals::BOARD_CARDS, ..page } }
    }
}

struct Column {
    head: Head,
    cards: Vec<Card>,
    more: Option<NextCards>,
}

/// Where to find the rest of a column.
struct NextCards {
    /// The URL of the column's next page, for scripts.
    part: String,
    /// The list of the column's deals, for browsers without scripts.
    list: String,
    label: String,
}

#[derive(Template)]
#[template(path = "crm/board.html")]
struct BoardPage {
    shell: Shell,
    columns: Vec<Column>,
    stages: Vec<(&'static str, String)>,
    may_create: bool,
    may_move: bool,
}

/// The stages and their labels, in order.
fn stages() -> Vec<(&'static str, String)> {
    DealStage::ALL.iter().map(|stage| (stage.as_str(), texts::label("value", stage.as_str()))).collect()
}

pub(super) const fn is_closed(stage: DealStage) -> bool {
    matches!(stage, DealStage::ClosedWon | DealStage::ClosedLost)
}

/// The URL of the list of a column's deals.
fn list_of(stage: DealStage) -> String {
    let status = if is_closed(stage) { "" } else { "&status=open" };
    format!("/deals?stage={stage}{status}")
}

fn next_cards(stage: DealStage, page: &Page<Deal>) -> Option<NextCards> {
    let cursor = page.next_cursor.as_deref()?;
    let (path, filter) = (format!("{PATH}/more"), format!("stage={stage}"));
    let list = list_of(stage);
    let (list, query) = list.split_once('?').unwrap_or((&list, ""));
    Some(NextCards {
        part: with(&path, &filter, "cursor", cursor),
        list: with(list, query, "cursor", cursor),
        label: text_named("board-more", &texts::label("value", stage.as_str())),
    })
}

async fn board(request: PageRequest<Board>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    let totals: Vec<BoardColumn> = deals::board_totals(&ports, &permit).await?;
    let pages = deals::board_cards(&ports, &permit).await?;
    let all: Vec<_> = pages.iter().flat_map(|(_, page)| &page.items).collect();
    let mut cards = named_cards(&ports, &browser, &all).await?;
    let columns = column_headers(&totals).into_iter().zip(&pages).map(|(head, (stage, page))| Column {
        head,
        cards: cards.drain(..page.items.len()).collect(),
        more: next_cards(*stage, page),
    });
    let columns = columns.collect();
    let may_move = browser.may::<UpdateDeals>();
    let shell = browser.shell(text("board-title"));
    let may_create = browser.may::<CreateDeals>();
    responses::page(&browser, BoardPage { shell, columns, stages: stages(), may_create, may_move })
}

#[derive(Template)]
#[template(path = "crm/board_more.html")]
struct MorePart {
    shell: Shell,
    stage: DealStage,
    cards: Vec<Card>,
    more: Option<NextCards>,
    stages: Vec<(&'static str, String)>,
    may_move: bool,
}

async fn more(request: PageRequest<More>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let ColumnPage { stage, page } = query;
    let status = if is_closed(stage) { Vec::new() } else { vec![DealStatus::Open] };
    let filter = DealFilter { stage: vec![stage].into(), status: status.into(), ..DealFilter::default() };
    let page = records::list::<Deal>(&ports, &permit, filter, page).await?;
    let cards = named_cards(&ports, &browser, &page.items.iter().collect::<Vec<_>>()).await?;
    let (shell, may_move) = (browser.shell(text("board-title")), browser.may::<UpdateDeals>());
    responses::page(
        &browser,
        MorePart { shell, stage, cards, more: next_cards(stage, &page), stages: stages(), may_move },
    )
}
