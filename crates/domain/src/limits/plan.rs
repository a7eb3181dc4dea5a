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
        /// Bytes that changes add to the event log per day in UTC.
        EventBytesPerDay = "event_bytes_per_day",
    }
}

impl LimitName {
    /// The smallest allowed value. With a request limit of 0, nothing could be read.
    pub const fn min_value(self) -> u64 {
        match self {
            Self::RequestsPerMinute => 1,
            _ => 0,
        }
    }

    /// The largest allowed value.
    pub const fn max_value(self) -> u64 {
        match self {
            Self::EventBytesPerDay => MAX_EVENT_BYTES_PER_DAY,
            _ => MAX_LIMIT_VALUE as u64,
        }
    }
}

/// The largest value of a limit other than bytes.
pub const MAX_LIMIT_VALUE: u32 = i32::MAX as u32;
/// The largest value of `event_bytes_per_day`: a terabyte.
pub const MAX_EVENT_BYTES_PER_DAY: u64 = 1_000_000_000_000;

/// Limits set for a workspace; null means the plan's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct WorkspaceLimits {
    pub requests_per_minute: Option<u32>,
    pub crm_quota_per_month: Option<u32>,
    pub public_tickets_per_hour: Option<u32>,
    pub public_fetches_per_minute: Option<u32>,
    pub public_kb_searches_per_minute: Option<u32>,
    pub emails_per_hour: Option<u32>,
    pub event_bytes_per_day: Option<u64>,
}

impl WorkspaceLimits {
    /// Sets a limit of at most [`LimitName::max_value`], or resets it to the plan's.
    pub fn set(&mut self, name: LimitName, value: Option<u64>) {
        let narrow = value.map(|value| u32::try_from(value).unwrap_or(MAX_LIMIT_VALUE));
        match name {
            LimitName::RequestsPerMinute => self.requests_per_minute = narrow,
            LimitName::CrmQuotaPerMonth => self.crm_quota_per_month = narrow,
            LimitName::PublicTicketsPerHour => self.public_tickets_per_hour = narrow,
            LimitName::PublicFetchesPerMinute => self.public_fetches_per_minute = narrow,
            LimitName::PublicKbSearchesPerMinute => self.public_kb_searches_per_minute = narrow,
            LimitName::EmailsPerHour => self.emails_per_hour = narrow,
            LimitName::EventBytesPerDay => self.event_bytes_per_day = value,
        }
    }
}

/// The limits of a plan.
pub struct PlanLimits {
    pub requests_per_minute: u64,
    pub emails_per_hour: u64,
    pub event_bytes_per_day: u64,
    /// `None` is unlimited.
    pub crm_quota_per_month: Option<u64>,
}

impl Plan {
    pub const fn limits(self) -> PlanLimits {
        let (requests_per_minute, emails_per_hour, event_bytes_per_day, crm_quota_per_month) = match self {
            Self::Starter => (100, 200, 1_000_000_000, Some(10_000)),
            Self::Professional => (500, 1_000, 5_000_000_000, Some(100_000)),
            Self::Enterprise => (2_000, 5_000, 20_000_000_000, None),
        };
        PlanLimits { requests_per_minute, emails_per_hour, event_bytes_per_day, crm_quota_per_month }
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
        self.limits.requests_per_minute.map_or(self.plan.limits().requests_per_minute, u64::from)
    }

    /// E-mails that the workspace causes per hour.
    pub fn emails_per_hour(&self) -> u64 {
        self.limits.emails_per_hour.map_or(self.plan.limits().emails_per_hour, u64::from)
    }

    /// Bytes that changes add to the event log per day.
    pub fn event_bytes_per_day(&self) -> u64 {
        self.limits.event_bytes_per_day.unwrap_or(self.plan.limits().event_bytes_per_day)
    }

    /// Contacts, companies and deals per month; `None` is unlimited.
    pub fn crm_quota_per_month(&self) -> Option<u64> {
        self.limits.crm_quota_per_month.map(u64::from).or(self.plan.limits().crm_quota_per_month)
    }
}
