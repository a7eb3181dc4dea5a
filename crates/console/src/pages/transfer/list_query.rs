//! The records and columns that the URL of an export selects: a list's filters, search and order, and the columns.

use std::collections::BTreeMap;

use domain::kernel::input::{Filter, Problems};
use domain::transfer::{Export, ExportedList, TransferKind};
use http_core::query;

use crate::lists::columns_in;
use crate::page::api_query;
use crate::pages::kinds;
use crate::prelude::*;
use crate::records::Kind;

/// The parameters of a list without pagination.
struct ListQuery<F> {
    filter: F,
    columns: Vec<String>,
}

impl<F: Filter> Query for ListQuery<F> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = F::from_parameters(query);
        let columns = columns_in(&Parameters::all(query, COLUMNS));
        Self { filter, columns }
    }
}

/// The parameter with the columns.
const COLUMNS: &str = "columns";

/// The export that a page's query selects.
///
/// # Errors
/// [`Error::Malformed`] with every problem of the filters and the columns: ignoring a wrong filter would export records that it
/// should exclude.
pub(super) fn export_of(kind: TransferKind, ports: &Ports, browser: &Browser) -> Result<Export, Error> {
    let address = browser.address.split_once('?').map_or("", |(_, query)| query);
    let query = api_query(address, &browser.preferences.zone);
    let pages = kinds::list_at(kind.as_str()).ok_or(Error::NotFound("list"))?;
    let (list, columns) = (pages.exported)(&query, ports)?;
    Export::of_list(list, parameters_of(&query), &columns)
}

/// The records of a list of the kind that a query selects, and the columns.
///
/// # Errors
/// [`Error::Malformed`] with every problem of the filters.
pub(crate) fn exported<K: Kind>(query: &str, ports: &Ports) -> Result<(ExportedList, Vec<String>), Error> {
    let mut problems = Problems::in_context(ports);
    let parameters: ListQuery<K::Filter> = query::read(query, &mut problems);
    problems.into_result()?;
    Ok((K::EXPORTED(parameters.filter), parameters.columns))
}

/// The filters, search and order, for the audit log.
fn parameters_of(query: &str) -> BTreeMap<String, Vec<String>> {
    let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in Form::parse(query.as_bytes()).pairs().filter(|(name, _)| *name != COLUMNS) {
        parameters.entry(name.to_owned()).or_default().push(value.to_owned());
    }
    parameters
}

#[cfg(test)]
mod tests {
    use domain::transfer::{Columns, Mapping};

    use super::*;

    #[test]
    fn every_column_of_a_list_can_be_exported() {
        for kind in TransferKind::ALL.iter().copied() {
            let columns = (kinds::list_at(kind.as_str()).unwrap().columns)().into_iter().map(str::to_owned);
            let columns: Vec<_> = columns.collect();
            let export = Export::of_list(ExportedList::all(kind), BTreeMap::new(), &columns);
            let header: Vec<_> = export.unwrap().columns().iter().map(|column| (*column).to_owned()).collect();
            let imported = Columns::of(kind, &header, &Mapping::default());
            assert!(imported.is_ok(), "an import of {kind} reads them: {imported:?}");
        }
    }
}
