//! Listing projects.

use super::Project;
use crate::Error;
use crate::identity::access::{Permit, ReadProjects};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_statement};

/// A page of projects, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(ports: &Ports, permit: &Permit<ReadProjects>, page: PageRequest) -> Result<Page<Project>, Error> {
    let weight = Weight::of_page(&page, None);
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.projects().list(&page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
