//! Deals.

use domain::crm::deals::{self, Deal, DealStage, DealStatus};
use domain::crm::upserts;
use domain::kernel::input::optional_decimal_as_number;
use domain::kernel::input::schema::OptionalDateText;
use domain::records;
use domain::tools::Tool;
use domain::{CompanyId, ContactId, DealId, UserId};
use rust_decimal::Decimal;
use time::Date;

use crate::long_texts::long_texts;
use crate::outputs::{FoundRow, row};
use crate::tool::Entry;

long_texts!(Deal, Some(Tool::GetDeal), description: OptionalText, custom_fields: Object);

row! {
    /// A deal in a list.
    Row of Deal {
        id: DealId,
        title: String,
        status: DealStatus,
        stage: DealStage,
        #[serde(serialize_with = "optional_decimal_as_number")]
        #[schemars(with = "Option<f64>")]
        value: Option<Decimal>,
        currency: String,
        contact_id: Option<ContactId>,
        company_id: Option<CompanyId>,
        assigned_to: Option<UserId>,
        #[serde(with = "OptionalDateText")]
        expected_close_date: Option<Date>,
    }
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list(
            Tool::ListDeals,
            "List deals",
            "Finds deals, newest first. Order value: highest first; updated: oldest change first.",
            records::list_or_deleted::<Deal>,
            |deal| FoundRow::of(deal, Row::of),
        ),
        Entry::get(Tool::GetDeal, "Get deal", "Reads one deal with all fields.", records::read::<Deal>),
        Entry::create(
            Tool::CreateDeal,
            "Create deal",
            "Adds a deal. Without company_id it gets the contact's.",
            deals::create_for_contact,
        ),
        Entry::update(
            Tool::UpdateDeal,
            "Update deal",
            "Changes a deal; null clears a field. Status closed_won or closed_lost ends it, open reopens it.",
            records::update::<Deal>,
        ),
        Entry::delete(
            Tool::DeleteDeal,
            "Delete deal",
            "Deletes a deal. Confirm first; restore_record undoes it for 30 days. To end one, use update_deal.",
            records::delete::<Deal>,
        ),
        Entry::upsert(
            Tool::UpsertDeals,
            "Create or update many deals",
            "Creates or changes up to 500 deals, each as in create_deal or with expected_version, matched by external_id. Above 25 items: 10 calls a minute.",
            upserts::upsert::<Deal>,
        ),
    ]
}
