//! Rate limits (interface 6.2–6.9).
//!
//! Every class of requests has its own fixed window per subject. [`count`] counts a request and returns its status.
//! The counters are a port, [`Limiter`]: in memory, or shared by several instances.

mod address;
mod caller;
mod event_bytes;
mod networks;
mod plan;
pub mod quota;
mod window;

pub use address::AddressGroup;
pub use caller::{Cost, LimitedCaller, MAX_ITEMS_AS_WRITES, WORKSPACE_MULTIPLE, count_caller, workspace_limit_of};
pub use event_bytes::{EventBytes, EventBytesOfDay, EventBytesUsed, day_of, flush_event_bytes};
pub use networks::{ORGANISATION_MULTIPLE, SITE_MULTIPLE, count_address};
pub use plan::{Allowance, LimitName, MAX_EVENT_BYTES_PER_DAY, MAX_LIMIT_VALUE, Plan, PlanLimits, WorkspaceLimits};
pub use window::{Span, Window};

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::kernel::RateLimitStatus;
use crate::kernel::input::choices;
use crate::ports::Ports;
use crate::{UserId, WorkspaceId};

choices! {
    /// The rate-limit class of a request; each class has its own window.
    pub enum Class {
        /// GET and read-only tools: the plan's limit.
        Read = "read",
        /// Other methods and tools: half of the plan's limit.
        Write = "write",
        /// Bulk updates, upserts of many items, imports and exports.
        Bulk = "bulk",
        /// Logins, passwords, invitations and changes of API keys.
        Critical = "critical",
        /// Without a valid credential.
        Anonymous = "anonymous",
        /// Public tickets created, per workspace and address.
        PublicTickets = "public_tickets",
        /// Public tickets read, per workspace and address.
        PublicFetches = "public_fetches",
        /// Searches of the knowledge base, per workspace and address.
        PublicKbSearches = "public_kb_searches",
        /// Pages of the console, and what is sent from them.
        Console = "console",
    }
}

impl Class {
    pub const fn window(self) -> Window {
        match self {
            Self::PublicTickets => Window::Hour,
            _ => Window::Minute,
        }
    }
}

/// Who a request is counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitSubject {
    /// An API key or a session.
    Credential(Uuid),
    /// An address, across workspaces.
    Address(AddressGroup),
    /// An address within one workspace.
    WorkspaceAddress(WorkspaceId, AddressGroup),
    /// All keys and sessions of a workspace together.
    Workspace(WorkspaceId),
    /// Attempts of a signed-in user to confirm their password, from all sessions and addresses.
    User(UserId),
    /// Login attempts on an account from one network, by a hash of the e-mail address, whether or not the account exists.
    AccountFrom(u64, AddressGroup),
    /// Login attempts on an account from all networks where it has not signed in before.
    Account(u64),
}

/// Requests with the same bucket share a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bucket {
    pub class: Class,
    pub subject: RateLimitSubject,
}

/// A bucket that a request counts in, with its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitedBucket {
    pub bucket: Bucket,
    /// Requests per window.
    pub limit: u64,
}

/// Counts requests. Never fails: an adapter that loses its shared counter falls back to a local one.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Counts one more request in this window and returns the new count. Exact under parallel calls. Counters of past
    /// windows are pruned.
    async fn count(&self, bucket: Bucket, span: Span) -> u64;

    /// Counts `requests` more requests in these buckets, in order, and returns the new counts. Counting stops at the first bucket
    /// above its limit, so a refused request does not use up later limits. Several requests that together exceed a limit are not
    /// counted in any bucket, so that a smaller number can still pass. An adapter with shared counters needs one round trip in
    /// total.
    async fn count_many_in_order(&self, buckets: &[LimitedBucket], requests: u64, span: Span) -> Vec<u64>;

    /// Counts one more request in these buckets; see [`Limiter::count_many_in_order`].
    async fn count_in_order(&self, buckets: &[LimitedBucket], span: Span) -> Vec<u64> {
        self.count_many_in_order(buckets, 1, span).await
    }

    /// The current count of the bucket in this window.
    async fn peek(&self, bucket: Bucket, span: Span) -> u64;
}

/// Limits that do not depend on the plan, in requests per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedLimits {
    /// Per address without a valid credential.
    pub anonymous: u64,
    /// Per address, account or session in the critical class.
    pub critical: u64,
    /// Per credential in the bulk class.
    pub bulk: u64,
    /// Login attempts per account from networks where it has not signed in before. Further attempts are delayed, not refused, so
    /// that others cannot lock a user out.
    pub account: u64,
    /// Pages of the console per session, or per address without a session.
    pub console: u64,
}

impl Default for FixedLimits {
    fn default() -> Self {
        Self { anonymous: 10, critical: 10, bulk: 10, account: 100, console: 600 }
    }
}

/// The status of a bucket with `count` requests in the window.
fn status(limit: u64, count: u64, span: Span, now: OffsetDateTime) -> RateLimitStatus {
    RateLimitStatus {
        limit,
        remaining: limit.saturating_sub(count),
        reset_at: span.end,
        retry_after: span.seconds_left(now),
        exceeded: count > limit,
        is_shared: false,
    }
}

/// Public tickets created per address and hour, unless the workspace sets its own limit.
const PUBLIC_TICKETS_PER_HOUR: u32 = 10;
/// Public tickets read per address and minute, unless the workspace sets its own limit. Also applies to searches.
const PUBLIC_READS_PER_MINUTE: u32 = 5;

/// The limit of a class in a workspace, in requests per window.
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
        Class::Console => fixed.console,
    }
}

/// The limit of a class for a customer with a portal token: the limit of the smallest plan, whatever the workspace's plan.
pub fn portal_limit_of(class: Class, fixed: &FixedLimits) -> u64 {
    let tier = Plan::Starter.limits().requests_per_minute;
    match class {
        Class::Read => tier,
        Class::Bulk => fixed.bulk,
        Class::Critical => fixed.critical,
        Class::Anonymous => fixed.anonymous,
        _ => (tier / 2).max(1),
    }
}

/// Counts one request and returns the new status of its subject.
pub async fn count(ports: &Ports, bucket: Bucket, limit: u64) -> RateLimitStatus {
    let now = ports.clock.now();
    let span = bucket.class.window().around(now);
    status(limit, ports.limiter.count(bucket, span).await, span, now)
}

/// Returns the status of a subject without counting.
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
            assert_eq!(limits, [read, write, 10, 10, 10, 10, 5, 5, 600], "{plan}");
        }
    }

    #[test]
    fn a_workspaces_own_limits_override_the_plan() {
        let mut allowance = Allowance { plan: Plan::Starter, limits: WorkspaceLimits::default() };
        for (index, name) in LimitName::ALL.iter().enumerate() {
            allowance.limits.set(*name, u64::try_from(index).ok().map(|index| index + 1));
        }
        let own = |class| limit_of(class, &allowance, &FixedLimits::default());
        assert_eq!((own(Class::Read), own(Class::Write), allowance.crm_quota_per_month()), (1, 1, Some(2)));
        assert_eq!([Class::PublicTickets, Class::PublicFetches, Class::PublicKbSearches].map(own), [3, 4, 5]);
        assert_eq!((allowance.emails_per_hour(), allowance.event_bytes_per_day()), (6, 7));
    }
}
