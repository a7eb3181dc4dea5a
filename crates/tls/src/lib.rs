//! TLS for all clients in the service: webhooks, e-mail, Redis, Postgres. `service-mcp` is published and cannot depend on a crate
//! of the workspace, so it has a copy of this in one file.
//!
//! All of them except Postgres trust the machine's certificate authorities, so that an operator can add one in a single place.
//! If the machine has none, as in a minimal container, they trust Mozilla's list. For Postgres, the address says whom to trust.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};

/// The certificate authorities to trust, in DER. Certificates of the machine that cannot be parsed are skipped, because every
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
/// If rustls and its cryptography provider do not match, which is an error in the build and not in the configuration.
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

/// The first part of a client configuration, for callers that verify certificates themselves.
///
/// # Errors
/// Like [`client_config`].
pub fn client_builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, rustls::Error> {
    // Names the provider, so that the process does not have to install one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::pem::PemObject;

    #[test]
    fn there_is_always_at_least_one_authority() {
        assert!(!authorities().is_empty());
        assert!(client_config().is_ok());
    }

    #[test]
    fn the_pem_contains_the_same_authorities() {
        let read = CertificateDer::pem_slice_iter(authorities_as_pem().as_bytes()).collect::<Result<Vec<_>, _>>();
        assert_eq!(read.unwrap(), authorities());
    }

    #[test]
    fn every_certificate_in_mozillas_list_can_be_read() {
        assert!(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().all(is_readable));
        assert!(!is_readable(&CertificateDer::from_slice(b"no certificate")));
    }
}
