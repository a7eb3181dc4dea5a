//! `/api/public/tickets`.

mod create;
mod create_link;
mod list;
mod read;

pub(crate) use create::Create;
pub(crate) use create_link::MakeLink;
pub(crate) use list::List;
pub(crate) use read::Read;

use actix_web::HttpRequest;
use domain::kernel::input::Problems;
use domain::support::TicketReference;
use http_core::path::PathIds;

/// The reference in the path; none for a text that is none.
pub(crate) struct Reference(Option<TicketReference>);

impl PathIds for Reference {
    fn read(request: &HttpRequest, _: &mut Problems) -> Self {
        Self(request.match_info().get("ticket_ref").and_then(TicketReference::parse))
    }
}
