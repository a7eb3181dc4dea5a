//! Deals (interface 9).

mod create;
pub(crate) mod events;
mod list;
mod stages;
mod sums;

pub use create::create_for_contact;
pub use list::{DealFilter, DealOrder};
use stages::StageChange;
pub use sums::{BOARD_CARDS, BoardColumn, BoardPart, DealGroup, board_cards, board_totals, summarize};

use time::Date;
use uuid::Uuid;

use crate::crm::upserts::Upsertable;
use crate::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals, UpsertDeals};
use crate::kernel::RecordKeys;
use crate::kernel::input::{
    Currency, CustomFields, Items, Line, LongText, Percentage, TwoDecimals, choices, readable_choices,
};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::ports::{BatchRepo, StoreError, Tx};
use crate::records::{Editable, RecordKind, Resource, Transferred, Writing, deletable, kind, resource};
use crate::{CompanyId, ContactId, DealId, Error, Reference, UserId};

/// Up to 999,999,999,999.99.
pub type Amount = TwoDecimals<99_999_999_999_999>;
/// 0 to 100 percent with two decimals.
pub type CommissionPercentage = TwoDecimals<10_000>;

choices! {
    /// The status of a deal.
    pub enum DealStatus {
        Open = "open",
        OnHold = "on_hold",
        ClosedWon = "closed_won",
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
        ClosedWon = "closed_won",
        ClosedLost = "closed_lost",
    }
}

readable_choices!(DealStatus, DealStage);

resource! {
    /// The writable fields of a deal.
    pub input DealFields together stages::check_input;

    /// A deal.
    pub record Deal(DealId, default_currency: &str) {
        /// What is sold, and to whom.
        title: Line<255> = required,
        /// Further details.
        description: LongText<10_000>,
        /// The contact that the deal is with.
        contact_id: ContactId => Reference::Contact,
        /// The company that buys.
        company_id: CompanyId => Reference::Company,
        /// The member responsible for it.
        assigned_to: UserId => Reference::Member,
        /// open or `on_hold` until it closes; `closed_won` and `closed_lost` also set stage.
        /// Default: open.
        status: DealStatus = own_rule(DealStatus::Open),
        /// The sales stage; `closed_won` and `closed_lost` also set status.
        /// Default: discovery.
        stage: DealStage = own_rule(DealStage::Discovery),
        /// The value in currency, exact.
        value: Amount,
        /// The currency of value.
        /// Default: the workspace's.
        currency: Currency = own_rule(default_currency.to_owned()),
        /// The probability of winning, in percent.
        /// Note: In percent.
        probability: Percentage,
        /// The day on which it is expected to close.
        expected_close_date: Date,
        /// The day it closed; today if not sent when the deal closes.
        actual_close_date: Date = own_rule,
        /// Why it was lost; for lost deals only.
        lost_reason: LongText<1_000> = own_rule,
        /// Where the deal came from, such as a campaign.
        source: Line<180>,
        /// All of its tags.
        /// Note: Replaces all.
        /// Default: none.
        tags: Items<50, 100> = default(Vec::new()),
        /// Your own data, by name. An update sets what is sent, removes what is null, and keeps the rest.
        /// Note: Merged; null removes a member.
        /// Default: none.
        custom_fields: CustomFields = merged,
        /// Its id in another system, unique among deals.
        external_id: Line<255>,
        /// The price list it is quoted from, kept in another system.
        price_book_id: Uuid,
        /// The package it is about, kept in another system.
        package_id: Uuid,
        /// The member who sells it on site, in addition to `assigned_to`.
        /// Note: Who sells it on site.
        rep_id: UserId => Reference::Member,
        /// The developer of what is sold, kept in another system.
        developer_id: Uuid,
        /// The commission, in percent of value.
        /// Note: In percent of value.
        commission_pct: CommissionPercentage,
        /// The sales territory.
        territory: Line<180>,
    }
}

kind! {
    Deal, [Deal], DealId, called title,
    listed by DealFilter as ListName::numbered(2).by_value().with_comments(),
    read by ReadDeals, unique: |deal| [
        external_id: deal.external_id.clone(),
    ]
}

deletable!(Deal, DeleteDeals);

impl Editable for Deal {
    type Create = CreateDeals;
    type Update = UpdateDeals;
    const COUNTS: bool = true;

    fn new(id: DealId, writing: &Writing) -> Self {
        Self::blank(id, &writing.workspace.default_currency, writing.actor(), writing.now)
    }

    fn fill(&mut self, fields: DealFields, writing: &Writing) -> Result<(), Error> {
        let change = StageChange::of(&fields);
        self.apply_plain(fields, &writing.workspace.default_currency);
        change.check_rules(self.status)
    }

    fn settle(
        &mut self,
        fields: &DealFields,
        stored: Option<&Self>,
        _: &mut dyn Tx,
        writing: &Writing,
    ) -> Result<(), Error> {
        let change = StageChange::of(fields);
        if stored.is_some() {
            return change.apply(self, writing.closing_day());
        }
        change.start(self, writing.closing_day());
        Ok(())
    }

    fn assignee(&self) -> Option<UserId> {
        self.assigned_to
    }
}

impl Upsertable for Deal {
    type Upsert = UpsertDeals;
    const NATURAL_KEY: Option<&'static str> = None;

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.deals()
    }

    fn keys_of(fields: &DealFields) -> RecordKeys {
        RecordKeys { external_id: fields.external_id.set().map(|id| id.as_str().to_owned()), natural: None }
    }

    fn company_of(fields: &DealFields) -> Option<Uuid> {
        fields.company_id.set().map(|company| company.0)
    }
}

impl Transferred for Deal {
    const LONG_TEXT: Option<&'static str> = Some("description");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
    }
}

impl Deal {
    pub fn keys(&self) -> RecordKeys {
        RecordKeys { external_id: self.external_id.clone(), natural: None }
    }

    /// Applies every field except status, stage and the fields that closing sets, which [`stages`] handles.
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
