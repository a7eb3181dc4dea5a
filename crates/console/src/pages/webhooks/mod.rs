//! Webhooks: their list, their forms, their deliveries with every attempt, and replays.

pub(crate) mod change;
pub(crate) mod deliveries;
pub(crate) mod form;
pub(crate) mod health;
mod input;
pub(crate) mod list;
pub(crate) mod replays;
pub(crate) mod show;
mod view;

/// The path of a webhook's page.
fn path_of(id: impl std::fmt::Display) -> String {
    format!("/settings/webhooks/{id}")
}
