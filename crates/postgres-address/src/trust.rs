//! Which servers a TLS connection to the database trusts, and how this client identifies itself.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use crate::error::AddressError;
use crate::mode::{SYSTEM, SslMode};
use crate::settings::Settings;

/// Permissions on a key that others must not have. If root owns the key, its group may read it.
const FORBIDDEN_BITS: u32 = 0o077;
const FORBIDDEN_BITS_FOR_ROOT: u32 = 0o037;

/// The TLS configuration for all connections of an address.
pub(crate) fn client_config(settings: &Settings, mode: SslMode) -> Result<ClientConfig, AddressError> {
    let verifier = Arc::new(Verifier::of(settings, mode)?);
    let builder = tls::client_builder()?.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = match client_certificate(settings)? {
        Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(AddressError::ClientCertificate)?,
        None => builder.with_no_client_auth(),
    };
    config.enable_sni = settings.get("sslsni") != Some("0");
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(config)
}

/// Verifies as much as the mode requires.
#[derive(Debug)]
struct Verifier {
    algorithms: WebPkiSupportedAlgorithms,
    /// `None` if nothing is verified.
    authorities: Option<Authorities>,
    verifies_name: bool,
}

#[derive(Debug)]
struct Authorities {
    roots: RootCertStore,
    /// Certificates in the file that may be the server's own, which needs no authority.
    certificates: Vec<CertificateDer<'static>>,
}

impl Verifier {
    fn of(settings: &Settings, mode: SslMode) -> Result<Self, AddressError> {
        let authorities = if mode == SslMode::Prefer { None } else { Authorities::of(settings)? };
        if authorities.is_none() && mode >= SslMode::VerifyCa {
            return Err(AddressError::NoAuthority { mode: mode.name() });
        }
        Ok(Self {
            algorithms: rustls::crypto::ring::default_provider().signature_verification_algorithms,
            authorities,
            verifies_name: mode == SslMode::VerifyFull,
        })
    }
}

impl Authorities {
    fn of(settings: &Settings) -> Result<Option<Self>, AddressError> {
        let Some(path) = file(settings, "sslrootcert", "root.crt") else { return Ok(None) };
        if path.as_os_str() == SYSTEM {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(tls::authorities());
            return Ok(Some(Self { roots, certificates: Vec::new() }));
        }
        let certificates = certificates("sslrootcert", &path)?;
        let mut roots = RootCertStore::empty();
        // Certificates that cannot be authorities may still be the server's own.
        roots.add_parsable_certificates(certificates.iter().cloned());
        Ok(Some(Self { roots, certificates }))
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(Authorities { roots, certificates }) = &self.authorities {
            let parsed = ParsedCertificate::try_from(end_entity)?;
            if !certificates.contains(end_entity) {
                let algorithms = self.algorithms.all;
                verify_server_cert_signed_by_trust_anchor(&parsed, roots, intermediates, now, algorithms)?;
            }
            if self.verifies_name {
                verify_server_name(&parsed, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.authorities {
            Some(_) => verify_tls12_signature(message, certificate, signature, &self.algorithms),
            // The signature of an untrusted key proves nothing, and the certificate may predate X.509 v3.
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.authorities {
            Some(_) => verify_tls13_signature(message, certificate, signature, &self.algorithms),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn client_certificate(settings: &Settings) -> Result<Option<Identity>, AddressError> {
    let Some(certificate) = file(settings, "sslcert", "postgresql.crt") else { return Ok(None) };
    let chain = certificates("sslcert", &certificate)?;
    let path = file(settings, "sslkey", "postgresql.key").ok_or_else(|| AddressError::File {
        name: "sslcert",
        path: certificate,
        reason: "sslkey must name the file with its key".to_owned(),
    })?;
    Ok(Some((chain, private_key(&path)?)))
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, AddressError> {
    let failed = |reason: String| AddressError::File { name: "sslkey", path: path.to_owned(), reason };
    let metadata = fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    let others = if metadata.uid() == 0 { FORBIDDEN_BITS_FOR_ROOT } else { FORBIDDEN_BITS };
    if metadata.permissions().mode() & others != 0 {
        return Err(failed("others may read it; its mode must be 0600".to_owned()));
    }
    let pem = fs::read(path).map_err(|error| failed(error.to_string()))?;
    let key = PrivateKeyDer::from_pem_slice(&pem);
    key.map_err(|_| failed("it must be a key in PEM without a passphrase".to_owned()))
}

fn certificates(name: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, AddressError> {
    let failed = |reason: String| AddressError::File { name, path: path.to_owned(), reason };
    let pem = fs::read(path).map_err(|error| failed(error.to_string()))?;
    let read = CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>();
    let certificates = read.ok().filter(|certificates| !certificates.is_empty());
    certificates.ok_or_else(|| failed("it must contain certificates in PEM".to_owned()))
}

/// The file that a setting names, or libpq's default file if it exists.
fn file(settings: &Settings, name: &str, default: &str) -> Option<PathBuf> {
    if let Some(path) = settings.get(name) {
        return Some(path.into());
    }
    let default = Path::new(&std::env::var_os("HOME")?).join(".postgresql").join(default);
    default.exists().then_some(default)
}

/// Explains a failed handshake to an operator.
pub(crate) fn explain(error: &rustls::Error) -> String {
    use rustls::CertificateError as Certificate;
    let rustls::Error::InvalidCertificate(reason) = error else { return error.to_string() };
    match reason {
        // The last two come from an authority of the same name.
        Certificate::UnknownIssuer
        | Certificate::BadSignature
        | Certificate::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            "its certificate is not issued by an authority in sslrootcert".to_owned()
        }
        Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => format!(
            "its certificate is for another name ({reason}): connect by a name that is among its subjectAltNames, or \
             let it have one for this name"
        ),
        _ => format!("its certificate cannot be accepted: {reason}"),
    }
}
