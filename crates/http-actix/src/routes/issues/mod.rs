//! `/issues`.

mod bulk_update;
pub(crate) mod comments;
mod create;
mod delete;
mod list;
mod read;
mod update;

pub(crate) use bulk_update::BulkUpdate;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use update::Update;
