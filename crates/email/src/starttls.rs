//! A connection that is to become a TLS one.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// What every TLS connection begins with: a record of the kind `handshake`. No command does.
const HANDSHAKE: u8 = 0x16;

/// Hands out a byte at a time until TLS begins, so that nobody who reads lines keeps more than the line. What somebody in
/// between sends along with the server's last word before TLS would count as said within TLS otherwise; like this, it
/// breaks the handshake.
#[derive(Debug)]
pub(crate) struct BeforeTls {
    stream: TcpStream,
    has_begun: bool,
}

impl BeforeTls {
    pub(crate) const fn new(stream: TcpStream) -> Self {
        Self { stream, has_begun: false }
    }
}

impl AsyncRead for BeforeTls {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.has_begun {
            return Pin::new(&mut self.stream).poll_read(context, to);
        }
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        if to.remaining() > 0 {
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut one))?;
            to.put_slice(one.filled());
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for BeforeTls {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        self.has_begun |= from.first() == Some(&HANDSHAKE);
        Pin::new(&mut self.stream).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncTokioStream for BeforeTls {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}
