//! Deals.

use domain::crm::deals::{self, Amount, Deal, DealFilter, DealStage, DealStatus};
use domain::identity::access::{Permit, ReadDeals};
use domain::kernel::input::schema::DateText;
use domain::kernel::input::{InputMode, Problems, Several, optional_date_json, optional_decimal_as_number};
use domain::kernel::paging::{Page, PageRequest};
use domain::ports::Ports;
use domain::tools::Tool;
use domain::{CompanyId, ContactId, DealId, Error, UserId, fields};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use time::Date;

use crate::long_texts::{LongMember, LongTexts};
use crate::tool::Entry;

impl LongTexts for Deal {
    const NAMES: &'static [&'static str] = &["description", "custom_fields"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetDeal)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.description), LongMember::Object(&mut self.custom_fields)]
    }
}

/// A deal in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
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
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    expected_close_date: Option<Date>,
}

impl Row {
    fn of(deal: &Deal) -> Self {
        Self {
            id: deal.id,
            title: deal.title.clone(),
            status: deal.status,
            stage: deal.stage,
            value: deal.value,
            currency: deal.currency.clone(),
            contact_id: deal.contact_id,
            company_id: deal.company_id,
            assigned_to: deal.assigned_to,
            expected_close_date: deal.expected_close_date,
        }
    }
}

fields! {
    /// The filter of a list of deals.
    pub(crate) struct Filter {
        /// In any of these statuses.
        status: Several<DealStatus, 4>,
        /// In any of these stages.
        stage: Several<DealStage, 6>,
        /// Assigned to any of these members.
        assignee: Several<UserId, 50>,
        /// Of this contact.
        contact_id: ContactId,
        /// Of this company.
        company_id: CompanyId,
        /// Minimum value.
        value_min: Amount,
        /// Maximum value.
        value_max: Amount,
    }
    together Filter::check_range;
}

impl Filter {
    fn check_range(&self, _: InputMode, problems: &mut Problems) {
        let (least, most) = (self.value_min.set().copied(), self.value_max.set().copied());
        if let (Some(least), Some(most)) = (least.map(Decimal::from), most.map(Decimal::from))
            && least > most
        {
            problems.shape("value_max", "invalid_value", "must not be below value_min");
        }
    }

    fn into_filter(self) -> DealFilter {
        DealFilter {
            statuses: self.status.set().map(|several| several.0.clone()).unwrap_or_default(),
            stages: self.stage.set().map(|several| several.0.clone()).unwrap_or_default(),
            assignees: self.assignee.set().map(|several| several.0.clone()).unwrap_or_default(),
            contact_id: self.contact_id.set().copied(),
            company_id: self.company_id.set().copied(),
            value_min: self.value_min.set().copied().map(Decimal::from),
            value_max: self.value_max.set().copied().map(Decimal::from),
        }
    }
}

async fn list(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: Filter,
    page: PageRequest,
) -> Result<Page<Deal>, Error> {
    deals::list(ports, permit, filter.into_filter(), page).await
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list(
            Tool::ListDeals,
            "List deals",
            "Lists deals of the pipeline, newest first, as compact rows, filtered by status, stage, assignee, contact, company or value. Cheap.",
            list,
            Row::of,
        ),
        Entry::get(Tool::GetDeal, "Get deal", "Reads one deal with all fields by its id. Cheap.", deals::read),
        Entry::create(
            Tool::CreateDeal,
            "Create deal",
            "Adds a deal. Only a title is needed; it starts open, in discovery. With contact_id it gets the contact's company unless company_id is sent (null: none). Counts against the monthly CRM quota.",
            deals::create_for_contact,
        ),
        Entry::update(
            Tool::UpdateDeal,
            "Update deal",
            "Changes fields of a deal. Absent fields stay. To win or lose it set status to closed_won or closed_lost (stage follows); set open to reopen.",
            deals::update,
        ),
        Entry::delete(
            Tool::DeleteDeal,
            "Delete deal",
            "Deletes a deal. To end one instead, close it with update_deal. This removes the record for everyone and cannot be undone. Confirm with the user first.",
            deals::delete,
        ),
    ]
}
