//! Error envelopes: one per surface.

use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::ErrorCode;
use domain::kernel::input::Problem;
use serde::Serialize;
use uuid::Uuid;

use super::code::Code;

/// Determines the error envelope and its codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// `error` is an object.
    Rest,
    /// `error` is the code.
    Flat,
}

impl Surface {
    pub fn of(path: &str) -> Self {
        let below = path.strip_prefix("/api/mcp");
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) { Self::Flat } else { Self::Rest }
    }

    /// The text of a code, which differs for `forbidden` in the flat envelope.
    pub(crate) const fn text_of(self, code: Code) -> &'static str {
        match (self, code) {
            (Self::Flat, Code::Domain(ErrorCode::Forbidden)) => "permission_denied",
            _ => code.as_str(),
        }
    }
}

/// The content of either envelope.
pub(super) struct Envelope<'a> {
    pub(super) code: Code,
    pub(super) message: &'a str,
    pub(super) details: &'a [Problem],
    pub(super) existing_id: Option<Uuid>,
    pub(super) retry_after: Option<i64>,
    pub(super) request_id: &'a str,
}

impl Envelope<'_> {
    pub(super) fn write(&self, surface: Surface, mut response: HttpResponseBuilder) -> HttpResponse {
        let Self { code, message, details, existing_id, retry_after, request_id } = *self;
        // Rate limits and quotas use the flat form on every surface.
        let surface = if retry_after.is_some() { Surface::Flat } else { surface };
        let code = surface.text_of(code);
        match surface {
            Surface::Rest => {
                response.json(RestEnvelope { error: RestError { code, message, details, existing_id, request_id } })
            }
            Surface::Flat => {
                response.json(FlatEnvelope { error: code, message, details, existing_id, retry_after, request_id })
            }
        }
    }
}

#[derive(Serialize)]
struct RestEnvelope<'a> {
    error: RestError<'a>,
}

#[derive(Serialize)]
struct RestError<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    existing_id: Option<Uuid>,
    request_id: &'a str,
}

#[derive(Serialize)]
struct FlatEnvelope<'a> {
    error: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Problem]>::is_empty")]
    details: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    existing_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<i64>,
    request_id: &'a str,
}
