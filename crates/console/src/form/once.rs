//! Forms that create something only once, even if they are sent again, for example by reloading the response.
//!
//! Each form has a number. The form keeps its number when it is rejected or kept for later, and when the user goes back
//! to its page (`records.js`).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::kernel::idempotency::{IdempotentRequest, StoredResponse};
use domain::kernel::input::json::Json;
use http_core::idempotency::fingerprint;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::Form;
use crate::same_site::FORM_TOKEN;

/// The field with the number of a form.
const ONCE: &str = "_once";

/// The idempotent request to create a record, if the form has a number. If the user goes back and sends the form with
/// other values, another record is created.
pub(crate) fn once_as_typed<T: Serialize>(form: &Form, route: &'static str) -> Option<IdempotentRequest<T>> {
    once_with(form, route, |made| id_response(&json!(made)["id"]))
}

/// Like [`once_as_typed`], with a custom stored response. `render` must store the id of the new record and no secret.
pub(crate) fn once_with<T>(
    form: &Form,
    route: &'static str,
    render: fn(&T) -> StoredResponse,
) -> Option<IdempotentRequest<T>> {
    number_of(form)?;
    // The token differs on every page and does not matter for the record. A page that shows the form again may order
    // its fields differently, or leave out empty ones.
    let mut typed: Vec<_> = form.pairs().filter(|(name, value)| *name != FORM_TOKEN && !value.is_empty()).collect();
    typed.sort_unstable();
    let typed = typed.into_iter().flat_map(|(name, value)| [name, "\n", value, "\n"]).collect::<String>();
    let fingerprint = fingerprint([b"POST", route.as_bytes(), typed.as_bytes()]);
    Some(IdempotentRequest { key: URL_SAFE_NO_PAD.encode(fingerprint), route, fingerprint, render })
}

/// Like [`once_as_typed`], for a form that creates a record for each of several fields.
pub(crate) fn once_for_field<T: Serialize>(
    form: &Form,
    name: &str,
    route: &'static str,
) -> Option<IdempotentRequest<T>> {
    once_as_typed(&form.only(&[ONCE, name]), route)
}

/// The stored response for a new record: its id.
pub(crate) fn id_response(id: &Json) -> StoredResponse {
    StoredResponse { status: 200, location: None, body: id.as_str().unwrap_or_default().to_owned() }
}

/// The number of a submitted form, which it keeps if its page shows it again.
pub(crate) fn number_of(form: &Form) -> Option<Uuid> {
    form.value(ONCE)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_of_a_form_has_its_own_key() {
        let key = |form: &str, name: &str| {
            once_for_field::<Json>(&Form::parse(form.as_bytes()), name, "POST /time").map(|once| once.key)
        };
        let number = "_once=0190a8c4-0000-7000-8000-000000000001";
        let monday = key(&format!("{number}&monday=1:00&tuesday=1:00"), "monday");
        assert!(monday.is_some());
        assert_eq!(monday, key(&format!("{number}&monday=1:00&tuesday=2:00"), "monday"));
        assert_ne!(monday, key(&format!("{number}&monday=1:00&tuesday=1:00"), "tuesday"));
        assert_eq!(key("monday=1:00", "monday"), None);
    }

    #[test]
    fn equal_forms_have_equal_keys() {
        let key = |form: &str| once_as_typed::<Json>(&Form::parse(form.as_bytes()), "POST /deals").map(|once| once.key);
        let number = "_once=0190a8c4-0000-7000-8000-000000000001";
        let first = key(&format!("_token=a&{number}&title=Pilot"));
        assert!(first.is_some());
        assert_eq!(first, key(&format!("_token=b&{number}&title=Pilot")), "from another page of the same form");
        assert_ne!(first, key(&format!("_token=a&{number}&title=Other")));
        assert_ne!(first, key("_token=a&_once=0190a8c4-0000-7000-8000-000000000002&title=Pilot"));
        assert_eq!(key("title=Pilot"), None);
        assert_eq!(key("_once=x&title=Pilot"), None);
        assert_eq!(id_response(&json!("an id")).body, "an id");
    }
}
