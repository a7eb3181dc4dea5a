//! Which certificates are trusted.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

use crate::error::DispatcherError;

/// Trusts what the machine trusts, so that an operator can add an authority; Mozilla's list where the machine has none,
/// as in a container that holds this program alone.
pub(crate) fn with_system_roots() -> Result<ClientConfig, DispatcherError> {
    let mut roots = RootCertStore::empty();
    // A few certificates that cannot be read do not matter, and come with every system.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        log::info!("the machine has no certificate authorities: webhooks trust those that Mozilla does");
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    with_roots(roots)
}

/// With a provider of its own: nobody else in the process need have chosen one.
pub(crate) fn with_roots(roots: RootCertStore) -> Result<ClientConfig, DispatcherError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| DispatcherError::Tls(error.to_string()))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
