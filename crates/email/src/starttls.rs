//! A plaintext connection that will be upgraded to TLS.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// First byte of every TLS connection: the record type `handshake`. No SMTP command begins with it.
const HANDSHAKE: u8 = 0x16;

/// Returns one byte per read until TLS begins, so that a line reader buffers no more than the line. Otherwise a
/// man-in-the-middle could append replies to the last one in plaintext, and they would count as replies within TLS. Read byte
/// by byte, they break the handshake instead.
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
