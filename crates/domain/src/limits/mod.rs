//! How many requests a minute (contract: limits; keys, sessions, plans; classes).
//!
//! Every class of requests has its own fixed window a subject. [`admit`] counts one request and says whether it may go
//! on. The counts are a port, [`Limiter`]: in memory, or shared by several instances.

mod address;
mod window;

pub use address::AddressGroup;
pub use window::{Span, Window};

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::input::choices;
use crate::ports::Ports;
use crate::workspaces::{Plan, Workspace};
use crate::{Error, WorkspaceId};

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
pub enum Subject {
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
    pub subject: Subject,
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

/// Where a subject stands in its window: the three headers of every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// How many requests the window takes.
    pub limit: u64,
    /// How many are left.
    pub remaining: u64,
    /// When the next window begins, in Unix seconds.
    pub reset_at: i64,
    /// How long that is from now, in whole seconds.
    pub retry_after: i64,
    /// Whether this request was one too many.
    pub exceeded: bool,
}

impl Standing {
    fn of(limit: u64, count: u64, span: Span, now: OffsetDateTime) -> Self {
        Self {
            limit,
            remaining: limit.saturating_sub(count),
            reset_at: span.end,
            retry_after: span.seconds_left(now),
            exceeded: count > limit,
        }
    }

    /// Lets the request go on, unless it was one too many.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub const fn check(&self) -> Result<(), Error> {
        if self.exceeded { Err(Error::RateLimited(*self)) } else { Ok(()) }
    }
}

/// Public tickets that one address makes in an hour, unless the workspace has a limit of its own.
const PUBLIC_TICKETS_PER_HOUR: u32 = 10;
/// Public tickets that one address reads in a minute, and its searches of the knowledge base, likewise.
const PUBLIC_READS_PER_MINUTE: u32 = 5;

/// The limit of a class in a workspace, in requests a window.
pub fn limit_of(class: Class, workspace: &Workspace, fixed: &FixedLimits) -> u64 {
    let (tier, own) = (workspace.requests_per_minute(), &workspace.limits);
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
pub fn limit_of_customers(class: Class, fixed: &FixedLimits) -> u64 {
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
pub async fn count(ports: &Ports, bucket: Bucket, limit: u64) -> Standing {
    let now = ports.clock.now();
    let span = bucket.class.window().around(now);
    Standing::of(limit, ports.limiter.count(bucket, span).await, span, now)
}

/// Says where a subject stands, without counting.
pub async fn peek(ports: &Ports, bucket: Bucket, limit: u64) -> Standing {
    let now = ports.clock.now();
    let span = bucket.class.window().around(now);
    Standing::of(limit, ports.limiter.peek(bucket, span).await, span, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestPorts, workspace_value};
    use crate::workspaces::LimitName;
    use proptest::prelude::*;
    use time::Duration;

    #[test]
    fn each_plan_and_class_has_the_documented_limit() {
        let fixed = FixedLimits::default();
        for (plan, read, write) in
            [(Plan::Starter, 100, 50), (Plan::Professional, 500, 250), (Plan::Enterprise, 2_000, 1_000)]
        {
            let workspace = Workspace { plan, ..workspace_value(1) };
            let limits: Vec<_> = Class::ALL.iter().map(|class| limit_of(*class, &workspace, &fixed)).collect();
            assert_eq!(limits, [read, write, 10, 10, 10, 10, 5, 5], "{plan}");
        }
    }

    #[test]
    fn a_workspaces_own_limits_come_first() {
        let mut workspace = workspace_value(1);
        for (index, name) in LimitName::ALL.iter().enumerate() {
            workspace.limits.set(*name, u32::try_from(index).ok().map(|index| index + 1));
        }
        let own = |class| limit_of(class, &workspace, &FixedLimits::default());
        assert_eq!((own(Class::Read), own(Class::Write), workspace.crm_quota_per_month()), (1, 1, Some(2)));
        assert_eq!([Class::PublicTickets, Class::PublicFetches, Class::PublicKbSearches].map(own), [3, 4, 5]);
    }

    #[test]
    fn every_class_has_a_window_of_its_own_as_long_as_documented() {
        let test = TestPorts::new();
        let subject = Subject::Credential(Uuid::from_u128(1));
        for class in Class::ALL.iter().copied() {
            let bucket = Bucket { class, subject };
            for left in [1, 0] {
                let standing = test.block_on(count(&test.ports, bucket, 2));
                assert_eq!((standing.limit, standing.remaining, standing.exceeded), (2, left, false), "{class}");
            }
            let over = test.block_on(count(&test.ports, bucket, 2));
            assert!(over.exceeded && over.remaining == 0 && over.check().is_err());
            let length = if class == Class::PublicTickets { 3_600 } else { 60 };
            assert_eq!((over.retry_after, over.reset_at % length), (length, 0), "the test begins with an hour");
        }
        test.clock.advance(Duration::seconds(60));
        let read = test.block_on(peek(&test.ports, Bucket { class: Class::Read, subject }, 2));
        let public = test.block_on(peek(&test.ports, Bucket { class: Class::PublicTickets, subject }, 2));
        assert_eq!((read.remaining, public.remaining), (2, 0));
    }

    proptest! {
        #[test]
        fn a_window_lets_in_exactly_its_limit_wherever_it_begins(limit in 1_u64..50, start in 0_i64..4_000_000_000) {
            let test = TestPorts::new();
            test.clock.set(OffsetDateTime::from_unix_timestamp(start).unwrap());
            let bucket = Bucket { class: Class::Write, subject: Subject::Account(7) };
            let let_in = (0..limit + 5)
                .filter(|_| test.block_on(count(&test.ports, bucket, limit)).check().is_ok())
                .count();
            prop_assert_eq!(let_in as u64, limit);
            let wait = test.block_on(peek(&test.ports, bucket, limit)).retry_after;
            test.clock.advance(Duration::seconds(wait));
            prop_assert_eq!(test.block_on(peek(&test.ports, bucket, limit)).remaining, limit);
        }
    }
}
