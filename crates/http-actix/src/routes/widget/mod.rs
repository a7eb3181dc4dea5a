//! `/api/widget`: what the pages that a workspace lists may do, without a key.

mod create_ticket;
mod preflight;
mod search_kb;

pub(crate) use create_ticket::CreateTicket;
pub(crate) use preflight::{PreflightSearch, PreflightTicket};
pub(crate) use search_kb::SearchKb;
