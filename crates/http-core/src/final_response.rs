//! The body of every response on its way to the socket.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::rt::time::{Sleep, sleep};
use actix_web::web::Bytes;

use crate::answers::{CHUNK_BYTES, Reservation};
use crate::connections::RequestInFlight;

/// actix's write buffer and one chunk beyond it: the bytes that may be unsent when a body has ended.
const BUFFERED_BYTES: usize = 2 * CHUNK_BYTES;

/// After this many chunks in a row, the worker yields to its other connections: copying a large response to a fast client
/// takes milliseconds.
const BURST_CHUNKS: u8 = 4;
/// Responses up to this size are sent as fast as the client reads.
const UNPACED_BYTES: usize = 256 * 1024;
/// The pause after each [`BURST_CHUNKS`] chunks beyond that: about 32 MB/s per connection. A response holds its memory
/// meanwhile, so this bounds how fast a caller can request large responses, however fast its network is.
const PAUSE: Duration = Duration::from_millis(4);

/// A response in chunks, so that a slow client does not cause a second copy of it.
///
/// It holds the response's memory reservation until the last byte is written to the socket. For requests with an incomplete
/// body it may then close the connection: actix waits without a limit for the end of a chunked body, so a stalled client
/// would keep its connection forever.
pub(crate) struct FinalResponse {
    answer: BoxBody,
    /// The rest of a piece that is larger than a chunk.
    piece: Bytes,
    remaining: usize,
    sent: usize,
    burst: u8,
    pause: Option<Pin<Box<Sleep>>>,
    memory: Option<Reservation>,
    request: Option<RequestInFlight>,
    cut: Option<Pin<Box<Sleep>>>,
}

impl FinalResponse {
    /// Wraps a response; with `cut_after`, the connection is closed that long after the response was sent.
    pub(crate) fn new(
        answer: BoxBody,
        memory: Option<Reservation>,
        request: Option<RequestInFlight>,
        cut_after: Option<Duration>,
    ) -> Self {
        let remaining = match answer.size() {
            BodySize::Sized(size) => usize::try_from(size).unwrap_or(usize::MAX),
            BodySize::None | BodySize::Stream => 0,
        };
        let cut = cut_after.map(|time| Box::pin(sleep(time)));
        Self { answer, piece: Bytes::new(), remaining, sent: 0, burst: 0, pause: None, memory, request, cut }
    }

    /// Ready when the next chunk may be sent.
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.burst >= BURST_CHUNKS {
            self.burst = 0;
            if self.sent <= UNPACED_BYTES {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            self.pause = Some(Box::pin(sleep(PAUSE)));
        }
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        Poll::Ready(())
    }

    fn next_chunk(&mut self) -> Bytes {
        let chunk = self.piece.split_to(self.piece.len().min(CHUNK_BYTES));
        self.remaining = self.remaining.saturating_sub(chunk.len());
        self.sent += chunk.len();
        self.burst += 1;
        if let Some(memory) = &mut self.memory
            && self.piece.is_empty()
        {
            memory.shrink_to(self.remaining + BUFFERED_BYTES);
        }
        chunk
    }
}

impl MessageBody for FinalResponse {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        ready!(self.poll_turn(context));
        if self.piece.is_empty() {
            match ready!(Pin::new(&mut self.answer).poll_next(context)) {
                Some(Ok(piece)) => self.piece = piece,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    let Some(cut) = &mut self.cut else { return Poll::Ready(None) };
                    ready!(cut.as_mut().poll(context));
                    return Poll::Ready(Some(Err("the request body is incomplete".into())));
                }
            }
        }
        Poll::Ready(Some(Ok(self.next_chunk())))
    }
}

impl Drop for FinalResponse {
    fn drop(&mut self) {
        // actix drops a body after copying its last byte, which may not be written to the socket yet.
        if let (Some(request), Some(memory)) = (self.request.take(), self.memory.take()) {
            request.end_with(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    fn response(size: usize) -> FinalResponse {
        FinalResponse::new(BoxBody::new(vec![7; size]), None, None, None)
    }

    /// How many chunks in a row are ready at once, and whether a pause follows.
    fn ready_chunks(body: &mut FinalResponse) -> (usize, bool) {
        let mut context = Context::from_waker(std::task::Waker::noop());
        let mut chunks = 0;
        while let Poll::Ready(Some(Ok(chunk))) = Pin::new(&mut *body).poll_next(&mut context) {
            assert!(chunk.len() <= CHUNK_BYTES);
            chunks += 1;
        }
        (chunks, body.pause.is_some())
    }

    #[actix_web::test]
    async fn only_a_large_response_is_paced() {
        let mut body = response(20 * CHUNK_BYTES);
        let turns =
            [ready_chunks(&mut body), ready_chunks(&mut body), ready_chunks(&mut body), ready_chunks(&mut body)];
        assert_eq!(turns, [(4, false), (4, false), (4, true), (0, true)]);
        assert_eq!(ready_chunks(&mut response(CHUNK_BYTES + 1)), (2, false));
    }

    #[actix_web::test]
    async fn a_paced_response_is_complete() {
        let body = to_bytes(response(1_000_001)).await.unwrap();
        assert_eq!(body.len(), 1_000_001);
    }
}
