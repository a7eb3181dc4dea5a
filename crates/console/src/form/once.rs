//! Forms that make something once: sent again, as by reloading the page that answered, they make nothing.

use domain::kernel::idempotency::{IdempotentRequest, StoredResponse};
use http_core::idempotency::fingerprint;
use uuid::Uuid;

use super::Form;

/// The field with the number of a form.
const ONCE: &str = "_once";

/// The request to do this once, if the form has its number. `render` keeps the id of what was made, and no secret.
pub(crate) fn once<T>(
    form: &Form,
    route: &'static str,
    render: fn(&T) -> StoredResponse,
) -> Option<IdempotentRequest<T>> {
    let key = form.value(ONCE)?.parse::<Uuid>().ok()?.to_string();
    // The number alone tells forms apart: each page has one of its own.
    let fingerprint = fingerprint([b"POST", route.as_bytes(), key.as_bytes()]);
    Some(IdempotentRequest { key, route, fingerprint, render })
}
