//! What plans allow, and limits of a workspace's own (contract: keys, sessions, plans; plans, public limits).

use serde::Serialize;

use crate::kernel::input::choices;

choices! {
    /// What a workspace pays for.
    pub enum Plan {
        /// 100 requests a minute.
        Starter = "starter",
        /// 500 requests a minute.
        Professional = "professional",
        /// 2,000 requests a minute.
        Enterprise = "enterprise",
    }
}

choices! {
    /// A limit that a workspace can have of its own.
    pub enum LimitName {
        /// Of each key and session; half of it for writes.
        RequestsPerMinute = "requests_per_minute",
        /// Contacts, companies and deals made in a calendar month.
        CrmQuotaPerMonth = "crm_quota_per_month",
        /// Public tickets made from one address.
        PublicTicketsPerHour = "public_tickets_per_hour",
        /// Public tickets read from one address.
        PublicFetchesPerMinute = "public_fetches_per_minute",
        /// Searches of the knowledge base from one address.
        PublicKbSearchesPerMinute = "public_kb_searches_per_minute",
    }
}

/// Limits of a workspace's own; those that it does not have come from its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "the members are documented at LimitName")]
pub struct WorkspaceLimits {
    pub requests_per_minute: Option<u32>,
    pub crm_quota_per_month: Option<u32>,
    pub public_tickets_per_hour: Option<u32>,
    pub public_fetches_per_minute: Option<u32>,
    pub public_kb_searches_per_minute: Option<u32>,
}

impl WorkspaceLimits {
    /// Sets a limit, or goes back to the plan's.
    pub const fn set(&mut self, name: LimitName, value: Option<u32>) {
        match name {
            LimitName::RequestsPerMinute => self.requests_per_minute = value,
            LimitName::CrmQuotaPerMonth => self.crm_quota_per_month = value,
            LimitName::PublicTicketsPerHour => self.public_tickets_per_hour = value,
            LimitName::PublicFetchesPerMinute => self.public_fetches_per_minute = value,
            LimitName::PublicKbSearchesPerMinute => self.public_kb_searches_per_minute = value,
        }
    }
}

impl Plan {
    /// Requests a minute of each key.
    pub const fn requests_per_minute(self) -> u64 {
        match self {
            Self::Starter => 100,
            Self::Professional => 500,
            Self::Enterprise => 2_000,
        }
    }

    /// Contacts, companies and deals a month; none means as many as one likes.
    pub const fn crm_quota_per_month(self) -> Option<u64> {
        match self {
            Self::Starter => Some(10_000),
            Self::Professional => Some(100_000),
            Self::Enterprise => None,
        }
    }
}

/// What a workspace may use: its plan, and limits of its own over those of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The plan.
    pub plan: Plan,
    /// The workspace's own limits.
    pub limits: WorkspaceLimits,
}

impl Allowance {
    /// Requests a minute of each key and session.
    pub fn requests_per_minute(&self) -> u64 {
        self.limits.requests_per_minute.map_or_else(|| self.plan.requests_per_minute(), u64::from)
    }

    /// Contacts, companies and deals a month; none means as many as one likes.
    pub fn crm_quota_per_month(&self) -> Option<u64> {
        self.limits.crm_quota_per_month.map(u64::from).or_else(|| self.plan.crm_quota_per_month())
    }
}
