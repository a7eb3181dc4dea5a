//! A link that signs in on the machine of the service. Opening the link does not use it up; the button on its page
//! does.

use actix_web::HttpRequest;
use domain::identity::accounts::sign_in_link;
use domain::kernel::input::Problems;
use http_core::errors::status_of;
use http_core::path::PathIds;

use super::continue_sign_in;
use crate::errors::message_of;
use crate::page::Visitor;
use crate::prelude::*;

pages! {
    Show = "GET /sign-in/link/{token}", class: Class::Critical, access: Visitor, path: LinkToken => show;
    Enter = "POST /sign-in/link", class: Class::Critical, access: Visitor => enter;
}

#[derive(Debug)]
pub(crate) struct LinkToken(String);

impl PathIds for LinkToken {
    fn read(request: &HttpRequest, _: &mut Problems) -> Self {
        Self(request.match_info().get("token").unwrap_or_default().to_owned())
    }
}

/// The user that a link signs in, and the workspace.
struct LinkTarget {
    token: String,
    user: String,
    workspace: String,
}

#[derive(Template)]
#[template(path = "sign_in/link.html")]
struct LinkPage {
    shell: Shell,
    /// The user that the link signs in, or why the link does not work.
    target: Result<LinkTarget, String>,
}

fn link_page(browser: &Browser, target: Result<LinkTarget, Error>) -> PageResult {
    let shell = browser.shell(text("link-title"));
    match target {
        Ok(target) => responses::page(browser, LinkPage { shell, target: Ok(target) }),
        Err(error) => {
            let problem = error.details().into_iter().next();
            let message = match problem {
                Some(_) => text("link-invalid"),
                None => message_of(&error),
            };
            responses::page_with(status_of(&error), browser, LinkPage { shell, target: Err(message) })
        }
    }
}

/// Whether the link is invalid, rather than the service being unavailable or attempts being limited.
fn is_about_the_link(error: &Error) -> bool {
    matches!(error, Error::Invalid(_) | Error::CapabilityConsumed(_) | Error::Forbidden(_) | Error::AddressNotAllowed)
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let LinkToken(token) = request.path;
    match sign_in_link::find(&request.ports, &request.permit, &token).await {
        Ok(link) => {
            let target = LinkTarget { token, user: link.user.name, workspace: link.workspace.name };
            link_page(&request.browser, Ok(target))
        }
        Err(error) if is_about_the_link(&error) => link_page(&request.browser, Err(error)),
        Err(error) => Err(error.into()),
    }
}

async fn enter(request: PageRequest<Enter>) -> PageResult {
    let token = request.form.value("token").unwrap_or_default();
    match sign_in_link::redeem(&request.ports, &request.permit, token).await {
        Ok(sign_in) => continue_sign_in(&request.browser, &sign_in, "/", None),
        Err(error) if is_about_the_link(&error) => link_page(&request.browser, Err(error)),
        Err(error) => Err(error.into()),
    }
}
