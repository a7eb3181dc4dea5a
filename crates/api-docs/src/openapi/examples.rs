//! What was sent and answered, recorded by a test that uses every operation (`tests/it/src/openapi_examples`).

use std::sync::LazyLock;

use serde_json::Value as Json;

static RECORDED: LazyLock<Json> = LazyLock::new(|| {
    // A test reads the file; without it, the document would have no examples, which the same test notices.
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

    /// The answer, if it had this status and a body.
    pub(crate) fn response(&self, status: u16) -> Option<&Json> {
        self.0.get("response").filter(|body| self.0["status"] == status && !body.is_null())
    }
}
