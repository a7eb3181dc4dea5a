//! `/projects`.

mod create;
pub(crate) mod cycles;
mod delete;
mod issues;
mod list;
mod read;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use issues::ListIssues;
pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use update::Update;
