//! The trusted certificate authorities: the machine's, or Mozilla's if it has none, as in a minimal container.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// The configuration of all connections. Fails if rustls and its cryptography provider do not match, which is an error
/// in the build and not in the configuration.
pub(crate) fn client_config() -> Result<ClientConfig, rustls::Error> {
    // Names the provider, so that the process does not have to install one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(authorities()).with_no_client_auth())
}

/// Skips certificates of the machine that cannot be parsed, because every system comes with a few.
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
    fn there_is_always_at_least_one_authority() {
        assert!(!authorities().is_empty());
        assert!(client_config().is_ok());
    }
}
