//! Notes on CRM records: comments below the address of their record.

use domain::CommentId;
use domain::crm::comments::{self, CommentChange, CommentedId, RecordComment, RecordCommentFields};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use http_core::description::{Changed, CreatedWithoutLocation, Deleted, ListOf};
use http_core::endpoint::{Action, EndpointRequest, HandlerResult, StoredResponse};
use http_core::idempotency::IdempotencyKey;
use http_core::query::Filtered;
use http_core::{Operation, body, responses};

use super::records::{RecordRoutes, operations_of_kinds, singular};

operations_of_kinds! {
    List[RecordRoutes<Id: CommentedId>] = list_notes, id: (K::NOUN, "comments_list"),
    summary: format!("List the notes on {}", singular::<K>()),
    additional: true, access: <K::Id as CommentedId>::Read,
    path: K::Id, query: Filtered<CreatedFilter, RecordComment>, headers: (), body: ()
    => list -> ListOf<RecordComment>;

    Add[RecordRoutes<Id: CommentedId>] = add_note, id: (K::NOUN, "comments_create"),
    summary: format!("Add a note to {}", singular::<K>()),
    additional: true, access: <K::Id as CommentedId>::Write,
    path: K::Id, query: (), headers: IdempotencyKey, body: body::Create<RecordCommentFields>
    => add -> CreatedWithoutLocation<RecordComment>;

    Update[RecordRoutes<Id: CommentedId>] = change_note, id: (K::NOUN, "comments_update"),
    summary: format!("Change a note on {}", singular::<K>()),
    additional: true, access: <K::Id as CommentedId>::Write,
    path: (K::Id, CommentId), query: (), headers: ExpectedVersion, body: body::Patch<CommentChange>
    => update -> Changed<RecordComment>;

    Delete[RecordRoutes<Id: CommentedId>] = delete_note, id: (K::NOUN, "comments_delete"),
    summary: format!("Delete a note on {}", singular::<K>()),
    additional: true, access: <K::Id as CommentedId>::Delete,
    path: (K::Id, CommentId), query: (), headers: ExpectedVersion, body: ()
    => delete -> Deleted;
}

pub(super) const fn note_routes<K: RecordRoutes<Id: CommentedId>>() -> [Operation; 4] {
    [Operation::of::<List<K>>(), Operation::of::<Add<K>>(), Operation::of::<Update<K>>(), Operation::of::<Delete<K>>()]
}

async fn list<K: RecordRoutes<Id: CommentedId>>(call: EndpointRequest<List<K>>) -> HandlerResult {
    let page = comments::list(&call.ports, &call.permit, call.path, call.query.filter, call.query.page).await?;
    Ok(responses::list(page).await)
}

async fn add<K: RecordRoutes<Id: CommentedId>>(call: EndpointRequest<Add<K>>) -> HandlerResult {
    let idempotency = call.idempotency();
    let outcome = comments::create(&call.ports, &call.permit, idempotency, call.path, call.body.0).await?;
    Ok(responses::idempotent::<Add<K>>(outcome))
}

impl<K: RecordRoutes<Id: CommentedId>> Action for Add<K> {
    type Output = RecordComment;

    // No `Location`: no route reads one note.
    fn response(record: &RecordComment) -> StoredResponse {
        responses::created_without_location(record)
    }
}

async fn update<K: RecordRoutes<Id: CommentedId>>(call: EndpointRequest<Update<K>>) -> HandlerResult {
    let note = comments::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
    Ok(responses::changed(&note, note.version))
}

async fn delete<K: RecordRoutes<Id: CommentedId>>(call: EndpointRequest<Delete<K>>) -> HandlerResult {
    let (_, id) = call.path;
    comments::delete(&call.ports, &call.permit, call.path, call.headers).await?;
    Ok(responses::deleted(id))
}
