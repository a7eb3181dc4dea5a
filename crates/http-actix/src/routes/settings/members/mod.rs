//! `/api/settings/members`.

mod invite;
mod list;
mod remove;
mod update;

pub(crate) use invite::Invite;
pub(crate) use list::List;
pub(crate) use remove::Remove;
pub(crate) use update::Update;
