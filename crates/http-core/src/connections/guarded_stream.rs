//! A TCP stream that closes a connection whose client stops reading or sends the head of a request too slowly.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::rt::time::{Instant, Sleep, sleep_until};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::connection::Connection;
use super::registry::{OpenConnection, SLOW_HEAD, STALLED, note_closed};

/// A client with bytes to read must read [`MIN_BYTES_PER_PERIOD`] in this time.
const RATE_PERIOD: Duration = Duration::from_mins(1);
/// About 1 KiB/s: slower than any link in use, and too slow to hold a response for long.
const MIN_BYTES_PER_PERIOD: usize = 60 * 1024;
/// Bytes read before actix parses them. actix parses all requests that it has received, each into some kilobytes, and
/// only then answers them one by one.
const READ_AHEAD: usize = 1024;
/// Unsent bytes that the kernel accepts. The rest of what a client does not read counts against our own bounds.
#[cfg(target_os = "linux")]
const KERNEL_BACKLOG: u32 = 32 * 1024;
/// How long the kernel keeps unacknowledged bytes, even after the connection is closed.
#[cfg(target_os = "linux")]
const KERNEL_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientTimeouts {
    /// To read anything while bytes are waiting.
    pub(crate) stall: Duration,
    /// To send the head of a request, from its first byte. actix bounds only the first request of a connection.
    pub(crate) head: Duration,
}

/// A connection's stream.
pub(crate) struct GuardedStream {
    stream: TcpStream,
    open: OpenConnection,
    timeouts: ClientTimeouts,
    blocked: Option<Blocked>,
    head: Option<Head>,
    /// Bytes read since actix last parsed.
    read: usize,
}

/// The state of a connection whose client reads more slowly than we write.
struct Blocked {
    timer: Pin<Box<Sleep>>,
    /// When the socket accepted the last byte.
    progress: Instant,
    /// When the current [`RATE_PERIOD`] began.
    period: Instant,
    accepted_bytes: usize,
}

/// A request whose head has begun.
struct Head {
    timer: Pin<Box<Sleep>>,
    /// The number of earlier requests on the connection.
    request_count: u64,
}

impl GuardedStream {
    pub(crate) fn new(stream: TcpStream, open: OpenConnection, timeouts: ClientTimeouts) -> Self {
        prepare(&stream);
        Self { stream, open, timeouts, blocked: None, head: None, read: 0 }
    }

    pub(crate) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.open.connection)
    }

    /// Closes the connection at once: the kernel drops its unsent bytes.
    fn abort(&self, reason: &'static str) -> io::Error {
        note_closed(reason);
        // Best effort: if this fails, the kernel keeps trying to send for a while.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
        io::Error::new(io::ErrorKind::TimedOut, reason)
    }

    /// Records the result of a write.
    fn record_write(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match polled {
            Poll::Ready(Ok(bytes)) => {
                if let Some(blocked) = &mut self.blocked {
                    blocked.accepted_bytes += bytes;
                    blocked.progress = Instant::now();
                    self.open.connection.set_blocked(false);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Pending => self.poll_blocked(context),
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }

    fn poll_blocked(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let (now, stall) = (Instant::now(), self.timeouts.stall);
        self.open.connection.set_blocked(true);
        let blocked = self.blocked.get_or_insert_with(|| Blocked {
            timer: Box::pin(sleep_until(now + stall)),
            progress: now,
            period: now,
            accepted_bytes: 0,
        });
        let mut is_slow = false;
        if now >= blocked.period + RATE_PERIOD {
            is_slow = blocked.accepted_bytes < MIN_BYTES_PER_PERIOD;
            (blocked.period, blocked.accepted_bytes) = (now, 0);
        }
        let end = (blocked.progress + stall).min(blocked.period + RATE_PERIOD);
        if is_slow || now >= blocked.progress + stall {
            return Poll::Ready(Err(self.abort(STALLED)));
        }
        if blocked.timer.deadline() != end {
            blocked.timer.as_mut().reset(end);
        }
        if blocked.timer.as_mut().poll(context).is_ready() {
            // The deadline passed between the comparison and the poll.
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// While a request runs, only checks whether the client is still connected: later bytes wait in the kernel.
    fn poll_disconnect(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stream.poll_peek(context, &mut ReadBuf::new(&mut [0])) {
            Poll::Ready(Ok(0)) => {
                self.open.connection.set_disconnected();
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Ok(_)) => {
                self.open.connection.pause_reading();
                Poll::Pending
            }
            Poll::Ready(Err(error)) => {
                self.open.connection.set_disconnected();
                Poll::Ready(Err(error))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    /// Closes a connection that has not sent the whole head of a request in time after its first byte.
    fn poll_head(&mut self, context: &mut Context<'_>, has_read: bool) -> io::Result<()> {
        let (request_count, is_answering) = {
            let connection = &self.open.connection;
            (connection.request_count(), connection.is_answering())
        };
        if is_answering || self.head.as_ref().is_some_and(|head| head.request_count != request_count) {
            self.head = None;
        }
        if self.head.is_none() && has_read && !is_answering {
            let timer = Box::pin(sleep_until(Instant::now() + self.timeouts.head));
            self.head = Some(Head { timer, request_count });
        }
        let is_late = self.head.as_mut().is_some_and(|head| head.timer.as_mut().poll(context).is_ready());
        if is_late { Err(self.abort(SLOW_HEAD)) } else { Ok(()) }
    }
}

/// Sets the kernel's bounds for a socket. Failures are ignored: the connection works without them.
fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        let socket = SockRef::from(stream);
        let _ = socket.set_tcp_notsent_lowat(KERNEL_BACKLOG);
        let _ = socket.set_tcp_user_timeout(Some(KERNEL_TIMEOUT));
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let connection = &this.open.connection;
        connection.register_waker(context.waker());
        if connection.is_blocked() {
            // The client does not read its responses: accept no further requests until they are written.
            connection.pause_reading();
            return Poll::Pending;
        }
        if connection.is_closing() && connection.is_idle() {
            // At the end of the stream, actix closes the connection between requests.
            return Poll::Ready(Ok(()));
        }
        if !connection.may_read() {
            return this.poll_disconnect(context);
        }
        if this.read >= READ_AHEAD {
            // actix reads until the stream is pending, and only then parses.
            this.read = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let room = buffer.remaining().min(READ_AHEAD - this.read);
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
        let polled = Pin::new(&mut this.stream).poll_read(context, &mut part);
        let read = part.filled().len();
        buffer.advance(read);
        this.read = if polled.is_pending() { 0 } else { this.read + read };
        this.poll_head(context, read > 0)?;
        polled
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.record_write(context, polled)
    }

    /// actix flushes after it has written everything to the socket.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let connection = &this.open.connection;
        connection.release_sent();
        if this.blocked.take().is_some() {
            connection.resume_reading();
        }
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
