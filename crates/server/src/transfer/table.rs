//! Reads a file of comma-separated values in constant memory.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, bail, ensure};
use domain::transfer::{MAX_BATCH_BYTES, MAX_COLUMNS, MAX_ROW_BYTES, unguarded};
use ring::digest::{self, SHA256};

/// Signs that spreadsheets write between cells.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A row behind the header.
#[derive(Debug)]
pub(crate) struct Line {
    /// The line of the file in which it begins, from 1.
    pub(crate) number: u64,
    pub(crate) cells: Vec<String>,
}

/// What is known of a whole file.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) sha256: [u8; 32],
    pub(crate) rows: u64,
}

/// A file that is read from its beginning.
pub(crate) struct Table {
    reader: csv::Reader<Bounded>,
    /// Bytes that may be read until the end of the next row.
    allowance: Rc<Cell<usize>>,
    record: csv::ByteRecord,
    pub(crate) header: Vec<String>,
}

impl Table {
    pub(crate) fn open(file: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("cannot read {}", file.display());
        let delimiter = delimiter_of(file).with_context(cannot)?;
        let allowance = Rc::new(Cell::new(MAX_ROW_BYTES));
        let input = Bounded { input: File::open(file).with_context(cannot)?, allowance: Rc::clone(&allowance) };
        // Rows of another length are refused one by one, with a reason.
        let reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(input);
        let mut table = Self { reader, allowance, record: csv::ByteRecord::new(), header: Vec::new() };
        let header = table.next().with_context(cannot)?.with_context(|| format!("{} is empty", file.display()))?;
        ensure!(header.cells.len() <= MAX_COLUMNS, "{} has more than {MAX_COLUMNS} columns", file.display());
        table.header = header.cells.iter().map(|name| name.trim().to_owned()).collect();
        Ok(table)
    }

    /// Reads the file once to its end: what cannot be read is known before anything is written.
    pub(crate) fn summary(file: &Path) -> anyhow::Result<Summary> {
        let cannot = || format!("cannot read {}", file.display());
        let mut table = Self::open(file)?;
        let mut rows = 0;
        while table.next().with_context(cannot)?.is_some() {
            rows += 1;
        }
        let mut context = digest::Context::new(&SHA256);
        let mut input = BufReader::new(File::open(file).with_context(cannot)?);
        loop {
            let part = input.fill_buf().with_context(cannot)?;
            if part.is_empty() {
                break;
            }
            context.update(part);
            let read = part.len();
            input.consume(read);
        }
        let sha256 = context.finish().as_ref().try_into().context("a hash has 32 bytes")?;
        Ok(Summary { sha256, rows })
    }

    /// The next rows: at most `most`, and not many more bytes than a batch may have. None at the end.
    pub(crate) fn batch(&mut self, most: usize) -> anyhow::Result<Vec<Line>> {
        let (mut lines, mut bytes) = (Vec::with_capacity(most), 0);
        while lines.len() < most && bytes < MAX_BATCH_BYTES {
            let Some(line) = self.next()? else { break };
            bytes += line.cells.iter().map(String::len).sum::<usize>();
            lines.push(line);
        }
        Ok(lines)
    }

    fn next(&mut self) -> anyhow::Result<Option<Line>> {
        let ahead = self.reader.position().line();
        self.allowance.set(MAX_ROW_BYTES);
        match self.reader.read_byte_record(&mut self.record) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(error) => bail!("the row that begins at line {ahead}: {error}"),
        }
        let number = self.record.position().map_or(ahead, csv::Position::line);
        let cells = self.record.iter().map(|cell| Ok(unguarded(std::str::from_utf8(cell)?).to_owned()));
        let cells = cells.collect::<Result<_, std::str::Utf8Error>>();
        let cells = cells.with_context(|| {
            format!("line {number} is not UTF-8: save the file as \"CSV UTF-8\", or convert it with iconv")
        })?;
        Ok(Some(Line { number, cells }))
    }
}

/// The sign that stands most often in the header, outside of quotation marks.
fn delimiter_of(file: &Path) -> io::Result<u8> {
    let mut header = Vec::new();
    let limit = MAX_ROW_BYTES as u64;
    BufReader::new(File::open(file)?).take(limit).read_until(b'\n', &mut header)?;
    let mut is_quoted = false;
    let mut counts = [0_usize; DELIMITERS.len()];
    for byte in header {
        is_quoted ^= byte == b'"';
        if let Some(place) = DELIMITERS.iter().position(|sign| *sign == byte).filter(|_| !is_quoted) {
            counts[place] += 1;
        }
    }
    // Of equals the first, which is the comma.
    let most = counts.iter().copied().max().unwrap_or_default();
    let place = counts.iter().position(|count| *count == most).unwrap_or_default();
    Ok(DELIMITERS[place])
}

/// Fails when a row has more bytes than it may: a missing quotation mark makes the rest of the file one.
struct Bounded {
    input: File,
    allowance: Rc<Cell<usize>>,
}

impl Read for Bounded {
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

    fn file(content: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        file
    }

    fn read(content: &[u8]) -> (Vec<String>, Vec<(u64, Vec<String>)>) {
        let file = file(content);
        let mut table = Table::open(file.path()).unwrap();
        let lines = table.batch(100).unwrap();
        (table.header, lines.into_iter().map(|line| (line.number, line.cells)).collect())
    }

    #[test]
    fn files_of_every_spreadsheet_are_read() {
        let expected = (
            vec!["a".to_owned(), "b".to_owned()],
            vec![(2, vec!["1\n2".to_owned(), "=x".to_owned()]), (4, vec!["3".to_owned(), String::new()])],
        );
        for content in ["a,b\r\n\"1\n2\",'=x\r\n3,\r\n", "\u{feff}a;b\n\"1\n2\";'=x\n3;\n", "a\tb\n\"1\n2\"\t=x\n3\t"] {
            assert_eq!(read(content.as_bytes()), expected, "{content:?}");
        }
    }

    #[test]
    fn a_missing_quotation_mark_and_other_encodings_are_named_by_their_line() {
        let mut endless = b"a,b\n1,2\n3,\"4\n".to_vec();
        endless.extend(std::iter::repeat_n(b'x', 3 * MAX_ROW_BYTES));
        for (content, message) in [(endless, "line 3"), (b"a,b\n1,2\n3,\xe9\n".to_vec(), "line 3 is not UTF-8")] {
            let file = file(&content);
            let error = Table::summary(file.path()).unwrap_err();
            assert!(format!("{error:#}").contains(message), "{error:#}");
        }
    }

    #[test]
    fn a_summary_counts_the_rows() {
        let file = file(b"a\n1\n2\n");
        let summary = Table::summary(file.path()).unwrap();
        assert_eq!(summary.rows, 2);
        assert_eq!(summary.sha256, *digest::digest(&SHA256, b"a\n1\n2\n").as_ref());
    }
}
