//! What answers to successful requests consist of (interface 1.20, 3.1).

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Data<T> {
    pub(crate) data: T,
}

/// Where a page is in its list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Pagination<'a> {
    /// Its number; null after a cursor.
    pub(crate) page: Option<u32>,
    /// How many items it holds at most.
    pub(crate) limit: u32,
    /// Whether there are more items behind it.
    #[serde(rename = "hasMore")]
    pub(crate) has_more: bool,
    /// The `cursor` of the next page; null at the end.
    #[serde(rename = "nextCursor")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// A record that is deleted.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Deleted")]
pub(crate) struct Deleted<I> {
    pub(crate) id: I,
    pub(crate) deleted: bool,
}
