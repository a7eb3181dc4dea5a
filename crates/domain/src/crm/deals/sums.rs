//! Sums of deals: the board, with a column for each stage, and summaries of lists.
//!
//! Each write updates the totals, so a board opens as fast with a million deals as with none. The deals of a column are a list that
//! is filtered by `stage` and `status`.

use rust_decimal::Decimal;

use super::{Deal, DealFilter, DealStage, DealStatus};
use crate::Error;
use crate::identity::access::{Permit, ReadDeals};
use crate::kernel::Weight;
use crate::kernel::input::{choices, readable_choices};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::summary::{CurrencySum, Summary, SummaryRows, Totals};
use crate::ports::{Ports, read_only, weighed_read_only};
use crate::records::RecordFilter;

/// How many deals of a column the board shows first.
pub const BOARD_CARDS: u32 = 12;

/// The totals of the live deals with one stage, status and currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPart {
    pub stage: DealStage,
    pub status: DealStatus,
    pub currency: String,
    pub count: u64,
    /// Deals without a value add nothing.
    pub value: Decimal,
}

/// A column of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardColumn {
    pub stage: DealStage,
    /// The totals of the open deals; in the columns of closed deals, of all deals.
    pub totals: Totals,
    /// The totals of the paused deals.
    pub on_hold: Totals,
}

impl BoardColumn {
    fn of(stage: DealStage, parts: &[BoardPart]) -> Self {
        let of_stage = || parts.iter().filter(|part| part.stage == stage);
        Self {
            stage,
            totals: totals(of_stage().filter(|part| part.status != DealStatus::OnHold)),
            on_hold: totals(of_stage().filter(|part| part.status == DealStatus::OnHold)),
        }
    }
}

fn totals<'a>(parts: impl Iterator<Item = &'a BoardPart>) -> Totals {
    let sums = parts.map(|part| CurrencySum { currency: part.currency.clone(), count: part.count, value: part.value });
    let values: Vec<_> = sums.collect();
    Totals { count: values.iter().map(|sum| sum.count).sum(), values: Some(values) }
}

/// All columns of the board, from the first stage to the last, each with its totals by currency.
pub async fn board_totals(ports: &Ports, permit: &Permit<ReadDeals>) -> Result<Vec<BoardColumn>, Error> {
    let found = read_only(ports, permit, |tx| Ok(tx.deals().board_totals()?)).await?;
    Ok(DealStage::ALL.iter().map(|stage| BoardColumn::of(*stage, &found)).collect())
}

/// The first deals of every column: the newest [`BOARD_CARDS`] open deals of each stage, and in the stages of closed deals the newest
/// of all. To continue a column, pass the cursor of its page to the deal list, with this stage and, unless the stage is closed, the
/// status open. One statement.
pub async fn board_cards(ports: &Ports, permit: &Permit<ReadDeals>) -> Result<Vec<(DealStage, Page<Deal>)>, Error> {
    let mut found = read_only(ports, permit, |tx| Ok(tx.deals().first_of_stages()?)).await?;
    let page = PageRequest::first(BOARD_CARDS);
    let columns = DealStage::ALL.iter().map(|stage| {
        let of_stage = found.extract_if(.., |deal| deal.stage == *stage).collect();
        (*stage, Page::from_rows(of_stage, &page))
    });
    Ok(columns.collect())
}

choices! {
    /// What deals are grouped by.
    pub enum DealGroup {
        Status = "status",
        Stage = "stage",
        Currency = "currency",
        Assignee = "assignee",
    }
}

readable_choices!(DealGroup);

/// Counts the deals that match a filter, and adds up their values by currency.
///
/// # Errors
/// [`Error::SearchTooSlow`] if there are too many.
pub async fn summarize(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: DealFilter,
    group_by: Vec<DealGroup>,
) -> Result<Summary, Error> {
    let members: Vec<_> = group_by.iter().map(|group| group.as_str()).collect();
    if filter.matches_nothing() {
        return Ok(Summary::of(SummaryRows::default(), &members));
    }
    let filter = filter.with_comments();
    // All deals may have to be read, even if few match.
    let rows =
        weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.deals().summarize(&filter, &group_by)?));
    Ok(Summary::of(rows.await?, &members))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(stage: DealStage, status: DealStatus, currency: &str, count: u64, value: u64) -> BoardPart {
        BoardPart { stage, status, currency: currency.to_owned(), count, value: value.into() }
    }

    #[test]
    fn a_column_adds_up_open_and_paused_deals_separately() {
        let parts = [
            part(DealStage::Discovery, DealStatus::OnHold, "USD", 1, 7),
            part(DealStage::Proposal, DealStatus::Open, "CHF", 2, 30),
            part(DealStage::Proposal, DealStatus::Open, "USD", 3, 50),
            part(DealStage::Proposal, DealStatus::OnHold, "USD", 4, 90),
            part(DealStage::ClosedWon, DealStatus::ClosedWon, "USD", 5, 11),
        ];
        let column = |stage| BoardColumn::of(stage, &parts);
        let summary = |totals: &Totals| {
            let values = totals.values.as_ref().map(|values| {
                values.iter().map(|sum| format!("{} {} {}", sum.count, sum.value, sum.currency)).collect::<Vec<_>>()
            });
            (totals.count, values.unwrap_or_default())
        };
        let proposal = column(DealStage::Proposal);
        assert_eq!(summary(&proposal.totals), (5, vec!["2 30 CHF".to_owned(), "3 50 USD".to_owned()]));
        assert_eq!(summary(&proposal.on_hold), (4, vec!["4 90 USD".to_owned()]));
        assert_eq!(summary(&column(DealStage::Discovery).totals), (0, vec![]));
        assert_eq!(summary(&column(DealStage::ClosedWon).totals), (5, vec!["5 11 USD".to_owned()]));
        assert_eq!(summary(&column(DealStage::ClosedLost).totals), (0, vec![]));
    }
}
