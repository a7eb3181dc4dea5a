//! Usage of a workspace against its plan.

mod activity;
mod read;

pub use activity::{Activity, CredentialUsage, UsedCredential, flush_activity};
pub use read::{ClassUsage, QuotaUsage, RequestUsage, Usage, WebhookUsage, read};
