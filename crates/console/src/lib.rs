//! The console: the web application in which people do their work (interface 26).
//!
//! A page is a [`PageRoute`](page::PageRoute): its route, who may open it, and a handler that calls use cases of the
//! domain and fills a template. Pages are rendered on the server and work without scripts; htmx makes them interactive.
//! The crate has no business rules, no SQL and no permission checks of its own.

mod addresses;
mod asset_route;
mod cookies;
mod errors;
mod filters;
mod form;
mod layout;
mod lists;
mod live;
mod markdown;
mod navigation;
mod page;
mod pages;
mod parts;
mod preferences;
mod prelude;
mod records;
mod recovery;
mod rendering;
mod responses;
mod same_site;
mod secret;
mod sessions;
mod texts;

use http_core::{Operation, Routes};

/// The surface, as registered with `http_core`.
pub static ROUTES: Routes = Routes { operations: pages::OPERATIONS, pages: &[], not_found: Some(errors::not_found) };

/// All operations of the console, for tests that iterate over them.
pub const OPERATIONS: &[Operation] = pages::OPERATIONS;

/// Whether an address is a page of a workspace, which browsers see below `/w/{slug}`.
pub fn is_of_workspace(address: &str) -> bool {
    addresses::is_inside(address)
}
