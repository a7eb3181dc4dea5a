//! Which certificate authorities are trusted: the machine's, or Mozilla's where it has none, as in a minimal container.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// The configuration of all connections.
///
/// # Errors
/// If rustls and its cryptography provider do not match: an error of the build, not of the configuration.
pub(crate) fn client_config() -> Result<ClientConfig, rustls::Error> {
    // An explicit provider, so that the process need not have installed one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(authorities()).with_no_client_auth())
}

/// Those of the machine that cannot be parsed are skipped: every system comes with a few.
fn authorities() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        log::info!("this machine has no certificate authorities; using Mozilla's list");
        roots.add_parsable_certificates(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned());
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_an_authority() {
        assert!(!authorities().is_empty());
        assert!(client_config().is_ok());
    }
}
