//! Test CAs and certificates.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;

/// A CA.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// The CA certificate in PEM.
    pub fn pem(&self) -> String {
        let text = STANDARD.encode(self.0.as_ref().der());
        let lines = text.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned());
        let lines = lines.collect::<Vec<_>>().join("\n");
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    /// A server configuration with a certificate for `name`.
    pub fn server(&self, name: &str) -> Arc<ServerConfig> {
        self.signed(&CertificateParams::new([name.to_owned()]).unwrap())
    }

    /// A server configuration whose certificate expired at the end of 2019.
    pub fn expired_server(&self, name: &str) -> Arc<ServerConfig> {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2019, 1, 1), date_time_ymd(2020, 1, 1));
        self.signed(&params)
    }

    fn signed(&self, params: &CertificateParams) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap())
    }
}
