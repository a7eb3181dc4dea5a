//! The outputs of tools, none larger than [`MAX_OUTPUT_BYTES`].

use domain::kernel::paging::{Page, Paginated};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::long_texts::{Detail, LongTexts};

/// Maximum size of a whole result: hosts cut or reject results much larger than 20,000 tokens.
pub(crate) const MAX_OUTPUT_BYTES: usize = 60_000;
/// Maximum size of a list's rows; the rest is for the envelope.
const MAX_ROWS_BYTES: usize = 56_000;
/// The text of a result that is too large to repeat as text.
const TOO_LARGE_TWICE: &str = "This result is too large to repeat as text: read structuredContent.";

/// The output of a tool.
pub(crate) trait ToolOutput: Serialize + JsonSchema + Send {
    /// Reduces an output that is too large.
    fn tighten(&mut self) {}
}

impl<T: LongTexts + Send> ToolOutput for Detail<T> {
    fn tighten(&mut self) {
        Self::tighten(self);
    }
}

/// A deleted record.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Deleted {
    pub(crate) id: Uuid,
    pub(crate) deleted: bool,
}

impl Deleted {
    pub(crate) const fn of(id: Uuid) -> Self {
        Self { id, deleted: true }
    }
}

impl ToolOutput for Deleted {}

/// A page of a list, as compact rows.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing<R> {
    data: Vec<R>,
    pagination: Pagination,
}

/// Whether there are more items, and how to get them.
#[derive(Debug, Serialize, JsonSchema)]
struct Pagination {
    /// The requested maximum number of items.
    limit: u32,
    #[serde(rename = "hasMore")]
    has_more: bool,
    /// Pass it as cursor to continue; null at the end.
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
    /// A note about this page.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl<R: Serialize> Listing<R> {
    /// Renders a page as rows. A page that would be too large ends earlier.
    pub(crate) fn of<T: Paginated>(mut page: Page<T>, row: impl Fn(&T) -> R) -> Self {
        let mut data: Vec<_> = page.items.iter().map(row).collect();
        data.truncate(leading_rows(&data));
        let note = (data.len() < page.items.len())
            .then(|| format!("This page ends after {} items to stay small; nextCursor continues here.", data.len()));
        page.truncate_after(data.len());
        let has_more = page.next_cursor.is_some();
        let note = note.or_else(|| has_more.then(|| "There is more: call again with cursor = nextCursor.".to_owned()));
        Self { data, pagination: Pagination { limit: page.limit, has_more, next_cursor: page.next_cursor, note } }
    }
}

impl<R: Serialize + JsonSchema + Send> ToolOutput for Listing<R> {}

/// How many rows fit into a result: at least one, because an empty page could not be continued.
pub(crate) fn leading_rows<R: Serialize>(rows: &[R]) -> usize {
    let mut bytes = 0;
    let fitting = rows.iter().take_while(|row| {
        bytes += size_in_answer(*row);
        bytes <= MAX_ROWS_BYTES
    });
    fitting.count().max(1)
}

/// Bytes that a value takes in a result, which contains it twice: as JSON, and escaped in the text.
fn size_in_answer(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |json| json.len() + escaped_length(&json))
}

fn escaped_length(json: &str) -> usize {
    // JSON has no control characters outside escapes.
    json.len() + json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// A rendered result: JSON that matches the tool's `outputSchema`, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenderedOutput {
    /// The structured content, as JSON.
    pub(crate) structured: String,
    /// Whether it is a stored result that is replayed.
    pub(crate) is_replayed: bool,
}

impl RenderedOutput {
    /// Serialises an output within the bound.
    pub(crate) fn of(mut answer: impl ToolOutput) -> Result<Self, serde_json::Error> {
        let structured = serde_json::to_string(&answer)?;
        if structured.len() + escaped_length(&structured) <= MAX_OUTPUT_BYTES {
            return Ok(Self { structured, is_replayed: false });
        }
        answer.tighten();
        serde_json::to_string(&answer).map(|structured| Self { structured, is_replayed: false })
    }

    /// The text next to the JSON: the same JSON, unless both together would be too large.
    pub(crate) fn text(&self) -> &str {
        let both = self.structured.len() + escaped_length(&self.structured);
        if both <= MAX_OUTPUT_BYTES - 200 { &self.structured } else { TOO_LARGE_TWICE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_escaped_length_is_that_of_the_text() {
        for json in [r#"{"a":"b"}"#, r#"["\\\"\n"]"#, "[]", r#""ü…""#] {
            let written = serde_json::to_string(json).unwrap();
            assert_eq!(escaped_length(json) + 2, written.len(), "{json}");
        }
    }

    #[test]
    fn what_cannot_stand_twice_stands_once() {
        let small = RenderedOutput { structured: "x".repeat(1_000), is_replayed: false };
        assert_eq!(small.text(), small.structured);
        let large = RenderedOutput { structured: "x".repeat(40_000), is_replayed: false };
        assert_eq!(large.text(), TOO_LARGE_TWICE);
    }
}
