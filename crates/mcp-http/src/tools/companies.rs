//! Companies.

use domain::crm::companies::{self, Company, CompanyFields, CompanyFilter};
use domain::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::search::SearchQuery;
use domain::tools::Tool;
use domain::{CompanyId, Error, fields};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{Delete, Get, Paged, Update};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

impl LongTexts for Company {
    const NAMES: &'static [&'static str] = &["notes"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetCompany)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.notes)]
    }
}

/// A company in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: CompanyId,
    name: String,
    domain: Option<String>,
    industry: Option<String>,
}

impl Row {
    fn of(company: &Company) -> Self {
        Self {
            id: company.id,
            name: company.name.clone(),
            domain: company.domain.clone(),
            industry: company.industry.clone(),
        }
    }
}

fields! {
    /// Which companies.
    pub(crate) struct Filter {
        /// Starts of words in name or domain; all must match.
        search: SearchQuery,
    }
}

/// Lists and searches companies.
pub(crate) struct ListCompanies;

impl ToolCall for ListCompanies {
    const TOOL: Tool = Tool::ListCompanies;
    const TITLE: &'static str = "List companies";
    const DESCRIPTION: &'static str = "Finds companies, newest first, as compact rows; search narrows by starts of words in name or domain. Use it to get a company_id for contacts, deals and projects. Cheap.";
    type Permission = ReadCompanies;
    type Arguments = Paged<Filter, Company>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let filter = CompanyFilter { search: filter.search.set().cloned() };
        let page = companies::list(&call.ports, &call.permit, filter, page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a company.
pub(crate) struct GetCompany;

impl ToolCall for GetCompany {
    const TOOL: Tool = Tool::GetCompany;
    const TITLE: &'static str = "Get company";
    const DESCRIPTION: &'static str = "Reads one company with all fields by its id. Cheap.";
    type Permission = ReadCompanies;
    type Arguments = Get<Company>;
    type Output = Detail<Company>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = companies::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a company.
pub(crate) struct CreateCompany;

impl ToolCall for CreateCompany {
    const TOOL: Tool = Tool::CreateCompany;
    const TITLE: &'static str = "Create company";
    const DESCRIPTION: &'static str =
        "Adds a company. Its domain must be new in the workspace: search first. Counts against the monthly CRM quota.";
    type Permission = CreateCompanies;
    type Arguments = CompanyFields;
    type Output = Detail<Company>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(companies::create(&call.ports, &call.permit, once, call.arguments).await?))
    }
}

/// Changes a company.
pub(crate) struct UpdateCompany;

impl ToolCall for UpdateCompany {
    const TOOL: Tool = Tool::UpdateCompany;
    const TITLE: &'static str = "Update company";
    const DESCRIPTION: &'static str = "Changes fields of a company. Fields that are absent stay; null clears one.";
    type Permission = UpdateCompanies;
    type Arguments = Update<CompanyFields>;
    type Output = Detail<Company>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = companies::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a company.
pub(crate) struct DeleteCompany;

impl ToolCall for DeleteCompany {
    const TOOL: Tool = Tool::DeleteCompany;
    const TITLE: &'static str = "Delete company";
    const DESCRIPTION: &'static str = "Deletes a company; its contacts, deals and projects stay. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteCompanies;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        companies::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
