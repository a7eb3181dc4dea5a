//! A scripted mail server for tests, and certificates for it.
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "helpers of tests, where a panic is the report")]

mod certificates;
mod mail_server;

pub use certificates::Authority;
pub use mail_server::{MailServer, Protection, Received, ScriptedReply};
