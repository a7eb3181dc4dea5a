//! `/api/settings/webhooks/{webhook_id}/deliveries` and `/api/settings/webhooks/deliveries`.

mod list;
mod read;
mod redeliver;

pub(crate) use list::List;
pub(crate) use read::Read;
pub(crate) use redeliver::Redeliver;
