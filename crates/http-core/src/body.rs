//! Reads request bodies within bounds, and discards unread ones.

use actix_web::HttpRequest;
use actix_web::http::header::{CONTENT_LENGTH, HeaderMap};
use actix_web::rt::time::timeout;
use actix_web::web::{self, Bytes, BytesMut};
use domain::Error;
use domain::kernel::input::schema::object_schema;
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember, json, refuse_unknown};
use serde_json::{Map, Value as Json};

use crate::description::Schemas;
use crate::errors::HttpError;
use crate::media_type;
use crate::request_context::RequestContext;
use crate::settings::HttpSettings;
use crate::state::AppState;

/// The largest body, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Initial buffer for a body whose `Content-Length` is not yet proven.
const INITIAL_CAPACITY: usize = 16 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyPresence {
    /// The body is not read.
    Ignored,
    Optional,
    Needed,
}

/// What an operation parses its body into.
pub trait Body: Sized {
    const PRESENCE: BodyPresence;
    /// Whether a well-formed body can still break a rule (422).
    const HAS_RULES: bool = true;

    /// The schema of the body; `None` if it is not read.
    fn schema(schemas: &mut Schemas) -> Option<Json>;

    /// Parses the body. `problems` already has those from path, query and headers, so that all 400 details are reported together.
    fn read(raw: &[u8], problems: Problems) -> Result<Self, Error>;
}

/// No body.
impl Body for () {
    const PRESENCE: BodyPresence = BodyPresence::Ignored;
    const HAS_RULES: bool = false;

    fn schema(_: &mut Schemas) -> Option<Json> {
        None
    }

    fn read(_: &[u8], problems: Problems) -> Result<Self, Error> {
        problems.into_result()
    }
}

/// Declares bodies that consist of one input.
macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident: $presence:ident, $mode:ident;)+) => { $(
        $(#[$doc])*
        pub struct $name<T>(pub T);

        impl<T: Input> Body for $name<T> {
            const PRESENCE: BodyPresence = BodyPresence::$presence;

            fn schema(schemas: &mut Schemas) -> Option<Json> {
                Some(schemas.input::<T>(InputMode::$mode))
            }

            fn read(raw: &[u8], problems: Problems) -> Result<Self, Error> {
                read_input(raw, Self::PRESENCE, InputMode::$mode, problems).map(Self)
            }
        }
    )+ };
}

bodies! {
    /// The input of a create or an action.
    Create: Needed, Create;
    /// The input of an action whose body may be absent, which is read as an empty object.
    Optional: Optional, Create;
    /// The input of a PATCH.
    Patch: Needed, Patch;
}

/// An absent body or an empty object.
pub struct Empty;

impl Body for Empty {
    const PRESENCE: BodyPresence = BodyPresence::Optional;
    const HAS_RULES: bool = false;

    fn schema(_: &mut Schemas) -> Option<Json> {
        Some(object_schema(&[], InputMode::Create))
    }

    fn read(raw: &[u8], problems: Problems) -> Result<Self, Error> {
        read_input(raw, Self::PRESENCE, InputMode::Create, problems)
    }
}

impl Input for Empty {
    fn members() -> Vec<SchemaMember> {
        Vec::new()
    }

    fn read(object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        refuse_unknown(&object, at, &[], problems);
        Self
    }
}

fn read_input<T: Input>(
    raw: &[u8],
    presence: BodyPresence,
    mode: InputMode,
    mut problems: Problems,
) -> Result<T, Error> {
    let raw = if raw.is_empty() && presence == BodyPresence::Optional { b"{}" } else { raw };
    let object = match json::parse_object(raw) {
        Ok(object) => object,
        Err(error) => {
            add_details(&mut problems, &error);
            problems.into_result()?;
            return Err(error);
        }
    };
    let input = T::read(object, "", mode, &mut problems);
    problems.into_result()?;
    Ok(input)
}

