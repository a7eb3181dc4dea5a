//! The customers' page of one ticket, which an e-mailed link opens. Its script speaks to the portal's API with the token
//! behind the `#` of the address; the page itself is the same for everybody.

use askama::Template;

use crate::answers;
use crate::filters;
use crate::layout::Shell;
use crate::page::{PageRequest, PageResult, Visitor, page};
use crate::pages::tickets::{Tinted, statuses, tinted_status};
use crate::texts::text;

page! {
    Show = "GET /portal", access: Visitor => show
}

#[derive(Template)]
#[template(path = "portal.html")]
struct PortalPage {
    shell: Shell,
    /// The statuses in words.
    statuses: Vec<Tinted>,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let shell = request.browser.shell(text("portal-title"));
    answers::page(&request.browser, &PortalPage { shell, statuses: statuses().map(tinted_status).collect() })
}

#[cfg(test)]
mod tests {
    const SCRIPT: &str = include_str!("../../assets/own/portal.js");

    #[test]
    fn what_customers_and_agents_wrote_is_shown_as_text() {
        for way_to_html in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "setAttribute"] {
            assert!(!SCRIPT.contains(way_to_html), "{way_to_html}");
        }
    }

    #[test]
    fn it_asks_the_api_of_the_portal_alone_and_reads_no_cookie() {
        for path in
            ["/api/portal/sessions", "/api/portal/ticket", "/api/portal/ticket/replies", "/api/portal/magic-links"]
        {
            assert!(SCRIPT.contains(path), "{path}");
        }
        assert!(!SCRIPT.contains("document.cookie"));
    }
}
