//! Connections to the mail server, each used by one e-mail at a time.
//!
//! lettre's own pool does not fit: it keeps a connection whose send was cancelled halfway, and takes late replies for
//! replies to the next e-mail.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use tokio::net::TcpStream;

use crate::smtp_url::SmtpUrl;
use crate::starttls::BeforeTls;

/// Timeout of a step that does not carry an e-mail.
const STEP_TIMEOUT: Duration = Duration::from_secs(20);
/// Keep-alive timeout; most servers close idle connections after minutes.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How often idle connections are checked.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// How a connection is secured, with the TLS parameters.
pub(crate) enum Encryption {
    /// TLS from the first byte.
    Wrapped(TlsParameters),
    /// STARTTLS before anything else.
    StartTls(TlsParameters),
    /// Plaintext.
    Open,
}

/// Why an e-mail was not sent.
pub(crate) enum SendError {
    /// The server cannot be reached.
    Unreachable(std::io::Error),
    /// The connection or session failed, regardless of the e-mail.
    Connection(lettre::transport::smtp::Error),
    /// The server did not accept the e-mail.
    Rejected(lettre::transport::smtp::Error),
}

/// A pool of connections.
pub(crate) struct Connections {
    url: SmtpUrl,
    encryption: Encryption,
    hello: ClientId,
    idle: Arc<Mutex<Vec<Idle>>>,
    /// Set by the first send, which starts the idle task on the sending runtime.
    closing: OnceLock<()>,
}

struct Idle {
    connection: AsyncSmtpConnection,
    since: Instant,
}

impl Connections {
    pub(crate) fn new(url: SmtpUrl, encryption: Encryption) -> Self {
        Self { url, encryption, hello: ClientId::default(), idle: Arc::default(), closing: OnceLock::new() }
    }

    /// Sends a message. Dropping the future closes its connection.
    pub(crate) async fn send(&self, envelope: &Envelope, message: &[u8]) -> Result<(), SendError> {
        self.closing.get_or_init(|| drop(tokio::spawn(run_idle_closing(Arc::downgrade(&self.idle)))));
        let mut connection = match self.take_idle().await {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let result = connection.send(envelope, message).await;
        // After a rejection the state of the session is unknown.
        if result.is_ok() && !connection.has_broken() {
            lock(&self.idle).push(Idle { connection, since: Instant::now() });
        }
        result.map(drop).map_err(SendError::Rejected)
    }

    /// Opens a connection and closes it.
    pub(crate) async fn check(&self) -> Result<(), SendError> {
        self.connect().await?.quit().await.map(drop).map_err(SendError::Connection)
    }

    /// Takes an idle connection that still works.
    async fn take_idle(&self) -> Option<AsyncSmtpConnection> {
        loop {
            let Idle { mut connection, .. } = lock(&self.idle).pop()?;
            if tokio::time::timeout(STEP_TIMEOUT, connection.test_connected()).await == Ok(true) {
                return Some(connection);
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let server = (self.url.host.as_str(), self.url.port);
        let open = |tls| AsyncSmtpConnection::connect_tokio1(server, Some(STEP_TIMEOUT), &self.hello, tls, None);
        let mut connection = match &self.encryption {
            Encryption::Open => open(None).await.map_err(SendError::Connection)?,
            Encryption::Wrapped(tls) => open(Some(tls.clone())).await.map_err(SendError::Connection)?,
            Encryption::StartTls(tls) => {
                let stream = tokio::time::timeout(STEP_TIMEOUT, TcpStream::connect(server));
                let stream = stream.await.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()));
                let stream = Box::new(BeforeTls::new(stream.map_err(SendError::Unreachable)?));
                let connected = AsyncSmtpConnection::connect_with_transport(stream, &self.hello).await;
                let mut connection = connected.map_err(SendError::Connection)?;
                connection.starttls(tls.clone(), &self.hello).await.map_err(SendError::Connection)?;
                connection
            }
        };
        if let Some((user, password)) = &self.url.login {
            let login = Credentials::new(user.clone(), password.clone());
            connection.auth(DEFAULT_MECHANISMS, &login).await.map_err(SendError::Connection)?;
        }
        Ok(connection)
    }
}

fn lock(idle: &Mutex<Vec<Idle>>) -> std::sync::MutexGuard<'_, Vec<Idle>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes connections that have been idle too long; ends when the pool is dropped.
async fn run_idle_closing(pool: Weak<Mutex<Vec<Idle>>>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let Some(idle) = pool.upgrade() else { return };
        let expired: Vec<_> = lock(&idle).extract_if(.., |it| it.since.elapsed() >= IDLE_TIMEOUT).collect();
        drop(idle);
        for mut it in expired {
            // A server that does not reply is disconnected anyway.
            let _ = tokio::time::timeout(STEP_TIMEOUT, it.connection.abort()).await;
        }
    }
}
