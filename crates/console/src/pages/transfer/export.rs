//! Streams the records of a list as a file.
//!
//! The rendering threads write one page of rows at a time, after the browser has read the previous one. A browser that
//! reads nothing is disconnected like every other client, which ends its export.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::rt::System;
use actix_web::web::Bytes;
use csv_files::{DOWNLOADED, write_quoted};
use domain::identity::access::{ExportRecords, Permit};
use domain::transfer::{self, Export as Exported, ExportPage, ExportPosition, MAX_EXPORT_PAGE_BYTES};
use futures_util::stream;
use http_core::Renderer;
use http_core::held::HeldMemory;

use super::Records;
use super::list_query::export_of;
use super::running::RunningExport;
use crate::prelude::*;

pages! {
    Export = "GET /export/{records}", class: Class::Bulk, access: ExportRecords, path: Records,
    query: http_core::query::Any => export
}

/// The memory of an export: a page of records, and its rows.
const MEMORY: usize = 2 * MAX_EXPORT_PAGE_BYTES;

/// An export whose first page is read.
struct Running {
    ports: Arc<Ports>,
    permit: Permit<ExportRecords>,
    export: Arc<Exported>,
    renderer: Renderer,
    /// Where the next page begins; `None` after the last one.
    next: Option<ExportPosition>,
    /// The number of records in the file so far.
    rows: u64,
    /// Whether the end of the export is in the audit log.
    is_noted: bool,
    slot: RunningExport,
    _memory: HeldMemory,
}

async fn export(request: PageRequest<Export>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), browser, renderer, .. } = request;
    let export = Arc::new(export_of(kind, &ports, &browser)?);
    let slot = RunningExport::begin(&permit, ports.clock.elapsed())?;
    let memory = renderer.reserve(MEMORY)?;
    // An error here is shown on a page. A later error cuts the file short, which the browser reports. A caller who may
    // not read the list exports nothing.
    let first = transfer::export_page(&ports, &permit, &*export, None).await?;
    transfer::note_export(&ports, &permit, std::slice::from_ref(&*export)).await?;
    let (next, rows) = (first.next, first.records.len() as u64);
    let mut running = Running { ports, permit, export, renderer, next, rows, is_noted: false, slot, _memory: memory };
    let mut start = DOWNLOADED.mark().to_vec();
    write_quoted(&mut start, DOWNLOADED.delimiter, [running.export.columns()]);
    let of_rows = Arc::clone(&running.export);
    let start = running.renderer.run(move || rows_of(start, &first, &of_rows)).await?;
    running.note_end().await?;
    let rest = stream::try_unfold((Some(start), running), |(start, running)| async move {
        if let Some(start) = start {
            running.slot.note_sent(running.ports.clock.elapsed());
            return Ok(Some((start, (None, running))));
        }
        let more = running.write_next().await?;
        Ok(more.map(|(rows, running)| (rows, (None, running))))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{kind}.csv\"")))
        .insert_header((CACHE_CONTROL, "no-store"))
        .streaming::<_, Error>(rest))
}

impl Running {
    /// The rows of the next page, once the browser has read the previous one; `None` after the last one.
    async fn write_next(mut self) -> Result<Option<(Bytes, Self)>, Error> {
        let Some(cursor) = self.next else { return Ok(None) };
        self.slot.check_slot()?;
        let page = transfer::export_page(&self.ports, &self.permit, &*self.export, Some(cursor)).await?;
        self.next = page.next;
        self.rows += page.records.len() as u64;
        let export = Arc::clone(&self.export);
        let rows = self.renderer.run_admitted(move || rows_of(Vec::new(), &page, &export)).await?;
        self.note_end().await?;
        self.slot.note_sent(self.ports.clock.elapsed());
        Ok(Some((rows, self)))
    }

    /// Records the number of records in the audit log when all are read, before the last of them are sent.
    async fn note_end(&mut self) -> Result<(), Error> {
        if self.next.is_none() {
            transfer::note_export_end(&self.ports, &self.permit, self.export.kind(), self.rows, true).await?;
            self.is_noted = true;
        }
        Ok(())
    }
}

impl Drop for Running {
    /// If the file ends early, the audit log gets the number of records read so far.
    fn drop(&mut self) {
        if self.is_noted {
            return;
        }
        let Some(system) = System::try_current() else { return };
        let (ports, permit) = (Arc::clone(&self.ports), self.permit.clone());
        let (kind, rows) = (self.export.kind(), self.rows);
        system.arbiter().spawn(async move {
            if let Err(error) = transfer::note_export_end(&ports, &permit, kind, rows, false).await {
                log::warn!("the audit log does not say how an export of {kind} ended: {error}");
            }
        });
    }
}

/// The file so far, with the rows of a page appended.
fn rows_of(mut file: Vec<u8>, page: &ExportPage, export: &Exported) -> Bytes {
    write_quoted(&mut file, DOWNLOADED.delimiter, page.records.iter().map(|record| export.row(record)));
    Bytes::from(file)
}
