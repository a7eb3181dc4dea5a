//! The records and columns that the URL of an export selects: a list's filters, search and order, and the columns.

use std::collections::BTreeMap;

use domain::Error;
use domain::crm::companies::CompanyFilter;
use domain::crm::contacts::ContactFilter;
use domain::crm::deals::DealFilter;
use domain::kernel::IssueKind;
use domain::kernel::input::{Filter, Parameters, Problems};
use domain::ports::Ports;
use domain::support::kb::ArticleFilter;
use domain::transfer::{Export, ExportedList, TransferKind};
use domain::work::issues::IssueFilter;
use domain::work::projects::ProjectFilter;
use http_core::query::{self, Query, QueryReader};

use crate::form::Form;
use crate::layout::Browser;
use crate::lists::columns_in;
use crate::page::api_query;

/// The parameters of a list without those of a page.
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
    let (list, columns) = match kind {
        TransferKind::Companies => read::<CompanyFilter>(&query, ports, ExportedList::Companies)?,
        TransferKind::Contacts => read::<ContactFilter>(&query, ports, ExportedList::Contacts)?,
        TransferKind::Deals => read::<DealFilter>(&query, ports, ExportedList::Deals)?,
        TransferKind::Projects => read::<ProjectFilter>(&query, ports, ExportedList::Projects)?,
        TransferKind::Tasks => read::<IssueFilter>(&query, ports, |filter| issues(IssueKind::Task, filter))?,
        TransferKind::Tickets => read::<IssueFilter>(&query, ports, |filter| issues(IssueKind::Ticket, filter))?,
        TransferKind::Articles => read::<ArticleFilter>(&query, ports, ExportedList::Articles)?,
    };
    Export::of_list(list, parameters_of(&query), &columns)
}

fn read<F: Filter>(
    query: &str,
    ports: &Ports,
    list: impl FnOnce(F) -> ExportedList,
) -> Result<(ExportedList, Vec<String>), Error> {
    let mut problems = Problems::in_context(ports);
    let parameters: ListQuery<F> = query::read(query, &mut problems);
    problems.into_result()?;
    Ok((list(parameters.filter), parameters.columns))
}

fn issues(kind: IssueKind, filter: IssueFilter) -> ExportedList {
    ExportedList::Issues(IssueFilter { kind: Some(kind), ..filter })
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
    use crate::pages::articles::Articles;
    use crate::pages::crm::{Companies, Contacts, Deals};
    use crate::pages::tickets::Tickets;
    use crate::pages::work::{Projects, Tasks};
    use crate::records::{CellMaker, Kind};

    #[test]
    fn every_column_of_a_list_can_be_exported() {
        fn check<K: Kind>(kind: TransferKind) {
            let columns = CellMaker::new::<K>(&[]).columns.into_iter().map(|column| column.name);
            let columns: Vec<_> = columns.chain([K::SHOWN.title]).map(str::to_owned).collect();
            let export = Export::of_list(ExportedList::all(kind), BTreeMap::new(), &columns);
            let header: Vec<_> = export.unwrap().columns().iter().map(|column| (*column).to_owned()).collect();
            let imported = Columns::of(kind, &header, &Mapping::default());
            assert!(imported.is_ok(), "an import of {kind} reads them: {imported:?}");
        }
        check::<Companies>(TransferKind::Companies);
        check::<Contacts>(TransferKind::Contacts);
        check::<Deals>(TransferKind::Deals);
        check::<Projects>(TransferKind::Projects);
        check::<Tasks>(TransferKind::Tasks);
        check::<Tickets>(TransferKind::Tickets);
        check::<Articles>(TransferKind::Articles);
    }
}
