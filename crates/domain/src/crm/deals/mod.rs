//! Deals (interface 9).

mod create;
mod delete;
mod events;
mod list;
mod read;
mod stages;
mod summary;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::{DealFilter, DealOrder, list};
pub use read::read;
pub use summary::{DealGroup, summarize};
pub use update::update;

use serde_json::Map;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::kernel::input::{
    Currency, CustomFields, Items, Line, LongText, Percentage, TwoDecimals, choices, readable_choices,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::records::{Resource, record, resource};
use crate::{CompanyId, ContactId, DealId, Reference, UserId};

/// Up to 999,999,999,999.99.
pub type Amount = TwoDecimals<99_999_999_999_999>;
/// 0 to 100 percent with two decimals.
pub type CommissionPercentage = TwoDecimals<10_000>;

choices! {
    /// The status of a deal.
    pub enum DealStatus {
        /// In progress.
        Open = "open",
        /// Paused.
        OnHold = "on_hold",
        /// Won.
        ClosedWon = "closed_won",
        /// Lost.
        ClosedLost = "closed_lost",
    }
}

choices! {
    /// The sales stage of a deal.
    pub enum DealStage {
        /// First talks about needs.
        Discovery = "discovery",
        /// Worth pursuing.
        Qualified = "qualified",
        /// An offer was made.
        Proposal = "proposal",
        /// Terms are negotiated.
        Negotiation = "negotiation",
        /// Won.
        ClosedWon = "closed_won",
        /// Lost.
        ClosedLost = "closed_lost",
    }
}

readable_choices!(DealStatus, DealStage);

resource! {
    /// The writable fields of a deal.
    pub input DealFields together stages::check_sent;

    /// A deal.
    pub record Deal(DealId, default_currency: &str) {
        /// The title.
        title: Line<255> = required,
        /// Free-form notes.
        description: LongText<10_000>,
        /// The contact of the deal.
        contact_id: ContactId => Reference::Contact,
        /// The company of the deal.
        company_id: CompanyId => Reference::Company,
        /// The member who is responsible for it.
        assigned_to: UserId => Reference::Member,
        /// Agrees with `stage`; `open` by default.
        status: DealStatus = own_rule(DealStatus::Open),
        /// Agrees with `status`; `discovery` by default.
        stage: DealStage = own_rule(DealStage::Discovery),
        /// The exact value.
        value: Amount,
        /// The currency of `value`; the workspace's by default.
        currency: Currency = own_rule(default_currency.to_owned()),
        /// The probability of winning, in percent.
        probability: Percentage,
        /// When it is expected to close.
        expected_close_date: Date,
        /// When it closed; set on closing if not sent.
        actual_close_date: Date = own_rule,
        /// Why it was lost; only on a lost deal.
        lost_reason: LongText<1_000> = own_rule,
        /// The source of the deal.
        source: Line<180>,
        /// Labels.
        tags: Items<50, 100> = default(Vec::new()),
        /// The workspace's own members.
        custom_fields: CustomFields = default(Map::new()),
        /// The id in another system, unique in the workspace.
        external_id: Line<255>,
        /// The id of a record in another system.
        price_book_id: Uuid,
        /// The id of a record in another system.
        package_id: Uuid,
        /// The member who represents it.
        rep_id: UserId => Reference::Member,
        /// The id of a record in another system.
        developer_id: Uuid,
        /// Commission in percent.
        commission_pct: CommissionPercentage,
        /// Sales territory.
        territory: Line<180>,
    }
}

record!(Deal, "deal", DealId, deals);

impl Deal {
    /// Applies every field except status, stage and what closing sets; [`stages`] handles those.
    fn apply_plain(&mut self, mut fields: DealFields, default_currency: &str) {
        let currency = std::mem::take(&mut fields.currency).into_stored();
        currency.store_or(default_currency.to_owned(), &mut self.currency);
        self.apply(fields);
    }

    /// The words that search matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title)).text(self.description.as_deref());
        words.into_vec()
    }
}

impl Paginated for Deal {
    const LIST: ListName = ListName::Deals;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
