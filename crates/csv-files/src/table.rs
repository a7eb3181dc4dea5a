//! Reads a file of comma-separated values in constant memory.

use std::io::{self, Read};

use domain::transfer::{GuardedRows, MAX_BATCH_BYTES, MAX_COLUMNS, MAX_ROW_BYTES, unguarded};

use crate::FileForm;
use crate::decode::Text;
use crate::rows::Rows;

/// A row after the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line of the file in which the row begins, starting at 1.
    pub number: u64,
    pub cells: Vec<String>,
}

/// Why a file cannot be read.
///
/// After a misplaced quotation mark, it is unclear where the next row begins, because the text may be inside or outside a cell.
/// So the file is refused, not only the row.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("it is empty: its first row must name the columns")]
    Empty,
    #[error("it has more than {MAX_COLUMNS} columns: leave some out")]
    TooManyColumns,
    #[error("line {line} is not {encoding}: save the file as \"CSV UTF-8\", or convert it with iconv")]
    Encoding { line: u64, encoding: &'static str },
    #[error(
        "its first row has NUL characters, as in UTF-16 without a byte order mark: save the file as \"CSV UTF-8\", or convert \
         it with iconv -f {likely} -t UTF-8"
    )]
    Nul { likely: &'static str },
    #[error("it is UTF-32: save the file as \"CSV UTF-8\", or convert it with iconv -f UTF-32 -t UTF-8")]
    Utf32,
    #[error("the row at line {line} has more than {MAX_ROW_BYTES} bytes: look for a missing quotation mark")]
    LongRow { line: u64 },
    #[error(
        "line {line}: a quotation mark opens a cell, but the closing mark is missing: add it, or, if the \
         opening mark is part of the text, write it twice and put the cell in quotation marks"
    )]
    Unclosed { line: u64 },
    #[error(
        "line {line}: text follows the closing quotation mark of a cell that begins in line {opened}: write a quotation mark \
         that is part of the text twice, or add the missing one"
    )]
    BehindQuote { line: u64, opened: u64 },
    #[error(
        "line {line}: a cell has spaces before its opening quotation mark: remove the spaces, or, if the mark is part of the \
         text, write it twice and put the cell in quotation marks"
    )]
    BeforeQuote { line: u64 },
    /// The reason is part of the message, so it is not the error's source, which a chain of errors would repeat.
    #[error("line {line} cannot be read: {reason}")]
    Input { line: u64, reason: io::Error },
}

/// A file that is read from its beginning.
pub struct Table<R> {
    rows: Rows<R>,
    header: Vec<String>,
    guarded: GuardedRows,
}

impl<R: Read> Table<R> {
    /// Detects the format of the file, and reads the header.
    pub fn new(input: R) -> Result<Self, TableError> {
        let mut table =
            Self { rows: Rows::new(Text::new(input)?)?, header: Vec::new(), guarded: GuardedRows::default() };
        let mut header = table.row()?.ok_or(TableError::Empty)?;
        if header.cells.len() > MAX_COLUMNS {
            return Err(TableError::TooManyColumns);
        }
        let names = |cells: &[String]| cells.iter().map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        table.guarded = GuardedRows::of(&names(&header.cells));
        if table.guarded.is_report() {
            header.cells = header.cells.iter().map(|name| unguarded(name).to_owned()).collect();
        }
        table.header = names(&header.cells);
        Ok(table)
    }

