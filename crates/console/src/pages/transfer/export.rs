//! All records of a kind as a file, which is written while it is sent.
//!
//! Rows are written on the rendering threads, a page of records at a time, when the browser has taken those before. A browser
//! that reads nothing is cut off like every other client, and its export ends with the connection.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::web::Bytes;
use csv_files::write_quoted;
use domain::Error;
use domain::identity::access::{Permit, TransferRecords};
use domain::limits::Class;
use domain::ports::Ports;
use domain::transfer::{self, ExportPage, ExportPlace, MAX_EXPORT_PAGE_BYTES, TransferKind, columns_of};
use futures_util::stream;
use http_core::Renderer;
use http_core::held::HeldMemory;

use super::Records;
use super::running::RunningExport;
use crate::page::{PageRequest, PageResult, page};

page! {
    Export = "GET /export/{records}", class: Class::Bulk, access: TransferRecords, path: Records => export
}

/// What an export has in memory: a page of records, and its rows.
const MEMORY: usize = 2 * MAX_EXPORT_PAGE_BYTES;

/// An export whose first page is read.
struct Running {
    ports: Arc<Ports>,
    permit: Permit<TransferRecords>,
    kind: TransferKind,
    renderer: Renderer,
    /// Where the next page begins; `None` behind the last one.
    next: Option<ExportPlace>,
    _place: RunningExport,
    _memory: HeldMemory,
}

async fn export(request: PageRequest<Export>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), renderer, .. } = request;
    let place = RunningExport::begin(permit.workspace_id())?;
    let memory = renderer.reserve(MEMORY)?;
    transfer::note_export(&ports, &permit, &[kind]).await?;
    // What fails here is a page that says so; what fails later ends the file early, which browsers tell.
    let first = transfer::export_page(&ports, &permit, kind, None).await?;
    let mut start = Vec::new();
    write_quoted(&mut start, b',', [columns_of(kind)]);
    let next = first.next;
    let start = renderer.run(move || rows_of(start, &first, kind)).await?;
    let running = Running { ports, permit, kind, renderer, next, _place: place, _memory: memory };
    let rest = stream::try_unfold((Some(start), running), |(start, running)| async move {
        if let Some(start) = start {
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
    /// The rows of the next page, once the browser has taken those before; `None` behind the last one.
    async fn write_next(mut self) -> Result<Option<(Bytes, Self)>, Error> {
        let Some(place) = self.next else { return Ok(None) };
        let kind = self.kind;
        let page = transfer::export_page(&self.ports, &self.permit, kind, Some(place)).await?;
        self.next = page.next;
        let rows = self.renderer.run_admitted(move || rows_of(Vec::new(), &page, kind)).await?;
        Ok(Some((rows, self)))
    }
}

/// The file so far, and the rows of a page.
fn rows_of(mut file: Vec<u8>, page: &ExportPage, kind: TransferKind) -> Bytes {
    write_quoted(&mut file, b',', page.rows(kind));
    Bytes::from(file)
}
