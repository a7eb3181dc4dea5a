//! Deals (contract: resources, deal).

mod create;
mod delete;
mod events;
mod list;
mod read;
mod stages;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::{DealFilter, MAX_ASSIGNEES, list};
pub use read::read;
pub use update::update;

use serde_json::Map;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::kernel::input::{
    Currency, CustomFields, Items, Line, LongText, Percentage, TwoDecimals, choices, readable_choices,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::records::{Resource, record, resource};
use crate::{CompanyId, ContactId, DealId, Reference, UserId};

/// Up to 999,999,999,999.99.
pub type Amount = TwoDecimals<99_999_999_999_999>;
/// 0 to 100 percent with two decimals.
pub type CommissionPercentage = TwoDecimals<10_000>;

choices! {
    /// Whether a deal is still being worked on.
    pub enum DealStatus {
        /// Worked on.
        Open = "open",
        /// Resting.
        OnHold = "on_hold",
        /// Won.
        ClosedWon = "closed_won",
        /// Lost.
        ClosedLost = "closed_lost",
    }
}

choices! {
    /// How far a deal has come.
    pub enum DealStage {
        /// Finding out.
        Discovery = "discovery",
        /// Worth pursuing.
        Qualified = "qualified",
        /// Offer made.
        Proposal = "proposal",
        /// Terms discussed.
        Negotiation = "negotiation",
        /// Won.
        ClosedWon = "closed_won",
        /// Lost.
        ClosedLost = "closed_lost",
    }
}

readable_choices!(DealStatus, DealStage);

resource! {
    /// What a client may send of a deal.
    pub input DealFields together stages::check_sent;

    /// A deal.
    pub record Deal(DealId, default_currency: &str) {
        /// What it is about.
        title: Line<255> = required,
        /// Anything else.
        description: LongText<10_000>,
        /// The contact it is made with.
        contact_id: ContactId => Reference::Contact,
        /// The company it is made with.
        company_id: CompanyId => Reference::Company,
        /// The member who works on it.
        assigned_to: UserId => Reference::Member,
        /// Agrees with `stage`; `open` unless given.
        status: DealStatus = own_rule(DealStatus::Open),
        /// Agrees with `status`; `discovery` unless given.
        stage: DealStage = own_rule(DealStage::Discovery),
        /// What it is worth, exact.
        value: Amount,
        /// Of `value`; the workspace's unless given.
        currency: Currency = own_rule(default_currency.to_owned()),
        /// Of winning, in percent.
        probability: Percentage,
        /// When it should close.
        expected_close_date: Date,
        /// When it closed; filled by closing unless given.
        actual_close_date: Date = own_rule,
        /// Why it was lost; only of a lost deal.
        lost_reason: LongText<1_000> = own_rule,
        /// Where it came from.
        source: Line<180>,
        /// Labels.
        tags: Items<50, 100> = default(Vec::new()),
        /// The workspace's own members.
        custom_fields: CustomFields = default(Map::new()),
        /// Its id elsewhere, unique in the workspace.
        external_id: Line<255>,
        /// A record kept elsewhere.
        price_book_id: Uuid,
        /// A record kept elsewhere.
        package_id: Uuid,
        /// The member who represents it.
        rep_id: UserId => Reference::Member,
        /// A record kept elsewhere.
        developer_id: Uuid,
        /// Commission in percent.
        commission_pct: CommissionPercentage,
        /// Sales territory.
        territory: Line<180>,
    }
}

record!(Deal, "deal", DealId, deals);

impl Deal {
    /// Puts an input over what is there, but for status, stage and what closing touches: these are [`stages`]' work.
    fn apply_plain(&mut self, mut fields: DealFields, default_currency: &str) {
        let currency = std::mem::take(&mut fields.currency).into_stored();
        currency.store_or(default_currency.to_owned(), &mut self.currency);
        self.apply(fields);
    }
}

impl Paginated for Deal {
    const LIST: ListName = ListName::Deals;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
