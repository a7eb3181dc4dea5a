//! Signing out.

use serde_json::json;

use crate::Error;
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Ports, transact};

/// Ends the caller's session.
///
/// # Errors
/// Store errors.
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
