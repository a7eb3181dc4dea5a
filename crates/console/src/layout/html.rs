//! The parts of [`Shell`] as HTML. They are separate templates, so they are compiled once rather than into every page.

use askama::Template;
use askama::filters::HtmlSafe;

use super::Shell;
use crate::filters;

/// Everything before the scripts of the page.
#[derive(Template)]
#[template(path = "shell/head.html")]
pub(crate) struct Head<'a> {
    shell: &'a Shell,
}

#[derive(Template)]
#[template(path = "shell/navigation.html")]
pub(crate) struct Navigation<'a> {
    shell: &'a Shell,
}

#[derive(Template)]
#[template(path = "shell/notice.html")]
pub(crate) struct NoticeOf<'a> {
    shell: &'a Shell,
}

/// Dialogs, and the place where live updates are announced.
#[derive(Template)]
#[template(path = "shell/foot.html")]
pub(crate) struct Foot<'a> {
    shell: &'a Shell,
}

impl HtmlSafe for Head<'_> {}
impl HtmlSafe for Navigation<'_> {}
impl HtmlSafe for NoticeOf<'_> {}
impl HtmlSafe for Foot<'_> {}

impl Shell {
    pub(crate) const fn head_html(&self) -> Head<'_> {
        Head { shell: self }
    }

    pub(crate) const fn navigation_html(&self) -> Navigation<'_> {
        Navigation { shell: self }
    }

    pub(crate) const fn notice_html(&self) -> NoticeOf<'_> {
        NoticeOf { shell: self }
    }

    pub(crate) const fn foot_html(&self) -> Foot<'_> {
        Foot { shell: self }
    }
}
