//! Deals as cards, and the headers of columns.

use domain::console::WantedNames;
use domain::crm::deals::{BoardColumn, Deal, DealStage};
use domain::kernel::summary::Totals;
use domain::records::RecordKind;

use super::{is_closed, list_of};
use crate::form::fingerprint;
use crate::parts::people;
use crate::prelude::*;
use crate::records::{money, tone_of};
use crate::texts;

/// A deal on the board.
pub(super) struct Card {
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) title: String,
    pub(super) stage: DealStage,
    /// The deal's stage and status when the card was rendered.
    pub(super) was_stage: String,
    pub(super) was_status: String,
    pub(super) amount: String,
    pub(super) company: String,
    pub(super) assignee: String,
    /// The expected close date, such as `2026-11-22`.
    pub(super) closes: Option<String>,
    pub(super) is_closed: bool,
}

pub(super) struct Head {
    pub(super) stage: DealStage,
    pub(super) label: String,
    pub(super) tone: &'static str,
    pub(super) is_closed: bool,
    pub(super) count: u64,
    /// The count in words.
    pub(super) counted: String,
    /// The total value of its deals, one per currency.
    pub(super) sums: Vec<String>,
    pub(super) list: String,
    /// How many deals are on hold, in words, and the URL of their list.
    pub(super) on_hold: Option<(String, String)>,
}

pub(super) fn column_headers(columns: &[BoardColumn]) -> Vec<Head> {
    columns.iter().map(head).collect()
}

fn head(column: &BoardColumn) -> Head {
    let stage = column.stage;
    let on_hold = column.on_hold.count;
    Head {
        stage,
        label: texts::label("value", stage.as_str()),
        tone: tone_of(stage.as_str()),
        is_closed: is_closed(stage),
        count: column.totals.count,
        counted: text_with("board-count", [("count", column.totals.count.into())]),
        sums: sums(&column.totals),
        list: list_of(stage),
        on_hold: (on_hold > 0).then(|| {
            (text_with("board-on-hold", [("count", on_hold.into())]), format!("/deals?stage={stage}&status=on_hold"))
        }),
    }
}

/// Formats the sums. Currencies whose deals have no value are left out.
fn sums(totals: &Totals) -> Vec<String> {
    let values = totals.values.iter().flatten().filter(|sum| !sum.value.is_zero());
    values.map(|sum| money(&sum.value.to_string(), &sum.currency)).collect()
}

/// The cards of deals, with the names of their companies and members. One statement.
pub(super) async fn named_cards(ports: &Ports, browser: &Browser, deals: &[&Deal]) -> Result<Vec<Card>, Error> {
    let mut wanted = WantedNames::default();
    for deal in deals {
        wanted.people.extend(deal.assigned_to.map(|id| id.0));
        wanted.records.extend(deal.company_id.map(|id| (RecordKind::Company, id.0)));
    }
    let names = people::names(ports, browser, wanted).await?;
    let card = |deal: &&Deal| {
        let company = deal.company_id.and_then(|id| names.records.get(&(RecordKind::Company, id.0)));
        let assignee = deal.assigned_to.and_then(|id| names.people.get(&id.0));
        Card {
            id: deal.id.to_string(),
            version: deal.version,
            title: deal.title.clone(),
            stage: deal.stage,
            was_stage: fingerprint(deal.stage.as_str()),
            was_status: fingerprint(deal.status.as_str()),
            amount: deal.value.map(|value| money(&value.to_string(), &deal.currency)).unwrap_or_default(),
            company: company.cloned().unwrap_or_default(),
            assignee: assignee.cloned().unwrap_or_default(),
            closes: deal.expected_close_date.as_ref().map(ToString::to_string),
            is_closed: is_closed(deal.stage),
        }
    };
    Ok(deals.iter().map(card).collect())
}
