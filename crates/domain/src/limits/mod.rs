//! How many requests a minute (contract: limits; keys, sessions, plans; classes).
//!
//! Every class of requests has its own fixed window a subject. [`admit`] counts one request and says whether it may go
//! on. The counts are a port, [`Limiter`]: in memory, or shared by several instances.

mod address;
mod plan;
pub mod quota;
mod window;

pub use address::AddressGroup;
pub use plan::{Allowance, LimitName, Plan, WorkspaceLimits};
pub use window::{Span, Window};

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::WorkspaceId;
use crate::kernel::RateLimitStatus;
use crate::kernel::input::choices;
use crate::ports::Ports;

choices! {
    /// What kind of request counts; each has a window of its own.
    pub enum Class {
        /// GET, and tools that only read: the tier's limit.
        Read = "read",
        /// Other methods and tools: half of the tier's limit.
        Write = "write",
        /// Bulk updates, imports and exports.
        Bulk = "bulk",
        /// Logins, passwords, invitations and changes of keys.
        Critical = "critical",
        /// Without a credential, or with a bad one.
        Anonymous = "anonymous",
        /// Public tickets made, by workspace and address.
        PublicTickets = "public_tickets",
        /// Public tickets read, by workspace and address.
        PublicFetches = "public_fetches",
        /// Searches of the knowledge base, by workspace and address.
        PublicKbSearches = "public_kb_searches",
    }
}

impl Class {
    /// How long its window is.
    pub const fn window(self) -> Window {
        match self {
            Self::PublicTickets => Window::Hour,
            _ => Window::Minute,
        }
    }
}

/// Whom requests count for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitSubject {
    /// A key or a session.
    Credential(Uuid),
    /// An address, in all workspaces.
    Address(AddressGroup),
    /// An address in one workspace.
    WorkspaceAddress(WorkspaceId, AddressGroup),
    /// Somebody who tries to sign in, by a hash of the e-mail address: whether the account exists or not.
    Account(u64),
}

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bucket {
    /// The kind of request.
    pub class: Class,
    /// Whose.
    pub subject: RateLimitSubject,
}

/// Counts requests. Never fails: an adapter whose shared count is gone goes on with its own.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Counts one more request of the bucket in this window, and says how many it has had with this one. Exact under
    /// parallel calls. Counts of windows that ended are forgotten.
    async fn count(&self, bucket: Bucket, span: Span) -> u64;

    /// How many requests the bucket has had in this window.
    async fn peek(&self, bucket: Bucket, span: Span) -> u64;
}

/// Limits that no plan changes, in requests a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedLimits {
    /// Per address without a good credential.
    pub anonymous: u64,
    /// Per address, account or session in the critical class.
    pub critical: u64,
    /// Per credential in the bulk class.
    pub bulk: u64,
}

impl Default for FixedLimits {
    fn default() -> Self {
        Self { anonymous: 10, critical: 10, bulk: 10 }
    }
}

/// How a bucket stands with `count` requests in a window.
fn status(limit: u64, count: u64, span: Span, now: OffsetDateTime) -> RateLimitStatus {
    RateLimitStatus {
        limit,
        remaining: limit.saturating_sub(count),
        reset_at: span.end,
        retry_after: span.seconds_left(now),
        exceeded: count > limit,
    }
}

/// Public tickets that one address makes in an hour, unless the workspace has a limit of its own.
const PUBLIC_TICKETS_PER_HOUR: u32 = 10;
/// Public tickets that one address reads in a minute, and its searches of the knowledge base, likewise.
const PUBLIC_READS_PER_MINUTE: u32 = 5;

/// The limit of a class in a workspace, in requests a window.
pub fn limit_of(class: Class, allowance: &Allowance, fixed: &FixedLimits) -> u64 {
    let (tier, own) = (allowance.requests_per_minute(), &allowance.limits);
    let public = |own: Option<u32>, default: u32| u64::from(own.unwrap_or(default));
    match class {
        Class::Read => tier,
        Class::Write => (tier / 2).max(1),
        Class::Bulk => fixed.bulk,
        Class::Critical => fixed.critical,
        Class::Anonymous => fixed.anonymous,
        Class::PublicTickets => public(own.public_tickets_per_hour, PUBLIC_TICKETS_PER_HOUR),
        Class::PublicFetches => public(own.public_fetches_per_minute, PUBLIC_READS_PER_MINUTE),
        Class::PublicKbSearches => public(own.public_kb_searches_per_minute, PUBLIC_READS_PER_MINUTE),
    }
}

/// The limit of a class for a customer with a portal token, whatever the workspace's plan: that of the smallest.
pub fn portal_limit_of(class: Class, fixed: &FixedLimits) -> u64 {
    let tier = Plan::Starter.requests_per_minute();
    match class {
        Class::Read => tier,
        Class::Bulk => fixed.bulk,
        Class::Critical => fixed.critical,
        Class::Anonymous => fixed.anonymous,
        _ => (tier / 2).max(1),
    }
}

/// Counts one request and says where its subject stands now.
pub async fn count(ports: &Ports, bucket: Bucket, limit: u64) -> RateLimitStatus {
    let now = ports.clock.now();
    let span = bucket.class.window().around(now);
    status(limit, ports.limiter.count(bucket, span).await, span, now)
}

/// Says where a subject stands, without counting.
pub async fn peek(ports: &Ports, bucket: Bucket, limit: u64) -> RateLimitStatus {
    let now = ports.clock.now();
    let span = bucket.class.window().around(now);
    status(limit, ports.limiter.peek(bucket, span).await, span, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::LimitName;

    #[test]
    fn each_plan_and_class_has_the_documented_limit() {
        let fixed = FixedLimits::default();
        for (plan, read, write) in
            [(Plan::Starter, 100, 50), (Plan::Professional, 500, 250), (Plan::Enterprise, 2_000, 1_000)]
        {
            let allowance = Allowance { plan, limits: WorkspaceLimits::default() };
            let limits: Vec<_> = Class::ALL.iter().map(|class| limit_of(*class, &allowance, &fixed)).collect();
            assert_eq!(limits, [read, write, 10, 10, 10, 10, 5, 5], "{plan}");
        }
    }

    #[test]
    fn a_workspaces_own_limits_come_first() {
        let mut allowance = Allowance { plan: Plan::Starter, limits: WorkspaceLimits::default() };
        for (index, name) in LimitName::ALL.iter().enumerate() {
            allowance.limits.set(*name, u32::try_from(index).ok().map(|index| index + 1));
        }
        let own = |class| limit_of(class, &allowance, &FixedLimits::default());
        assert_eq!((own(Class::Read), own(Class::Write), allowance.crm_quota_per_month()), (1, 1, Some(2)));
        assert_eq!([Class::PublicTickets, Class::PublicFetches, Class::PublicKbSearches].map(own), [3, 4, 5]);
    }
}
