//! Decodes a file in UTF-8, or in UTF-16 with a byte order mark, to UTF-8.

use std::io::{self, Read};

use crate::TableError;

/// Bytes read from the file at once.
const CHUNK_BYTES: u64 = 64 << 10;
/// A byte that never occurs in UTF-8. It replaces input that cannot be decoded, so that its row is refused.
const NOT_TEXT: u8 = 0xff;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoding {
    Utf8,
    /// The function combines the two bytes of a unit.
    Utf16(fn([u8; 2]) -> u16),
}

impl Encoding {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16(_) => "UTF-16",
        }
    }
}

/// The decoded text of a file, read from its beginning.
pub(crate) struct Text<R> {
    input: R,
    pub(crate) encoding: Encoding,
    pub(crate) has_mark: bool,
    /// Bytes that were read but not decoded yet.
    raw: Vec<u8>,
}

impl<R: Read> Text<R> {
    /// Reads the byte order mark. Fails with [`TableError::Utf32`], and [`TableError::Input`] if the input fails.
    pub(crate) fn new(mut input: R) -> Result<Self, TableError> {
        let mut raw = Vec::new();
        input.by_ref().take(4).read_to_end(&mut raw).map_err(|reason| TableError::Input { line: 1, reason })?;
        let (encoding, mark) = match raw[..] {
            // UTF-32 first, because its mark begins with the mark of UTF-16.
            [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => return Err(TableError::Utf32),
            [0xff, 0xfe, ..] => (Encoding::Utf16(u16::from_le_bytes), 2),
            [0xfe, 0xff, ..] => (Encoding::Utf16(u16::from_be_bytes), 2),
            [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
            _ => (Encoding::Utf8, 0),
        };
        raw.drain(..mark);
        Ok(Self { input, encoding, has_mark: mark > 0, raw })
    }

    /// Appends more of the text, unless it has ended.
    pub(crate) fn read_into(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        let before = text.len();
        while text.len() == before {
            let read = self.input.by_ref().take(CHUNK_BYTES).read_to_end(&mut self.raw)?;
            let is_end = read == 0;
            match self.encoding {
                Encoding::Utf8 => text.append(&mut self.raw),
                Encoding::Utf16(unit_of) => self.decode(unit_of, is_end, text),
            }
            if is_end {
                break;
            }
        }
        Ok(())
    }

    fn decode(&mut self, unit_of: fn([u8; 2]) -> u16, is_end: bool, text: &mut Vec<u8>) {
        let (pairs, rest) = self.raw.as_chunks::<2>();
        let is_half = |pair: &&[u8; 2]| (0xd800..0xdc00).contains(&unit_of(**pair));
        // The second half of a surrogate pair may come with the next chunk.
        let waits = !is_end && pairs.last().as_ref().is_some_and(is_half);
        let complete = &pairs[..pairs.len() - usize::from(waits)];
        for character in char::decode_utf16(complete.iter().copied().map(unit_of)) {
            match character {
                Ok(character) => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(_) => text.push(NOT_TEXT),
            }
        }
        if is_end && !rest.is_empty() {
            text.push(NOT_TEXT);
        }
        let decoded = if is_end { self.raw.len() } else { 2 * complete.len() };
        self.raw.drain(..decoded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte per read.
    struct OneBytePerRead<'a>(&'a [u8]);

    impl Read for OneBytePerRead<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.len().min(buffer.len()).min(1);
            buffer[..read].copy_from_slice(&self.0[..read]);
            self.0 = &self.0[read..];
            Ok(read)
        }
    }

    fn text_of(input: impl Read) -> Vec<u8> {
        let mut text = Text::new(input).unwrap();
        let mut output = Vec::new();
        loop {
            let before = output.len();
            text.read_into(&mut output).unwrap();
            if output.len() == before {
                return output;
            }
        }
    }

    #[test]
    fn a_text_is_the_same_in_every_encoding_with_a_mark() {
        let expected = format!("a,ß\n{}", "日😀".repeat(30_000));
        let little: Vec<u8> = expected.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = expected.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for file in [
            expected.clone().into_bytes(),
            [b"\xef\xbb\xbf", expected.as_bytes()].concat(),
            [b"\xff\xfe", &*little].concat(),
            [b"\xfe\xff", &*big].concat(),
        ] {
            assert!(text_of(&*file) == expected.as_bytes(), "{:?}", &file[..4]);
            assert!(text_of(OneBytePerRead(&file)) == expected.as_bytes(), "{:?}", &file[..4]);
        }
    }

    #[test]
    fn undecodable_input_is_not_valid_utf_8() {
        for file in [&b"\xff\xfea\0b"[..], b"\xff\xfe\x3d\xd8", b"\xff\xfe\x3d\xd8a\0", b"\xfe\xff\xde\x00"] {
            assert!(text_of(file).contains(&NOT_TEXT), "{file:?}");
        }
        for file in [&b"\xff\xfe\0\0a\0\0\0"[..], b"\0\0\xfe\xff\0\0\0a"] {
            assert!(matches!(Text::new(file), Err(TableError::Utf32)), "{file:?}");
        }
    }
}
