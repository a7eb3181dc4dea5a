//! Writes rows as spreadsheets read them (RFC 4180). Text that would be read as a formula gets an apostrophe in front.

use std::io::Write;

use csv::{Error, QuoteStyle, Terminator, Writer, WriterBuilder};
use domain::transfer::guarded;

use crate::FileForm;

/// The format of downloads: without the mark, Excel reads the file in the encoding of the user's region.
pub const DOWNLOADED: FileForm = FileForm { has_mark: true, ..FileForm::PLAIN };

/// Writes a file row by row, with quotation marks where they are needed.
pub struct TableWriter<W: Write>(Writer<W>);

impl<W: Write> TableWriter<W> {
    pub fn new(mut output: W, form: FileForm) -> Result<Self, Error> {
        output.write_all(&form.start())?;
        Ok(Self(settings(form.delimiter, QuoteStyle::Necessary).from_writer(output)))
    }

    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<(), Error> {
        self.0.write_record(cells.into_iter().map(|cell| guarded(cell.as_ref()).into_owned()))
    }

    pub fn finish(self) -> std::io::Result<W> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// Adds rows to a file in memory, with every cell in quotation marks.
pub fn write_quoted<R: IntoIterator<Item: AsRef<str>>>(
    file: &mut Vec<u8>,
    delimiter: u8,
    rows: impl IntoIterator<Item = R>,
) {
    let mut writer = TableWriter(settings(delimiter, QuoteStyle::Always).from_writer(file));
    let result = rows.into_iter().try_for_each(|row| writer.row(row));
    debug_assert!(result.is_ok(), "writing to memory does not fail");
}

fn settings(delimiter: u8, quotes: QuoteStyle) -> WriterBuilder {
    let mut settings = WriterBuilder::new();
    settings.terminator(Terminator::CRLF).flexible(true).delimiter(delimiter).quote_style(quotes);
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_ends_early() {
        let cells = ["a \"b\", c", "=\"\"\",1", "1", ""];
        let mut file = b"a;b\r\n".to_vec();
        write_quoted(&mut file, b';', [cells]);
        let quoted = "a;b\r\n\"a \"\"b\"\", c\";\"'=\"\"\"\"\"\",1\";\"1\";\"\"\r\n";
        assert_eq!(String::from_utf8(file).unwrap(), quoted);

        let form = FileForm { delimiter: b';', has_mark: true, names_delimiter: false };
        let mut writer = TableWriter::new(Vec::new(), form).unwrap();
        writer.row(cells).unwrap();
        let plain = "\u{feff}\"a \"\"b\"\", c\";\"'=\"\"\"\"\"\",1\";1;\r\n";
        assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), plain);
    }
}
