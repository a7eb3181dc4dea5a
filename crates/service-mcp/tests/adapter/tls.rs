//! Services over https.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, crypto};

use crate::client::{Adapter, KEY, command};

/// Starts a service with a certificate for localhost; returns its URL and the certificate in PEM.
async fn start_tls_service() -> (String, String) {
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let encoded = BASE64_STANDARD.encode(certified.cert.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n");
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certified.cert.der().clone()], key).unwrap();
    let (acceptor, listener) = (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Clients that do not trust it close the connection.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let _ = stream.read(&mut [0; 4_096]).await;
            let response = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{\"tools\":[]}";
            let _ = stream.write_all(response.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (format!("https://localhost:{port}"), pem)
}

#[tokio::test]
async fn certificates_are_verified() {
    let (url, certificate) = start_tls_service().await;
    let folder = tempfile::tempdir().unwrap();
    let (trusted, other) = (folder.path().join("trusted.pem"), folder.path().join("other.pem"));
    std::fs::write(&trusted, certificate).unwrap();
    std::fs::write(&other, start_tls_service().await.1).unwrap();
    for (file, is_trusted) in [(trusted, true), (other, false)] {
        let mut command = command(&["--api-url", &url]);
        command.env("SERVICE_MCP_API_KEY", KEY).env("SSL_CERT_FILE", file).env_remove("SSL_CERT_DIR");
        let mut adapter = Adapter::start(command);
        let _ = adapter.initialize("2025-11-25").await;
        let response = adapter.request("tools/list", json!({})).await;
        assert_eq!(response.get("result").is_some(), is_trusted, "{response}");
        if !is_trusted {
            assert!(response["error"]["message"].as_str().unwrap().contains("certificate"), "{response}");
        }
    }
}
