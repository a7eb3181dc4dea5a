//! Extra CA certificates that the operator trusts for the mail server.

use std::path::Path;

use anyhow::{Context, ensure};
use lettre::transport::smtp::client::Certificate;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// CA certificates; empty by default.
#[derive(Debug, Clone, Default)]
pub struct Authorities(Vec<CertificateDer<'static>>);

impl Authorities {
    /// Reads a PEM file with one or more certificates.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or holds a certificate that cannot be a CA's.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let path = file.display();
        let pem = std::fs::read(file).with_context(|| format!("{path} cannot be read"))?;
        Self::parse(&pem).with_context(|| format!("{path} must contain CA certificates in PEM format"))
    }

    fn parse(pem: &[u8]) -> anyhow::Result<Self> {
        let all: Vec<_> =
            CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().context("a certificate cannot be read")?;
        ensure!(!all.is_empty(), "no certificate found");
        let mut roots = RootCertStore::empty();
        for certificate in &all {
            roots.add(certificate.clone()).context("a certificate is invalid")?;
        }
        Ok(Self(all))
    }

    /// All trusted certificates, including the system's, in lettre's type.
    pub(crate) fn certificates(&self) -> anyhow::Result<Vec<Certificate>> {
        let all = tls::authorities().into_iter().chain(self.0.iter().cloned());
        Ok(all.map(|der| Certificate::from_der(der.to_vec())).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_invalid() {
        for (text, why) in [
            ("", "no certificate"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "is invalid"),
            ("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n", "cannot be read"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no certificate"),
        ] {
            let error = format!("{:#}", Authorities::parse(text.as_bytes()).unwrap_err());
            assert!(error.contains(why), "{text}: {error}");
        }
        let error = format!("{:#}", Authorities::read(Path::new("/nowhere.pem")).unwrap_err());
        assert!(error.contains("/nowhere.pem cannot be read"), "{error}");
    }
}
