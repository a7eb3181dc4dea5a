//! TLS for every client of ours: webhooks, e-mail, Redis, and the adapter of AI clients.
//!
//! All of them trust what the machine trusts, so that an operator adds an authority in one place; Mozilla's list where
//! the machine has none, as in a container that holds one program.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

/// The certificate authorities to trust, in DER. Certificates of the machine that cannot be read are left out: a few of
/// those come with every system.
pub fn authorities() -> Vec<CertificateDer<'static>> {
    let found = rustls_native_certs::load_native_certs().certs;
    let readable: Vec<_> = found.into_iter().filter(is_readable).collect();
    if readable.is_empty() {
        log::info!("the machine has no certificate authorities: those that Mozilla trusts are trusted");
        return webpki_root_certs::TLS_SERVER_ROOT_CERTS.to_vec();
    }
    readable
}

fn is_readable(certificate: &CertificateDer<'static>) -> bool {
    RootCertStore::empty().add(certificate.clone()).is_ok()
}

/// The same as one PEM text, for libraries that take nothing else.
pub fn authorities_as_pem() -> String {
    let of = |certificate: CertificateDer<'static>| {
        let text = STANDARD.encode(certificate);
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    };
    authorities().into_iter().map(of).collect()
}

/// A client that trusts [`authorities`].
///
/// # Errors
/// When rustls and its cryptography do not fit each other: a fault of the build, not of the configuration.
pub fn client_config() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(authorities());
    client_config_with(roots)
}

/// A client that trusts these roots alone.
///
/// # Errors
/// As [`client_config`].
pub fn client_config_with(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    // A provider of its own: nobody else in the process need have chosen one.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::pem::PemObject;

    #[test]
    fn there_is_always_somebody_to_trust() {
        assert!(!authorities().is_empty());
        assert!(client_config().is_ok());
    }

    #[test]
    fn the_text_holds_the_same_authorities() {
        let read = CertificateDer::pem_slice_iter(authorities_as_pem().as_bytes()).collect::<Result<Vec<_>, _>>();
        assert_eq!(read.unwrap(), authorities());
    }

    #[test]
    fn mozillas_list_can_be_read_to_its_end() {
        assert!(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().all(is_readable));
        assert!(!is_readable(&CertificateDer::from_slice(b"no certificate")));
    }
}
