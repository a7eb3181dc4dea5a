//! From the text of a credential to a caller.

use std::net::IpAddr;
use std::sync::Arc;

use super::known::Known;
use super::{Caller, Credential, PlainToken, TokenKind};
use crate::Error;
use crate::identity::api_keys::KeyStatus;
use crate::identity::workspaces::WorkspaceStatus;
use crate::ports::Ports;

/// Verifies a bearer credential: a key, or an access token of a session. Asks the store only for one that is not known.
///
/// # Errors
/// [`Error::Unauthorized`] for every bad credential alike: malformed, unknown, revoked, ended, expired, or of a
/// workspace that is not active. Store errors when it cannot be looked up.
pub async fn authenticate(ports: &Ports, bearer: &str, address: Option<IpAddr>) -> Result<Caller, Error> {
    let shown = PlainToken::parse(bearer).ok_or(Error::Unauthorized)?;
    let began = ports.clock.elapsed();
    let (known, fresh) = match ports.known.get(shown.lookup_id(), began) {
        Some(known) => (known, false),
        None => (Arc::new(load(ports, &shown).await?.ok_or(Error::Unauthorized)?), true),
    };
    // Compared before anything else is looked at: the answer's time says nothing of a credential's state.
    let matches = known.secret.matches(&shown.hashed()) && known.kind() == shown.kind();
    let alive = known.expires_at.is_none_or(|expiry| ports.clock.now() < expiry);
    if !(matches && alive) {
        return Err(Error::Unauthorized);
    }
    if fresh {
        ports.known.put(shown.lookup_id(), Arc::clone(&known), began, ports.clock.elapsed());
    }
    Ok(Caller::of(&known, address))
}

impl Known {
    const fn kind(&self) -> TokenKind {
        match self.credential {
            Credential::Key(_) => TokenKind::ApiKey,
            Credential::Session { .. } => TokenKind::Session,
        }
    }
}

/// What the store knows of the credential, if it is one that works.
async fn load(ports: &Ports, shown: &PlainToken) -> Result<Option<Known>, Error> {
    let known = match shown.kind() {
        TokenKind::ApiKey => load_key(ports, shown.lookup_id()).await?,
        TokenKind::Session => load_session(ports, shown.lookup_id()).await?,
        // A customer's token opens its one ticket, by another door, and nothing here.
        TokenKind::Invitation | TokenKind::PasswordReset | TokenKind::TrackingLink | TokenKind::PortalSession => None,
    };
    Ok(known.filter(|known| known.workspace.status == WorkspaceStatus::Active))
}

async fn load_key(ports: &Ports, lookup_id: &str) -> Result<Option<Known>, Error> {
    let found = ports.directory.find_api_key(lookup_id).await?;
    let found = found.filter(|found| found.key.status(ports.clock.now()) == KeyStatus::Active);
    Ok(found.map(|found| Known {
        secret: found.key.secret,
        expires_at: found.key.expires_at,
        workspace: Arc::new(found.workspace),
        credential: Credential::Key(found.key.id),
        tools: Arc::new(found.key.tool_grants()),
        name: Arc::from(found.key.name),
        scopes: found.key.scopes,
    }))
}

async fn load_session(ports: &Ports, lookup_id: &str) -> Result<Option<Known>, Error> {
    let found = ports.directory.find_session(lookup_id).await?;
    Ok(found.map(|found| Known {
        secret: found.session.secret,
        expires_at: Some(found.session.expires_at),
        workspace: Arc::new(found.workspace),
        credential: Credential::Session { id: found.session.id, user: found.session.user_id, role: found.role },
        name: Arc::from(found.user_name),
        scopes: found.role.scopes(),
        tools: Arc::default(),
    }))
}
