//! `/projects/{project_id}/cycles`.

mod create;
mod list;

pub(crate) use create::Create;
pub(crate) use list::List;
