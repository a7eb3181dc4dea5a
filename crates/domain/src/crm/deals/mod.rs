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

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::{DateText, TimestampText};
use crate::kernel::input::{
    Currency, CustomFields, Items, Line, LongText, Percentage, TwoDecimals, choices, fields, optional_date_json,
    optional_decimal_as_number, readable_choices, timestamp_json,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::{CompanyId, ContactId, DealId, Reference, References, UserId};

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

fields! {
    /// What a client may send of a deal.
    pub struct DealFields {
        /// What it is about.
        title: Line<255> = required,
        /// Anything else.
        description: LongText<10_000>,
        /// The contact it is made with.
        contact_id: ContactId,
        /// The company it is made with.
        company_id: CompanyId,
        /// The member who works on it.
        assigned_to: UserId,
        /// Agrees with `stage`; `open` unless given.
        status: DealStatus,
        /// Agrees with `status`; `discovery` unless given.
        stage: DealStage,
        /// What it is worth, exact.
        value: Amount,
        /// Of `value`; the workspace's unless given.
        currency: Currency,
        /// Of winning, in percent.
        probability: Percentage,
        /// When it should close.
        expected_close_date: Date,
        /// When it closed; filled by closing unless given.
        actual_close_date: Date,
        /// Why it was lost; only of a lost deal.
        lost_reason: LongText<1_000>,
        /// Where it came from.
        source: Line<180>,
        /// Labels.
        tags: Items<50, 100>,
        /// The workspace's own members.
        custom_fields: CustomFields,
        /// Its id elsewhere, unique in the workspace.
        external_id: Line<255>,
        /// A record kept elsewhere.
        price_book_id: Uuid,
        /// A record kept elsewhere.
        package_id: Uuid,
        /// The member who represents it.
        rep_id: UserId,
        /// A record kept elsewhere.
        developer_id: Uuid,
        /// Commission in percent.
        commission_pct: CommissionPercentage,
        /// Sales territory.
        territory: Line<180>,
    }
    together stages::check_sent;
}

/// A deal.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members are documented at DealFields")]
pub struct Deal {
    pub id: DealId,
    pub title: String,
    pub description: Option<String>,
    pub contact_id: Option<ContactId>,
    pub company_id: Option<CompanyId>,
    pub assigned_to: Option<UserId>,
    pub status: DealStatus,
    pub stage: DealStage,
    #[serde(serialize_with = "optional_decimal_as_number")]
    #[schemars(with = "Option<f64>")]
    pub value: Option<Decimal>,
    pub currency: String,
    pub probability: Option<i32>,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    pub expected_close_date: Option<Date>,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    pub actual_close_date: Option<Date>,
    pub lost_reason: Option<String>,
    pub source: Option<String>,
    pub tags: Vec<String>,
    pub custom_fields: Map<String, Value>,
    pub external_id: Option<String>,
    pub price_book_id: Option<Uuid>,
    pub package_id: Option<Uuid>,
    pub rep_id: Option<UserId>,
    pub developer_id: Option<Uuid>,
    #[serde(serialize_with = "optional_decimal_as_number")]
    #[schemars(with = "Option<f64>")]
    pub commission_pct: Option<Decimal>,
    pub territory: Option<String>,
    /// Counts its changes, from 1.
    pub version: i64,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl Deal {
    /// A deal with defaults alone, to put an input into.
    fn blank(id: DealId, default_currency: &str, created_by: Actor, now: OffsetDateTime) -> Self {
        Self {
            id,
            title: String::new(),
            description: None,
            contact_id: None,
            company_id: None,
            assigned_to: None,
            status: DealStatus::Open,
            stage: DealStage::Discovery,
            value: None,
            currency: default_currency.to_owned(),
            probability: None,
            expected_close_date: None,
            actual_close_date: None,
            lost_reason: None,
            source: None,
            tags: Vec::new(),
            custom_fields: Map::new(),
            external_id: None,
            price_book_id: None,
            package_id: None,
            rep_id: None,
            developer_id: None,
            commission_pct: None,
            territory: None,
            version: 1,
            created_at: now,
            updated_at: now,
            created_by,
        }
    }

    /// Puts every member over what is there that needs no rule beside its own. Status, stage and what closing touches
    /// are [`stages`]' work.
    fn apply_plain(&mut self, fields: DealFields, default_currency: &str) {
        if let Some(title) = fields.title.set() {
            title.as_str().clone_into(&mut self.title);
        }
        fields.description.store(&mut self.description);
        fields.contact_id.store(&mut self.contact_id);
        fields.company_id.store(&mut self.company_id);
        fields.assigned_to.store(&mut self.assigned_to);
        fields.value.store(&mut self.value);
        fields.currency.store_or(default_currency.to_owned(), &mut self.currency);
        fields.probability.store(&mut self.probability);
        fields.expected_close_date.store(&mut self.expected_close_date);
        fields.source.store(&mut self.source);
        fields.tags.store_or(Vec::new(), &mut self.tags);
        fields.custom_fields.store_or(Map::new(), &mut self.custom_fields);
        fields.external_id.store(&mut self.external_id);
        fields.price_book_id.store(&mut self.price_book_id);
        fields.package_id.store(&mut self.package_id);
        fields.rep_id.store(&mut self.rep_id);
        fields.developer_id.store(&mut self.developer_id);
        fields.commission_pct.store(&mut self.commission_pct);
        fields.territory.store(&mut self.territory);
    }

    /// The references that differ from the stored deal's.
    fn new_references(&self, stored: Option<&Self>) -> References {
        let mut references = References::default();
        references.add("contact_id", self.contact_id, stored.and_then(|deal| deal.contact_id), Reference::Contact);
        references.add("company_id", self.company_id, stored.and_then(|deal| deal.company_id), Reference::Company);
        references.add("assigned_to", self.assigned_to, stored.and_then(|deal| deal.assigned_to), Reference::Member);
        references.add("rep_id", self.rep_id, stored.and_then(|deal| deal.rep_id), Reference::Member);
        references
    }
}

impl Paginated for Deal {
    const LIST: ListName = ListName::Deals;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
