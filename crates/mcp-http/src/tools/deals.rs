//! Deals.

use domain::crm::deals::{self, Amount, Deal, DealFields, DealFilter, DealStage, DealStatus};
use domain::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::input::schema::DateText;
use domain::kernel::input::{InputMode, Problems, Several, optional_date_json, optional_decimal_as_number};
use domain::tools::Tool;
use domain::{CompanyId, ContactId, DealId, Error, UserId, fields};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use time::Date;

use crate::arguments::{Delete, Get, Paged, Update};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

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
    /// Which deals.
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
        /// Worth at least this.
        value_min: Amount,
        /// Worth at most this.
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

/// Lists deals.
pub(crate) struct ListDeals;

impl ToolCall for ListDeals {
    const TOOL: Tool = Tool::ListDeals;
    const TITLE: &'static str = "List deals";
    const DESCRIPTION: &'static str = "Lists deals of the pipeline, newest first, as compact rows, filtered by status, stage, assignee, contact, company or value. Cheap.";
    type Permission = ReadDeals;
    type Arguments = Paged<Filter, Deal>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let page = deals::list(&call.ports, &call.permit, filter.into_filter(), page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a deal.
pub(crate) struct GetDeal;

impl ToolCall for GetDeal {
    const TOOL: Tool = Tool::GetDeal;
    const TITLE: &'static str = "Get deal";
    const DESCRIPTION: &'static str = "Reads one deal with all fields by its id. Cheap.";
    type Permission = ReadDeals;
    type Arguments = Get<Deal>;
    type Output = Detail<Deal>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = deals::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a deal.
pub(crate) struct CreateDeal;

impl ToolCall for CreateDeal {
    const TOOL: Tool = Tool::CreateDeal;
    const TITLE: &'static str = "Create deal";
    const DESCRIPTION: &'static str =
        "Adds a deal. Only a title is needed; it starts open, in discovery. Counts against the monthly CRM quota.";
    type Permission = CreateDeals;
    type Arguments = DealFields;
    type Output = Detail<Deal>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(deals::create(&call.ports, &call.permit, once, call.arguments).await?))
    }
}

/// Changes a deal.
pub(crate) struct UpdateDeal;

impl ToolCall for UpdateDeal {
    const TOOL: Tool = Tool::UpdateDeal;
    const TITLE: &'static str = "Update deal";
    const DESCRIPTION: &'static str = "Changes fields of a deal. Fields that are absent stay; null clears one. To win or lose it set status to closed_won or closed_lost (stage follows); set open to reopen.";
    type Permission = UpdateDeals;
    type Arguments = Update<DealFields>;
    type Output = Detail<Deal>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = deals::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a deal.
pub(crate) struct DeleteDeal;

impl ToolCall for DeleteDeal {
    const TOOL: Tool = Tool::DeleteDeal;
    const TITLE: &'static str = "Delete deal";
    const DESCRIPTION: &'static str = "Deletes a deal. To end one instead, close it with update_deal. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteDeals;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        deals::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
