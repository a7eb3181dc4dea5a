//! Exporting records, page by page.

use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::TransferKind;
use super::cells::cell_of;
use super::links::{exported_links_of, name};
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

/// The most records of a page, and how many the first one has: they may be large.
const PAGE: u32 = 100;
const FIRST_PAGE: u32 = 20;
/// A page ends before the record with which it would have more bytes, so this bounds the memory of an export.
pub const MAX_EXPORT_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// How many exports of a workspace run at a time, in each instance of the service.
pub const MAX_RUNNING_EXPORTS: usize = 2;

/// Where a page ends; the next one begins behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportPlace {
    at: OffsetDateTime,
    id: Uuid,
    /// How many records the next page has, by the size of those before.
    limit: u32,
}

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
    let links = exported_links_of(kind).into_iter().map(|link| link.column);
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
    let page = match after {
        Some(ExportPlace { at, id, limit }) => PageRequest::after(at, id, limit),
        None => PageRequest::first(FIRST_PAGE),
    };
    weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        let mut page = read_page(tx, kind, &page)?;
        name(tx, kind, &mut page.records)?;
        Ok(page)
    })
    .await
}

fn read_page(tx: &mut dyn Tx, kind: TransferKind, page: &PageRequest) -> Result<ExportPage, Error> {
    match kind {
        TransferKind::Companies => page_of(tx.companies().list(&CompanyFilter::default(), page)?, page.limit),
        TransferKind::Contacts => page_of(tx.contacts().list(&ContactFilter::default(), page)?, page.limit),
        TransferKind::Deals => page_of(tx.deals().list(&DealFilter::default(), page)?, page.limit),
        TransferKind::Projects => page_of(tx.projects().list(&ProjectFilter::default(), page)?, page.limit),
        TransferKind::Tasks => page_of(tx.issues().list(&IssueFilter::all(IssueKind::Task), page)?, page.limit),
        TransferKind::Tickets => page_of(tx.issues().list(&IssueFilter::all(IssueKind::Ticket), page)?, page.limit),
        TransferKind::Articles => page_of(tx.kb_articles().list(&ArticleFilter::default(), page)?, page.limit),
    }
}

fn page_of<R: Paginated + serde::Serialize>(mut found: Vec<R>, limit: u32) -> Result<ExportPage, Error> {
    let mut is_last = found.len() <= limit as usize;
    found.truncate(limit as usize);
    let (mut records, mut bytes, mut last) = (Vec::with_capacity(found.len()), 0, None);
    for one in &found {
        let record = record_of(one)?;
        let size = record.values().map(size_of).sum::<usize>();
        // The first one is always part of the page, so that the export gets on.
        if !records.is_empty() && bytes + size > MAX_EXPORT_PAGE_BYTES {
            is_last = false;
            break;
        }
        bytes += size;
        records.push(record);
        last = Some(one.cursor_key());
    }
    let limit = next_limit(records.len(), bytes);
    Ok(ExportPage { next: last.filter(|_| !is_last).map(|(at, id)| ExportPlace { at, id, limit }), records })
}

/// How many records as large as these fill a page: few large ones are read at a time.
fn next_limit(records: usize, bytes: usize) -> u32 {
    let average = (bytes / records.max(1)).max(1);
    u32::try_from(MAX_EXPORT_PAGE_BYTES / average).unwrap_or(PAGE).clamp(1, PAGE)
}

/// About how many bytes a value has in a file.
fn size_of(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(size_of).sum(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + size_of(value)).sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 8,
    }
}

/// A record as the API returns it; the requester of a ticket also in members of their own, as an import takes them.
fn record_of(record: &impl serde::Serialize) -> Result<Map<String, Json>, Error> {
    let Ok(Json::Object(mut members)) = serde_json::to_value(record) else {
        return Err(StoreError::Internal("a record is not a JSON object".to_owned()).into());
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
