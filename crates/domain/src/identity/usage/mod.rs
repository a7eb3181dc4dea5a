//! Usage of a workspace against its plan.

mod activity;

pub use activity::{Activity, CredentialUsage, UsedCredential, flush_activity};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::limits::quota::{month_end, month_of};
use crate::limits::{self, Bucket, Class, Plan, RateLimitSubject};
use crate::ports::{Ports, statement};

/// Admitted requests; counts lag by a few seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RequestUsage {
    /// Since midnight in UTC.
    pub today: u64,
    /// Since the first of the month.
    pub this_month: u64,
}

/// CRM records created this month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuotaUsage {
    /// The monthly quota; null if unlimited.
    pub limit: Option<u64>,
    pub used: u64,
    pub remaining: Option<u64>,
    /// Start of the next month.
    #[serde(with = "TimestampText")]
    pub resets_at: OffsetDateTime,
}

impl QuotaUsage {
    /// The quota of a workspace that has used this much of it.
    pub(in crate::identity) fn new(workspace: &Workspace, used: u64, now: OffsetDateTime) -> Self {
        let limit = workspace.allowance().crm_quota_per_month();
        let remaining = limit.map(|limit| limit.saturating_sub(used));
        Self { limit, used, remaining, resets_at: month_end(now) }
    }
}

/// How far webhooks are behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WebhookUsage {
    /// Deliveries that are being sent or wait for an attempt, except those of disabled webhooks.
    pub waiting: u64,
    /// How many deliveries can wait before events have to wait.
    pub max_waiting: u64,
    /// Events whose deliveries are queued later; counting stops at `max_waiting`.
    pub behind: u64,
    /// When the first of these events happened.
    #[serde(with = "OptionalTimestampText")]
    pub oldest_behind_at: Option<OffsetDateTime>,
}

/// The current window of a rate-limit class, for the caller's key or session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClassUsage {
    pub class: Class,
    /// Requests per minute.
    pub limit: u64,
    /// Requests left in this window.
    pub remaining: u64,
    /// Start of the next window, in Unix seconds.
    pub reset: i64,
}

/// The response of the usage route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Usage {
    pub plan: Plan,
    pub requests: RequestUsage,
    pub crm_quota: QuotaUsage,
    pub webhooks: WebhookUsage,
    /// Limits per minute and credential.
    pub limits: Vec<ClassUsage>,
}

pub async fn read(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Usage, Error> {
    let now = ports.clock.now();
    let (today, month) = (now.date(), month_of(now));
    let (requests, used, backlog) = statement(ports, permit, move |tx| {
        let (today, this_month) = tx.quota().requests(today, month)?;
        Ok((RequestUsage { today, this_month }, tx.quota().used(month)?, tx.deliveries().backlog()?))
    })
    .await?;
    let workspace = permit.workspace();
    let limits = match permit.session() {
        Some((id, _)) => class_usage(ports, workspace, id.0).await,
        None => Vec::new(),
    };
    let crm_quota = QuotaUsage::new(workspace, used, now);
    let webhooks = WebhookUsage {
        waiting: backlog.waiting,
        max_waiting: backlog.max_waiting,
        behind: backlog.behind,
        oldest_behind_at: backlog.oldest_behind_at,
    };
    Ok(Usage { plan: workspace.plan, requests, crm_quota, webhooks, limits })
}

/// The current window of each class for a key or session of the workspace. Counts nothing.
pub(in crate::identity) async fn class_usage(
    ports: &Ports,
    workspace: &Workspace,
    credential: Uuid,
) -> Vec<ClassUsage> {
    let subject = RateLimitSubject::Credential(credential);
    let mut usage = Vec::new();
    for class in [Class::Read, Class::Write, Class::Bulk, Class::Critical] {
        let limit = limits::limit_of(class, &workspace.allowance(), &ports.settings.limits);
        let status = limits::peek(ports, Bucket { class, subject }, limit).await;
        usage.push(ClassUsage { class, limit, remaining: status.remaining, reset: status.reset_at });
    }
    usage
}
