//! Successful responses, and their envelope (interface 1.20, 3.1).

use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use actix_web::body::None;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, ETag, EntityTag, LOCATION};
use actix_web::{HttpResponse, web};
use domain::kernel::idempotency::{IdempotentResult, StoredResponse};
use domain::kernel::paging::Page;
use domain::records::Projection;
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::answers::ChunkWriter;
use crate::conditions::NoneMatch;
use crate::data::{Data, Deleted, Pagination};
use crate::endpoint::Action;
use crate::projected::Projected;

/// Marks a replayed response.
pub const REPLAYED: &str = "Idempotent-Replayed";

/// A page of a list. If it was requested by cursor, it ends early where it would become too large.
///
/// A small page is serialised at once. The rest of a large page is serialised on another thread, and few pages at a time:
/// 8 MB take 10 ms, which would block the worker's other requests.
pub async fn list<T: Serialize + Send + 'static>(page: Page<T>) -> HttpResponse {
    let mut page_writer = PageWriter::new(page);
    let written = match page_writer.write_up_to(MAX_INLINE_BYTES) {
        Ok(true) => page_writer.finish().map_err(|error| error.to_string()),
        Ok(false) => write_on_another_thread(page_writer).await,
        Err(error) => Err(error.to_string()),
    };
    match written {
        Ok(chunks) => HttpResponse::Ok().content_type(ContentType::json()).body(chunks.into_body()),
        Err(error) => {
            // No domain type can fail to serialise.
            log::error!("could not serialise a page: {error}");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// A page of records with only the selected fields.
pub async fn records<T: Serialize + Send + 'static>(page: Page<T>, fields: Projection) -> HttpResponse {
    if fields.is_whole() {
        return list(page).await;
    }
    let fields = Arc::new(fields);
    list(page.map(|record| Projected { record, fields: Arc::clone(&fields) })).await
}

/// How many bytes of a page are serialised on the worker's own thread.
const MAX_INLINE_BYTES: usize = 64 * 1024;

/// Permits for half of the cores, so that large pages leave the other cores to the workers.
static LARGE_PAGES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let cores = available_parallelism().map_or(1, NonZero::get);
    Arc::new(Semaphore::new((cores / 2).max(1)))
});

async fn write_on_another_thread<T: Serialize + Send + 'static>(
    mut page_writer: PageWriter<T>,
) -> Result<ChunkWriter, String> {
    let turn = Arc::clone(&LARGE_PAGES).acquire_owned().await.map_err(|error| error.to_string())?;
    let write = move || {
        let _turn = turn;
        page_writer.write_up_to(usize::MAX).and_then(|_| page_writer.finish())
    };
    #[expect(clippy::disallowed_methods, reason = "not a use case: it only serialises rows that were already read")]
    let written = web::block(write).await;
    written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

/// A partly written page.
struct PageWriter<T> {
    page: Page<T>,
    writer: ChunkWriter,
    /// The index of the next item.
    next: usize,
}

impl<T: Serialize> PageWriter<T> {
    fn new(page: Page<T>) -> Self {
        let mut writer = ChunkWriter::default();
        writer.push(b"{\"data\":[");
        Self { page, writer, next: 0 }
    }

    /// Writes items until the size exceeds `bytes`; returns whether all items are written.
    fn write_up_to(&mut self, bytes: usize) -> serde_json::Result<bool> {
        while self.next < self.page.items.len() {
            let before = self.writer.size();
            if before > bytes {
                return Ok(false);
            }
            if self.next > 0 {
                self.writer.push(b",");
            }
            serde_json::to_writer(&mut self.writer, &self.page.items[self.next])?;
            if self.page.ends_before(self.next, self.writer.size()) {
                self.writer.truncate(before);
                self.page.truncate_after(self.next);
                return Ok(true);
            }
            self.next += 1;
        }
        Ok(true)
    }

    fn finish(mut self) -> serde_json::Result<ChunkWriter> {
        let Page { page, limit, has_more, next_cursor, .. } = &self.page;
        let next_cursor = next_cursor.as_deref();
        let pagination = Pagination { page: *page, limit: *limit, has_more: *has_more, next_cursor };
        self.writer.push(b"],\"pagination\":");
        serde_json::to_writer(&mut self.writer, &pagination)?;
        self.writer.push(b"}");
        Ok(self.writer)
    }
}

/// One record, or 304 if the client already has this version.
pub fn one<T: Serialize>(record: &T, version: i64, known: &NoneMatch) -> HttpResponse {
    if known.has(version) {
        return HttpResponse::NotModified().insert_header(etag(version)).body(None::new());
    }
    changed(record, version)
}

/// A record after a change.
pub fn changed<T: Serialize>(record: &T, version: i64) -> HttpResponse {
    HttpResponse::Ok().insert_header(etag(version)).json(Data { data: record })
}

fn etag(version: i64) -> ETag {
    ETag(EntityTag::new_strong(version.to_string()))
}

/// Confirms that a record is deleted.
pub fn deleted<I: Serialize>(id: I) -> HttpResponse {
    HttpResponse::Ok().json(Data { data: Deleted { id, deleted: true } })
}

/// A value that has no version.
pub fn ok<T: Serialize>(value: &T) -> HttpResponse {
    HttpResponse::Ok().json(Data { data: value })
}

/// 201 with a secret that is shown only once: never stored for replays, and without `Location`.
pub fn ok_with_secret<T: Serialize>(secret: &T) -> HttpResponse {
    HttpResponse::Created().json(Data { data: secret })
}

/// 202.
pub fn accepted<T: Serialize>(value: &T) -> HttpResponse {
    HttpResponse::Accepted().json(Data { data: value })
}

/// 201 with a new record, not stored for replays: for actions that take no idempotency key, such as those that return a secret.
pub fn created_without_replay<T: Serialize>(record: &T, location: String) -> HttpResponse {
    HttpResponse::Created().insert_header((LOCATION, location)).json(Data { data: record })
}

/// 201 with a new record.
pub fn created<T: Serialize>(record: &T, location: String) -> StoredResponse {
    StoredResponse {
        status: StatusCode::CREATED.as_u16(),
        location: Some(location),
        body: json(&Data { data: record }),
    }
}

/// 201 with a new record that has no address, and so no `Location`.
pub fn created_without_location<T: Serialize>(record: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::CREATED.as_u16(), location: None, body: json(&Data { data: record }) }
}

