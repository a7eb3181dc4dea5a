//! Columns that refer to a record by its keys, because its id differs between workspaces.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value as Json;
use uuid::Uuid;

use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::crm::upserts::NewCompanies;
use crate::kernel::input::EmailKey;
use crate::kernel::{KeySet, RecordKeys};
use crate::ports::{BatchRepo, RowLock, Tx};
use crate::records::{ImportRow, Kind, Writing};
use crate::work::projects::Project;
use crate::{Error, ProjectId, UserId};

use super::by_name::Names;
use super::entry_names::EntryNames;
use super::link_texts::{Reasons, TextOfRow};
use super::presets::rules::name_and_email;
use super::{Columns, Notes, TransferKind};

/// The kind of record that a column refers to, and by which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum LinkKey {
    CompanyExternalId,
    CompanyDomain,
    ContactExternalId,
    ContactEmail,
    DealExternalId,
    ProjectExternalId,
    MemberEmail,
    /// By a name, found among all records, or created.
    CompanyName,
    /// By a name, found among all records, or kept as text.
    ContactName,
    /// By the e-mail address of a member, or kept as text.
    Owner,
    /// By the name of an active member.
    MemberName,
    /// By the name of a project, or kept as text.
    ProjectName,
    /// By the name of the company that the project is for.
    ClientName,
}

impl LinkKey {
    /// Whether an export has a column for it. Names are not keys, so they have none.
    const fn is_exported(self) -> bool {
        !matches!(self, Self::CompanyName | Self::ContactName | Self::Owner) && !self.is_name_in_entry()
    }

    /// Whether it is a name that only time entries have.
    const fn is_name_in_entry(self) -> bool {
        matches!(self, Self::MemberName | Self::ProjectName | Self::ClientName)
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::CompanyExternalId => "company of the workspace has this external_id",
            Self::CompanyDomain => "company of the workspace has this domain",
            Self::ContactExternalId => "contact of the workspace has this external_id",
            Self::ContactEmail => "contact of the workspace has this e-mail address",
            Self::DealExternalId => "deal of the workspace has this external_id",
            Self::ProjectExternalId => "project of the workspace has this external_id",
            Self::MemberEmail | Self::Owner => "member of the workspace has this e-mail address",
            Self::CompanyName => "company of the workspace has this name",
            Self::ContactName => "contact of the workspace has this name",
            Self::MemberName => "active member of the workspace has this name",
            Self::ProjectName | Self::ClientName => "project of the workspace has this name",
        }
    }

    /// A value in the form for comparison.
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

impl Link {
    pub(super) const fn is_owner(self) -> bool {
        matches!(self.key, LinkKey::Owner)
    }

    /// Whether it is a name that only time entries have. A value for all rows applies where the name is not found.
    pub(super) const fn is_name_in_entry(self) -> bool {
        self.key.is_name_in_entry()
    }
}

/// A column with the name of a company, which is created if it does not exist.
pub(super) const COMPANY_BY_NAME: &str = "company_by_name";
pub(super) const CONTACT_BY_NAME: &str = "contact_by_name";
const OWNER: &str = "owner_by_email";
pub(super) const MEMBER_BY_NAME: &str = "member_by_name";
pub(super) const PROJECT_BY_NAME: &str = "project_by_name";
pub(super) const CLIENT_BY_NAME: &str = "client_by_name";

const fn link(column: &'static str, member: &'static str, key: LinkKey) -> Link {
    Link { column, member, key }
}

/// All of them: of two for a member, the first with a value counts.
const LINKS: [Link; 18] = [
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
    link("member_email", "member_id", LinkKey::MemberEmail),
    link(COMPANY_BY_NAME, "company_id", LinkKey::CompanyName),
    link(CONTACT_BY_NAME, "contact_id", LinkKey::ContactName),
    link(OWNER, "assigned_to", LinkKey::Owner),
    link(OWNER, "assignee_id", LinkKey::Owner),
    link(MEMBER_BY_NAME, "member_id", LinkKey::MemberName),
    link(PROJECT_BY_NAME, "project_id", LinkKey::ProjectName),
    link(CLIENT_BY_NAME, "project_id", LinkKey::ClientName),
];

/// The link columns of a kind. Links by name exist only for the kinds that other systems export with names.
pub(super) fn links_of(kind: TransferKind) -> Vec<Link> {
    let members = kind.members();
    let has_names = matches!(kind, TransferKind::Contacts | TransferKind::Deals);
    let is_for = |link: &Link| {
        members.iter().any(|member| member.name == link.member)
            && (has_names || !matches!(link.key, LinkKey::CompanyName | LinkKey::ContactName))
            && (kind == TransferKind::TimeEntries || !link.is_name_in_entry())
    };
    LINKS.into_iter().filter(is_for).collect()
}

