//! Columns that name a referred record by what identifies it in other systems, since its id is another one in each
//! workspace.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value as Json;
use uuid::Uuid;

use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::kernel::input::{EmailKey, parse_uuid};
use crate::kernel::{KeySet, RecordKeys, UniqueValue};
use crate::ports::{BatchRepo, RowLock, Tx};
use crate::records::ImportRow;
use crate::{Error, ProjectId, UserId};

use super::TransferKind;

/// What is referred to, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum LinkKey {
    CompanyExternalId,
    CompanyDomain,
    ContactExternalId,
    ContactEmail,
    DealExternalId,
    ProjectExternalId,
    MemberEmail,
}

impl LinkKey {
    const fn what(self) -> &'static str {
        match self {
            Self::CompanyExternalId => "company of the workspace has this external_id",
            Self::CompanyDomain => "company of the workspace has this domain",
            Self::ContactExternalId => "contact of the workspace has this external_id",
            Self::ContactEmail => "contact of the workspace has this e-mail address",
            Self::DealExternalId => "deal of the workspace has this external_id",
            Self::ProjectExternalId => "project of the workspace has this external_id",
            Self::MemberEmail => "member of the workspace has this e-mail address",
        }
    }

    /// A value as it is compared.
    fn folded(self, value: &str) -> String {
        match self {
            Self::ContactEmail | Self::MemberEmail => EmailKey::of(value).into(),
            Self::CompanyDomain => value.trim().to_lowercase(),
            _ => value.trim().to_owned(),
        }
    }
}

/// A column that names the record of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) column: &'static str,
    pub(super) member: &'static str,
    key: LinkKey,
}

const fn link(column: &'static str, member: &'static str, key: LinkKey) -> Link {
    Link { column, member, key }
}

/// All of them: of two for a member, the first with a value counts.
const LINKS: [Link; 10] = [
    link("company_external_id", "company_id", LinkKey::CompanyExternalId),
    link("company_domain", "company_id", LinkKey::CompanyDomain),
    link("contact_external_id", "contact_id", LinkKey::ContactExternalId),
    link("contact_email", "contact_id", LinkKey::ContactEmail),
    link("deal_external_id", "deal_id", LinkKey::DealExternalId),
    link("project_external_id", "project_id", LinkKey::ProjectExternalId),
    link("assigned_to_email", "assigned_to", LinkKey::MemberEmail),
    link("rep_email", "rep_id", LinkKey::MemberEmail),
    link("assignee_email", "assignee_id", LinkKey::MemberEmail),
    link("lead_user_email", "lead_user_id", LinkKey::MemberEmail),
];

/// The columns of a kind.
pub(super) fn links_of(kind: TransferKind) -> Vec<Link> {
    let members = kind.members();
    LINKS.into_iter().filter(|link| members.iter().any(|member| member.name == link.member)).collect()
}

type Found = HashMap<(LinkKey, String), Uuid>;

/// Replaces what names records by their ids. A statement for each way in which records are named, but one for each project.
/// The result has the reason for each row that names none.
///
/// # Errors
/// Those of the store.
pub(super) fn resolve(
    tx: &mut dyn Tx,
    kind: TransferKind,
    rows: &mut [ImportRow],
) -> Result<Vec<Option<String>>, Error> {
    let links = links_of(kind);
    let value_of = |row: &ImportRow, link: &Link| -> Option<String> {
        row.get(link.column).and_then(Json::as_str).map(|text| link.key.folded(text)).filter(|text| !text.is_empty())
    };
    let mut wanted: HashMap<LinkKey, BTreeSet<String>> = HashMap::new();
    for (row, link) in rows.iter().flat_map(|row| links.iter().map(move |link| (row, link))) {
        if let Some(value) = value_of(row, link) {
            wanted.entry(link.key).or_default().insert(value);
        }
    }
    let found = look_up(tx, &wanted)?;
    let mut refusals = Vec::with_capacity(rows.len());
    for row in rows {
        // By member: what another column says of one is no answer for this one.
        let mut refused: BTreeMap<&str, String> = BTreeMap::new();
        for link in links.iter().rev() {
            if let Some(value) = value_of(row, link) {
                match found.get(&(link.key, value)) {
                    Some(id) => {
                        row.insert(link.member.to_owned(), id.to_string().into());
                        refused.remove(link.member);
                    }
                    None => drop(refused.insert(link.member, format!("{}: no {}", link.column, link.key.what()))),
                }
            }
        }
        for link in &links {
            row.remove(link.column);
        }
        refusals.push((!refused.is_empty()).then(|| refused.into_values().collect::<Vec<_>>().join("; ")));
    }
    Ok(refusals)
}

