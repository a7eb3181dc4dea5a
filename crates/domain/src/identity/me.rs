//! The caller's credential and its remaining limits (interface 22.1 and 22.2).

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::access::{ActorKind, Credential, DescribeCaller, Permit};
use super::usage::{ClassUsage, QuotaUsage, class_usage};
use super::workspaces::{Role, Workspace};
use crate::kernel::input::schema::OptionalTimestampText;
use crate::limits::Plan;
use crate::limits::quota::month_of;
use crate::ports::{Ports, statement};
use crate::tools::ToolPermission;
use crate::{Error, WorkspaceId};

/// The credential of a request: `created_by` of the records it creates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwnCredential {
    /// `api_key` or `user`.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// The id of the key, or of the user.
    pub id: Uuid,
    pub name: String,
    /// When the key expires or the session ends.
    #[serde(with = "OptionalTimestampText")]
    pub expires_at: Option<OffsetDateTime>,
}

/// The workspace of a credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwnWorkspace {
    pub id: WorkspaceId,
    pub name: String,
    pub slug: String,
    pub plan: Plan,
}

impl OwnWorkspace {
    fn new(workspace: &Workspace) -> Self {
        let Workspace { id, plan, name, slug, .. } = workspace;
        Self { id: *id, name: name.clone(), slug: slug.clone(), plan: *plan }
    }
}

/// The limits of a credential and its workspace, and how much is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwnLimits {
    /// Requests per minute, by class.
    pub requests: Vec<ClassUsage>,
    /// Contacts, companies and deals created this month in the workspace.
    pub crm_quota: QuotaUsage,
}

/// What a credential is and what it can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Me {
    pub credential: OwnCredential,
    pub workspace: OwnWorkspace,
    /// The scopes, such as `deals.write`.
    pub scopes: Vec<String>,
    /// The permissions on tools; none for a session, which cannot call tools.
    pub permissions: Vec<ToolPermission>,
    /// The role of the user; null for a key.
    pub role: Option<Role>,
    pub limits: OwnLimits,
}

/// What is left of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TrialLeft {
    /// Calls of the trial in total.
    pub calls_limit: u32,
    /// Calls left.
    pub calls_remaining: u32,
}

pub async fn read(ports: &Ports, permit: &Permit<DescribeCaller>) -> Result<Me, Error> {
    Ok(read_with_trial(ports, permit).await?.0)
}

/// Describes the caller, with the rest of its trial.
pub async fn read_with_trial(ports: &Ports, permit: &Permit<DescribeCaller>) -> Result<(Me, Option<TrialLeft>), Error> {
    let now = ports.clock.now();
    let trial_key = match permit.credential() {
        Some(Credential::Key(id)) if permit.tools().is_trial() => Some(id),
        _ => None,
    };
    let (used, key) = statement(ports, permit, move |tx| {
        let used = tx.quota().used(month_of(now))?;
        Ok((used, trial_key.map(|id| tx.api_keys().get(id)).transpose()?.flatten()))
    })
    .await?;
    let trial = key
        .and_then(|key| key.trial)
        .map(|trial| TrialLeft { calls_limit: trial.calls_limit, calls_remaining: trial.calls_remaining() });
    let workspace = permit.workspace();
    let crm_quota = QuotaUsage::new(workspace, used, now);
    let requests = match permit.credential() {
        Some(credential) => class_usage(ports, workspace, credential.id()).await,
        None => Vec::new(),
    };
    let actor = permit.actor();
    let me = Me {
        credential: OwnCredential {
            kind: actor.kind,
            // Operators have no id, but they cannot call this.
            id: actor.id.unwrap_or_default(),
            name: permit.principal().name.to_string(),
            expires_at: permit.expires_at(),
        },
        workspace: OwnWorkspace::new(workspace),
        scopes: permit.scopes().to_strings(),
        permissions: permit.tools().granted().collect(),
        role: match permit.credential() {
            Some(Credential::Session { role, .. }) => Some(role),
            Some(Credential::Key(_)) | None => None,
        },
        limits: OwnLimits { requests, crm_quota },
    };
    Ok((me, trial))
}
