//! Listing and ending the caller's sessions in all workspaces.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::{AccountWorkspace, Client, Session};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::schema::TimestampText;
use crate::ports::{Ports, Tx, transact};
use crate::{Error, SessionId, UserId};

/// Maximum number of sessions per user and workspace. Above it, the least recently used one ends.
pub const MAX_SESSIONS: u32 = 100;
/// Maximum number of sessions in a list, over all workspaces.
const MAX_LISTED: u32 = 500;

/// A session as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Session")]
pub struct SessionView {
    pub id: SessionId,
    /// Client and operating system, such as `Firefox on Linux`.
    pub device: String,
    pub user_agent: Option<String>,
    pub address: Option<IpAddr>,
    /// Whether it is the session of this request.
    pub current: bool,
    pub workspace: AccountWorkspace,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub last_used_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub expires_at: OffsetDateTime,
}

impl SessionView {
    fn new(session: Session, workspace: &Workspace, current: SessionId) -> Self {
        let client = Client { address: session.address, user_agent: session.user_agent, ..Client::default() };
        Self {
            id: session.id,
            device: client.device(),
            user_agent: client.user_agent.map(|agent| agent.as_str().to_owned()),
            address: client.address,
            current: session.id == current,
            workspace: workspace.into(),
            created_at: session.created_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
        }
    }
}

/// Lists the caller's live sessions in all workspaces, last used first; at most [`MAX_LISTED`].
pub async fn list_sessions(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<Vec<SessionView>, Error> {
    let (current, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let sessions = ports.directory.list_sessions(user, ports.clock.now(), MAX_LISTED).await?;
    Ok(sessions.into_iter().map(|(session, workspace)| SessionView::new(session, &workspace, current)).collect())
}

/// Ends the caller's session.
pub async fn logout(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<(), Error> {
    let (session, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let entry =
        AuditEntry::new(ports, &permit.principal(), AuditAction::SessionEnded, AuditSubject::member(user), json!({}));
    transact(ports, permit, move |tx| {
        tx.sessions().end(session)?;
        tx.credential_changed(session.0)?;
        Ok(tx.audit().append(&entry)?)
    })
    .await?;
    ports.credential_cache.invalidate(&[session.0].into());
    Ok(())
}

/// Ends one of the caller's sessions, in any workspace. Takes effect immediately on this instance, and within two seconds
/// on the others.
///
/// # Errors
/// [`Error::NotFound`] unless it is a session of the caller.
pub async fn end_session(ports: &Ports, permit: &Permit<ManageOwnAccount>, id: SessionId) -> Result<(), Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let (subject, details) = (AuditSubject::member(user), json!({ "session": id }));
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::SessionEnded, subject, details);
    if !ports.directory.end_session(user, id, &entry).await? {
        return Err(Error::NotFound("session"));
    }
    ports.store.note_write(user.0).await;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(())
}

/// Ends all sessions of the caller in all workspaces, including this one, and pending sign-ins. Takes effect immediately on this
/// instance, and within two seconds on the others.
pub async fn end_all_sessions(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<(), Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let account = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?;
    let (principal, subject) = (permit.principal(), AuditSubject::member(user));
    let details = json!({ "all": true });
    let entry = || AuditEntry::new(ports, &principal, AuditAction::SessionEnded, subject, details.clone());
    let entries = account.memberships.iter().map(|one| (one.workspace.id, entry())).collect();
    ports.directory.end_all_sessions(user, entries).await?;
    ports.credential_cache.invalidate(&[user.0].into());
    Ok(())
}

/// Ends the user's sessions above [`MAX_SESSIONS`] after a new session was added.
pub(in crate::identity) fn end_surplus(tx: &mut dyn Tx, user: UserId) -> Result<(), Error> {
    for session_id in tx.sessions().end_all_but(user, MAX_SESSIONS)? {
        tx.credential_changed(session_id.0)?;
    }
    Ok(())
}
