//! All records of a kind as a file, which is written while it is sent.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::web::Bytes;
use domain::Error;
use domain::identity::access::{Permit, TransferRecords};
use domain::limits::Class;
use domain::ports::Ports;
use domain::transfer::{self, ExportPage, ExportPlace, TransferKind, columns_of};
use futures_util::stream;

use super::Records;
use crate::csv;
use crate::page::{PageRequest, PageResult, page};

page! {
    Export = "GET /export/{records}", class: Class::Bulk, access: TransferRecords, path: Records => export
}

/// An export whose first page is read.
struct Running {
    ports: Arc<Ports>,
    permit: Permit<TransferRecords>,
    kind: TransferKind,
    /// Where the next page begins; `None` behind the last one.
    next: Option<ExportPlace>,
}

async fn export(request: PageRequest<Export>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), .. } = request;
    transfer::note_export(&ports, &permit, &[kind]).await?;
    // What fails here is a page that says so; what fails later ends the file early, which browsers tell.
    let first = transfer::export_page(&ports, &permit, kind, None).await?;
    let mut start = String::new();
    csv::write_row(&mut start, columns_of(kind));
    start.push_str(&rows_of(&first, kind));
    let running = Running { ports, permit, kind, next: first.next };
    let rest = stream::try_unfold((Some(start), running), |(start, running)| async move {
        match start {
            Some(start) => Ok(Some((Bytes::from(start), (None, running)))),
            None => Ok(running.go_on().await?.map(|(rows, running)| (rows, (None, running)))),
        }
    });
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{kind}.csv\"")))
        .insert_header((CACHE_CONTROL, "no-store"))
        .streaming::<_, Error>(rest))
}

impl Running {
    /// The rows of the next page, once the browser has taken those before; `None` behind the last one.
    async fn go_on(mut self) -> Result<Option<(Bytes, Self)>, Error> {
        let Some(place) = self.next else { return Ok(None) };
        let page = transfer::export_page(&self.ports, &self.permit, self.kind, Some(place)).await?;
        self.next = page.next;
        Ok(Some((Bytes::from(rows_of(&page, self.kind)), self)))
    }
}

fn rows_of(page: &ExportPage, kind: TransferKind) -> String {
    let mut rows = String::new();
    page.rows(kind).for_each(|row| csv::write_row(&mut rows, row));
    rows
}
