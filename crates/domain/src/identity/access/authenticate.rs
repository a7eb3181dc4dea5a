//! Verification of bearer credentials.

use std::net::IpAddr;
use std::sync::Arc;

use super::credential_cache::CachedCredential;
use super::needs::OperatorAccess;
use super::{Caller, Credential, PlainToken, TokenKind};
use crate::Error;
use crate::identity::api_keys::KeyStatus;
use crate::identity::audit::note_refused_request;
use crate::identity::workspaces::WorkspaceStatus;
use crate::kernel::Networks;
use crate::ports::Ports;

/// Verifies a bearer credential: an API key, or the access token of a session. Reads the store only if the credential
/// is not cached.
///
/// # Errors
/// The same [`Error::Unauthorized`] for every invalid credential: malformed, unknown, revoked, ended, expired, or of a workspace
/// that is not active. [`Error::AddressNotAllowed`] for a valid one from an address outside the networks of its workspace or of the
/// key. Store errors if it cannot be read.
pub async fn authenticate(ports: &Ports, bearer: &str, address: Option<IpAddr>) -> Result<Caller, Error> {
    let token = PlainToken::parse(bearer).ok_or(Error::Unauthorized)?;
    let began = ports.clock.elapsed();
    let (cached, is_new) = match ports.credential_cache.get(token.lookup_id(), began) {
        Some(cached) => (cached, false),
        None => (Arc::new(load(ports, &token).await?.ok_or(Error::Unauthorized)?), true),
    };
    // The secret is compared first, so that the response time does not reveal a credential's state.
    let is_match = cached.secret.matches(&token.hashed()) && cached.kind() == token.kind();
    let is_alive = cached.expires_at.is_none_or(|expiry| ports.clock.now() < expiry);
    if !(is_match && is_alive) {
        return Err(Error::Unauthorized);
    }
    if is_new {
        // The credential was created or changed a moment ago, or was used on another instance, which may have written for it.
        ports.store.note_write(cached.credential.holder()).await;
        ports.credential_cache.put(token.lookup_id(), Arc::clone(&cached), began, ports.clock.elapsed());
    }
    let caller = Caller::new(&cached, address);
    if !(cached.workspace.allowed_networks.allow(address) && cached.networks.allow(address)) {
        note_refused_request(ports, &caller, None, &Error::AddressNotAllowed);
        return Err(Error::AddressNotAllowed);
    }
    Ok(caller)
}

impl CachedCredential {
    const fn kind(&self) -> TokenKind {
        match self.credential {
            Credential::Key(_) => TokenKind::ApiKey,
            Credential::Session { .. } => TokenKind::Session,
        }
    }
}

/// Reads the credential from the store; `None` unless it is valid and its workspace active.
async fn load(ports: &Ports, token: &PlainToken) -> Result<Option<CachedCredential>, Error> {
    let cached = match token.kind() {
        TokenKind::ApiKey => load_key(ports, token.lookup_id()).await?,
        TokenKind::Session => load_session(ports, token.lookup_id()).await?,
        // Only the portal routes accept a customer's portal token.
        TokenKind::Invitation
        | TokenKind::PasswordReset
        | TokenKind::TrackingLink
        | TokenKind::PortalSession
        | TokenKind::SecondFactor
        | TokenKind::SignInLink
        | TokenKind::SetUpCode => None,
    };
    Ok(cached.filter(|cached| cached.workspace.status == WorkspaceStatus::Active))
}

async fn load_key(ports: &Ports, lookup_id: &str) -> Result<Option<CachedCredential>, Error> {
    let lookup = ports.directory.find_api_key(lookup_id).await?;
    let lookup = lookup.filter(|lookup| lookup.key.status(ports.clock.now()) == KeyStatus::Active);
    Ok(lookup.map(|lookup| CachedCredential {
        secret: lookup.key.secret,
        expires_at: lookup.key.expires_at,
        workspace: Arc::new(lookup.workspace),
        networks: lookup.key.allowed_networks.clone(),
        lacks_second_factor: false,
        operator_access: OperatorAccess::None,
        credential: Credential::Key(lookup.key.id),
        tools: Arc::new(lookup.key.tool_grants()),
        name: Arc::from(lookup.key.name),
        scopes: lookup.key.scopes,
    }))
}

async fn load_session(ports: &Ports, lookup_id: &str) -> Result<Option<CachedCredential>, Error> {
    let lookup = ports.directory.find_session(lookup_id).await?;
    Ok(lookup.map(|lookup| CachedCredential {
        secret: lookup.session.secret,
        expires_at: Some(lookup.session.expires_at),
        lacks_second_factor: lookup.workspace.demands_second_factor(lookup.role)
            && lookup.second_factor_since.is_none(),
        operator_access: if lookup.is_operator {
            let needs_second_factor = ports.settings.operators_need_second_factor;
            OperatorAccess::of_operator(lookup.session.created_at, lookup.second_factor_since, needs_second_factor)
        } else {
            OperatorAccess::None
        },
        workspace: Arc::new(lookup.workspace),
        networks: Networks::default(),
        credential: Credential::Session { id: lookup.session.id, user: lookup.session.user_id, role: lookup.role },
        name: Arc::from(lookup.user_name),
        scopes: lookup.role.scopes(),
        tools: Arc::default(),
    }))
}
