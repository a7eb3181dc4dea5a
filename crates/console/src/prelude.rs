//! What nearly every page uses.

pub(crate) use askama::Template;
pub(crate) use domain::Error;
pub(crate) use domain::kernel::input::Parameters;
pub(crate) use domain::limits::Class;
pub(crate) use domain::ports::Ports;
pub(crate) use http_core::query::{Query, QueryReader};
pub(crate) use serde_json::json;

pub(crate) use crate::filters;
pub(crate) use crate::form::{Form, FormView};
pub(crate) use crate::layout::{Browser, Shell};
pub(crate) use crate::page::{PageRequest, PageResult, PageRoute, page, pages};
pub(crate) use crate::responses::{self, Notice, is_own_path};
pub(crate) use crate::texts::{label, text, text_named, text_with};
