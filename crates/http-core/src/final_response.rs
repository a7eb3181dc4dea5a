//! The body of every response on its way to the socket.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::rt::time::{Sleep, sleep};
use actix_web::web::Bytes;

use crate::answers::{CHUNK_BYTES, Reservation};
use crate::connections::RequestInFlight;

/// actix's write buffer and the chunk that it takes beyond it: what may be unsent when a body has ended.
const BUFFERED: usize = 2 * CHUNK_BYTES;

/// After so many chunks in a row, the worker sees to its other connections: to copy a large answer to a client that reads
/// fast takes milliseconds.
const IN_A_ROW: u8 = 4;

/// A response in chunks, so that a client that reads slowly makes no second copy of it.
///
/// It holds the memory of the answer until the socket has taken the last byte, and may close the connection then, for
/// requests with an incomplete body: actix waits without a bound for the end of a chunked body, so that a stalled client
/// would keep its connection forever.
pub(crate) struct FinalResponse {
    answer: BoxBody,
    /// The rest of what the answer gave in one piece.
    piece: Bytes,
    left: usize,
    in_a_row: u8,
    memory: Option<Reservation>,
    request: Option<RequestInFlight>,
    cut: Option<Pin<Box<Sleep>>>,
}

impl FinalResponse {
    /// Wraps a response; with `cut_after`, the connection is closed that long after it was sent.
    pub(crate) fn new(
        answer: BoxBody,
        memory: Option<Reservation>,
        request: Option<RequestInFlight>,
        cut_after: Option<Duration>,
    ) -> Self {
        let left = match answer.size() {
            BodySize::Sized(size) => usize::try_from(size).unwrap_or(usize::MAX),
            BodySize::None | BodySize::Stream => 0,
        };
        let cut = cut_after.map(|time| Box::pin(sleep(time)));
        Self { answer, piece: Bytes::new(), left, in_a_row: 0, memory, request, cut }
    }

    fn next_chunk(&mut self) -> Bytes {
        let chunk = self.piece.split_to(self.piece.len().min(CHUNK_BYTES));
        self.left = self.left.saturating_sub(chunk.len());
        if let Some(memory) = &mut self.memory
            && self.piece.is_empty()
        {
            memory.shrink_to(self.left + BUFFERED);
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
        if self.in_a_row >= IN_A_ROW {
            self.in_a_row = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
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
        self.in_a_row += 1;
        Poll::Ready(Some(Ok(self.next_chunk())))
    }
}

impl Drop for FinalResponse {
    fn drop(&mut self) {
        // actix drops a body when it has copied the last byte of it, which the socket may not have taken yet.
        if let (Some(request), Some(memory)) = (self.request.take(), self.memory.take()) {
            request.end_with(memory);
        }
    }
}
