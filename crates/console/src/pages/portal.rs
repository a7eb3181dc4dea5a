//! The customer's page of one ticket, which an e-mailed link opens. Its script calls the portal API with the token
//! after the `#` of the URL. The page itself is the same for all customers of a workspace.

use actix_web::HttpRequest;
use domain::WorkspaceId;
use domain::identity::access::{AccessRequirement, Caller};
use domain::identity::accounts::Client;
use domain::kernel::input::parse_uuid;
use domain::support::{self, LostLinkFields, SessionFields};
use http_core::AppState;
use http_core::admission::{AuthScheme, admit_visitor};
use http_core::errors::HttpError;

use crate::page::{PageAccess, Visitor};
use crate::pages::tickets::{Tinted, statuses, tinted_status};
use crate::prelude::*;
use crate::texts::known;

pages! {
    Show = "GET /portal", access: Visitor, query: PortalQuery => show;
    Find = "POST /portal/link", access: Customer => find;
    RequestLink = "POST /portal/links", class: Class::Critical, access: Customer => request_link;
}

/// A customer. The page works in browsers that block cookies.
pub(crate) enum Customer {}

impl PageAccess for Customer {
    type Granted = Client;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::Anonymous;
    const IS_PUBLIC: bool = true;

    async fn admit(
        request: &HttpRequest,
        state: &AppState,
        class: Class,
    ) -> Result<(Client, Option<Caller>), HttpError> {
        Ok((admit_visitor(request, state, class).await?, None))
    }
}

/// The query of the page.
pub(crate) struct PortalQuery {
    /// The workspace to show on the page. An invalid id counts as none.
    workspace: Option<WorkspaceId>,
    /// Whether a link was just requested.
    is_requested: bool,
}

impl Query for PortalQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let workspace = Parameters::single(query, "workspace").and_then(|text| parse_uuid(&text)).map(WorkspaceId);
        Self { workspace, is_requested: Parameters::single(query, "requested").is_some() }
    }
}

#[derive(Template)]
#[template(path = "portal.html")]
struct PortalPage {
    shell: Shell,
    /// The id of the workspace; empty for none.
    host: String,
    /// The path of the workspace's help centre; empty for none.
    help_centre: String,
    statuses: Vec<Tinted>,
    /// Requests a link, on the page without a workspace.
    form: FormView,
    is_requested: bool,
}

impl PortalPage {
    /// The page without a workspace.
    fn unnamed(browser: &Browser, form: FormView, is_requested: bool) -> Self {
        Self {
            shell: browser.shell(text("portal-title")),
            host: String::new(),
            help_centre: String::new(),
            statuses: statuses().map(tinted_status).collect(),
            form,
            is_requested,
        }
    }
}

/// The form with labels and help for customers.
fn lost_link_form() -> FormView {
    let mut form = FormView::new::<LostLinkFields>();
    for field in &mut form.fields {
        field.label = text(&format!("portal-field-{}", field.name.replace('_', "-")));
        field.help = known(&format!("portal-help-{}", field.name.replace('_', "-"))).unwrap_or_default();
    }
    form
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PortalQuery { workspace, is_requested } = request.query;
    let host = match workspace {
        Some(id) => support::host(&request.ports, id).await?,
        None => None,
    };
    let page = PortalPage::unnamed(&request.browser, lost_link_form(), is_requested);
    let page = match host {
        Some(host) => PortalPage {
            host: host.id.to_string(),
            help_centre: if host.help_centre_enabled { format!("/kb/{}", host.slug) } else { String::new() },
            shell: Shell { workspace: host.name, ..page.shell },
            ..page
        },
        None => page,
    };
    responses::page(&request.browser, page)
}

/// Requests a new link for a customer. The response does not reveal whether the ticket exists.
async fn request_link(request: PageRequest<RequestLink>) -> PageResult {
    let PageRequest { ports, permit: client, form: sent, browser, .. } = request;
    let requested = async { support::request_lost_link(&ports, &client, sent.read_new(&browser)?).await };
    match requested.await {
        Ok(()) => Ok(responses::redirect(&browser, "/portal?requested=yes", None)),
        Err(error) => {
            let form = lost_link_form().with_input(&sent).with_error(error)?;
            responses::unprocessable(&browser, PortalPage::unnamed(&browser, form, false))
        }
    }
}

/// Redirects to the page of the workspace that the link belongs to. Browsers keep the part after the `#`.
async fn find(request: PageRequest<Find>) -> PageResult {
    let PageRequest { ports, form: sent, browser, .. } = request;
    let host = match sent.read_new::<SessionFields>(&browser) {
        Ok(fields) => support::host_of_link(&ports, fields).await?,
        Err(_) => None,
    };
    let host = host.map_or_else(|| "none".to_owned(), |id| id.to_string());
    Ok(responses::redirect(&browser, &format!("/portal?workspace={host}"), None))
}

#[cfg(test)]
mod tests {
    const SCRIPT: &str = include_str!("../../../assets/own/portal.js");

    #[test]
    fn what_customers_and_agents_wrote_is_shown_as_text() {
        for way_to_html in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "setAttribute"] {
            assert!(!SCRIPT.contains(way_to_html), "{way_to_html}");
        }
    }

    #[test]
    fn the_script_calls_only_the_portal_api_and_reads_no_cookies() {
        for path in
            ["/api/portal/sessions", "/api/portal/ticket", "/api/portal/ticket/replies", "/api/portal/magic-links"]
        {
            assert!(SCRIPT.contains(path), "{path}");
        }
        assert!(!SCRIPT.contains("document.cookie"));
    }
}
