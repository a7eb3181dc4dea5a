//! Files of records: importing and exporting them (interface 26).

pub(super) mod export;
mod list_query;
mod messages;
pub(super) mod parts;
mod plan;
pub(super) mod running;
pub(super) mod show;
mod values;

use actix_web::HttpRequest;
use domain::kernel::input::Problems;
use domain::transfer::TransferKind;
use http_core::path::PathIds;

pub(super) use list_query::exported;

/// The kind of records that a path is about.
pub(crate) struct Records(TransferKind);

impl PathIds for Records {
    fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
        Self(request.match_info().get("records").and_then(TransferKind::parse).unwrap_or_else(|| {
            problems.shape("records", "invalid_value", format!("must be one of {}", TransferKind::allowed_values()));
            TransferKind::Contacts
        }))
    }
}
