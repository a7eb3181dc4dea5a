//! The outputs of tools, none larger than [`MAX_OUTPUT_BYTES`].

use std::collections::BTreeSet;

use domain::kernel::input::schema::OptionalTimestampText;
use domain::kernel::paging::{Page, Paginated};
use domain::records::{Listed, MatchedComment};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::named::{Document, Names, Nulls};
use crate::outline::Outline;

/// Maximum size of a whole result: hosts cut or reject results much larger than 20,000 tokens.
pub(crate) const MAX_OUTPUT_BYTES: usize = 60_000;
/// Maximum size of a list's rows; the rest is for the envelope.
const MAX_ROWS_BYTES: usize = 56_000;
/// The text of a result that is too large to repeat as text.
const TOO_LARGE_AS_TEXT: &str = "This result is too large to repeat as text: read structuredContent.";

/// The output of a tool.
pub(crate) trait ToolOutput: Send {
    /// Reduces an output that is too large.
    fn tighten(&mut self) {}

    /// Further reduces an output whose result would have this many bytes; returns whether it did.
    fn shorten(&mut self, _: usize) -> bool {
        false
    }
}

/// An output with its type erased, so that rendering is not compiled once per type.
pub(crate) trait AnyOutput: ToolOutput {
    fn json(&self) -> serde_json::Result<String>;
}

impl<R: ToolOutput + Serialize> AnyOutput for R {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// A deleted record.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Deleted {
    pub(crate) id: Uuid,
    pub(crate) deleted: bool,
}

impl ToolOutput for Deleted {}

/// A page of a list, as compact rows.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing<R> {
    data: Vec<R>,
    pagination: Pagination,
    /// The page, which can end after each of its items.
    #[serde(skip)]
    #[schemars(skip)]
    page: Page<()>,
}

/// Whether there are more items, and how to get them.
#[derive(Debug, Serialize, JsonSchema)]
struct Pagination {
    /// The requested maximum number of items.
    limit: u32,
    #[serde(rename = "hasMore")]
    has_more: bool,
    /// Pass it as cursor to continue; null at the end. With order updated it is never null.
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
    /// A note about this page.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A row of a list that can also show deleted records.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedRow<R> {
    #[serde(flatten)]
    row: R,
    /// When it was deleted; only in a list of deleted records.
    #[serde(with = "OptionalTimestampText", skip_serializing_if = "Option::is_none")]
    deleted_at: Option<OffsetDateTime>,
}

impl<R> ListedRow<R> {
    pub(crate) fn of<T>(listed: &Listed<T>, row: fn(&T) -> R) -> Self {
        Self { row: row(&listed.record), deleted_at: listed.deleted_at }
    }
}

/// A row of a list whose search includes comments.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FoundRow<R> {
    #[serde(flatten)]
    row: R,
    /// When it was deleted; only in a list of deleted records.
    #[serde(with = "OptionalTimestampText", skip_serializing_if = "Option::is_none")]
    deleted_at: Option<OffsetDateTime>,
    /// The comment by which a search has found it; only if it does not have the words itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MatchedComment")]
    matched_comment: Option<MatchedComment>,
}

impl<R> FoundRow<R> {
    pub(crate) fn of<T>(listed: &Listed<T>, row: fn(&T) -> R) -> Self {
        let ListedRow { row, deleted_at } = ListedRow::of(listed, row);
        Self { row, deleted_at, matched_comment: listed.matched_comment.clone() }
    }
}

