//! Macros that declare an operation: its inputs, its access and the use case that it calls.

/// Declares an operation: a type with this name that implements [`Endpoint`](crate::endpoint::Endpoint).
///
/// ```text
/// operation! {
///     Update = "PATCH /api/v1/crm/deals/{deal_id}",
///     access: UpdateDeals, path: DealId, headers: ExpectedVersion, body: Patch<DealFields>
///     => changed(deals::update(path, headers, body))
/// }
/// ```
///
/// Parts that the operation does not take are omitted; `limits`, a [`LimitPolicy`](crate::LimitPolicy), precedes
/// `access`. After the arrow comes the form of the response (`list`, `one`, `changed`, `deleted` or `shown`; see
/// [`responses`](crate::responses)) around the use case, which receives the ports, the permit and the named parts of
/// the request: `path`, `headers`, `body`, and the `filter` and `page` of the query. Or the name of an async
/// function that receives the whole [`EndpointRequest`](crate::endpoint::EndpointRequest).
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
    (@handle $handler:ident) => {
        fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> impl Future<Output = $crate::endpoint::HandlerResult> {
            $handler(call)
        }
    };
    (@handle list($($use_case:tt)+)) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let page = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::list(page).await)
        }
    };
    (@handle one($($use_case:tt)+)) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let record = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::one(&record, record.version, &call.headers))
        }
    };
    (@handle changed($($use_case:tt)+)) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let record = $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::changed(&record, record.version))
        }
    };
    (@handle deleted($($use_case:tt)+)) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            $crate::operation!(@use_case call $($use_case)+);
            Ok($crate::responses::deleted($crate::path::RecordPath::record(&call.path)))
        }
    };
    (@handle shown($($use_case:tt)+)) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            Ok($crate::responses::ok(&$crate::operation!(@use_case call $($use_case)+)))
        }
    };
    (@handle once($($use_case:ident)::+ ($($argument:ident),*))) => {
        async fn handle(call: $crate::endpoint::EndpointRequest<Self>) -> $crate::endpoint::HandlerResult {
            let once = call.once();
            let outcome = $($use_case)::+(
                &call.ports, &call.permit, once $(, $crate::operation!(@argument call $argument))*
            )
            .await?;
            Ok($crate::responses::idempotent::<Self>(outcome))
        }
    };
    (
        $(#[$attribute:meta])*
        $name:ident = $route:literal $(, limits: $limits:expr)?, access: $access:ty
        $(, path: $path:ty)? $(, query: $query:ty)? $(, headers: $headers:ty)? $(, body: $body:ty)?
        => $($handler:tt)+
    ) => {
        $(#[$attribute])*
        pub(crate) struct $name;

        impl $crate::endpoint::Endpoint for $name {
            const ROUTE: &'static str = $route;
            $(const LIMITS: $crate::LimitPolicy = $limits;)?
            type Access = $access;
            type Path = $crate::operation!(@part $($path)?);
            type Query = $crate::operation!(@part $($query)?);
            type Headers = $crate::operation!(@part $($headers)?);
            type Body = $crate::operation!(@part $($body)?);

            $crate::operation!(@handle $($handler)+);
        }
    };
}

/// Declares an operation that is idempotent per `Idempotency-Key`: an [`Action`](crate::endpoint::Action).
///
/// ```text
/// action! {
///     Create = "POST /api/v1/crm/deals", access: CreateDeals, body: Create<DealFields>
///     => deals::create(body) -> Deal, |deal| responses::created(deal, format!("/api/v1/crm/deals/{}", deal.id))
/// }
/// ```
///
/// The use case receives the ports, the permit, the idempotency data, and the named parts of the request as in
/// [`operation!`](crate::operation). The result type and its response follow; the response may be stored for replays.
#[macro_export]
macro_rules! action {
    (
        $(#[$attribute:meta])*
        $name:ident = $route:literal $(, limits: $limits:expr)?, access: $access:ty $(, path: $path:ty)?, body: $body:ty
        => $($use_case:ident)::+ ($($argument:ident),*) -> $made:ty, |$record:ident| $answer:expr
    ) => {
        $crate::operation! {
            $(#[$attribute])*
            $name = $route $(, limits: $limits)?, access: $access $(, path: $path)?,
            headers: $crate::idempotency::IdempotencyKey, body: $body
            => once($($use_case)::+ ($($argument),*))
        }

        impl $crate::endpoint::Action for $name {
            type Output = $made;

            fn response($record: &$made) -> $crate::endpoint::StoredResponse {
                $answer
            }
        }
    };
}
