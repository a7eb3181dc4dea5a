//! Reads a file of comma-separated values in constant memory.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

use domain::transfer::{MAX_BATCH_BYTES, MAX_COLUMNS, MAX_ROW_BYTES, unguarded};

/// Signs that spreadsheets write between cells.
const DELIMITERS: [u8; 3] = *b",;\t";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What spreadsheets of one place write alike, and so expect of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileForm {
    /// The sign between cells.
    pub delimiter: u8,
    /// Whether the file begins with a byte order mark, by which some know UTF-8.
    pub has_mark: bool,
}

impl FileForm {
    /// Of RFC 4180.
    pub const PLAIN: Self = Self { delimiter: b',', has_mark: false };

    /// That of the file with this first line.
    pub fn of(start: &[u8]) -> Self {
        Self { delimiter: delimiter_of(start), has_mark: start.starts_with(BYTE_ORDER_MARK) }
    }

    /// What stands before the first row.
    pub const fn mark(self) -> &'static [u8] {
        if self.has_mark { BYTE_ORDER_MARK } else { &[] }
    }
}

/// A row behind the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line of the file in which it begins, from 1.
    pub number: u64,
    pub cells: Vec<String>,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("it is empty: its first row must name the columns")]
    Empty,
    #[error("it has more than {MAX_COLUMNS} columns: leave some out")]
    TooManyColumns,
    #[error("line {line} is not UTF-8: save the file as \"CSV UTF-8\", or convert it with iconv")]
    Encoding { line: u64 },
    /// The reason is part of the message, so it is no source that a chain of errors would repeat.
    #[error("the row that begins at line {line}: {reason}")]
    Row { line: u64, reason: csv::Error },
}

/// A file that is read from its beginning.
pub struct Table<R> {
    reader: csv::Reader<Bounded<R>>,
    /// Bytes that may be read until the end of the next row.
    allowance: Rc<Cell<usize>>,
    record: csv::ByteRecord,
    header: Vec<String>,
    /// How far the reader's line is behind: of a row's end by a carriage return and a line feed, it counts the latter with the
    /// next row.
    lag: u64,
}

impl<R: Read> Table<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// Those of [`Table::next`], and [`TableError`] for a file without rows or with too many columns.
    pub fn new(input: R, delimiter: u8) -> Result<Self, TableError> {
        let allowance = Rc::new(Cell::new(MAX_ROW_BYTES));
        let input = Bounded { input, allowance: Rc::clone(&allowance) };
        // Rows of another length are refused one by one, with a reason.
        let reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(input);
        let mut table = Self { reader, allowance, record: csv::ByteRecord::new(), header: Vec::new(), lag: 0 };
        let header = table.next()?.ok_or(TableError::Empty)?;
        if header.cells.len() > MAX_COLUMNS {
            return Err(TableError::TooManyColumns);
        }
        let within: usize = header.cells.iter().map(|name| name.matches('\n').count()).sum();
        table.lag = u64::from(table.reader.position().line() == header.number + within as u64);
        table.header = header.cells.iter().map(|name| name.trim().to_owned()).collect();
        Ok(table)
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The line of the file behind what was read.
    pub fn line(&self) -> u64 {
        self.reader.position().line() + self.lag
    }

    /// The next rows: at most `most`, and not many more bytes than a batch may have. None at the end.
    ///
    /// # Errors
    /// Those of [`Table::next`].
    pub fn batch(&mut self, most: usize) -> Result<Vec<Line>, TableError> {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while lines.len() < most && bytes < MAX_BATCH_BYTES {
            let Some(line) = self.next()? else { break };
            bytes += line.cells.iter().map(String::len).sum::<usize>();
            lines.push(line);
        }
        Ok(lines)
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// [`TableError`] for a row that is too long or no UTF-8, and where the input fails.
    #[expect(clippy::should_implement_trait, reason = "an iterator would go on behind an error")]
    pub fn next(&mut self) -> Result<Option<Line>, TableError> {
        let line = self.line();
        self.allowance.set(MAX_ROW_BYTES);
        match self.reader.read_byte_record(&mut self.record) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(reason) => return Err(TableError::Row { line, reason }),
        }
        let line = self.record.position().map_or(line, |position| position.line() + self.lag);
        let cells = self.record.iter().map(|cell| Ok(unguarded(std::str::from_utf8(cell)?).to_owned()));
        let cells = cells.collect::<Result<_, std::str::Utf8Error>>().map_err(|_| TableError::Encoding { line })?;
        Ok(Some(Line { number: line, cells }))
    }
}

/// The sign that stands most often in the first line, outside of quotation marks.
pub fn delimiter_of(start: &[u8]) -> u8 {
    let mut is_quoted = false;
    let mut counts = [0_usize; DELIMITERS.len()];
    for byte in start.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')) {
        is_quoted ^= *byte == b'"';
        if let Some(place) = DELIMITERS.iter().position(|sign| sign == byte).filter(|_| !is_quoted) {
            counts[place] += 1;
        }
    }
    // Of equals the first, which is the comma.
    let most = counts.iter().copied().max().unwrap_or_default();
    let place = counts.iter().position(|count| *count == most).unwrap_or_default();
    DELIMITERS[place]
}

/// Fails when a row has more bytes than it may: a missing quotation mark makes the rest of the file one.
struct Bounded<R> {
    input: R,
    allowance: Rc<Cell<usize>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.get();
        if left == 0 {
            let message = format!("it has more than {MAX_ROW_BYTES} bytes: look for a missing quotation mark");
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        let read = self.input.read(buffer)?;
        self.allowance.set(left.saturating_sub(read));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Result<(Vec<String>, Vec<Line>), TableError> {
        let mut table = Table::new(content, delimiter_of(content))?;
        let lines = table.batch(100)?;
        Ok((table.header().to_vec(), lines))
    }

    #[test]
    fn files_of_every_spreadsheet_are_read() {
        let line = |number: u64, cells: [&str; 2]| Line { number, cells: cells.map(str::to_owned).to_vec() };
        let expected = (vec!["a".to_owned(), "b".to_owned()], vec![line(2, ["1\n2", "=x"]), line(4, ["3", ""])]);
        for content in ["a,b\r\n\"1\n2\",'=x\r\n3,\r\n", "\u{feff}a;b\n\"1\n2\";'=x\n3;\n", "a\tb\n\"1\n2\"\t=x\n3\t"] {
            assert_eq!(read(content.as_bytes()).unwrap(), expected, "{content:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        let mut endless = b"a,b\n1,2\n3,\"4\n".to_vec();
        endless.extend(std::iter::repeat_n(b'x', 3 * MAX_ROW_BYTES));
        let wide = "a,".repeat(MAX_COLUMNS).into_bytes();
        for (content, message) in [
            (endless, "the row that begins at line 3: it has more than"),
            (b"a,b\n1,2\n3,\xe9\n".to_vec(), "line 3 is not UTF-8"),
            (b"\n".to_vec(), "it is empty"),
            (wide, "it has more than 1000 columns"),
        ] {
            let error = read(&content).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
            // A program that prints the chain would say it twice.
            assert!(std::error::Error::source(&error).is_none(), "{error}");
        }
    }
}
