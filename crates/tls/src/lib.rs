//! TLS for all clients of the service: webhooks, e-mail, Redis, Postgres. The adapter of AI clients, which is published and can
//! use no crate of the workspace, does the same in a file of its own.
//!
//! All but those of Postgres trust the machine's certificate authorities, so that an operator adds one in a single place, and fall
//! back to Mozilla's list if the machine has none, as in a minimal container. Whom to trust for Postgres stands in its address.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};

/// The certificate authorities to trust, in DER. Certificates of the machine that cannot be parsed are skipped: every
/// system comes with a few.
pub fn authorities() -> Vec<CertificateDer<'static>> {
    let found = rustls_native_certs::load_native_certs().certs;
    let readable: Vec<_> = found.into_iter().filter(is_readable).collect();
    if readable.is_empty() {
        log::info!("this machine has no certificate authorities; using Mozilla's list");
        return webpki_root_certs::TLS_SERVER_ROOT_CERTS.to_vec();
    }
    readable
}

fn is_readable(certificate: &CertificateDer<'static>) -> bool {
    RootCertStore::empty().add(certificate.clone()).is_ok()
}

/// [`authorities`] as one PEM text, for libraries that accept nothing else.
pub fn authorities_as_pem() -> String {
    let of = |certificate: CertificateDer<'static>| {
        let text = STANDARD.encode(certificate);
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    };
    authorities().into_iter().map(of).collect()
}

/// A client configuration that trusts [`authorities`].
///
/// # Errors
/// If rustls and its cryptography provider do not match: an error of the build, not of the configuration.
pub fn client_config() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(authorities());
    client_config_with(roots)
}

/// A client configuration that trusts only these roots.
///
/// # Errors
/// Like [`client_config`].
pub fn client_config_with(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    Ok(client_builder()?.with_root_certificates(roots).with_no_client_auth())
}

/// The beginning of a client configuration, for those that verify certificates by rules of their own.
///
/// # Errors
/// Like [`client_config`].
pub fn client_builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, rustls::Error> {
    // An explicit provider, so that the process need not have installed one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::pem::PemObject;

    #[test]
    fn there_is_always_an_authority() {
        assert!(!authorities().is_empty());
        assert!(client_config().is_ok());
    }

    #[test]
    fn the_pem_contains_the_same_authorities() {
        let read = CertificateDer::pem_slice_iter(authorities_as_pem().as_bytes()).collect::<Result<Vec<_>, _>>();
        assert_eq!(read.unwrap(), authorities());
    }

    #[test]
    fn mozillas_list_can_be_read_to_its_end() {
        assert!(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().all(is_readable));
        assert!(!is_readable(&CertificateDer::from_slice(b"no certificate")));
    }
}
