//! Files of records: importing and exporting them (interface 26).

mod export;
mod parts;
mod plan;
pub(crate) mod running;
mod show;
mod values;

use actix_web::HttpRequest;
use domain::identity::access::TransferRecords;
use domain::kernel::input::Problems;
use domain::transfer::TransferKind;
use http_core::Operation;
use http_core::path::PathIds;

use crate::layout::Browser;
use crate::page::operation;
use crate::records::Action;
use crate::texts::text;

pub(crate) const OPERATIONS: &[Operation] = &[
    operation::<show::Show>(),
    operation::<show::ReadColumns>(),
    operation::<parts::Import>(),
    operation::<parts::Finish>(),
    operation::<export::Export>(),
];

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

/// What leads from the list at a path to its import and export.
pub(crate) fn actions(browser: &Browser, list: &str) -> Vec<Action> {
    if !browser.may::<TransferRecords>() {
        return Vec::new();
    }
    let action = |key: &str, icon, href| Action { label: text(key), icon, href, values: Vec::new() };
    vec![action("import", "upload", format!("/import{list}")), action("export", "download", format!("/export{list}"))]
}
