//! Adds names and identifying values of the records and members that exported records refer to. Names are for human readers; the
//! identifying values find the records in another workspace.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value as Json;
use uuid::Uuid;

use super::TransferKind;
use super::kind::CREATED_BY_NAME;
use super::links::{exported_links_of, keys_of, links_of};
use crate::Error;
use crate::console::{Names, WantedNames};
use crate::identity::access::Permit;
use crate::kernel::RecordKeys;
use crate::kernel::input::parse_uuid;
use crate::ports::Tx;
use crate::records::{ImportRow, RecordKind};

/// The kind of thing that an id refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Referent {
    Record(RecordKind),
    /// A record of the same kind as the exported records.
    SameKind,
    Member,
}

/// A column with the name of the record that a member refers to.
#[derive(Debug, Clone, Copy)]
struct NameColumn {
    column: &'static str,
    member: &'static str,
    referent: Referent,
}

const fn name(column: &'static str, member: &'static str, referent: Referent) -> NameColumn {
    NameColumn { column, member, referent }
}

const NAMES: [NameColumn; 16] = [
    name("company_name", "company_id", Referent::Record(RecordKind::Company)),
    name("contact_name", "contact_id", Referent::Record(RecordKind::Contact)),
    name("deal_name", "deal_id", Referent::Record(RecordKind::Deal)),
    name("project_name", "project_id", Referent::Record(RecordKind::Project)),
    name("cycle_name", "cycle_id", Referent::Record(RecordKind::Cycle)),
    name("parent_name", "parent_id", Referent::SameKind),
    name("epic_name", "epic_id", Referent::SameKind),
    name("assigned_to_name", "assigned_to", Referent::Member),
    name("rep_name", "rep_id", Referent::Member),
    name("assignee_name", "assignee_id", Referent::Member),
    name("lead_user_name", "lead_user_id", Referent::Member),
    name("member_name", "member_id", Referent::Member),
    name("task_name", "task_id", Referent::Record(RecordKind::Task)),
    name("ticket_name", "ticket_id", Referent::Record(RecordKind::Ticket)),
    name("in_project_name", "in_project_id", Referent::Record(RecordKind::Project)),
    name("for_company_name", "for_company_id", Referent::Record(RecordKind::Company)),
];

/// Not `company_name`, because that is a free-text member of contacts.
const COMPANY_OF_CONTACT: NameColumn = name("linked_company_name", "company_id", Referent::Record(RecordKind::Company));

/// The name column of a member.
fn name_of(kind: TransferKind, member: &str) -> Option<NameColumn> {
    let column = NAMES.into_iter().find(|name| name.member == member)?;
    Some(match (kind, column.member) {
        (TransferKind::Contacts, "company_id") => COMPANY_OF_CONTACT,
        _ => column,
    })
}

/// The name of the name column of a member.
pub(super) fn name_column(kind: TransferKind, member: &str) -> Option<&'static str> {
    name_of(kind, member).map(|name| name.column)
}

/// Whether a column has names and the header also has a column that identifies the records, as in an export. An import ignores such names.
/// Without the other column, a name would not identify a record.
pub(super) fn is_redundant_name(kind: TransferKind, column: &str, header: &[String]) -> bool {
    let members = kind.members().into_iter().map(|member| member.name).chain(kind.read_only());
    let Some(name) = members.filter_map(|member| name_of(kind, member)).find(|name| name.column == column) else {
        return false;
    };
    let links = links_of(kind);
    let identifies = |other: &String| {
        other == name.member || links.iter().any(|link| link.member == name.member && link.column == other)
    };
    header.iter().any(identifies)
}

/// The kind of record that a member refers to; `None` for members of the workspace.
fn record_kind(kind: TransferKind, referent: Referent) -> Option<RecordKind> {
    match referent {
        Referent::Record(kind) => Some(kind),
        Referent::SameKind => Some(kind.one()),
        Referent::Member => None,
    }
}

/// The ids that the rows of a page refer to.
#[derive(Debug, Clone, Default)]
pub(super) struct ReferencedIds {
    names: WantedNames,
    /// The ids by member, for columns with identifying values.
    keys: BTreeMap<&'static str, BTreeSet<Uuid>>,
}

/// The names and identifying values of the records with these ids.
#[derive(Debug, Default)]
pub(super) struct ReferenceNames {
    names: Names,
    keys: HashMap<&'static str, HashMap<Uuid, RecordKeys>>,
}

fn id_in(row: &ImportRow, member: &str) -> Option<Uuid> {
    row.get(member).and_then(Json::as_str).and_then(parse_uuid)
}

fn creator(row: &ImportRow) -> Option<Uuid> {
    row.get("created_by")?.get("id")?.as_str().and_then(parse_uuid)
}

