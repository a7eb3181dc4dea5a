//! The envelope of successful responses (interface 1.20, 3.1).

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Data<T> {
    pub(crate) data: T,
}

/// The position of a page in its list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Pagination<'a> {
    /// The page number; null if the request had a cursor.
    pub(crate) page: Option<u32>,
    /// Maximum number of items on the page.
    pub(crate) limit: u32,
    /// Whether more items follow.
    #[serde(rename = "hasMore")]
    pub(crate) has_more: bool,
    /// The `cursor` for the next page; null at the end.
    #[serde(rename = "nextCursor")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// A deleted record.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Deleted")]
pub(crate) struct Deleted<I> {
    pub(crate) id: I,
    pub(crate) deleted: bool,
}