/// Declares the row of a record in a list: some of its members.
macro_rules! row {
    ($(#[$about:meta])* $name:ident of $record:ty { $($(#[$attribute:meta])* $member:ident: $value:ty,)+ }) => {
        $(#[$about])*
        #[derive(Debug, serde::Serialize, schemars::JsonSchema)]
        pub(crate) struct $name {
            $($(#[$attribute])* $member: $value,)+
        }

        impl $name {
            fn of(record: &$record) -> Self {
                Self { $($member: record.$member.clone(),)+ }
            }
        }
    };
}
pub(crate) use row;

impl<R: Serialize> Listing<R> {
    /// Renders a page as rows. A page that would be too large ends earlier.
    pub(crate) fn of<T: Paginated>(page: Page<T>, row: impl Fn(&T) -> R) -> Self {
        let data: Vec<_> = page.items.iter().map(row).collect();
        let mut page = page.map(drop);
        let (limit, has_more, next_cursor) = (page.limit, page.has_more, page.next_cursor.take());
        let note = match (has_more, &next_cursor) {
            (true, _) => Some("There is more: call again with cursor = nextCursor."),
            (false, Some(_)) => Some("That is all for now: use nextCursor later to list newer changes."),
            (false, None) => None,
        };
        let pagination = Pagination { limit, has_more, next_cursor, note: note.map(str::to_owned) };
        let fitting = leading_rows(&data);
        let mut listing = Self { data, pagination, page };
        listing.end_after(fitting);
        listing
    }
}

impl<R> Listing<R> {
    /// Ends the page after this many items, if it has more.
    fn end_after(&mut self, items: usize) {
        if items >= self.data.len() {
            return;
        }
        self.data.truncate(items);
        self.page.truncate_after(items);
        self.pagination.has_more = true;
        self.pagination.next_cursor.clone_from(&self.page.next_cursor);
        self.pagination.note =
            Some(format!("This page ends after {items} items to stay small; nextCursor continues here."));
    }
}

impl<R: Send> ToolOutput for Listing<R> {
    fn shorten(&mut self, bytes: usize) -> bool {
        let items = self.data.len();
        // One row stays, because an empty page could not be continued.
        let fitting = items * MAX_ROWS_BYTES / bytes.max(1);
        self.end_after(fitting.min(items.saturating_sub(1)).max(1));
        self.data.len() < items
    }
}

/// How many rows fit in a result: at least one, because an empty page could not be continued.
pub(crate) fn leading_rows<R: Serialize>(rows: &[R]) -> usize {
    let mut bytes = 0;
    let fitting = rows.iter().take_while(|row| {
        bytes += size_in_result(*row);
        bytes <= MAX_ROWS_BYTES
    });
    fitting.count().max(1)
}

/// The size of a value in a result, which contains it twice: as JSON, and escaped in the text.
fn size_in_result(value: &impl Serialize) -> usize {
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
    /// The text: the same JSON without null members, or a note on where to read it.
    pub(crate) text: String,
    /// Whether it is replayed from an earlier call.
    pub(crate) is_replayed: bool,
}

impl RenderedOutput {
    /// Adds the names to a result. A fresh result is reduced to the bound; a replayed one has no `output`.
    pub(crate) fn of(
        document: &Document<'_>,
        output: Option<Box<dyn AnyOutput>>,
        outline: &Outline,
        names: &Names,
    ) -> serde_json::Result<Self> {
        let (mut rendered, mut bytes) = Self::with_names(document, names, output.is_none())?;
        let Some(mut output) = output else { return Ok(rendered) };
        let render = |output: &dyn AnyOutput| {
            let json = output.json()?;
            Self::with_names(&Document::read(outline, &json, &mut BTreeSet::new())?, names, false)
        };
        if bytes > MAX_OUTPUT_BYTES {
            output.tighten();
            (rendered, bytes) = render(&*output)?;
        }
        while bytes > MAX_OUTPUT_BYTES && output.shorten(bytes) {
            (rendered, bytes) = render(&*output)?;
        }
        Ok(rendered)
    }

    /// The result, and its size with the whole text.
    fn with_names(document: &Document<'_>, names: &Names, is_replayed: bool) -> serde_json::Result<(Self, usize)> {
        let text = document.write(names, Nulls::Omitted)?;
        let structured = document.write(names, Nulls::Written)?;
        let bytes = structured.len() + escaped_length(&text);
        let text = if bytes <= MAX_OUTPUT_BYTES - 200 { text } else { TOO_LARGE_AS_TEXT.to_owned() };
        Ok((Self { structured, text, is_replayed }, bytes))
    }
}

/// The JSON of an output, reduced to the bound, without names.
pub(crate) fn bounded(output: &mut dyn AnyOutput) -> serde_json::Result<String> {
    let structured = output.json()?;
    if structured.len() + escaped_length(&structured) <= MAX_OUTPUT_BYTES {
        return Ok(structured);
    }
    output.tighten();
    output.json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_escaped_length_matches_the_text() {
        for json in [r#"{"a":"b"}"#, r#"["\\\"\n"]"#, "[]", r#""ü…""#] {
            let written = serde_json::to_string(json).unwrap();
            assert_eq!(escaped_length(json) + 2, written.len(), "{json}");
        }
    }

    #[test]
    fn a_large_result_is_not_repeated_as_text() {
        let of = |length: usize| {
            let structured = serde_json::to_string(&"x".repeat(length)).unwrap();
            RenderedOutput::of(&Document::Opaque(&structured), None, &Outline::Opaque, &Names::new()).unwrap()
        };
        let small = of(1_000);
        assert_eq!(small.text, small.structured);
        assert_eq!(of(40_000).text, TOO_LARGE_AS_TEXT);
    }
}
