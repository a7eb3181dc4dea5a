//! Finds where a request on the wire ends, so that the next one is handed to actix only once this one is answered.
//!
//! actix parses all pipelined requests that it can read, up to 128 KiB of them, before it answers the first. Parsed, each
//! of thousands takes some 6 KiB, which is 300 times its bytes.

/// Enough for the names and values that matter; the rest of a line is not kept.
const LINE_BYTES: usize = 64;

/// The place within the request that is being read.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Head(Framing),
    /// So many bytes of a body are left.
    Body(u64),
    ChunkSize,
    /// So many bytes of a chunk and its line end are left.
    Chunk(u64),
    Trailer,
    /// The request is complete.
    End,
}

/// What the head says about the body so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Framing {
    length: u64,
    is_chunked: bool,
    /// Lines before the request line may be empty.
    has_begun: bool,
}

/// One request after the other. It decides nothing about their validity: where actix reads a request differently, it
/// refuses it and closes the connection.
#[derive(Debug)]
pub(super) struct OneRequest {
    place: Place,
    line: Vec<u8>,
}

impl OneRequest {
    pub(super) const fn new() -> Self {
        Self { place: Place::Head(Framing { length: 0, is_chunked: false, has_begun: false }), line: Vec::new() }
    }

    /// Whether the request is complete.
    pub(super) fn is_complete(&self) -> bool {
        self.place == Place::End
    }

    /// Begins the next request.
    pub(super) fn begin_next(&mut self) {
        *self = Self::new();
    }

    /// How many bytes of a body with a length are left: they can be read without being looked at.
    pub(super) fn body_left(&self) -> u64 {
        if let Place::Body(left) = self.place { left } else { 0 }
    }

    /// How many of these bytes belong to the request. They count as handed over.
    pub(super) fn take(&mut self, bytes: &[u8]) -> usize {
        let mut taken = 0;
        while taken < bytes.len() && !self.is_complete() {
            taken += match &mut self.place {
                Place::Body(left) | Place::Chunk(left) => {
                    let part = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len() - taken);
                    *left -= part as u64;
                    part
                }
                _ => self.take_line(&bytes[taken..]),
            };
            self.follow();
        }
        taken
    }

    /// Takes bytes up to the end of a line.
    fn take_line(&mut self, bytes: &[u8]) -> usize {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = end.map_or(bytes.len(), |end| end + 1);
        let room = LINE_BYTES - self.line.len();
        self.line.extend(bytes[..part].iter().take(room).map(u8::to_ascii_lowercase));
        if end.is_some() {
            let line = std::mem::take(&mut self.line);
            self.end_line(&String::from_utf8_lossy(&line));
        }
        part
    }

    fn end_line(&mut self, line: &str) {
        let line = line.trim();
        match &mut self.place {
            Place::Head(framing) if line.is_empty() => {
                if framing.has_begun {
                    self.place = if framing.is_chunked { Place::ChunkSize } else { Place::Body(framing.length) };
                }
            }
            Place::Head(framing) => {
                framing.has_begun = true;
                match line.split_once(':') {
                    Some(("content-length", length)) => framing.length = length.trim().parse().unwrap_or(0),
                    Some(("transfer-encoding", encoding)) => framing.is_chunked = encoding.contains("chunked"),
                    _ => {}
                }
            }
            Place::ChunkSize => {
                let digits = line.split(';').next().unwrap_or_default().trim();
                self.place = match u64::from_str_radix(digits, 16) {
                    Ok(0) => Place::Trailer,
                    // The line end after the chunk belongs to it.
                    Ok(size) => Place::Chunk(size.saturating_add(2)),
                    Err(_) => Place::End,
                };
            }
            Place::Trailer if line.is_empty() => self.place = Place::End,
            Place::Trailer | Place::Body(_) | Place::Chunk(_) | Place::End => {}
        }
    }

    fn follow(&mut self) {
        match self.place {
            Place::Body(0) => self.place = Place::End,
            Place::Chunk(0) => self.place = Place::ChunkSize,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The requests that these bytes are cut into, when they arrive in pieces of this size.
    fn cut(bytes: &[u8], piece: usize) -> Vec<String> {
        let (mut one, mut requests, mut rest) = (OneRequest::new(), vec![Vec::new()], bytes);
        while !rest.is_empty() {
            if one.is_complete() {
                one.begin_next();
                requests.push(Vec::new());
            }
            let taken = one.take(&rest[..piece.min(rest.len())]);
            assert!(taken > 0, "a piece is never refused within a request");
            requests.last_mut().unwrap().extend_from_slice(&rest[..taken]);
            rest = &rest[taken..];
        }
        assert!(one.is_complete(), "{one:?}");
        requests.into_iter().map(|request| String::from_utf8(request).unwrap()).collect()
    }

    const REQUESTS: [&str; 7] = [
        "GET / HTTP/1.1\r\n\r\n",
        "\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nCONTENT-LENGTH: 5\r\n\r\na\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length:0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n\r\n\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\n\n",
    ];

    #[test]
    fn a_request_ends_where_the_next_begins() {
        for piece in 1..80 {
            assert_eq!(cut(REQUESTS.concat().as_bytes(), piece), REQUESTS, "{piece}");
        }
    }

    #[test]
    fn a_body_with_a_length_is_read_without_being_looked_at() {
        let mut one = OneRequest::new();
        let head = b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nabc";
        assert_eq!((one.take(head), one.body_left()), (head.len(), 999_997));
        assert_eq!((one.take(&vec![b'x'; 1_000_000]), one.is_complete()), (999_997, true));
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_whole_or_up_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..400), piece in 1_usize..50) {
            let (mut one, mut rest) = (OneRequest::new(), bytes.as_slice());
            while !rest.is_empty() {
                let part = &rest[..piece.min(rest.len())];
                let taken = one.take(part);
                prop_assert!(taken == part.len() || one.is_complete());
                prop_assert!(one.line.len() <= LINE_BYTES);
                if one.is_complete() {
                    one.begin_next();
                }
                rest = &rest[taken..];
            }
        }
    }
}
