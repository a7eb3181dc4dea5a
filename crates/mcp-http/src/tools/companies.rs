//! Companies.

use domain::crm::companies::Company;
use domain::crm::upserts;
use domain::records;
use domain::tools::Tool;
use domain::{CompanyId, UserId};

use crate::long_texts::long_texts;
use crate::outputs::{FoundRow, row};
use crate::tool::{Entry, entry};

long_texts!(Company, Some(Tool::GetCompany), notes: OptionalText);

row! {
    /// A company in a list.
    Row of Company {
        id: CompanyId,
        name: String,
        domain: Option<String>,
        industry: Option<String>,
        assigned_to: Option<UserId>,
    }
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListCompanies, "List companies", "Finds companies, newest first by default.")
            .list(records::list_or_deleted::<Company>, |company| FoundRow::of(company, Row::of)),
        entry(Tool::GetCompany, "Get company", "Reads one company with all fields.")
            .get(records::read::<Company>),
        entry(Tool::CreateCompany, "Create company", "Adds a company. Its domain must be new.")
            .create(records::create::<Company>),
        entry(Tool::UpdateCompany, "Update company", "Changes a company; null clears a field.")
            .update(records::update::<Company>),
        entry(Tool::DeleteCompany, "Delete company", "Deletes a company. Confirm first; restorable for 30 days.")
            .delete_with_references(records::delete::<Company>),
        entry(
            Tool::UpsertCompanies,
            "Create or update companies",
            "Creates or changes up to 500 companies, each as in create_company or with expected_version, matched by external_id, else domain. Above 25: 10 calls a minute.",
        )
        .upsert(upserts::upsert::<Company>),
    ]
}
