//! Macros that declare an operation: its inputs, its access and the use case that it calls.

/// Declares an operation: a type with this name that implements [`Endpoint`](crate::endpoint::Endpoint).
///
/// ```text
/// operation! {
///     /// Change an issue.
///     Update = "PATCH /api/v1/issues/{issue_id}",
///     access: UpdateIssues, path: IssueId, headers: ExpectedVersion, body: Patch<IssueFields>, errors: [InvalidStateChange]
///     => changed(issues::update(path, headers, body)) -> Issue
/// }
/// ```
///
/// The comment is the operation's title in the OpenAPI document, which is generated from these declarations. Omit the parts
/// that the operation does not take. `contract: additional` (interface 19.9) and `limits`, a
/// [`LimitPolicy`](crate::LimitPolicy), precede `access`. `errors` lists the use case's error codes that do not follow from
/// the other parts.
///
/// After the arrow comes the form of the response (`list`, `records`, `one`, `changed`, `deleted` or `shown`; see
/// [`responses`](crate::responses)) around the use case. The use case receives the ports, the permit and the named parts of
/// the request: `path`, `headers`, `body`, and the `filter` and `page` of the query. Its result type follows, which the
/// compiler checks. Alternatively, name an async function that receives the whole
/// [`EndpointRequest`](crate::endpoint::EndpointRequest), and the form of its response (see
/// [`description`](crate::description)).
#[macro_export]
macro_rules! operation {
    (@part) => { () };
    (@part $part:ty) => { $part };
    (@argument $call:ident path) => { $call.path };
    (@argument $call:ident headers) => { $call.headers };
    (@argument $call:ident body) => { $call.body.0 };
    (@argument $call:ident filter) => { $call.query.filter };
    (@argument $call:ident page) => { $call.query.page };
    (@use_case $call:ident $($use_case:ident)::+ ($($argument:ident),*)) => {
        $($use_case)::+(&$call.ports, &$call.permit $(, $crate::operation!(@argument $call $argument))*).await?
    };
    (@handle list($($use_case:tt)+), $item:ty) => {
        type Answer = $crate::description::ListOf<$item>;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let page: domain::kernel::paging::Page<$item> = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::list(page).await)
        }
    };
    (@handle records($($use_case:tt)+), $item:ty) => {
        type Answer = $crate::description::ListOf<$item>;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let page: domain::kernel::paging::Page<$item> = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::records(page, call.query.fields).await)
        }
    };
    (@handle one($($use_case:tt)+), $record:ty) => {
        type Answer = $crate::description::Versioned<$record>;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let record: $record = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::one(&record, record.version, &call.headers))
        }
    };
    (@handle changed($($use_case:tt)+), $record:ty) => {
        type Answer = $crate::description::Changed<$record>;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let record: $record = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::changed(&record, record.version))
        }
    };
    (@handle deleted($($use_case:tt)+)) => {
        type Answer = $crate::description::Deleted;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::deleted($crate::path::RecordPath::record(&call.path)))
        }
    };
    (@handle shown($($use_case:tt)+), $value:ty) => {
        type Answer = $crate::description::Shown<$value>;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let value: $value = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::ok(&value))
        }
    };
    (@handle idempotency($($use_case:ident)::+ ($($argument:ident),*)), $answer:ty) => {
        type Answer = $answer;

        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let idempotency = call.idempotency();
            let outcome = $($use_case)::+(
                &call.ports, &call.permit, idempotency $(, $crate::operation!(@argument call $argument))*
            )
            .await?;
            Ok($crate::responses::idempotent::<Self>(outcome))
        }
    };
    (@handle $handler:ident, $answer:ty) => {
        type Answer = $answer;

        fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> impl Future<Output = $crate::endpoint::HandlerResult> {
            $handler(call)
        }
    };
    (@level additional) => { const IS_ADDITIONAL: bool = true; };
    (
        $(#[doc = $summary:literal])+
        $name:ident = $route:literal $(, contract: $level:ident)? $(, limits: $limits:expr)?, access: $access:ty
        $(, path: $path:ty)? $(, query: $query:ty)? $(, headers: $headers:ty)? $(, body: $body:ty)?
        $(, errors: [$($code:ident),+])?
        => $form:ident $(($($use_case:tt)+))? $(-> $answer:ty)?
    ) => {
        $(#[doc = $summary])+
        pub(crate) struct $name;

        impl $crate::endpoint::Endpoint for $name {
            const ROUTE: &'static str = $route;
            $($crate::operation!(@level $level);)?
            $(const LIMITS: $crate::LimitPolicy = $limits;)?
            $(const ERRORS: &'static [domain::ErrorCode] = &[$(domain::ErrorCode::$code),+];)?
            type Access = $access;
            type Path = $crate::operation!(@part $($path)?);
            type Query = $crate::operation!(@part $($query)?);
            type Headers = $crate::operation!(@part $($headers)?);
            type Body = $crate::operation!(@part $($body)?);

            fn summary() -> std::borrow::Cow<'static, str> {
                concat!($($summary),+).trim().into()
            }

            $crate::operation!(@handle $form $(($($use_case)+))? $(, $answer)?);
        }
    };
}

/// Declares an operation that is idempotent per `Idempotency-Key`: an [`Action`](crate::endpoint::Action).
///
/// ```text
/// action! {
///     /// Create an issue.
///     Create = "POST /api/v1/issues", access: CreateIssues, body: Create<NewIssue>
///     => issues::create(body) -> Issue, created(|issue| format!("/api/v1/issues/{}", issue.id))
/// }
/// ```
///
/// The use case receives the ports, the permit, the idempotency data, and the named parts of the request as in
/// [`operation!`](crate::operation). The result type and the form of its response follow; `created` takes the record's
/// address. The response may be stored for replays.
#[macro_export]
macro_rules! action {
    (@answer created($place:expr) $made:ty) => { $crate::description::Created<$made> };
    (@answer created_without_location $made:ty) => { $crate::description::CreatedWithoutLocation<$made> };
    (@answer created_unwrapped $made:ty) => { $crate::description::CreatedUnwrapped<$made> };
    (@answer shown $made:ty) => { $crate::description::Shown<$made> };
    (@answer accepted $made:ty) => { $crate::description::Accepted<$made> };
    (@response created($place:expr) $record:ident $made:ty) => {{
        let place: fn(&$made) -> String = $place;
        $crate::responses::created($record, place($record))
    }};
    (@response created_without_location $record:ident $made:ty) => {
        $crate::responses::created_without_location($record)
    };
    (@response created_unwrapped $record:ident $made:ty) => { $crate::responses::created_unwrapped($record) };
    (@response shown $record:ident $made:ty) => { $crate::responses::ok_response($record) };
    (@response accepted $record:ident $made:ty) => { $crate::responses::accepted_response($record) };
    (
        $(#[doc = $summary:literal])+
        $name:ident = $route:literal $(, contract: $level:ident)? $(, limits: $limits:expr)?, access: $access:ty
        $(, path: $path:ty)?, body: $body:ty $(, errors: [$($code:ident),+])?
        => $($use_case:ident)::+ ($($argument:ident),*) -> $made:ty, $form:ident $(($place:expr))?
    ) => {
        $crate::operation! {
            $(#[doc = $summary])+
            $name = $route $(, contract: $level)? $(, limits: $limits)?, access: $access $(, path: $path)?,
            headers: $crate::idempotency::IdempotencyKey, body: $body $(, errors: [$($code),+])?
            => idempotency($($use_case)::+ ($($argument),*)) -> $crate::action!(@answer $form $(($place))? $made)
        }

        impl $crate::endpoint::Action for $name {
            type Output = $made;

            fn response(made: &$made) -> $crate::endpoint::StoredResponse {
                $crate::action!(@response $form $(($place))? made $made)
            }
        }
    };
}
