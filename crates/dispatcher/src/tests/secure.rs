//! Receivers with TLS.

use std::sync::Arc;

use async_trait::async_trait;
use domain::webhooks::DeliveryState;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use super::queue::Row;
use super::{Rig, open};
use crate::{DispatcherOptions, NameResolver, ResolveError};

/// Resolves every name to loopback.
struct LoopbackResolver;

#[async_trait]
impl NameResolver for LoopbackResolver {
    async fn resolve(&self, _: &str) -> Result<Vec<std::net::IpAddr>, ResolveError> {
        Ok(vec!["127.0.0.1".parse().unwrap()])
    }
}

/// Starts a receiver named `receiver.example` that returns 200; returns its port and certificate.
async fn receiver() -> (u16, CertificateDer<'static>, JoinHandle<()>) {
    let generated = rcgen::generate_simple_self_signed(vec!["receiver.example".to_owned()]).unwrap();
    let certificate = generated.cert.der().clone();
    let key = PrivateKeyDer::try_from(generated.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.clone()], key).unwrap();
    let (acceptor, listener) = (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Clients that do not trust the certificate disconnect.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let _ = stream.read(&mut [0; 4_096]).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        }
    });
    (port, certificate, task)
}

async fn attempt(tls: ClientConfig, url: &str) -> Row {
    let options = DispatcherOptions { names: Some(Arc::new(LoopbackResolver)), ..open() };
    Rig::new().attempt_trusting(tls, url, options).await
}

#[tokio::test]
async fn the_certificate_and_the_name_of_a_receiver_are_verified() {
    let (port, certificate, task) = receiver().await;
    let trusting_it = || {
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        tls::client_config_with(roots).unwrap()
    };
    let row = attempt(trusting_it(), &format!("https://receiver.example:{port}/")).await;
    assert_eq!(row.delivery.state, DeliveryState::Succeeded, "{:?}", row.attempts);

    for (tls, host) in [(trusting_it(), "other.example"), (tls::client_config().unwrap(), "receiver.example")] {
        let row = attempt(tls, &format!("https://{host}:{port}/")).await;
        assert_eq!(row.attempts[0].error.as_deref(), Some("TLS: the certificate is not trusted"), "{host}");
        assert_eq!(row.delivery.state, DeliveryState::Retrying);
    }
    task.abort();
}
