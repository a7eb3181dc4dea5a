//! Handling of links requested without a credential (docs/adr/0017).

use crate::email::link_requests::{LinkRequest, LinkRequestOutcome, REQUEST_TTL, RequestedLink};
use crate::identity::accounts;
use crate::ports::Ports;
use crate::{Error, support};

/// Handles a claimed request: the row is deleted in the transaction that creates link and e-mail, so each request is
/// handled once, even if several workers have claimed it.
///
/// # Errors
/// Those of the store; the request becomes due again then.
pub async fn answer_link_request(ports: &Ports, request: &LinkRequest) -> Result<LinkRequestOutcome, Error> {
    let id = request.id;
    if request.created_at + REQUEST_TTL <= ports.clock.now() {
        ports.directory.drop_link_request(id).await?;
        return Ok(LinkRequestOutcome::TooLate);
    }
    let is_over = match &request.wanted {
        RequestedLink::Ticket { workspace, reference, email } => {
            support::answer_magic_link(ports, id, *workspace, reference, email).await?
        }
        RequestedLink::PasswordReset { email } => accounts::answer_password_reset(ports, id, email).await?,
    };
    if !is_over {
        ports.directory.drop_link_request(id).await?;
    }
    Ok(LinkRequestOutcome::Answered)
}
