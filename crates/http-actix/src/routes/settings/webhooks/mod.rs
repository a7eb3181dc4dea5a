//! `/api/settings/webhooks`.

mod create;
mod delete;
pub(crate) mod deliveries;
mod list;
mod read;
mod rotate_secret;
mod test;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use rotate_secret::RotateSecret;
pub(crate) use test::Test;
pub(crate) use update::Update;

use domain::webhooks::SubscriptionView;
use serde::Serialize;

/// A webhook with its secret, which is shown this once.
#[derive(Serialize)]
struct WithSecret<'a> {
    secret: &'a str,
    #[serde(flatten)]
    shown: SubscriptionView,
}
