//! The page that asks before something is done that nothing can bring back.

use askama::Template;

use crate::filters;
use crate::layout::Shell;
use crate::navigation::Section;

/// Asks whether it is to be done.
#[derive(Template)]
#[template(path = "confirm.html")]
pub(crate) struct ConfirmPage {
    pub(crate) shell: Shell,
    pub(crate) tabs: Vec<Section>,
    /// What will happen.
    pub(crate) message: String,
    /// What the button says.
    pub(crate) button: String,
    /// Where the form is sent.
    pub(crate) action: String,
    /// The version that is shown; `None` for what has none.
    pub(crate) version: Option<i64>,
    /// Where it goes back to without doing anything.
    pub(crate) back: String,
}