/// Like [`created_without_location`], but not wrapped in `data`.
pub fn created_unwrapped<T: Serialize>(record: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::CREATED.as_u16(), location: None, body: json(record) }
}

/// 202 of an action that continues in the background.
pub fn accepted_response<T: Serialize>(result: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::ACCEPTED.as_u16(), location: None, body: json(&Data { data: result }) }
}

/// 200 of an action that creates no record.
pub fn ok_response<T: Serialize>(result: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::OK.as_u16(), location: None, body: json(&Data { data: result }) }
}

/// The response of an action; first and replayed responses are rendered alike.
pub fn idempotent<A: Action>(outcome: IdempotentResult<A::Output>) -> HttpResponse {
    match outcome {
        IdempotentResult::Fresh(output) => respond(A::response(&output), false),
        IdempotentResult::Replayed(stored) => respond(stored, true),
    }
}

fn respond(stored: StoredResponse, replayed: bool) -> HttpResponse {
    // A stored status was valid when it was stored.
    let mut response = HttpResponse::build(StatusCode::from_u16(stored.status).unwrap_or(StatusCode::OK));
    response.content_type(ContentType::json());
    if let Some(location) = stored.location {
        response.insert_header((LOCATION, location));
    }
    if replayed {
        response.insert_header((REPLAYED, "true"));
    }
    response.body(stored.body)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| {
        // No domain type can fail to serialise; if one did, the record would already be committed.
        log::error!("could not serialise a response: {error}");
        "null".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use domain::kernel::paging::{ListName, PageRequest, Paginated};
    use serde_json::Value;
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;

    #[derive(Serialize)]
    struct Row(String);

    impl Paginated for Row {
        const LIST: ListName = ListName::MEMBERS;

        fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
            (OffsetDateTime::UNIX_EPOCH, Uuid::nil())
        }
    }

    #[actix_web::test]
    async fn a_page_is_the_same_on_either_thread() {
        // Most of the last page is written on another thread.
        for (items, length) in [(0, 0), (1, 10), (3, 30_000), (100, 80_000)] {
            let items: Vec<_> = (0..items).map(|number| format!("{number}{}", "ß".repeat(length / 2))).collect();
            let page = Page::from_rows(items.clone().into_iter().map(Row).collect(), &PageRequest::first(100));
            let response = list(page).await;
            let body: Value = serde_json::from_slice(&to_bytes(response.into_body()).await.unwrap()).unwrap();
            let pagination = serde_json::json!({"page": 1, "limit": 100, "hasMore": false, "nextCursor": null});
            assert_eq!(body, serde_json::json!({"data": items, "pagination": pagination}), "{length}");
        }
    }
}
