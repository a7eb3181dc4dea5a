//! Headers that a subscription adds to its requests, such as the key of a gateway (interface 16.38). Names are shown; values never
//! are.

use std::fmt;

use serde_json::{Map, Value as Json, json};

use crate::kernel::input::{Problems, Read, Value, path};
use crate::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use crate::ports::{Random, StoreError};
use crate::{Error, SubscriptionId, WorkspaceId};

/// Maximum number of headers per subscription.
const MAX_HEADERS: usize = 10;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 100;
/// Maximum length of a value, in characters.
pub const MAX_HEADER_VALUE_BYTES: usize = 1_000;
/// Names of headers that the service or the HTTP connection sets.
const RESERVED: [&str; 11] = [
    "accept-encoding",
    "connection",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];
/// Prefixes of reserved names.
const RESERVED_PREFIXES: [&str; 4] = ["content-", "proxy-", "webhook-", "x-service-"];

/// The headers that a client sends. A `None` value keeps the stored one. `Debug` shows only names.
#[derive(Clone, PartialEq, Eq)]
pub struct HeaderFields(Vec<(String, Option<String>)>);

impl fmt::Debug for HeaderFields {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Value for HeaderFields {
    fn schema() -> Json {
        let value = json!({ "type": ["string", "null"], "maxLength": MAX_HEADER_VALUE_BYTES });
        json!({ "type": "object", "additionalProperties": value, "maxProperties": MAX_HEADERS })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            return problems.malformed(
                at,
                "invalid_type",
                "must be an object of header names and their values, or null",
            );
        };
        if object.len() > MAX_HEADERS {
            return problems.invalid(at, "too_many", format!("must have at most {MAX_HEADERS} headers"));
        }
        let count = object.len();
        let mut read: Vec<(String, Option<String>)> = Vec::with_capacity(count);
        for (name, value) in object {
            let field = path(at, &name.chars().take(MAX_NAME).collect::<String>());
            let is_valid_name = check_name(&name, &field, problems);
            if read.iter().any(|(other, _)| other.eq_ignore_ascii_case(&name)) {
                problems.rule(&field, "repeated", "must not be sent twice: header names are case-insensitive");
                continue;
            }
            match read_value(value, &field, problems) {
                Read::Value(value) if is_valid_name => read.push((name, Some(value))),
                Read::Empty if is_valid_name => read.push((name, None)),
                _ => {}
            }
        }
        if read.len() == count { Read::Value(Self(read)) } else { Read::Invalid }
    }
}

fn check_name(name: &str, field: &str, problems: &mut Problems) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(is_token) {
        let message = format!("must be a header name: letters, digits and hyphens, at most {MAX_NAME} characters");
        problems.rule(field, "invalid_name", message);
        return false;
    }
    let lower = name.to_ascii_lowercase();
    if RESERVED.contains(&lower.as_str()) || RESERVED_PREFIXES.iter().any(|prefix| lower.starts_with(prefix)) {
        problems.rule(field, "reserved_name", "must be another header: the service or the connection sets this one");
        return false;
    }
    true
}

/// Reads a value, which messages never repeat.
fn read_value(value: Json, field: &str, problems: &mut Problems) -> Read<String> {
    let text = match value {
        Json::Null => return Read::Empty,
        Json::String(text) => text,
        _ => {
            return problems.malformed(field, "invalid_type", "must be a string, or null to keep the stored value");
        }
    };
    let text = text.trim();
    if text.is_empty() {
        problems.rule(field, "required", "must not be empty: omit the header to remove it");
    } else if text.chars().count() > MAX_HEADER_VALUE_BYTES {
        problems.rule(field, "too_long", format!("must be at most {MAX_HEADER_VALUE_BYTES} characters long"));
    } else if !text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        problems.rule(field, "invalid_value", "must contain only visible ASCII characters and spaces");
    } else {
        return Read::Value(text.to_owned());
    }
    Read::Invalid
}

/// Headers with their values. `Debug` shows only names.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainHeaders(Vec<(String, String)>);

impl fmt::Debug for PlainHeaders {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl PlainHeaders {
    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The headers after a change to `sent`. Values that were not sent come from `stored`, unless the scheme, host or port of the
    /// target changes too (`moves`): a new receiver must not get the old one's values.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a header without a value.
    pub(super) fn merged(sent: &HeaderFields, stored: Option<&Self>, moves: bool) -> Result<Option<Self>, Error> {
        let mut problems = Problems::default();
        let mut merged = Vec::with_capacity(sent.0.len());
        for (name, value) in &sent.0 {
            let old = || stored?.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value);
            match value.as_deref().or_else(|| old().filter(|_| !moves)) {
                Some(value) => merged.push((name.clone(), value.to_owned())),
                None if moves => {
                    let message = "must be sent again: values are not kept for another scheme, host or port in url";
                    problems.rule(path("headers", name), "required", message);
                }
                None => problems.rule(path("headers", name), "required", "must have a value: none is stored"),
            }
        }
        problems.into_result()?;
        merged.sort_by_key(|(name, _)| name.to_ascii_lowercase());
        Ok((!merged.is_empty()).then_some(Self(merged)))
    }

    /// Seals the headers for a subscription.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(
        &self,
        keys: &MasterKeys,
        (workspace, id): (WorkspaceId, SubscriptionId),
        random: &dyn Random,
    ) -> Result<SealedHeaders, StoreError> {
        let sealed = keys.seal(SealedPlace::WebhookHeaders(workspace, id), &json!(self.0).to_string(), random)?;
        Ok(SealedHeaders { names: self.0.iter().map(|(name, _)| name.clone()).collect(), sealed })
    }
}

