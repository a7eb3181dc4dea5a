//! The kit for browser tests: a real Chromium that can reach only loopback, and pages on which a test
//! finds things as people do, by role, name and text.
//!
//! A test is one [`walk`]. It starts the service, opens any number of [`Page`]s, each with its own cookies, and
//! fails at the end if a page reported an error that the test did not [expect](Page::expect_message).
#![expect(clippy::missing_panics_doc, reason = "helpers of tests, where a panic is the report")]

mod axe;
mod browsers;
mod driver;
mod find;
mod input;
mod messages;
mod page;
mod walk;

pub use fantoccini::key::Key;
pub use find::{AriaRole, Locator};
pub use input::Focus;
pub use page::{Page, Tab};
pub use walk::{Walk, walk, walk_with};
