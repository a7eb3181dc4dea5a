//! Exporting records, page by page.

use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::TransferKind;
use super::cells::cell_of;
use super::links::{links_of, name};
use crate::Error;
use crate::crm::companies::CompanyFilter;
use crate::crm::contacts::ContactFilter;
use crate::crm::deals::DealFilter;
use crate::identity::access::{Permit, TransferRecords};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::paging::{PageRequest, Paginated};
use crate::kernel::{IssueKind, StoreError, Weight};
use crate::ports::{Ports, Tx, transact, weighed_read_only};
use crate::support::kb::ArticleFilter;
use crate::work::issues::IssueFilter;
use crate::work::projects::ProjectFilter;

/// Records of a page: what bounds the memory of an export.
const PAGE: u32 = 100;

/// Where a page ends; the next one begins behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportPlace(OffsetDateTime, Uuid);

/// Some of the records, newest first.
#[derive(Debug, Clone)]
pub struct ExportPage {
    /// Each as the API returns it, with what names the records that it refers to.
    pub records: Vec<Map<String, Json>>,
    /// `None` behind the last record.
    pub next: Option<ExportPlace>,
}

impl ExportPage {
    /// The cells of the records, in the order of [`columns_of`].
    pub fn rows(&self, kind: TransferKind) -> impl Iterator<Item = Vec<String>> {
        let columns = columns_of(kind);
        self.records.iter().map(move |record| {
            columns.iter().map(|column| record.get(*column).map(cell_of).unwrap_or_default()).collect()
        })
    }
}

/// The columns of an export, which an import of the same kind understands.
pub fn columns_of(kind: TransferKind) -> Vec<&'static str> {
    let members = kind.members().into_iter().map(|member| member.name);
    let links = links_of(kind).into_iter().map(|link| link.column);
    let own = kind.read_only().iter().copied();
    std::iter::once("id").chain(members).chain(links).chain(own).collect()
}

/// The page behind a place, or the first one. What is created during an export is not part of it.
///
/// # Errors
/// Those of the store.
pub async fn export_page(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    kind: TransferKind,
    after: Option<ExportPlace>,
) -> Result<ExportPage, Error> {
    let page = after.map_or(PageRequest::first(PAGE), |ExportPlace(at, id)| PageRequest::after(at, id, PAGE));
    weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        let mut page = read_page(tx, kind, &page)?;
        name(tx, kind, &mut page.records)?;
        Ok(page)
    })
    .await
}

fn read_page(tx: &mut dyn Tx, kind: TransferKind, page: &PageRequest) -> Result<ExportPage, Error> {
    match kind {
        TransferKind::Companies => page_of(tx.companies().list(&CompanyFilter::default(), page)?),
        TransferKind::Contacts => page_of(tx.contacts().list(&ContactFilter::default(), page)?),
        TransferKind::Deals => page_of(tx.deals().list(&DealFilter::default(), page)?),
        TransferKind::Projects => page_of(tx.projects().list(&ProjectFilter::default(), page)?),
        TransferKind::Tasks => page_of(tx.issues().list(&IssueFilter::all(IssueKind::Task), page)?),
        TransferKind::Tickets => page_of(tx.issues().list(&IssueFilter::all(IssueKind::Ticket), page)?),
        TransferKind::Articles => page_of(tx.kb_articles().list(&ArticleFilter::default(), page)?),
    }
}

fn page_of<R: Paginated + serde::Serialize>(mut found: Vec<R>) -> Result<ExportPage, Error> {
    let is_last = found.len() <= PAGE as usize;
    found.truncate(PAGE as usize);
    let next = found.last().filter(|_| !is_last).map(|last| {
        let (at, id) = last.cursor_key();
        ExportPlace(at, id)
    });
    let records = found.iter().map(record_of).collect::<Result<_, _>>()?;
    Ok(ExportPage { records, next })
}

/// A record as the API returns it; the requester of a ticket also in members of their own, as an import takes them.
fn record_of(record: &impl serde::Serialize) -> Result<Map<String, Json>, Error> {
    let Ok(Json::Object(mut members)) = serde_json::to_value(record) else {
        return Err(StoreError::Internal("a record is no JSON object".to_owned()).into());
    };
    if let Some(Json::Object(requester)) = members.get("requester").cloned() {
        for (member, of_requester) in [("requester_email", "email"), ("requester_name", "name")] {
            members.insert(member.to_owned(), requester.get(of_requester).cloned().unwrap_or_default());
        }
    }
    Ok(members)
}

/// Notes in the audit log that records were exported.
///
/// # Errors
/// Those of the store.
pub async fn note_export(ports: &Ports, permit: &Permit<TransferRecords>, kinds: &[TransferKind]) -> Result<(), Error> {
    let subject = AuditSubject::workspace(permit.workspace_id());
    let details = json!({ "kinds": kinds });
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::RecordsExported, subject, details);
    transact(ports, permit, move |tx| Ok(tx.audit().append(&entry)?)).await
}
