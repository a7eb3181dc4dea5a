//! The format of a file, detected from its beginning.

/// The separators that spreadsheets use.
const DELIMITERS: [u8; 3] = *b",;\t";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The format of a CSV file; spreadsheets of one country write and expect the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileForm {
    /// The separator of cells.
    pub delimiter: u8,
    /// Whether the file begins with a byte order mark, which some programs need to recognize UTF-8.
    pub has_mark: bool,
    /// Whether a line before the header names the separator, as in `sep=;`.
    pub names_delimiter: bool,
}

impl FileForm {
    /// The format of RFC 4180.
    pub const PLAIN: Self = Self { delimiter: b',', has_mark: false, names_delimiter: false };

    /// The bytes before everything else.
    pub const fn mark(self) -> &'static [u8] {
        if self.has_mark { BYTE_ORDER_MARK } else { &[] }
    }

    /// The bytes before the header.
    pub fn start(self) -> Vec<u8> {
        let mut start = self.mark().to_vec();
        if self.names_delimiter {
            start.extend([b"sep=".as_slice(), &[self.delimiter], b"\r\n"].concat());
        }
        start
    }
}

/// The first line that is not empty.
#[derive(Default)]
struct FirstLine {
    /// The offset of its end; `None` if it does not end in this text.
    end: Option<usize>,
    /// The number of occurrences of each separator outside quotation marks.
    counts: [usize; DELIMITERS.len()],
}

impl FirstLine {
    /// A line break in quotation marks ends the line, unless no separator came before it. Only then is it certain that the line
    /// break is inside a cell, whichever the separator is.
    fn of(start: &[u8]) -> Self {
        let mut line = Self::default();
        let (mut is_quoted, mut may_open) = (false, true);
        let begin = start.iter().take_while(|byte| is_line_end(**byte)).count();
        for (index, byte) in start.iter().enumerate().skip(begin) {
            if *byte == b'"' {
                (is_quoted, may_open) = (!is_quoted && may_open, is_quoted);
            } else if is_line_end(*byte) && (!is_quoted || line.counts != [0; DELIMITERS.len()]) {
                line.end = Some(index);
                break;
            } else if !is_quoted {
                let delimiter = DELIMITERS.iter().position(|candidate| candidate == byte);
                if let Some(delimiter_index) = delimiter {
                    line.counts[delimiter_index] += 1;
                }
                may_open = delimiter.is_some();
            }
        }
        line
    }
}

/// The end of the first line that is not empty; `None` if it does not end in this text.
pub(crate) fn end_of_first_line(start: &[u8]) -> Option<usize> {
    FirstLine::of(start).end
}

/// The separator that the first line names, and the length of that line without its line ending. Excel reads, and other programs
/// write, `sep=;` or `"sep=;"`, in any case. Letters and digits are never separators.
pub(crate) fn named_delimiter(start: &[u8]) -> Option<(u8, usize)> {
    let line = start.split(|byte| is_line_end(*byte)).next()?;
    let inner = line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(line);
    let (name, delimiter) = (inner.get(..4)?, inner.get(4)?);
    let is_separator = matches!(delimiter, b' ' | b'\t') || delimiter.is_ascii_punctuation() && *delimiter != b'"';
    (inner.len() == 5 && name.eq_ignore_ascii_case(b"sep=") && is_separator).then_some((*delimiter, line.len()))
}

/// The separator that occurs most often in the first line, outside quotation marks.
pub(crate) fn likely_delimiter(start: &[u8]) -> u8 {
    let counts = FirstLine::of(start).counts;
    // If several occur equally often, the first one, which is the comma.
    let most = counts.iter().copied().max().unwrap_or_default();
    let index = counts.iter().position(|count| *count == most).unwrap_or_default();
    DELIMITERS[index]
}

pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_name_the_separator() {
        for (start, delimiter, length) in [
            ("sep=;\r\na;b", b';', 5),
            ("SEP=,\na,b", b',', 5),
            ("Sep=\t\ra\tb", b'\t', 5),
            ("\"sep=|\"\na|b", b'|', 7),
            ("sep=;", b';', 5),
        ] {
            assert_eq!(named_delimiter(start.as_bytes()), Some((delimiter, length)), "{start:?}");
        }
        for start in ["", "sep=", "sep=\n;", "sep=;;", "sep=;a", "sep=a", "sep=\"", "\"sep=;\n", "sep;", "\nsep=;"] {
            assert_eq!(named_delimiter(start.as_bytes()), None, "{start:?}");
        }
    }

    #[test]
    fn the_separator_of_the_first_line_counts() {
        for (start, delimiter) in [
            ("a", b','),
            ("a;b,c;d\n1,2,3,4", b';'),
            ("\n\r\na\tb\n1,2", b'\t'),
            ("\"a,b,c\";d", b';'),
            ("\"a\n,b\";c;d\n", b';'),
            ("5\" pipe;b\n,,,\n", b';'),
            ("\"a \"\",\"\",\";b\n", b';'),
            // If the comma is the separator, this header ends in the first line.
            ("a,b;\"c\n;\";;\n", b','),
        ] {
            assert_eq!(likely_delimiter(start.as_bytes()), delimiter, "{start:?}");
        }
    }

    #[test]
    fn a_form_begins_a_file_as_it_was() {
        let form = FileForm { delimiter: b';', has_mark: true, names_delimiter: true };
        assert_eq!(form.start(), b"\xef\xbb\xbfsep=;\r\n");
        assert_eq!(FileForm::PLAIN.start(), b"");
    }
}
