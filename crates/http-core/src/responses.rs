//! Success responses.

use actix_web::HttpResponse;
use actix_web::body::None;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, ETag, EntityTag, LOCATION};
use domain::kernel::idempotency::{IdempotentResult, StoredResponse};
use domain::kernel::paging::Page;
use serde::Serialize;

use crate::answers::ChunkWriter;
use crate::conditions::NoneMatch;
use crate::endpoint::Action;

/// Marks a replayed response.
pub const REPLAYED: &str = "Idempotent-Replayed";

#[derive(Serialize)]
struct Data<T> {
    data: T,
}

#[derive(Serialize)]
struct Pagination<'a> {
    page: Option<u32>,
    limit: u32,
    #[serde(rename = "hasMore")]
    has_more: bool,
    #[serde(rename = "nextCursor")]
    next_cursor: Option<&'a str>,
}

#[derive(Serialize)]
struct Deleted<I> {
    id: I,
    deleted: bool,
}

/// A page. One that was asked for by cursor ends early where it would become too large.
pub fn list<T: Serialize>(page: Page<T>) -> HttpResponse {
    match written(page) {
        Ok(answer) => HttpResponse::Ok().content_type(ContentType::json()).body(answer.into_body()),
        Err(error) => {
            // No domain type can fail to serialise.
            log::error!("could not serialise a page: {error}");
            HttpResponse::InternalServerError().finish()
        }
    }
}

fn written<T: Serialize>(mut page: Page<T>) -> serde_json::Result<ChunkWriter> {
    let mut writer = ChunkWriter::default();
    writer.push(b"{\"data\":[");
    for place in 0..page.items.len() {
        let before = writer.size();
        if place > 0 {
            writer.push(b",");
        }
        serde_json::to_writer(&mut writer, &page.items[place])?;
        if page.ends_before(place, writer.size()) {
            writer.truncate(before);
            page.truncate_after(place);
            break;
        }
    }
    let next_cursor = page.next_cursor.as_deref();
    let pagination = Pagination { page: page.page, limit: page.limit, has_more: next_cursor.is_some(), next_cursor };
    writer.push(b"],\"pagination\":");
    serde_json::to_writer(&mut writer, &pagination)?;
    writer.push(b"}");
    Ok(writer)
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

/// 201 with a new record and a secret that is shown only once: never stored for replays.
pub fn created_with_secret<T: Serialize>(record: &T, location: String) -> HttpResponse {
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

/// 201 for a caller that cannot read the new record: no `Location`.
pub fn created_without_location<T: Serialize>(record: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::CREATED.as_u16(), location: None, body: json(&Data { data: record }) }
}

/// 201 with a new record that is not wrapped in `data`.
pub fn created_unwrapped<T: Serialize>(record: &T, location: String) -> StoredResponse {
    StoredResponse { status: StatusCode::CREATED.as_u16(), location: Some(location), body: json(record) }
}

/// 202 of an action that continues in the background.
pub fn accepted_response<T: Serialize>(result: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::ACCEPTED.as_u16(), location: None, body: json(&Data { data: result }) }
}

/// 200 of an action that creates no record.
pub fn ok_response<T: Serialize>(result: &T) -> StoredResponse {
    StoredResponse { status: StatusCode::OK.as_u16(), location: None, body: json(&Data { data: result }) }
}

/// The response of an action: fresh and replayed ones are rendered alike.
pub fn idempotent<A: Action>(outcome: IdempotentResult<A::Output>) -> HttpResponse {
    match outcome {
        IdempotentResult::Fresh(made) => respond(A::response(&made), false),
        IdempotentResult::Replayed(answer) => respond(answer, true),
    }
}

fn respond(answer: StoredResponse, replayed: bool) -> HttpResponse {
    // A stored status was valid when it was stored.
    let mut response = HttpResponse::build(StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK));
    response.content_type(ContentType::json());
    if let Some(location) = answer.location {
        response.insert_header((LOCATION, location));
    }
    if replayed {
        response.insert_header((REPLAYED, "true"));
    }
    response.body(answer.body)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| {
        // No domain type can fail to serialise; if one did, the record would already be committed.
        log::error!("could not serialise a response: {error}");
        "null".to_owned()
    })
}
