//! Usage of a workspace against its plan.

mod activity;
mod read;

pub use activity::{Activity, CredentialUsage, UsedCredential, flush_activity};
pub(super) use read::class_usage;
pub use read::{ClassUsage, QuotaUsage, RequestUsage, Usage, WebhookUsage, read};