/// The column with the e-mail address of the user whose id is in this member.
pub(super) fn address_column(kind: TransferKind, member: &str) -> Option<&'static str> {
    let of_member = |link: &Link| link.member == member && link.key == LinkKey::MemberEmail;
    links_of(kind).into_iter().find(of_member).map(|link| link.column)
}

/// The link columns of an export.
pub(super) fn exported_links_of(kind: TransferKind) -> Vec<Link> {
    links_of(kind).into_iter().filter(|link| link.key.is_exported()).collect()
}

/// Whether columns that are mapped in this way do not say whose time they have, which is then that of the importer.
pub fn lack_member(kind: TransferKind, mapping: &[String]) -> bool {
    let links = links_of(kind);
    let is_member = |name: &String| {
        name == "member_id" || links.iter().any(|link| link.column == name && link.member == "member_id")
    };
    kind == TransferKind::TimeEntries && !mapping.iter().any(is_member)
}

type IdsByKey = HashMap<(LinkKey, String), Uuid>;

/// The records that the rows refer to.
pub(super) struct Resolved {
    /// The reason for each row whose reference is not found.
    pub(super) refusals: Vec<Option<String>>,
    /// The new companies that rows name. The rows already have their ids.
    pub(super) companies: NewCompanies,
    pub(super) notes: Notes,
}

/// The text with which a row refers to a record, in the form for comparison.
fn value_of(row: &ImportRow, link: &Link) -> Option<String> {
    row.get(link.column).and_then(Json::as_str).map(|text| link.key.folded(text)).filter(|text| !text.is_empty())
}

/// Moves an e-mail address in the column for an id to the column for addresses, unless that has a value.
fn move_addresses(row: &mut ImportRow, links: &[Link]) {
    for link in links.iter().filter(|link| link.key == LinkKey::MemberEmail) {
        let is_address = row.get(link.member).and_then(Json::as_str).is_some_and(|text| text.contains('@'));
        if is_address && let Some(address) = row.remove(link.member) {
            row.entry(link.column).or_insert(address);
        }
    }
}

/// Replaces keys and names of records by their ids. One statement for each kind of key or name, but one for each external id of a
/// project, and one per thousand members to find their names.
pub(super) fn resolve(
    writing: &Writing,
    tx: &mut dyn Tx,
    columns: &Columns,
    rows: &mut [ImportRow],
) -> Result<Resolved, Error> {
    let kind = columns.kind();
    let links = links_of(kind);
    for row in rows.iter_mut() {
        move_addresses(row, &links);
    }
    let mut lookups: HashMap<LinkKey, BTreeSet<String>> = HashMap::new();
    for (row, link) in rows.iter().flat_map(|row| links.iter().map(move |link| (row, link))) {
        let Some(value) = value_of(row, link) else { continue };
        if link.is_owner() {
            lookups.entry(LinkKey::MemberEmail).or_default().extend(email_in(&value));
        } else {
            if link.key == LinkKey::ContactName {
                lookups.entry(LinkKey::ContactEmail).or_default().extend(email_in(&value));
            }
            lookups.entry(link.key).or_default().insert(value);
        }
    }
    let found = look_up(tx, &lookups)?;
    let values = |key| lookups.get(&key).into_iter().flatten().cloned().collect::<Vec<_>>();
    let mut names = Names::look_up(writing, tx, &values(LinkKey::CompanyName), &values(LinkKey::ContactName))?;
    let (members, projects) = (values(LinkKey::MemberName), values(LinkKey::ProjectName));
    let in_entries = EntryNames::look_up(tx, &members, &projects, &values(LinkKey::ClientName))?;
    let mut notes = Notes::default();
    let mut refusals = Vec::with_capacity(rows.len());
    for row in rows {
        // By member, so that a column is not resolved by the column of another member.
        let mut refused = Reasons::new();
        for link in links.iter().filter(|link| link.key.is_exported()).rev() {
            if let Some(value) = value_of(row, link) {
                match found.get(&(link.key, value)) {
                    Some(id) => {
                        row.insert(link.member.to_owned(), id.to_string().into());
                        refused.remove(link.member);
                    }
                    None => drop(refused.insert(link.member, format!("{}: no {}", link.column, link.key.noun()))),
                }
            }
        }
        for link in links.iter().filter(|link| !link.key.is_exported() && !link.is_name_in_entry()) {
            let Some(value) = row.get(link.column).and_then(Json::as_str).map(str::to_owned) else { continue };
            let value = value.trim();
            let mut text = TextOfRow { kind, row, refused: &mut refused, notes: &mut notes };
            match link.key {
                LinkKey::CompanyName => text.company(&mut names, value),
                LinkKey::ContactName => {
                    text.contact(&names, named_by_email(&found, LinkKey::ContactEmail, value), value);
                }
                _ => text.owner(link.member, named_by_email(&found, LinkKey::MemberEmail, value), value),
            }
        }
        in_entries.resolve(columns.title(), row, &mut refused, &mut notes);
        for link in &links {
            row.remove(link.column);
        }
        refusals.push((!refused.is_empty()).then(|| refused.into_values().collect::<Vec<_>>().join("; ")));
    }
    Ok(Resolved { refusals, companies: names.into_new(), notes })
}

