//! Records that are closed, finished or resolved in the file. They were closed in the past, so an import does not fill in the
//! current day.

use serde_json::Value as Json;

use super::TransferKind;
use crate::records::ImportRow;

const CLOSED: [&str; 2] = ["closed_won", "closed_lost"];

/// The member with the closing time of a kind of record.
pub(super) const fn closing_member(kind: TransferKind) -> Option<&'static str> {
    match kind {
        TransferKind::Deals => Some("actual_close_date"),
        TransferKind::Tasks => Some("completed_at"),
        TransferKind::Tickets => Some("resolved_at"),
        _ => None,
    }
}

/// The closing member that is missing from a row whose record is closed.
pub(super) fn undated(kind: TransferKind, row: &ImportRow) -> Option<&'static str> {
    let is = |member: &str, values: &[&str]| {
        row.get(member).and_then(Json::as_str).is_some_and(|value| values.contains(&value))
    };
    let is_closed = match kind {
        TransferKind::Deals => is("status", &CLOSED) || is("stage", &CLOSED),
        TransferKind::Tasks => is("status", &["done"]),
        TransferKind::Tickets => is("status", &["resolved", "closed"]),
        _ => false,
    };
    closing_member(kind).filter(|member| is_closed && !row.contains_key(*member))
}
