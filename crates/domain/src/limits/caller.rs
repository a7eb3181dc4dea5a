//! Counts the requests of a key or session by their cost: in its own window, and in the window of its workspace.

use uuid::Uuid;

use super::{Bucket, Class, FixedLimits, LimitedBucket, RateLimitSubject, limit_of, status};
use crate::WorkspaceId;
use crate::kernel::RateLimitStatus;
use crate::limits::Allowance;
use crate::ports::Ports;

/// The limit of all credentials of a workspace together, as a multiple of the limit of one. Without it, a workspace could multiply
/// its limit by creating keys.
pub const WORKSPACE_MULTIPLE: u64 = 5;

/// The limit of a class for all keys and sessions of a workspace together, in requests per window.
pub fn workspace_limit_of(class: Class, allowance: &Allowance, fixed: &FixedLimits) -> u64 {
    limit_of(class, allowance, fixed).saturating_mul(WORKSPACE_MULTIPLE)
}

/// Who sends a request: a key or session, and its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitedCaller {
    pub credential: Uuid,
    pub workspace: WorkspaceId,
    pub allowance: Allowance,
}

/// Counts a request against the limit of its key or session, and then against that of the workspace. A request that the credential's
/// own window refuses does not count for the workspace, so a runaway client cannot use up the limit for others.
pub async fn count_caller(ports: &Ports, caller: &LimitedCaller, cost: Cost) -> RateLimitStatus {
    let status = count_in(ports, caller, cost.class, cost.requests).await;
    match cost.fallback {
        Some(class) if status.exceeded => count_in(ports, caller, class, 1).await,
        _ => status,
    }
}

async fn count_in(ports: &Ports, caller: &LimitedCaller, class: Class, requests: u64) -> RateLimitStatus {
    let LimitedCaller { credential, workspace, allowance } = caller;
    let fixed = &ports.settings.limits;
    let (limit, workspace_limit) = (limit_of(class, allowance, fixed), workspace_limit_of(class, allowance, fixed));
    let bucket = |subject, limit| LimitedBucket { bucket: Bucket { class, subject }, limit };
    let buckets = [
        bucket(RateLimitSubject::Credential(*credential), limit),
        bucket(RateLimitSubject::Workspace(*workspace), workspace_limit),
    ];
    let now = ports.clock.now();
    let span = class.window().around(now);
    let counts = ports.limiter.count_many_in_order(&buckets, requests, span).await;
    let own = status(limit, counts.first().copied().unwrap_or_default(), span, now);
    match counts.get(1).map(|count| status(workspace_limit, *count, span, now)) {
        // The headers show the limit of the credential's own window, which is the limit of the plan.
        Some(shared) if shared.exceeded => RateLimitStatus { limit, is_shared: true, ..shared },
        Some(shared) => RateLimitStatus { remaining: own.remaining.min(shared.remaining), ..own },
        None => own,
    }
}

/// Maximum items of an upsert that count as one write each. An upsert of more items counts as one bulk request.
pub const MAX_ITEMS_AS_WRITES: usize = 25;

/// What a request counts as: a number of requests of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub class: Class,
    pub requests: u64,
    /// The class in which the request counts once if the window does not have room for this many requests.
    pub fallback: Option<Class>,
}

impl From<Class> for Cost {
    fn from(class: Class) -> Self {
        Self { class, requests: 1, fallback: None }
    }
}

impl Cost {
    /// The cost of an upsert with this many items. Few items count as one write each. If the window does not have room for these,
    /// they count as one bulk request: otherwise 26 items could pass where 25 cannot.
    pub fn for_items(items: usize) -> Self {
        if items > MAX_ITEMS_AS_WRITES {
            return Class::Bulk.into();
        }
        Self { class: Class::Write, requests: items.max(1) as u64, fallback: Some(Class::Bulk) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_items_count_as_writes_and_many_as_one_bulk_request() {
        for (items, class, requests) in [
            (0, Class::Write, 1),
            (1, Class::Write, 1),
            (25, Class::Write, 25),
            (26, Class::Bulk, 1),
            (500, Class::Bulk, 1),
        ] {
            let cost = Cost::for_items(items);
            assert_eq!((cost.class, cost.requests), (class, requests), "{items}");
        }
    }
}
