//! `/api/settings/kb/articles`.

mod create;
mod delete;
mod list;
mod read;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use update::Update;