impl ReferencedIds {
    /// Collects the ids in rows, for the records that the caller may read and the columns that are exported.
    pub(super) fn of<P>(permit: &Permit<P>, kind: TransferKind, columns: &[&str], rows: &[ImportRow]) -> Self {
        let mut references = Self::default();
        let links = exported_links_of(kind);
        for member in kind.members().into_iter().map(|member| member.name).chain(kind.read_only()) {
            let Some(name) = name_of(kind, member) else { continue };
            let record = record_kind(kind, name.referent);
            if record.is_some_and(|record| !permit.may_read_here(record.reads())) {
                continue;
            }
            let ids: BTreeSet<_> = rows.iter().filter_map(|row| id_in(row, member)).collect();
            if columns.contains(&name.column) {
                match record {
                    Some(record) => references.names.records.extend(ids.iter().map(|id| (record, *id))),
                    None => references.names.people.extend(&ids),
                }
            }
            let is_keyed = links.iter().any(|link| link.member == member && columns.contains(&link.column));
            if is_keyed && !ids.is_empty() {
                references.keys.insert(member, ids);
            }
        }
        if columns.contains(&CREATED_BY_NAME) {
            references.names.people.extend(rows.iter().filter_map(creator));
        }
        references.names.people.sort_unstable();
        references.names.people.dedup();
        references
    }

    /// Reads the names and identifying values. One statement for all names, and one for each member with identifying columns.
    pub(super) fn find(&self, tx: &mut dyn Tx, kind: TransferKind) -> Result<ReferenceNames, Error> {
        let mut result = ReferenceNames::default();
        if !self.names.people.is_empty() || !self.names.records.is_empty() {
            result.names = tx.record_search().names_of(&self.names)?;
        }
        for (member, ids) in &self.keys {
            let ids: Vec<_> = ids.iter().copied().collect();
            result.keys.insert(*member, keys_of(tx, kind, member, &ids)?);
        }
        Ok(result)
    }
}

impl ReferenceNames {
    /// Adds the names and identifying values to the rows.
    pub(super) fn add_to(&self, kind: TransferKind, rows: &mut [ImportRow]) {
        let links = exported_links_of(kind);
        let members: Vec<_> = kind.members().into_iter().map(|member| member.name).chain(kind.read_only()).collect();
        for row in rows {
            for member in &members {
                let (Some(name), Some(id)) = (name_of(kind, member), id_in(row, member)) else { continue };
                let referred_name = match record_kind(kind, name.referent) {
                    Some(record) => self.names.records.get(&(record, id)),
                    None => self.names.people.get(&id),
                };
                if let Some(referred_name) = referred_name {
                    row.insert(name.column.to_owned(), referred_name.as_str().into());
                }
                let Some(keys) = self.keys.get(member).and_then(|keys| keys.get(&id)) else { continue };
                for (link, value) in
                    links.iter().filter(|link| link.member == *member).zip([&keys.external_id, &keys.natural])
                {
                    row.insert(link.column.to_owned(), value.clone().map_or(Json::Null, Json::from));
                }
            }
            let created_by = match creator(row) {
                Some(id) => self.names.people.get(&id).map(|name| name.as_str().into()),
                // An actor without an id, such as the service, is shown by its type.
                None => row.get("created_by").and_then(|actor| actor.get("type")).cloned(),
            };
            row.extend(created_by.map(|name| (CREATED_BY_NAME.to_owned(), name)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ignored_only_if_another_column_identifies_the_record() {
        let header = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (kind, column, columns, is_ignored) in [
            (TransferKind::Deals, "company_name", &["company_id", "company_name"][..], true),
            (TransferKind::Deals, "company_name", &["company_name", "company_domain"], true),
            (TransferKind::Deals, "company_name", &["title", "company_name"], false),
            (TransferKind::Deals, "assigned_to_name", &["assigned_to_name", "assigned_to_email"], true),
            (TransferKind::Tasks, "epic_name", &["epic_id", "epic_name"], true),
            (TransferKind::Contacts, "linked_company_name", &["company_id"], true),
            (TransferKind::TimeEntries, "in_project_name", &["in_project_id", "in_project_name"], true),
            // `company_name` is a member of contacts, and not a column of tickets.
            (TransferKind::Contacts, "company_name", &["company_id"], false),
            (TransferKind::Tickets, "company_name", &["company_id"], false),
        ] {
            assert_eq!(is_redundant_name(kind, column, &header(columns)), is_ignored, "{kind} {column} {columns:?}");
        }
    }

    #[test]
    fn name_columns_differ_from_members() {
        for kind in TransferKind::ALL.iter().copied() {
            let names: Vec<_> = kind.members().iter().map(|member| member.name).collect();
            for member in &names {
                let column = name_column(kind, member);
                assert!(column.is_none_or(|column| !names.contains(&column)), "{kind} {column:?}");
            }
        }
    }

    #[test]
    fn every_link_has_a_name_column() {
        for kind in TransferKind::ALL.iter().copied() {
            for link in links_of(kind) {
                assert!(name_column(kind, link.member).is_some(), "{kind} {}", link.column);
            }
        }
    }
}
