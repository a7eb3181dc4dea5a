//! The page with a secret that is shown only once.

use askama::Template;

use crate::filters;
use crate::layout::Shell;

#[derive(Template)]
#[template(path = "secret.html")]
pub(crate) struct SecretPage {
    pub(crate) shell: Shell,
    /// What the secret is for.
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) secret: String,
    /// A command that uses it; empty for none.
    pub(crate) example: String,
    /// The page to continue with.
    pub(crate) next: String,
}
