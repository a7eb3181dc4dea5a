//! Authorities that an operator trusts with the mail server, beside those of the machine.

use std::path::Path;

use anyhow::{Context, ensure};
use lettre::transport::smtp::client::Certificate;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Certificates of authorities; none unless a file names some.
#[derive(Debug, Clone, Default)]
pub struct Authorities(Vec<CertificateDer<'static>>);

impl Authorities {
    /// Reads a file with one certificate or more, in PEM.
    ///
    /// # Errors
    /// When it cannot be read, or holds none, or one that cannot be an authority's.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let shown = file.display();
        let pem = std::fs::read(file).with_context(|| format!("{shown} cannot be read"))?;
        Self::parse(&pem).with_context(|| format!("{shown} must hold certificates of authorities in PEM"))
    }

    fn parse(pem: &[u8]) -> anyhow::Result<Self> {
        let all: Vec<_> =
            CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().context("a certificate cannot be read")?;
        ensure!(!all.is_empty(), "there is no certificate in it");
        let mut roots = RootCertStore::empty();
        for certificate in &all {
            roots.add(certificate.clone()).context("a certificate is none")?;
        }
        Ok(Self(all))
    }

    /// All that are trusted, those of the machine too, as connections to mail servers take them.
    pub(crate) fn certificates(&self) -> anyhow::Result<Vec<Certificate>> {
        let all = tls::authorities().into_iter().chain(self.0.iter().cloned());
        Ok(all.map(|der| Certificate::from_der(der.to_vec())).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_none() {
        for (text, why) in [
            ("", "no certificate"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "is none"),
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
