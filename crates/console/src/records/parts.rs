//! Sections of a record's page that are specific to its kind.

use askama::Template;
use askama::filters::Safe;
use domain::Error;
use domain::ports::StoreError;

#[derive(Default)]
pub(crate) struct Parts {
    /// Sections above the fields.
    pub(crate) top: Vec<Markup>,
    /// Sections below the fields.
    pub(crate) main: Vec<Markup>,
    /// Sections next to the fields.
    pub(crate) side: Vec<Markup>,
    /// Links and buttons above the fields.
    pub(crate) actions: Vec<Markup>,
}

pub(crate) struct Markup(String);

impl Markup {
    /// # Errors
    /// Never: no step in our templates fails.
    pub(crate) fn of(template: &impl Template) -> Result<Self, Error> {
        let failed = |error| Error::Store(StoreError::Internal(format!("a template failed: {error}")));
        template.render().map(Self).map_err(failed)
    }

    pub(crate) fn as_html(&self) -> Safe<&str> {
        Safe(&self.0)
    }
}
