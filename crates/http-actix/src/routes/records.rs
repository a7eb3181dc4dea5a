//! The operations that most kinds of record share. [`kinds`](super::kinds) declares how each kind differs.

use actix_web::HttpResponse;
use domain::ErrorCode;
use domain::kernel::input::Filter;
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, DeletedRecord, Editable, HasHistory, HistoryEvent, Kind, Listed, Members};
use http_core::conditions::NoneMatch;
use http_core::description::{Answer, Changed, Created, Deleted, ListOf, Shown, Versioned};
use http_core::endpoint::{Action, EndpointRequest, HandlerResult, StoredResponse};
use http_core::idempotency::IdempotencyKey;
use http_core::path::PathIds;
use http_core::query::{Paged, Records};
use http_core::{Operation, body, responses};
use schemars::JsonSchema;

/// A kind of record with the usual operations: list, create, read, update and delete.
pub(crate) trait RecordRoutes: Editable<Id: PathIds, Filter: Filter> + Members + JsonSchema {
    const ROUTES: Routes;
    /// The prefix of its operation ids.
    const GROUP: &'static str = Self::KINDS[0].plural();
    /// The plural, for the summary of the list.
    const PLURAL: &'static str = Self::KINDS[0].plural();
    /// Whether all its operations are beyond the supported contract (interface 19.9). History, restore and notes always are.
    const IS_ADDITIONAL: bool = false;
    /// The errors of its create operation that do not follow from the operation's parts.
    const CREATE_ERRORS: &'static [ErrorCode] = &[ErrorCode::Duplicate];
    /// Those of its update operation.
    const UPDATE_ERRORS: &'static [ErrorCode] = Self::CREATE_ERRORS;
    /// Those of its delete operation.
    const DELETE_ERRORS: &'static [ErrorCode] = &[];
    /// Those of its restore operation.
    const RESTORE_ERRORS: &'static [ErrorCode] = &[ErrorCode::Duplicate, ErrorCode::InvalidStateChange];
    /// The response of its deletion.
    type Deletion: DeletionAnswer;
}

/// The routes of a kind.
pub(crate) struct Routes {
    pub(super) path: &'static str,
    pub(super) list: &'static str,
    pub(super) create: &'static str,
    pub(super) read: &'static str,
    pub(super) update: &'static str,
    pub(super) delete: &'static str,
    pub(super) history: &'static str,
    pub(super) restore: &'static str,
    pub(super) list_notes: &'static str,
    pub(super) add_note: &'static str,
    pub(super) change_note: &'static str,
    pub(super) delete_note: &'static str,
}

/// The [`Routes`] below a path, with this name for ids.
macro_rules! routes {
    ($path:literal, $id:literal) => {
        $crate::routes::records::Routes {
            path: $path,
            list: concat!("GET ", $path),
            create: concat!("POST ", $path),
            read: concat!("GET ", $path, "/{", $id, "}"),
            update: concat!("PATCH ", $path, "/{", $id, "}"),
            delete: concat!("DELETE ", $path, "/{", $id, "}"),
            history: concat!("GET ", $path, "/{", $id, "}/history"),
            restore: concat!("POST ", $path, "/{", $id, "}/restore"),
            list_notes: concat!("GET ", $path, "/{", $id, "}/comments"),
            add_note: concat!("POST ", $path, "/{", $id, "}/comments"),
            change_note: concat!("PATCH ", $path, "/{", $id, "}/comments/{comment_id}"),
            delete_note: concat!("DELETE ", $path, "/{", $id, "}/comments/{comment_id}"),
        }
    };
}
pub(super) use routes;

/// Declares one operation for all kinds.
macro_rules! operations_of_kinds {
    ($(
        $name:ident[$($bound:tt)+] = $route:ident, id: ($group:expr, $last:literal), summary: $summary:expr,
        additional: $additional:expr $(, errors: $errors:expr)?, access: $access:ty,
        path: $path:ty, query: $query:ty, headers: $headers:ty, body: $body:ty
        => $handler:ident -> $answer:ty;
    )+) => { $(
        pub(crate) struct $name<K>(std::marker::PhantomData<fn() -> K>);

        impl<K: $($bound)+> http_core::endpoint::Endpoint for $name<K> {
            const ROUTE: &'static str = K::ROUTES.$route;
            const IS_ADDITIONAL: bool = $additional;
            $(const ERRORS: &'static [domain::ErrorCode] = $errors;)?
            type Access = $access;
            type Path = $path;
            type Query = $query;
            type Headers = $headers;
            type Body = $body;
            type Answer = $answer;

            fn id() -> String {
                [$group, $last].join("_")
            }

            fn summary() -> std::borrow::Cow<'static, str> {
                $summary.into()
            }

            fn handle(
                call: http_core::endpoint::EndpointRequest<Self>,
            ) -> impl Future<Output = http_core::endpoint::HandlerResult> {
                $handler(call)
            }
        }
    )+ };
}
pub(super) use operations_of_kinds;

