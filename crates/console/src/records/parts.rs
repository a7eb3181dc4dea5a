//! Sections of a record's page that only pages of its kind have.

use askama::Template;
use askama::filters::Safe;
use domain::Error;
use domain::ports::StoreError;

/// What a record's page has that only those of its kind have.
#[derive(Default)]
pub(crate) struct Parts {
    /// Sections above the fields.
    pub(crate) top: Vec<Markup>,
    /// Sections below them.
    pub(crate) main: Vec<Markup>,
    /// Sections beside them.
    pub(crate) side: Vec<Markup>,
    /// Links and buttons above them.
    pub(crate) actions: Vec<Markup>,
}

/// A filled template.
pub(crate) struct Markup(String);

impl Markup {
    /// # Errors
    /// None: templates have no step that fails.
    pub(crate) fn of(template: &impl Template) -> Result<Self, Error> {
        let failed = |error| Error::Store(StoreError::Internal(format!("a template failed: {error}")));
        template.render().map(Self).map_err(failed)
    }

    pub(crate) fn as_html(&self) -> Safe<&str> {
        Safe(&self.0)
    }
}
