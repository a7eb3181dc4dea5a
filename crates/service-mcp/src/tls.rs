//! Which certificates are trusted.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// Trusts what the machine trusts; Mozilla's list where the machine has none, as in a small container.
pub(crate) fn with_system_roots() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    // A few certificates that cannot be read do not matter, and come with every system.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        log::info!("the machine has no certificate authorities: those that Mozilla trusts are trusted");
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
