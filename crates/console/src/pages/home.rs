//! The first page after signing in.

use askama::Template;
use domain::identity::access::ManageOwnAccount;

use crate::answers;
use crate::filters;
use crate::layout::Shell;
use crate::page::{PageRequest, PageResult, page};
use crate::texts::text;

page! {
    Show = "GET /", access: ManageOwnAccount => show
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    shell: Shell,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let shell = request.browser.shell(text("nav-home"));
    answers::page(&request.browser, &HomePage { shell })
}
