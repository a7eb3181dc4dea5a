//! `/issues/{issue_id}/comments`.

mod create;
mod list;

pub(crate) use create::Create;
pub(crate) use list::List;
