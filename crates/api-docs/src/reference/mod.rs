//! Serves the documentation: the OpenAPI document, a reference page rendered from it, and the guides in `docs/`
//! (interface 19.10). All of it is in the binary and the same for every client.

mod document;
mod guides;
mod markdown;
mod pages;

use http_core::{Page, Routes};

pub use guides::{GUIDES, Guide};

/// The surface, as registered with `http_core`.
pub static ROUTES: Routes = Routes { operations: &[], pages: PAGES, not_found: None };

const PAGES: &[Page] = &[
    Page { pattern: "/openapi.json", answer: pages::openapi },
    Page { pattern: "/docs", answer: pages::reference },
    Page { pattern: "/docs/images/{name}", answer: pages::image },
    Page { pattern: "/docs/{guide}", answer: pages::guide },
];
