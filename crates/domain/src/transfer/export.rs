//! Exports records, page by page.

use serde_json::{Map, Value as Json, json};

use super::lifecycle::entry_of;
use super::reference_names::ReferencedIds;
use super::{Export, TransferKind};
use crate::identity::access::Permit;
use crate::identity::audit::AuditAction;
use crate::kernel::paging::{Page, PageRequest, Paginated, Position};
use crate::kernel::{StoreError, Weight};
use crate::ports::{Ports, Tx, transact, weighed_read_only};
use crate::records::Listed;
use crate::{Error, UserId};

/// The maximum number of records per page. The first page has fewer, because records may be large.
const PAGE: u32 = 100;
const FIRST_PAGE: u32 = 20;
/// The maximum size of a page, except for a single larger record. It bounds the memory of an export.
pub const MAX_EXPORT_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// How many exports of a workspace run at a time, in each instance of the service.
pub const MAX_RUNNING_EXPORTS: usize = 2;
/// The maximum number of exports that members and viewers run, which leaves one to owners and admins.
pub const MAX_RUNNING_EXPORTS_OF_MEMBERS: usize = 1;

/// Where a page ends and the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportPosition {
    at: Position,
    /// The number of records of the next page, by the size of those before.
    limit: u32,
}

/// A page of records, in the order of the list.
#[derive(Debug, Clone)]
pub struct ExportPage {
    /// The records as the API returns them, plus the names and identifying values of the records that they refer to.
    pub records: Vec<Map<String, Json>>,
    /// `None` after the last record.
    pub next: Option<ExportPosition>,
}

/// The page after a position, or the first page, with the names of the records that it refers to. Costs as much as a page of the
/// list.
///
/// # Errors
/// Those of the list, including [`Error::RoleNeeded`] for a caller who may not read it; [`Error::Unauthorized`] for a user who is
/// no longer a member.
pub async fn export_page<P>(
    ports: &Ports,
    permit: &Permit<P>,
    export: impl Into<Export>,
    after: Option<ExportPosition>,
) -> Result<ExportPage, Error> {
    let export = export.into();
    let page = match after {
        Some(ExportPosition { at, limit }) => PageRequest::at(at, limit),
        None => PageRequest::first(FIRST_PAGE),
    };
    let (kind, user) = (export.kind(), permit.session().map(|(_, user)| user));
    let mut page = export.list.clone().page(ports, permit, page).await?;
    let references = ReferencedIds::of(permit, kind, export.columns(), &page.records);
    let found = weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        check_member(tx, user)?;
        references.find(tx, kind)
    });
    found.await?.add_to(kind, &mut page.records);
    Ok(page)
}

/// A user who is removed while an export runs gets no further pages.
fn check_member(tx: &mut dyn Tx, user: Option<UserId>) -> Result<(), Error> {
    match user {
        Some(user) if tx.members().recipients(&[user])?.is_empty() => Err(Error::Unauthorized),
        _ => Ok(()),
    }
}

pub(super) fn page_of<R: Paginated + serde::Serialize>(mut page: Page<Listed<R>>) -> Result<ExportPage, Error> {
    let (mut records, mut bytes) = (Vec::with_capacity(page.items.len()), 0);
    for one in &mut page.items {
        // Files have only the members of the records.
        one.matched_comment = None;
        let record = record_of(one)?;
        let size = record.values().map(size_of).sum::<usize>();
        // A page always has at least one record, so that the export makes progress.
        if !records.is_empty() && bytes + size > MAX_EXPORT_PAGE_BYTES {
            break;
        }
        bytes += size;
        records.push(record);
    }
    page.truncate_after(records.len());
    let limit = next_limit(records.len(), bytes);
    Ok(ExportPage { next: page.next_position().map(|at| ExportPosition { at, limit }), records })
}

/// How many records of this average size fill a page.
fn next_limit(records: usize, bytes: usize) -> u32 {
    let average = (bytes / records.max(1)).max(1);
    u32::try_from(MAX_EXPORT_PAGE_BYTES / average).unwrap_or(PAGE).clamp(1, PAGE)
}

/// The approximate size of a value in a file, in bytes.
fn size_of(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(size_of).sum(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + size_of(value)).sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 8,
    }
}

/// A record as the API returns it. The requester of a ticket is also in separate members, as an import expects them.
pub(super) fn record_of(record: &impl serde::Serialize) -> Result<Map<String, Json>, Error> {
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

/// Writes an audit log entry when exports start, before any data is sent.
///
/// # Errors
/// Store errors; [`Error::TooManyAudited`].
pub async fn note_export<P>(ports: &Ports, permit: &Permit<P>, exports: &[Export]) -> Result<(), Error> {
    let kinds: Vec<_> = exports.iter().map(Export::kind).collect();
    let mut details = Map::from_iter([("kinds".to_owned(), json!(kinds))]);
    for export in exports {
        details.extend(export.audit_details.clone());
    }
    append(ports, permit, AuditAction::RecordsExported, details.into()).await
}

/// Writes an audit log entry with the number of exported records, and whether the export is complete.
pub async fn note_export_end<P>(
    ports: &Ports,
    permit: &Permit<P>,
    kind: TransferKind,
    rows: u64,
    is_complete: bool,
) -> Result<(), Error> {
    let details = json!({ "kind": kind, "rows": rows, "complete": is_complete });
    append(ports, permit, AuditAction::ExportFinished, details).await
}

async fn append<P>(ports: &Ports, permit: &Permit<P>, action: AuditAction, details: Json) -> Result<(), Error> {
    let entry = entry_of(ports, permit, action, details);
    transact(ports, permit, move |tx| Ok(tx.audit().append(&entry)?)).await
}
