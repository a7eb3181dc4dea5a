//! Companies.

use domain::crm::companies::Company;
use domain::crm::upserts;
use domain::records;
use domain::tools::Tool;
use domain::{CompanyId, UserId};

use crate::long_texts::long_texts;
use crate::outputs::{FoundRow, row};
use crate::tool::Entry;

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
        Entry::list(
            Tool::ListCompanies,
            "List companies",
            "Finds companies, newest first. Order updated: oldest change first.",
            records::list_or_deleted::<Company>,
            |company| FoundRow::of(company, Row::of),
        ),
        Entry::get(Tool::GetCompany, "Get company", "Reads one company with all fields.", records::read::<Company>),
        Entry::create(
            Tool::CreateCompany,
            "Create company",
            "Adds a company. Its domain must be new in the workspace.",
            records::create::<Company>,
        ),
        Entry::update(
            Tool::UpdateCompany,
            "Update company",
            "Changes a company; null clears a field.",
            records::update::<Company>,
        ),
        Entry::delete_referred(
            Tool::DeleteCompany,
            "Delete company",
            "Deletes a company. Confirm first; restore_record undoes it for 30 days.",
            records::delete::<Company>,
        ),
        Entry::upsert(
            Tool::UpsertCompanies,
            "Create or update many companies",
            "Creates or changes up to 500 companies, each as in create_company or with expected_version, matched by external_id, else domain. Above 25 items: 10 calls a minute.",
            upserts::upsert::<Company>,
        ),
    ]
}
