//! The short way to declare an operation: what it needs, and the use case that it calls.

/// Declares an operation: a type of this name that is an [`Endpoint`](crate::endpoint::Endpoint).
///
/// ```text
/// operation! {
///     Update = "PATCH /api/v1/crm/deals/{deal_id}",
///     access: UpdateDeals, path: DealId, headers: ExpectedVersion, body: Patch<DealFields>
///     => changed(deals::update(path, headers, body))
/// }
/// ```
///
/// What the operation does not take is left out; `limits`, a [`LimitPolicy`](crate::LimitPolicy), stands before `access`.
/// Behind the arrow stands the form of the answer, a function of [`reply`](crate::reply) (`list`, `one`, `changed`,
/// `deleted` or `shown`), around the use case. It gets the ports, the permit, and the named parts of the call: `path`,
/// `headers`, `body`, and the `filter` and `page` of the query. Or there stands the name of an async function that gets
/// the whole [`EndpointRequest`](crate::endpoint::EndpointRequest).
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
            Ok($crate::responses::list(&$crate::operation!(@use_case call $($use_case)+)))
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
            Ok($crate::responses::deleted(call.path))
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

/// Declares an operation that happens at most once for an idempotency key: an [`Action`](crate::endpoint::Action).
///
/// ```text
/// action! {
///     Create = "POST /api/v1/crm/deals", access: CreateDeals, body: Create<DealFields>
///     => deals::create(body) -> Deal, |deal| responses::created(deal, format!("/api/v1/crm/deals/{}", deal.id))
/// }
/// ```
///
/// The use case gets the ports, the permit, what makes it happen once, and the named parts of the call as in
/// [`operation!`](crate::operation). What it makes and the answer for that follow; the answer may be kept for later.
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
