//! A JSON response in chunks of equal size, which are freed as the client reads them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

/// Bytes of a response passed to a connection at once; the connection holds a copy of them until they are sent.
pub(crate) const CHUNK_BYTES: usize = 32 * 1024;

/// Collects written bytes in chunks of [`CHUNK_BYTES`], so that no buffer is reallocated as it grows.
#[derive(Debug, Default)]
pub(crate) struct ChunkWriter {
    full: VecDeque<Bytes>,
    open: Vec<u8>,
}

impl ChunkWriter {
    /// The number of bytes written so far.
    pub(crate) fn size(&self) -> usize {
        self.full.len() * CHUNK_BYTES + self.open.len()
    }

    /// Inlined for the common case: JSON is written a few bytes at a time, and they fit.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.open.len() + bytes.len() <= CHUNK_BYTES {
            self.open.extend_from_slice(bytes);
        } else {
            self.push_beyond(bytes);
        }
    }

    #[cold]
    fn push_beyond(&mut self, mut bytes: &[u8]) {
        while self.open.len() + bytes.len() > CHUNK_BYTES {
            let (head, tail) = bytes.split_at(CHUNK_BYTES - self.open.len());
            self.open.extend_from_slice(head);
            let next = Vec::with_capacity(CHUNK_BYTES);
            self.full.push_back(std::mem::replace(&mut self.open, next).into());
            bytes = tail;
        }
        self.open.extend_from_slice(bytes);
    }

    /// Discards the bytes written beyond this size.
    pub(crate) fn truncate(&mut self, size: usize) {
        while size < self.full.len() * CHUNK_BYTES {
            self.open = self.full.pop_back().unwrap_or_default().into();
        }
        self.open.truncate(size - self.full.len() * CHUNK_BYTES);
    }

    pub(crate) fn into_body(mut self) -> BoxBody {
        if self.full.is_empty() {
            return BoxBody::new(self.open);
        }
        let size = self.size();
        self.full.push_back(self.open.into());
        BoxBody::new(Chunks { remaining: self.full, size: size as u64 })
    }
}

impl io::Write for ChunkWriter {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    // The default implementation loops over `write`.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.push(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Chunks {
    remaining: VecDeque<Bytes>,
    size: u64,
}

impl MessageBody for Chunks {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.size)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(self.remaining.pop_front().map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn written_bytes_come_out_unchanged(parts in proptest::collection::vec(0_usize..70_000, 0..6), truncated in 0_usize..100_000) {
            let (mut writer, mut expected) = (ChunkWriter::default(), Vec::new());
            for (number, length) in parts.into_iter().enumerate() {
                let part = vec![u8::try_from(number).unwrap(); length];
                writer.push(&part);
                expected.extend(part);
            }
            prop_assert_eq!(writer.size(), expected.len());
            prop_assert!(writer.full.iter().all(|piece| piece.len() == CHUNK_BYTES));
            // Truncated bytes leave no trace.
            writer.push(&vec![255; truncated]);
            writer.truncate(expected.len());
            prop_assert_eq!(writer.size(), expected.len());
            let body = writer.into_body();
            prop_assert_eq!(body.size(), BodySize::Sized(expected.len() as u64));
            let read = actix_web::rt::System::new().block_on(to_bytes(body)).unwrap();
            prop_assert_eq!(&read[..], &expected[..]);
        }
    }
}
