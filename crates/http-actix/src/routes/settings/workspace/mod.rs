//! `/api/settings/workspace`.

mod read;
mod update;

pub(crate) use read::Read;
pub(crate) use update::Update;
