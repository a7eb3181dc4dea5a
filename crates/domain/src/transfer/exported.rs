//! The content of an export: which records, in which order, and which columns.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::cells::cell_of;
use super::kind::{CREATED_BY_NAME, DELETED_AT};
use super::links::exported_links_of;
use super::reference_names::name_column;
use super::{ExportedList, TransferKind};
use crate::Error;
use crate::kernel::input::Problems;

/// An export: the records of a list, and the columns.
#[derive(Debug, Clone)]
pub struct Export {
    pub(super) list: ExportedList,
    columns: Vec<&'static str>,
    /// Details for the audit log in addition to the kind.
    pub(super) audit_details: Map<String, Json>,
}

impl From<TransferKind> for Export {
    /// All columns of all records of a kind.
    fn from(kind: TransferKind) -> Self {
        Self { list: ExportedList::all(kind), columns: columns_of(kind), audit_details: Map::new() }
    }
}

impl From<&Self> for Export {
    fn from(export: &Self) -> Self {
        export.clone()
    }
}

impl Export {
    /// The export of a list with all columns, or with chosen columns after the id. `parameters` are those of the list.
    /// A chosen reference adds the name of the record that it refers to.
    ///
    /// # Errors
    /// [`Error::Malformed`] with every column that the kind does not have.
    pub fn of_list(
        list: ExportedList,
        parameters: BTreeMap<String, Vec<String>>,
        chosen: &[String],
    ) -> Result<Self, Error> {
        let kind = list.kind();
        let mut known = columns_of(kind);
        if list.lists_deleted() {
            known.push(DELETED_AT);
        }
        let columns = if chosen.is_empty() { known } else { chosen_columns(kind, &known, chosen)? };
        let mut audit_details = Map::new();
        if !parameters.is_empty() {
            audit_details.extend([("filter".to_owned(), parameters.into_iter().collect::<Json>())]);
        }
        if !chosen.is_empty() {
            audit_details.insert("columns".to_owned(), json!(columns));
        }
        Ok(Self { list, columns, audit_details })
    }

    pub fn kind(&self) -> TransferKind {
        self.list.kind()
    }

    /// The header of the file.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// The cells of a record, in column order.
    pub fn row(&self, record: &Map<String, Json>) -> Vec<String> {
        self.columns.iter().map(|column| record.get(*column).map(cell_of).unwrap_or_default()).collect()
    }
}

/// All columns of an export, which an import of the same kind accepts. Next to a reference are the name of the record and the
/// values that identify it in another workspace.
pub fn columns_of(kind: TransferKind) -> Vec<&'static str> {
    let links = exported_links_of(kind);
    let mut columns = vec!["id"];
    for member in kind.members().into_iter().map(|member| member.name).chain(kind.read_only()) {
        columns.push(member);
        columns.extend(name_column(kind, member));
        columns.extend(links.iter().filter(|link| link.member == member).map(|link| link.column));
    }
    columns
}

/// The chosen columns, after the id.
fn chosen_columns(kind: TransferKind, known: &[&'static str], chosen: &[String]) -> Result<Vec<&'static str>, Error> {
    let mut problems = Problems::default();
    let mut columns = vec!["id"];
    for name in chosen {
        // Some columns of lists are several columns of a file, or have another name there.
        let parts: &[&str] = match (kind, name.as_str()) {
            (TransferKind::Contacts, "name") => &["first_name", "last_name"],
            (TransferKind::Tickets, "requester") => &["requester_name", "requester_email"],
            (_, "created_by") => &[CREATED_BY_NAME],
            (_, other) => &[other],
        };
        for part in parts {
            match known.iter().find(|column| *column == part) {
                Some(column) if !columns.contains(column) => {
                    columns.push(*column);
                    columns.extend(name_column(kind, column));
                }
                Some(_) => {}
                None => problems.shape("columns", "invalid_value", format!("{part:?} is not a column of {kind}")),
            }
        }
    }
    problems.into_result()?;
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::contacts::ContactFilter;

    fn chosen(list: ExportedList, columns: &[&str]) -> Result<Vec<&'static str>, Error> {
        let columns: Vec<_> = columns.iter().map(|column| (*column).to_owned()).collect();
        Ok(Export::of_list(list, BTreeMap::new(), &columns)?.columns)
    }

    #[test]
    fn names_are_next_to_the_ids_of_their_records() {
        let columns = columns_of(TransferKind::Deals);
        let index_of = |name| columns.iter().position(|column| *column == name).unwrap();
        let company = index_of("company_id");
        let expected = ["company_id", "company_name", "company_external_id", "company_domain"];
        assert_eq!(columns[company..company + 4], expected);
        assert_eq!(index_of("assigned_to_name"), index_of("assigned_to") + 1);
        // Also of what the service sets itself.
        let columns = columns_of(TransferKind::TimeEntries);
        let expected = ["in_project_id", "in_project_name", "for_company_id", "for_company_name"];
        assert!(columns.windows(4).any(|window| window == expected), "{columns:?}");
        for kind in TransferKind::ALL.iter().copied() {
            let mut columns = columns_of(kind);
            let all = columns.len();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns.len(), all, "{kind} has a column twice");
        }
    }

    #[test]
    fn columns_can_be_chosen_by_their_names_in_lists() {
        let contacts = ExportedList::all(TransferKind::Contacts);
        let shown = chosen(contacts.clone(), &["name", "email", "company_id", "created_by", "email"]).unwrap();
        let expected =
            ["id", "first_name", "last_name", "email", "company_id", "linked_company_name", "created_by_name"];
        assert_eq!(shown, expected);
        let tickets = ExportedList::all(TransferKind::Tickets);
        assert_eq!(chosen(tickets, &["requester"]).unwrap(), ["id", "requester_name", "requester_email"]);
        let refused = chosen(contacts, &["stage", "deleted_at"]).unwrap_err();
        assert_eq!(refused.details().len(), 2, "{refused:?}");
    }

    #[test]
    fn exports_of_deleted_records_have_the_time_of_deletion() {
        let deleted = ExportedList::Contacts(ContactFilter { deleted: Some(true), ..ContactFilter::default() });
        assert!(chosen(deleted.clone(), &["email", "deleted_at"]).is_ok());
        assert!(chosen(deleted, &[]).unwrap().contains(&"deleted_at"));
    }
}
