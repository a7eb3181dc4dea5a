//! Example requests and responses, recorded by a test that uses every operation (`tests/it/src/openapi_examples`).

use std::sync::LazyLock;

use serde_json::Value as Json;

static RECORDED: LazyLock<Json> = LazyLock::new(|| {
    // If the file cannot be parsed, the document has no examples, and a test fails.
    serde_json::from_str(include_str!("../../../../docs/openapi.examples.json")).unwrap_or_default()
});

/// A recorded exchange.
pub(crate) struct Example(&'static Json);

impl Example {
    pub(crate) fn of(method: &str, pattern: &str) -> Self {
        Self(&RECORDED[format!("{method} {pattern}")])
    }

    pub(crate) fn request(&self) -> Option<&Json> {
        self.0.get("request")
    }

    /// The response body, if the response had this status.
    pub(crate) fn response(&self, status: u16) -> Option<&Json> {
        self.0.get("response").filter(|body| self.0["status"] == status && !body.is_null())
    }
}
