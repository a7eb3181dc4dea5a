//! What a workspace uses of what it pays for.

mod activity;
mod read;

pub use activity::{Activity, CredentialUsage, flush_activity};
pub use read::{ClassUsage, QuotaUsage, RequestUsage, Usage, read};