operations_of_kinds! {
    List[RecordRoutes] = list, id: (K::GROUP, "list"), summary: format!("List {}", K::PLURAL),
    additional: K::IS_ADDITIONAL, access: K::Read,
    path: (), query: Records<K::Filter, K>, headers: (), body: ()
    => list -> ListOf<Listed<K>>;

    Create[RecordRoutes] = create, id: (K::GROUP, "create"), summary: format!("Create {}", singular::<K>()),
    additional: K::IS_ADDITIONAL, errors: K::CREATE_ERRORS, access: K::Create,
    path: (), query: (), headers: IdempotencyKey, body: body::Create<K::Fields>
    => create -> Created<K>;

    Read[RecordRoutes] = read, id: (K::GROUP, "read"), summary: format!("Read {}", singular::<K>()),
    additional: K::IS_ADDITIONAL, access: K::Read,
    path: K::Id, query: (), headers: NoneMatch, body: ()
    => read -> Versioned<K>;

    Update[RecordRoutes] = update, id: (K::GROUP, "update"), summary: format!("Change {}", singular::<K>()),
    additional: K::IS_ADDITIONAL, errors: K::UPDATE_ERRORS, access: K::Update,
    path: K::Id, query: (), headers: ExpectedVersion, body: body::Patch<K::Fields>
    => update -> Changed<K>;

    Delete[RecordRoutes] = delete, id: (K::GROUP, "delete"), summary: format!("Delete {}", singular::<K>()),
    additional: K::IS_ADDITIONAL, errors: K::DELETE_ERRORS, access: K::Delete,
    path: K::Id, query: (), headers: ExpectedVersion, body: ()
    => delete -> K::Deletion;

    History[RecordRoutes<Id: HasHistory>] = history, id: (K::GROUP, "history"),
    summary: format!("List the history of {}", singular::<K>()),
    additional: true, access: <K::Id as HasHistory>::Read,
    path: K::Id, query: Paged<HistoryEvent>, headers: (), body: ()
    => history -> ListOf<HistoryEvent>;

    Restore[RecordRoutes] = restore, id: (K::GROUP, "restore"), summary: format!("Restore a deleted {}", K::NOUN.replace('_', " ")),
    additional: true, errors: K::RESTORE_ERRORS, access: K::Delete,
    path: K::Id, query: (), headers: IdempotencyKey, body: body::Empty
    => restore -> Shown<K>;
}

/// The singular with its article, such as "a deal".
pub(super) fn singular<K: Kind>() -> String {
    K::KINDS[0].with_article()
}

/// The list, create, read, update and delete operations of a kind.
pub(super) const fn record_routes<K: RecordRoutes>() -> [Operation; 5] {
    [
        Operation::of::<List<K>>(),
        Operation::of::<Create<K>>(),
        Operation::of::<Read<K>>(),
        Operation::of::<Update<K>>(),
        Operation::of::<Delete<K>>(),
    ]
}

/// The history and restore operations of a kind.
pub(super) const fn history_routes<K: RecordRoutes<Id: HasHistory>>() -> [Operation; 2] {
    [Operation::of::<History<K>>(), Operation::of::<Restore<K>>()]
}

async fn list<K: RecordRoutes>(call: EndpointRequest<List<K>>) -> HandlerResult {
    let page = records::list_or_deleted::<K>(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
    Ok(responses::records(page, call.query.fields).await)
}

async fn create<K: RecordRoutes>(call: EndpointRequest<Create<K>>) -> HandlerResult {
    let idempotency = call.idempotency();
    let outcome = records::create::<K>(&call.ports, &call.permit, idempotency, call.body.0).await?;
    Ok(responses::idempotent::<Create<K>>(outcome))
}

impl<K: RecordRoutes> Action for Create<K> {
    type Output = K;

    fn response(record: &K) -> StoredResponse {
        responses::created(record, format!("{}/{}", K::ROUTES.path, record.uuid()))
    }
}

async fn read<K: RecordRoutes>(call: EndpointRequest<Read<K>>) -> HandlerResult {
    let record = records::read::<K>(&call.ports, &call.permit, call.path).await?;
    Ok(responses::one(&record, Kind::version(&record), &call.headers))
}

async fn update<K: RecordRoutes>(call: EndpointRequest<Update<K>>) -> HandlerResult {
    let record = records::update::<K>(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
    Ok(responses::changed(&record, Kind::version(&record)))
}

async fn delete<K: RecordRoutes>(call: EndpointRequest<Delete<K>>) -> HandlerResult {
    let deleted = records::delete::<K>(&call.ports, &call.permit, call.path, call.headers).await?;
    Ok(K::Deletion::response(&deleted))
}

/// The response of a deletion: the record's id, optionally with what still refers to it.
pub(crate) trait DeletionAnswer: Answer {
    fn response(deleted: &DeletedRecord) -> HttpResponse;
}

impl DeletionAnswer for Deleted {
    fn response(deleted: &DeletedRecord) -> HttpResponse {
        responses::deleted(deleted.id)
    }
}

impl DeletionAnswer for Shown<DeletedRecord> {
    fn response(deleted: &DeletedRecord) -> HttpResponse {
        responses::ok(deleted)
    }
}

async fn history<K: RecordRoutes<Id: HasHistory>>(call: EndpointRequest<History<K>>) -> HandlerResult {
    let page = records::read_history(&call.ports, &call.permit, call.path, call.query.page).await?;
    Ok(responses::list(page).await)
}

async fn restore<K: RecordRoutes>(call: EndpointRequest<Restore<K>>) -> HandlerResult {
    let idempotency = call.idempotency();
    let outcome = records::restore::<K>(&call.ports, &call.permit, idempotency, call.path).await?;
    Ok(responses::idempotent::<Restore<K>>(outcome))
}

impl<K: RecordRoutes> Action for Restore<K> {
    type Output = K;

    fn response(restored: &K) -> StoredResponse {
        responses::ok_response(restored)
    }
}
