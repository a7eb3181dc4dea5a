//! Resolves companies and contacts that rows refer to by name, because other systems export names instead of keys.

use std::collections::HashMap;

use serde_json::Value as Json;
use uuid::Uuid;

use crate::crm::companies::{Company, CompanyFields};
use crate::crm::upserts::NewCompanies;
use crate::kernel::input::{Input, InputMode, Problems};
use crate::kernel::search::{SearchWords, name_key};
use crate::ports::{BatchRepo, MAX_NAMESAKES, NamedRecord, Tx};
use crate::records::{ImportRow, Resource, Writing, message_of};
use crate::{CompanyId, Error};

/// Records by the keys of their names ([`name_key`]).
type ByName = HashMap<String, Vec<NamedRecord>>;

/// The records that the names in a batch refer to.
pub(super) struct Names<'a> {
    writing: &'a Writing,
    companies: ByName,
    contacts: ByName,
    new: NewCompanies,
}

impl<'a> Names<'a> {
    /// Looks up all names, with one statement for companies and one for contacts. Concurrent imports
    /// that name companies wait for each other, so that a company is created only once.
    pub(super) fn look_up(
        writing: &'a Writing,
        tx: &mut dyn Tx,
        companies: &[String],
        contacts: &[String],
    ) -> Result<Self, Error> {
        let mut names =
            Self { writing, companies: ByName::new(), contacts: ByName::new(), new: NewCompanies::default() };
        if !companies.is_empty() {
            BatchRepo::<Company>::lock_batches(tx.companies())?;
            names.companies = by_name(tx.companies().named(&distinct(companies))?);
        }
        if !contacts.is_empty() {
            names.contacts = by_name(tx.contacts().named(&distinct(contacts))?);
        }
        Ok(names)
    }

    /// The company with this name; a new one if there is none. A company with a different id in the other system does not match.
    ///
    /// # Errors
    /// Why the company is ambiguous or invalid, and what to do.
    pub(super) fn company(&mut self, name: &str, external_id: Option<&str>) -> Result<Uuid, String> {
        let same = self.companies.entry(name_key(name)).or_default();
        let may_be = |record: &&NamedRecord| match (&record.external_id, external_id) {
            (Some(theirs), Some(ours)) => theirs == ours,
            _ => true,
        };
        let found: Vec<_> = same.iter().filter(may_be).collect();
        let exact = found.iter().find(|record| external_id.is_some() && record.external_id.as_deref() == external_id);
        if let Some(record) = exact {
            return Ok(record.id);
        }
        if found.len() > 1 || same.len() >= MAX_NAMESAKES {
            return Err(format!(
                "several companies of the workspace are named {name:?}: identify it with company_external_id or \
                 company_domain, or give them different names"
            ));
        }
        if let [record] = found.as_slice() {
            return Ok(record.id);
        }
        let company = new_company(self.writing, name, external_id)?;
        let id = company.id.0;
        same.push(NamedRecord { name: name.to_owned(), id, external_id: company.external_id.clone() });
        self.new.add(company);
        Ok(id)
    }

    /// The contact with this name; `None` if there is none.
    ///
    /// # Errors
    /// Why the contact is ambiguous, and what to do.
    pub(super) fn contact(&self, name: &str) -> Result<Option<Uuid>, String> {
        match self.contacts.get(&name_key(name)).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([record]) => Ok(Some(record.id)),
            Some(_) => Err(format!(
                "several contacts of the workspace are named {name:?}: identify it with contact_email or \
                 contact_external_id"
            )),
        }
    }

    /// Whether the company with this id has this name. The name must have been looked up.
    pub(super) fn is_company(&self, name: &str, id: Option<Uuid>) -> bool {
        has_id(&self.companies, name, id)
    }

    /// Whether the contact with this id has this name. The name must have been looked up.
    pub(super) fn is_contact(&self, name: &str, id: Option<Uuid>) -> bool {
        has_id(&self.contacts, name, id)
    }

    pub(super) fn into_new(self) -> NewCompanies {
        self.new
    }
}

/// A new company with this name.
fn new_company(writing: &Writing, name: &str, external_id: Option<&str>) -> Result<Company, String> {
    if SearchWords::in_text(name).is_empty() {
        return Err(format!("{name:?} is not a company name: it needs a letter or a digit"));
    }
    let mut row = ImportRow::from_iter([("name".to_owned(), Json::from(name))]);
    row.extend(external_id.map(|id| ("external_id".to_owned(), Json::from(id))));
    let fields = CompanyFields::from_object_with(row, InputMode::Create, Problems::default().leniently());
    let fields = fields.map_err(|error| message_of(&error))?;
    let mut company = Company::blank(CompanyId(writing.ports.ids.new_id()), writing.actor(), writing.now);
    company.apply(fields);
    Ok(company)
}

fn has_id(records: &ByName, name: &str, id: Option<Uuid>) -> bool {
    records.get(&name_key(name)).is_some_and(|same| same.iter().any(|record| Some(record.id) == id))
}

/// The names without duplicates.
pub(super) fn distinct(names: &[String]) -> Vec<String> {
    let by_key: HashMap<_, _> = names.iter().map(|name| (name_key(name), name.trim().to_owned())).collect();
    by_key.into_values().collect()
}

fn by_name(records: Vec<NamedRecord>) -> ByName {
    let mut by_name = ByName::new();
    for record in records {
        by_name.entry(name_key(&record.name)).or_default().push(record);
    }
    by_name
}
