//! Limits of the plans, and a workspace's own limits (interface 6.1 and 6.12).

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::input::{choices, readable_choices};

choices! {
    /// The plan of a workspace.
    #[derive(Default)]
    pub enum Plan {
        /// 100 requests per minute.
        Starter = "starter",
        /// 500 requests per minute.
        Professional = "professional",
        /// 2,000 requests per minute. The default: whoever runs the service decides about limits.
        #[default]
        Enterprise = "enterprise",
    }
}

readable_choices!(Plan);

choices! {
    /// A limit that can be set per workspace.
    pub enum LimitName {
        /// Per API key and session; half of it for writes.
        RequestsPerMinute = "requests_per_minute",
        /// Contacts, companies and deals created per calendar month.
        CrmQuotaPerMonth = "crm_quota_per_month",
        /// Public tickets created per address.
        PublicTicketsPerHour = "public_tickets_per_hour",
        /// Public tickets read per address.
        PublicFetchesPerMinute = "public_fetches_per_minute",
        /// Searches of the knowledge base per address.
        PublicKbSearchesPerMinute = "public_kb_searches_per_minute",
        /// E-mails that the workspace causes: answers to customers, invitations, links to tickets.
        EmailsPerHour = "emails_per_hour",
    }
}

impl LimitName {
    /// The least value: without requests, nothing could be read.
    pub const fn least(self) -> u32 {
        match self {
            Self::RequestsPerMinute => 1,
            _ => 0,
        }
    }
}

/// The largest value of a limit: the columns are signed.
pub const MAX_LIMIT_VALUE: u32 = i32::MAX as u32;

/// Limits set for a workspace; `None` means the plan's limit. Documented at [`LimitName`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct WorkspaceLimits {
    pub requests_per_minute: Option<u32>,
    pub crm_quota_per_month: Option<u32>,
    pub public_tickets_per_hour: Option<u32>,
    pub public_fetches_per_minute: Option<u32>,
    pub public_kb_searches_per_minute: Option<u32>,
    pub emails_per_hour: Option<u32>,
}

impl WorkspaceLimits {
    /// Sets a limit, or resets it to the plan's.
    pub const fn set(&mut self, name: LimitName, value: Option<u32>) {
        match name {
            LimitName::RequestsPerMinute => self.requests_per_minute = value,
            LimitName::CrmQuotaPerMonth => self.crm_quota_per_month = value,
            LimitName::PublicTicketsPerHour => self.public_tickets_per_hour = value,
            LimitName::PublicFetchesPerMinute => self.public_fetches_per_minute = value,
            LimitName::PublicKbSearchesPerMinute => self.public_kb_searches_per_minute = value,
            LimitName::EmailsPerHour => self.emails_per_hour = value,
        }
    }
}

impl Plan {
    /// Requests per minute and credential.
    pub const fn requests_per_minute(self) -> u64 {
        match self {
            Self::Starter => 100,
            Self::Professional => 500,
            Self::Enterprise => 2_000,
        }
    }

    /// E-mails that a workspace causes per hour.
    pub const fn emails_per_hour(self) -> u64 {
        match self {
            Self::Starter => 200,
            Self::Professional => 1_000,
            Self::Enterprise => 5_000,
        }
    }

    /// Contacts, companies and deals per month; `None` is unlimited.
    pub const fn crm_quota_per_month(self) -> Option<u64> {
        match self {
            Self::Starter => Some(10_000),
            Self::Professional => Some(100_000),
            Self::Enterprise => None,
        }
    }
}

/// The limits of a workspace: its plan, overridden by its own limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    pub plan: Plan,
    pub limits: WorkspaceLimits,
}

impl Allowance {
    /// Requests per minute and credential.
    pub fn requests_per_minute(&self) -> u64 {
        self.limits.requests_per_minute.map_or_else(|| self.plan.requests_per_minute(), u64::from)
    }

    /// E-mails that the workspace causes per hour.
    pub fn emails_per_hour(&self) -> u64 {
        self.limits.emails_per_hour.map_or_else(|| self.plan.emails_per_hour(), u64::from)
    }

    /// Contacts, companies and deals per month; `None` is unlimited.
    pub fn crm_quota_per_month(&self) -> Option<u64> {
        self.limits.crm_quota_per_month.map(u64::from).or_else(|| self.plan.crm_quota_per_month())
    }
}