/// The address in a text such as `Mia Ott (mia@x.example)`, in the form for comparison.
fn email_in(text: &str) -> Option<String> {
    name_and_email(text).1.map(|email| EmailKey::of(email).into())
}

/// The member or contact whose e-mail address is in a text.
fn named_by_email(found: &IdsByKey, key: LinkKey, text: &str) -> Option<Uuid> {
    found.get(&(key, email_in(text)?)).copied()
}

fn look_up(tx: &mut dyn Tx, lookups: &HashMap<LinkKey, BTreeSet<String>>) -> Result<IdsByKey, Error> {
    let values = |key: LinkKey| -> Vec<String> { lookups.get(&key).into_iter().flatten().cloned().collect() };
    let mut found = IdsByKey::new();
    let companies = keyed(values(LinkKey::CompanyExternalId), values(LinkKey::CompanyDomain), |keys| {
        Ok(BatchRepo::<Company>::with_keys(tx.companies(), keys, RowLock::None)?)
    })?;
    note(&mut found, companies, LinkKey::CompanyExternalId, Some(LinkKey::CompanyDomain));
    let contacts = keyed(values(LinkKey::ContactExternalId), values(LinkKey::ContactEmail), |keys| {
        Ok(BatchRepo::<Contact>::with_keys(tx.contacts(), keys, RowLock::None)?)
    })?;
    note(&mut found, contacts, LinkKey::ContactExternalId, Some(LinkKey::ContactEmail));
    let deals = keyed(values(LinkKey::DealExternalId), Vec::new(), |keys| {
        Ok(BatchRepo::<Deal>::with_keys(tx.deals(), keys, RowLock::None)?)
    })?;
    note(&mut found, deals, LinkKey::DealExternalId, None);
    for value in values(LinkKey::ProjectExternalId) {
        if let Some(id) = tx.record_with(&Project::unique("external_id", value.clone()))? {
            found.insert((LinkKey::ProjectExternalId, value), id);
        }
    }
    let emails = values(LinkKey::MemberEmail);
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

fn note(found: &mut IdsByKey, records: Keyed, external_id: LinkKey, natural: Option<LinkKey>) {
    for record in records {
        let natural = record.keys.natural.zip(natural).map(|(text, key)| ((key, text), record.id));
        found.extend(record.keys.external_id.map(|text| ((external_id, text), record.id)).into_iter().chain(natural));
    }
}

/// The keys of the records with these ids, in the order of the member's links.
pub(super) fn keys_of(
    tx: &mut dyn Tx,
    kind: TransferKind,
    member: &str,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, RecordKeys>, Error> {
    let Some(first) = exported_links_of(kind).into_iter().find(|link| link.member == member) else {
        return Ok(HashMap::new());
    };
    Ok(match first.key {
        LinkKey::CompanyExternalId | LinkKey::CompanyDomain => {
            let found = BatchRepo::<Company>::get_many(tx.companies(), ids)?;
            found.into_iter().map(|company| (company.id.0, company.keys())).collect()
        }
        LinkKey::ContactExternalId | LinkKey::ContactEmail => {
            let found = BatchRepo::<Contact>::get_many(tx.contacts(), ids)?;
            // The address as given, not in the form for comparison.
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
                if let Some(project) = tx.records::<Project>().get(ProjectId(*id))? {
                    found.insert(*id, RecordKeys { external_id: project.external_id, natural: None });
                }
            }
            found
        }
        LinkKey::MemberEmail => {
            let ids: Vec<_> = ids.iter().copied().map(UserId).collect();
            let found = tx.members().recipients(&ids)?;
            // Members have one key, which takes the position of the first link.
            let keys = |email| RecordKeys { external_id: Some(email), natural: None };
            found.into_iter().map(|member| (member.user_id.0, keys(member.email))).collect()
        }
        LinkKey::CompanyName
        | LinkKey::ContactName
        | LinkKey::Owner
        | LinkKey::MemberName
        | LinkKey::ProjectName
        | LinkKey::ClientName => HashMap::new(),
    })
}
