//! `/api/settings/api-keys`.

mod create;
mod list;
mod rename;
mod revoke;

pub(crate) use create::Create;
pub(crate) use list::List;
pub(crate) use rename::Rename;
pub(crate) use revoke::Revoke;
