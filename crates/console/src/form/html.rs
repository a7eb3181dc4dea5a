//! The fields of a form as HTML. They are separate templates, so they are compiled once rather than into every page with a form.

use askama::Template;
use askama::filters::HtmlSafe;

use super::field::Field;
use super::view::FormView;
use crate::filters;

/// All fields of a form, and its errors.
#[derive(Template)]
#[template(path = "form/fields.html")]
pub(crate) struct Fields<'a> {
    form: &'a FormView,
}

/// A field with its label, help and error.
#[derive(Template)]
#[template(path = "form/field.html")]
pub(crate) struct LabelledField<'a> {
    field: &'a Field,
}

#[derive(Template)]
#[template(path = "form/input.html")]
pub(crate) struct Input<'a> {
    field: &'a Field,
}

impl HtmlSafe for Fields<'_> {}
impl HtmlSafe for LabelledField<'_> {}
impl HtmlSafe for Input<'_> {}

impl FormView {
    pub(crate) const fn fields_html(&self) -> Fields<'_> {
        Fields { form: self }
    }
}

impl Field {
    pub(crate) const fn as_html(&self) -> LabelledField<'_> {
        LabelledField { field: self }
    }

    pub(crate) const fn input_html(&self) -> Input<'_> {
        Input { field: self }
    }
}
