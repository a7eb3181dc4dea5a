//! The page that asks for confirmation before something that cannot be undone.

use askama::Template;

use crate::filters;
use crate::layout::Shell;

#[derive(Template)]
#[template(path = "confirm.html")]
pub(crate) struct ConfirmPage {
    pub(crate) shell: Shell,
    /// What will happen.
    pub(crate) message: String,
    /// The text of the button.
    pub(crate) button: String,
    /// Where the form is sent.
    pub(crate) action: String,
    /// The version that the page shows; `None` for things without versions.
    pub(crate) version: Option<i64>,
    /// The page to return to without doing anything.
    pub(crate) back: String,
}