fn look_up(tx: &mut dyn Tx, wanted: &HashMap<LinkKey, BTreeSet<String>>) -> Result<Found, Error> {
    let of = |key: LinkKey| -> Vec<String> { wanted.get(&key).into_iter().flatten().cloned().collect() };
    let mut found = Found::new();
    let companies = keyed(of(LinkKey::CompanyExternalId), of(LinkKey::CompanyDomain), |keys| {
        Ok(BatchRepo::<Company>::with_keys(tx.companies(), keys, RowLock::None)?)
    })?;
    note(&mut found, companies, LinkKey::CompanyExternalId, Some(LinkKey::CompanyDomain));
    let contacts = keyed(of(LinkKey::ContactExternalId), of(LinkKey::ContactEmail), |keys| {
        Ok(BatchRepo::<Contact>::with_keys(tx.contacts(), keys, RowLock::None)?)
    })?;
    note(&mut found, contacts, LinkKey::ContactExternalId, Some(LinkKey::ContactEmail));
    let deals = keyed(of(LinkKey::DealExternalId), Vec::new(), |keys| {
        Ok(BatchRepo::<Deal>::with_keys(tx.deals(), keys, RowLock::None)?)
    })?;
    note(&mut found, deals, LinkKey::DealExternalId, None);
    for value in of(LinkKey::ProjectExternalId) {
        if let Some(id) = tx.record_with(&UniqueValue::ProjectExternalId(value.clone()))? {
            found.insert((LinkKey::ProjectExternalId, value), id);
        }
    }
    let emails = of(LinkKey::MemberEmail);
    if !emails.is_empty() {
        let members = tx.members().ids_of(&emails)?;
        found.extend(members.into_iter().map(|(email, id)| ((LinkKey::MemberEmail, email), id.0)));
    }
    Ok(found)
}

type Keyed = Vec<crate::kernel::KeyedRecord>;

fn keyed(
    external_ids: Vec<String>,
    natural: Vec<String>,
    find: impl FnOnce(&KeySet) -> Result<Keyed, Error>,
) -> Result<Keyed, Error> {
    let keys = KeySet { external_ids, natural, ..KeySet::default() };
    if keys.is_empty() { Ok(Vec::new()) } else { find(&keys) }
}

fn note(found: &mut Found, records: Keyed, external_id: LinkKey, natural: Option<LinkKey>) {
    for record in records {
        let natural = record.keys.natural.zip(natural).map(|(text, key)| ((key, text), record.id));
        found.extend(record.keys.external_id.map(|text| ((external_id, text), record.id)).into_iter().chain(natural));
    }
}

/// Adds to records, as an export has them, what names those that they refer to.
///
/// # Errors
/// Those of the store.
pub(super) fn name(tx: &mut dyn Tx, kind: TransferKind, rows: &mut [ImportRow]) -> Result<(), Error> {
    let links = links_of(kind);
    let id_in = |row: &ImportRow, member: &str| row.get(member).and_then(Json::as_str).and_then(parse_uuid);
    let members: BTreeSet<_> = links.iter().map(|link| link.member).collect();
    for member in members {
        let ids: BTreeSet<_> = rows.iter().filter_map(|row| id_in(row, member)).collect();
        if ids.is_empty() {
            continue;
        }
        let of_member: Vec<_> = links.iter().filter(|link| link.member == member).collect();
        let keys = keys_of(tx, of_member.first().map(|link| link.key), &ids.into_iter().collect::<Vec<_>>())?;
        for row in rows.iter_mut() {
            let Some(found) = id_in(row, member).and_then(|id| keys.get(&id)) else { continue };
            let values = [&found.external_id, &found.natural];
            for (link, value) in of_member.iter().zip(values) {
                row.insert(link.column.to_owned(), value.clone().map_or(Json::Null, Json::from));
            }
        }
    }
    Ok(())
}

/// The keys of records in the order of the links of their member.
fn keys_of(tx: &mut dyn Tx, first: Option<LinkKey>, ids: &[Uuid]) -> Result<HashMap<Uuid, RecordKeys>, Error> {
    let Some(first) = first else { return Ok(HashMap::new()) };
    Ok(match first {
        LinkKey::CompanyExternalId | LinkKey::CompanyDomain => {
            let found = BatchRepo::<Company>::get_many(tx.companies(), ids)?;
            found.into_iter().map(|company| (company.id.0, company.keys())).collect()
        }
        LinkKey::ContactExternalId | LinkKey::ContactEmail => {
            let found = BatchRepo::<Contact>::get_many(tx.contacts(), ids)?;
            // As it was given, and not as it is compared.
            let keys = |it: &Contact| RecordKeys { natural: Some(it.email.to_lowercase()), ..it.keys() };
            found.into_iter().map(|contact| (contact.id.0, keys(&contact))).collect()
        }
        LinkKey::DealExternalId => {
            let found = BatchRepo::<Deal>::get_many(tx.deals(), ids)?;
            found.into_iter().map(|deal| (deal.id.0, deal.keys())).collect()
        }
        LinkKey::ProjectExternalId => {
            let mut found = HashMap::new();
            for id in ids {
                if let Some(project) = tx.projects().get(ProjectId(*id))? {
                    found.insert(*id, RecordKeys { external_id: project.external_id, natural: None });
                }
            }
            found
        }
        LinkKey::MemberEmail => {
            let ids: Vec<_> = ids.iter().copied().map(UserId).collect();
            let found = tx.members().recipients(&ids)?;
            // The only key stands where the first link looks for it.
            let keys = |email| RecordKeys { external_id: Some(email), natural: None };
            found.into_iter().map(|member| (member.user_id.0, keys(member.email))).collect()
        }
    })
}
