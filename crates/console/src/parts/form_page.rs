//! A page with a single form and a link to the page above it.

use crate::prelude::*;

#[derive(Template)]
#[template(path = "parts/form_page.html")]
pub(crate) struct FormPage {
    pub(crate) shell: Shell,
    pub(crate) form: FormView,
    /// The title and path of the page above. "Cancel" leads there.
    pub(crate) above: (String, String),
    pub(crate) action: String,
    /// The key of the button's text.
    pub(crate) button: &'static str,
    /// Whether the form creates something, which it does only once even if it is sent again.
    pub(crate) is_new: bool,
}
