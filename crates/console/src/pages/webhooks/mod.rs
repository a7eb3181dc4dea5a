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

use domain::identity::access::ReadWebhooks;
use domain::webhooks::{self, SubscriptionView};
use domain::{Error, SubscriptionId};

use crate::page::{PageRequest, PageRoute};

/// Reads a webhook for a page whose own permission does not include reading it.
async fn stored<P: PageRoute>(request: &PageRequest<P>, id: SubscriptionId) -> Result<SubscriptionView, Error> {
    let permit = request.browser.permit::<ReadWebhooks>().ok_or(Error::NotFound("webhook"))?;
    webhooks::read(&request.ports, &permit, id).await
}

/// The path of a webhook's page.
fn path_of(id: impl std::fmt::Display) -> String {
    format!("/settings/webhooks/{id}")
}