/// Reads the raw body if the operation takes one.
pub(crate) async fn receive_as(presence: BodyPresence, request: &HttpRequest) -> Result<Bytes, HttpError> {
    match presence {
        BodyPresence::Ignored => Ok(Bytes::new()),
        BodyPresence::Needed => receive(request).await,
        BodyPresence::Optional => {
            let headers = request.headers();
            // A declared body must be JSON before it is read.
            if declared_length(headers).is_some_and(|length| length > 0) {
                media_type::check(headers)?;
            }
            let raw = read(&RequestContext::of(request), headers).await?;
            if !raw.is_empty() {
                media_type::check(headers)?;
            }
            Ok(raw)
        }
    }
}

/// Adds an error's details as shape problems.
pub(crate) fn add_details(problems: &mut Problems, error: &Error) {
    for problem in error.details() {
        problems.shape(problem.field, problem.code, problem.message);
    }
}

fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads the whole body of a request: JSON of at most [`MAX_BYTES`]. Fails with [`HttpError::UnsupportedMediaType`],
/// [`HttpError::PayloadTooLarge`], [`HttpError::Busy`] if there is no memory for it, or [`Error::InvalidJson`] if it is
/// truncated.
pub async fn receive(request: &HttpRequest) -> Result<Bytes, HttpError> {
    media_type::check(request.headers())?;
    let exchange = RequestContext::of(request);
    // If the rate-limit class depends on the body, the caller is authenticated but not counted yet.
    if let (Some(caller), Some(state)) = (exchange.caller.get(), request.app_data::<web::Data<AppState>>()) {
        state.guards.hold(request, caller.into())?;
    }
    read(&exchange, request.headers()).await
}

/// Reads the whole body of a form that a browser sent.
pub async fn receive_form(request: &HttpRequest) -> Result<Bytes, HttpError> {
    media_type::check_form(request.headers())?;
    read(&RequestContext::of(request), request.headers()).await
}

/// Reads the whole body, and fails as soon as it exceeds [`MAX_BYTES`].
async fn read(exchange: &RequestContext, headers: &HeaderMap) -> Result<Bytes, HttpError> {
    let declared_length = declared_length(headers);
    if declared_length.is_some_and(|length| length > MAX_BYTES as u64) {
        return Err(HttpError::PayloadTooLarge { max_bytes: MAX_BYTES });
    }
    let mut body = BytesMut::with_capacity(if declared_length == Some(0) { 0 } else { INITIAL_CAPACITY });
    while let Some(bytes) = exchange.next_bytes().await {
        let bytes = bytes.map_err(|_| Error::InvalidJson("it is incomplete".to_owned()))?;
        if body.len() + bytes.len() > MAX_BYTES {
            return Err(HttpError::PayloadTooLarge { max_bytes: MAX_BYTES });
        }
        body.extend_from_slice(&bytes);
        exchange.grow_memory(body.len())?;
    }
    Ok(body.freeze())
}

/// Reads and discards the rest of the body, so that a client that is still sending can read the response instead of a
/// connection reset. Bounded in bytes and time; a body declared longer than the bound is not read at all.
///
/// Returns whether the body was read to its end.
pub(crate) async fn discard(exchange: &RequestContext, headers: &HeaderMap, settings: &HttpSettings) -> bool {
    let bound = settings.discard_bytes;
    let mut finished = false;
    if declared_length(headers).is_none_or(|length| length <= bound as u64) {
        let read_to_end = async {
            let mut remaining = bound;
            loop {
                match exchange.next_bytes().await {
                    Some(Ok(bytes)) if bytes.len() <= remaining => remaining -= bytes.len(),
                    Some(_) => return false,
                    None => return true,
                }
            }
        };
        // A slower client gets the response, and then its connection is closed.
        finished = timeout(settings.discard_deadline, read_to_end).await.unwrap_or(false);
    }
    exchange.close_body();
    finished
}
