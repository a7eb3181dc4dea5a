//! A page with one form, below the page that the form belongs to.

use crate::prelude::*;

#[derive(Template)]
#[template(path = "parts/form_page.html")]
pub(crate) struct FormPage {
    pub(crate) shell: Shell,
    pub(crate) form: FormView,
    /// The title of the page above, and its path, which "Cancel" leads to.
    pub(crate) above: (String, String),
    pub(crate) action: String,
    /// The key of the button's text.
    pub(crate) button: &'static str,
    /// Whether the form creates something, once.
    pub(crate) is_new: bool,
}
