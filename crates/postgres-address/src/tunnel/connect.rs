//! A connection to a host, encrypted as its mode requires.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use rustls::pki_types::ServerName;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::{Upstream, messages};
use crate::mode::SslMode;
use crate::trust;

/// A TLS connection or a plaintext one.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Upstream {
    /// Connects, or returns the reason for operators why it cannot.
    pub(super) async fn connect(&self) -> Result<Box<dyn Stream>, String> {
        let mut stream = self.reach().await?;
        match self.ask_for_tls(&mut stream).await? {
            true => match self.encrypt(stream).await {
                Ok(encrypted) => Ok(encrypted),
                // As in libpq: the server may accept the connection without TLS.
                Err(_) if self.options.mode == SslMode::Prefer => Ok(Box::new(self.reach().await?)),
                Err(reason) => Err(reason),
            },
            false if self.options.mode == SslMode::Prefer => Ok(Box::new(stream)),
            false => Err(format!(
                "{} does not offer TLS, but sslmode={} asks for it: turn on ssl at the server, or set sslmode=disable in the \
                 address to send everything unencrypted",
                self.host,
                self.options.mode.name()
            )),
        }
    }

    /// Tries the addresses of the host in turn.
    async fn reach(&self) -> Result<TcpStream, String> {
        let failed = |error: io::Error| self.unreachable(&error.to_string());
        let lookup = lookup_host((self.host.target(), self.host.port)).await.map_err(failed)?;
        let addresses: Vec<SocketAddr> = lookup.collect();
        let patience = self.options.timeout() / u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
        let mut reason = "its name has no address".to_owned();
        for address in addresses {
            match timeout(patience, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return self.with_options(stream).map_err(failed),
                Ok(Err(error)) => reason = error.to_string(),
                Err(_) => reason = no_answer(patience),
            }
        }
        Err(self.unreachable(&reason))
    }

    fn with_options(&self, stream: TcpStream) -> io::Result<TcpStream> {
        stream.set_nodelay(true)?;
        let socket = SockRef::from(&stream);
        if let Some(keepalive) = &self.options.keepalive {
            socket.set_tcp_keepalive(keepalive)?;
        }
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(self.options.user_timeout)?;
        Ok(stream)
    }

    /// Whether the server will speak TLS. Reads only one byte, so that anything injected before TLS is not taken for its content
    /// but breaks the handshake (CVE-2021-23222).
    async fn ask_for_tls(&self, stream: &mut TcpStream) -> Result<bool, String> {
        let failed = |error: io::Error| self.unreachable(&error.to_string());
        stream.write_all(&messages::SSL_REQUEST).await.map_err(failed)?;
        match stream.read_u8().await.map_err(failed)? {
            b'S' => Ok(true),
            b'N' => Ok(false),
            // The error message may come from anyone, since nothing is verified yet.
            b'E' => Err(self.unreachable("it answered the request for TLS with an error; its log says which")),
            _ => Err(format!(
                "{} does not speak the protocol of Postgres: check host and port of the address",
                self.host
            )),
        }
    }

    async fn encrypt(&self, stream: TcpStream) -> Result<Box<dyn Stream>, String> {
        let name = ServerName::try_from(self.host.name.clone());
        let name = name.map_err(|_| format!("{} cannot be in a certificate: connect by a name of DNS", self.host))?;
        let connected = TlsConnector::from(self.options.tls.clone()).connect(name, stream).await;
        connected.map(|stream| Box::new(stream) as Box<dyn Stream>).map_err(|error| self.broken(&error))
    }

    /// The reason why the connection broke before the session began.
    pub(super) fn broken(&self, error: &io::Error) -> String {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(error) => {
                format!("no TLS with {} (sslmode={}): {}", self.host, self.options.mode.name(), trust::explain(error))
            }
            None => self.unreachable(&error.to_string()),
        }
    }

    /// An error message for a reason that may be temporary.
    pub(super) fn unreachable(&self, reason: &str) -> String {
        format!("cannot reach {}: {reason}", self.host)
    }
}

pub(super) fn no_answer(timeout: Duration) -> String {
    format!("no answer within {:.1} s", timeout.as_secs_f32())
}
