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
use crate::tool::{Entry, entry};

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
        entry(Tool::ListDeals, "List deals", "Finds deals, newest first by default. Order value: highest first.")
            .list(records::list_or_deleted::<Deal>, |deal| FoundRow::of(deal, Row::of)),
        entry(Tool::GetDeal, "Get deal", "Reads one deal with all fields.").get(records::read::<Deal>),
        entry(Tool::CreateDeal, "Create deal", "Adds a deal. Without company_id it gets the contact's.")
            .create(deals::create_for_contact),
        entry(
            Tool::UpdateDeal,
            "Update deal",
            "Changes a deal; null clears a field. Status closed_won or closed_lost ends it, open reopens it.",
        )
        .update(records::update::<Deal>),
        entry(
            Tool::DeleteDeal,
            "Delete deal",
            "Deletes a deal. Confirm first; restorable for 30 days. To end one, use update_deal.",
        )
        .delete(records::delete::<Deal>),
        entry(
            Tool::UpsertDeals,
            "Create or update deals",
            "Creates or changes up to 500 deals, each as in create_deal or with expected_version, matched by external_id. Above 25: 10 calls a minute.",
        )
        .upsert(upserts::upsert::<Deal>),
    ]
}