    /// The format of the file. A file that was UTF-16 has the format of UTF-8 with a byte order mark.
    pub const fn form(&self) -> FileForm {
        self.rows.form
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The line after the last one read.
    pub const fn line(&self) -> u64 {
        self.rows.line
    }

    /// Whether a line ending follows the last row. If not, the row may continue in the part of the file that was cut off.
    pub const fn is_ended(&self) -> bool {
        self.rows.is_ended
    }

    /// Sets the line number, in the whole file, of the first row after the header, if this is a part of a file.
    pub const fn set_line(&mut self, line: u64) {
        self.rows.line = line;
    }

    /// The next rows: at most `most`, and not much more than the maximum size of a batch. Empty at the end.
    pub fn batch(&mut self, most: usize) -> Result<Vec<Line>, TableError> {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while lines.len() < most && bytes < MAX_BATCH_BYTES {
            let Some(line) = self.next()? else { break };
            bytes += line.cells.iter().map(String::len).sum::<usize>();
            lines.push(line);
        }
        Ok(lines)
    }

    /// The next row; `None` at the end. Removes the apostrophes that keep cells of exports and reports from being run as formulas.
    /// Skips empty rows, and removes empty cells after the last column, which spreadsheets write for cleared cells. Other rows with
    /// too many or too few cells are returned for the caller to refuse. Fails with [`TableError`] for a row that is too
    /// long or cannot be decoded, for misplaced quotation marks, and if the input fails.
    #[expect(clippy::should_implement_trait, reason = "an iterator would continue after an error")]
    pub fn next(&mut self) -> Result<Option<Line>, TableError> {
        let Some(mut line) = self.row()? else { return Ok(None) };
        let filled = line.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        line.cells.truncate(filled.max(self.header.len()));
        self.guarded.unguard(&mut line.cells);
        Ok(Some(line))
    }

    fn row(&mut self) -> Result<Option<Line>, TableError> {
        if !self.rows.next()? {
            return Ok(None);
        }
        let number = self.rows.number;
        let cells = self.rows.cells().map(|cell| Ok(std::str::from_utf8(cell)?.to_owned()));
        let cells = cells.collect::<Result<_, std::str::Utf8Error>>();
        let encoding = self.rows.text.encoding.name();
        let cells = cells.map_err(|_| TableError::Encoding { line: number, encoding })?;
        Ok(Some(Line { number, cells }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Result<(Vec<String>, Vec<Line>), TableError> {
        let mut table = Table::new(content)?;
        let lines = table.batch(100)?;
        Ok((table.header().to_vec(), lines))
    }

    fn utf_16(text: &str) -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn files_from_every_spreadsheet_can_be_read() {
        let line = |number: u64, cells: [&str; 2]| Line { number, cells: cells.map(str::to_owned).to_vec() };
        let expected_rows = |begin: u64, breaks: &str| {
            let cell = format!("1{breaks}2");
            let lines = vec![line(begin + 1, [&cell, "=x"]), line(begin + 3, ["3", ""])];
            (vec!["a".to_owned(), "b".to_owned()], lines)
        };
        for (content, expected) in [
            ("a,b\r\n\"1\n2\",=x\r\n3,\r\n", expected_rows(1, "\n")),
            ("\u{feff}a;b\n\"1\n2\";=x\n3;\n", expected_rows(1, "\n")),
            ("a\tb\n\"1\n2\"\t=x\n3\t", expected_rows(1, "\n")),
            ("a,b\r\"1\r2\",=x\r3,\r", expected_rows(1, "\r")),
            ("a,b\r\n\"1\r\n2\",=x\r\n3,\r\n", expected_rows(1, "\r\n")),
            ("sep=;\r\na;b\r\n\"1\n2\";=x\r\n3;\r\n", expected_rows(2, "\n")),
            ("\u{feff}\"SEP=|\"\ra|b\r\"1\n2\"|=x\r3|\r", expected_rows(2, "\n")),
            ("\n\na,b\n\"1\n2\",=x\n3,\n", expected_rows(3, "\n")),
        ] {
            assert_eq!(read(content.as_bytes()).unwrap(), expected, "{content:?}");
            let content = content.trim_start_matches('\u{feff}');
            assert_eq!(read(&utf_16(content)).unwrap(), expected, "{content:?} in UTF-16");
        }
    }

    #[test]
    fn apostrophes_are_removed_only_from_exports_and_reports() {
        let cells = |content: &str| read(content.as_bytes()).unwrap().1.remove(0).cells;
        assert_eq!(cells("email,notes\nap1@x.example,'@home' is our office\n")[1], "'@home' is our office");
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        assert_eq!(cells(&format!("id,notes\n{id},'=1\n"))[1], "=1");
        let (header, lines) = read(b"'+x,line,reason\n''@home,2,no\n").unwrap();
        assert_eq!((&*header[0], &*lines[0].cells[0]), ("+x", "'@home"));
        assert_eq!(read(b"'+x,b\n1,2\n").unwrap().0[0], "'+x");
    }

    #[test]
    fn empty_rows_and_cells_of_cleared_areas_are_left_out() {
        let (_, lines) = read(b"a,b\n1,2,,\n,,,\n\"\",\n,4,,\n5\n6,7,,8,\n,\n").unwrap();
        let found: Vec<_> = lines.iter().map(|line| (line.number, line.cells.join("|"))).collect();
        let expected = [(2, "1|2"), (5, "|4"), (6, "5"), (7, "6|7||8")];
        assert_eq!(found, expected.map(|(number, cells)| (number, cells.to_owned())));
    }

    #[test]
    fn rows_of_a_part_have_the_line_numbers_of_the_whole_file() {
        let mut table = Table::new(&b"sep=;\r\na;b\r\n1;2\r\n3;\"4"[..]).unwrap();
        assert_eq!(table.line(), 3);
        table.set_line(1000);
        assert_eq!(table.next().unwrap().unwrap().number, 1000);
        assert!(table.next().unwrap_err().to_string().contains("line 1001"));
    }

    #[test]
    fn rows_may_be_as_long_as_documented() {
        let read_row = |length: usize| read(format!("a,b\n1,{}\n", "x".repeat(length)).as_bytes());
        assert_eq!(read_row(MAX_ROW_BYTES - 2).unwrap().1.len(), 1);
        assert!(matches!(read_row(MAX_ROW_BYTES - 1), Err(TableError::LongRow { line: 2 })));
    }

    #[test]
    fn errors_name_the_line_that_cannot_be_read() {
        let mut endless = b"a,b\n1,2\n3,\"4\n".to_vec();
        endless.extend(std::iter::repeat_n(b'x', 3 * MAX_ROW_BYTES));
        let wide = "a,".repeat(MAX_COLUMNS).into_bytes();
        let unpaired = [utf_16("a,b\n1,2\n3,"), vec![0x00, 0xdc]].concat();
        let unmarked = utf_16("a,b\n1,2\n")[2..].to_vec();
        let turned: Vec<u8> = unmarked.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
        for (content, message) in [
            (endless, "the row at line 3 has more than"),
            (b"a,b\n1,2\n3,\xe9\n".to_vec(), "line 3 is not UTF-8"),
            (unpaired, "line 3 is not UTF-16"),
            (unmarked, "convert it with iconv -f UTF-16LE -t UTF-8"),
            (turned, "convert it with iconv -f UTF-16BE -t UTF-8"),
            (b"\xff\xfe\0\0a\0\0\0".to_vec(), "it is UTF-32"),
            (b"\n".to_vec(), "it is empty"),
            (b"sep=;\n;;\n".to_vec(), "it is empty"),
            (wide, "it has more than 1000 columns"),
        ] {
            let error = read(&content).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
            assert!(!error.to_string().contains('\0'), "{error}");
            // A program that prints the chain would print it twice.
            assert!(std::error::Error::source(&error).is_none(), "{error}");
        }
    }
}
