//! The result of reading a file.

use csv_files::{Line, Table, TableError};

/// The rows after the header, or the reason for refusing the file, as named by [`name_of`].
pub(crate) type ReadResult = Result<Vec<Line>, String>;

/// Reads a file like the command line.
pub(crate) fn read(file: &[u8]) -> ReadResult {
    let mut table = Table::new(file).map_err(|error| name_of(&error))?;
    let mut lines = Vec::new();
    while let Some(line) = table.next().map_err(|error| name_of(&error))? {
        lines.push(line);
    }
    Ok(lines)
}

/// The reason and its lines, in the form of the browser's reader.
pub(crate) fn name_of(error: &TableError) -> String {
    match error {
        TableError::Unclosed { line } => format!("unclosed {line} {line}"),
        TableError::BehindQuote { line, opened } => format!("behindQuote {line} {opened}"),
        TableError::BeforeQuote { line } => format!("beforeQuote {line} {line}"),
        TableError::Encoding { .. } | TableError::Utf32 => NOT_TEXT.to_owned(),
        other => other.to_string(),
    }
}

/// The reason for a file that cannot be decoded.
pub(crate) const NOT_TEXT: &str = "not text";

/// Rows by their line numbers, in the form that tests write them.
pub(crate) fn lines_of(rows: &[(u64, &[&str])]) -> Vec<Line> {
    let line = |(number, cells): &(u64, &[&str])| Line {
        number: *number,
        cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
    };
    rows.iter().map(line).collect()
}