/// Headers as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedHeaders {
    /// The names, which are shown to callers that may read the subscription.
    pub names: Vec<String>,
    /// Names and values.
    pub sealed: SealedSecret,
}

impl SealedHeaders {
    /// Opens the headers of a subscription.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for headers of another subscription, a missing key, or tampered data.
    pub fn open(
        &self,
        keys: &MasterKeys,
        (workspace, id): (WorkspaceId, SubscriptionId),
    ) -> Result<PlainHeaders, StoreError> {
        let text = keys.open(SealedPlace::WebhookHeaders(workspace, id), &self.sealed)?;
        let pairs = serde_json::from_str(&text);
        pairs.map(PlainHeaders).map_err(|_| StoreError::Internal("decrypted webhook headers are malformed".to_owned()))
    }

    /// The headers as shown: each name without its value.
    pub(super) fn shown(&self) -> Map<String, Json> {
        self.names.iter().map(|name| (name.clone(), Json::Null)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{SequenceRandom, master_keys};
    use uuid::Uuid;

    fn read(json: Json) -> Result<HeaderFields, Vec<String>> {
        let mut problems = Problems::default();
        let read = HeaderFields::read(json, "headers", &mut problems);
        let (outcome, fields) = (problems.into_codes(), read.value());
        assert_eq!(outcome.is_ok(), fields.is_some(), "either fields or problems: {outcome:?}");
        outcome.map(|()| fields.unwrap())
    }

    #[test]
    fn names_and_values_are_checked() {
        for good in [
            json!({}),
            json!({"Authorization": "Bearer a.b-c", "x-api-key": "k", "X-Kept": null}),
            json!({"a": "x".repeat(1_000), &"n".repeat(100): "  y  "}),
        ] {
            assert!(read(good.clone()).is_ok(), "{good}");
        }
        let many: Map<_, _> = (0..11).map(|number| (format!("x-{number}"), json!("v"))).collect();
        for (bad, expected) in [
            (json!("x"), "headers:invalid_type"),
            (Json::Object(many), "headers:too_many"),
            (json!({"x": 1}), "headers.x:invalid_type"),
            (json!({"": "v"}), "headers.:invalid_name"),
            (json!({"a b": "v"}), "headers.a b:invalid_name"),
            (json!({"a:b": "v"}), "headers.a:b:invalid_name"),
            (json!({"é": "v"}), "headers.é:invalid_name"),
            (json!({"x": ""}), "headers.x:required"),
            (json!({"x": "x".repeat(1_001)}), "headers.x:too_long"),
            (json!({"x": "a\r\nb: c"}), "headers.x:invalid_value"),
            (json!({"x": "é"}), "headers.x:invalid_value"),
        ] {
            assert_eq!(read(bad.clone()).unwrap_err(), [expected], "{bad}");
        }
        let problems = read(json!({"X-A": "1", "x-a": "2"})).unwrap_err();
        assert!(problems.len() == 1 && problems[0].ends_with(":repeated"), "{problems:?}");
        assert_eq!(read(json!({"n".repeat(101): "v"})).unwrap_err().len(), 1);
    }

    #[test]
    fn headers_that_the_service_or_the_connection_sets_are_refused() {
        for name in ["Host", "Content-Type", "content-length", "Connection", "Transfer-Encoding", "TE", "Upgrade"]
            .into_iter()
            .chain(["Proxy-Authorization", "User-Agent", "X-Service-Signature", "Webhook-Id", "Expect", "Trailer"])
        {
            assert_eq!(read(json!({ name: "v" })).unwrap_err(), [format!("headers.{name}:reserved_name")]);
        }
    }

    #[test]
    fn stored_values_are_kept_only_for_the_same_host() {
        let stored = PlainHeaders(vec![("X-A".to_owned(), "1".to_owned()), ("X-B".to_owned(), "2".to_owned())]);
        let sent = read(json!({"x-a": null, "X-C": "3"})).unwrap();
        let merged = PlainHeaders::merged(&sent, Some(&stored), false).unwrap().unwrap();
        assert_eq!(merged.iter().collect::<Vec<_>>(), [("x-a", "1"), ("X-C", "3")]);
        for (stored, moves) in [(Some(&stored), true), (None, false)] {
            let error = PlainHeaders::merged(&sent, stored, moves).unwrap_err();
            assert_eq!(error.details()[0].field, "headers.x-a");
        }
        assert_eq!(PlainHeaders::merged(&read(json!({})).unwrap(), Some(&stored), false).unwrap(), None);
    }

    #[test]
    fn values_open_only_in_their_own_row_and_are_never_printed() {
        let (keys, random) = (master_keys(), SequenceRandom::default());
        let ids = |id| (WorkspaceId(Uuid::from_u128(1)), SubscriptionId(Uuid::from_u128(id)));
        let sent = read(json!({"X-Key": "hidden"})).unwrap();
        let plain = PlainHeaders::merged(&sent, None, false).unwrap().unwrap();
        let sealed = plain.seal(&keys, ids(1), &random).unwrap();
        assert_eq!(sealed.open(&keys, ids(1)).unwrap(), plain);
        assert!(sealed.open(&keys, ids(2)).is_err());
        let printed = format!("{sent:?} {plain:?} {sealed:?} {:?}", sealed.shown());
        assert!(printed.contains("X-Key") && !printed.contains("hidden"), "{printed}");
    }
}
