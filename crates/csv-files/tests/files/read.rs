//! What a reader makes of a file.

use csv_files::{Line, Table, TableError};

/// The rows behind the header, or why the file is refused: as [`name_of`] names it.
pub(crate) type Answer = Result<Vec<Line>, String>;

/// What the command line reads.
pub(crate) fn read(file: &[u8]) -> Answer {
    let mut table = Table::new(file).map_err(|error| name_of(&error))?;
    let mut lines = Vec::new();
    while let Some(line) = table.next().map_err(|error| name_of(&error))? {
        lines.push(line);
    }
    Ok(lines)
}

/// The reason as the browser's reader names it, and its lines.
pub(crate) fn name_of(error: &TableError) -> String {
    match error {
        TableError::Unclosed { line } => format!("unclosed {line} {line}"),
        TableError::BehindQuote { line, opened } => format!("behindQuote {line} {opened}"),
        TableError::BeforeQuote { line } => format!("beforeQuote {line} {line}"),
        TableError::Encoding { .. } | TableError::Utf32 => NOT_TEXT.to_owned(),
        other => other.to_string(),
    }
}

/// Why a file is refused that cannot be decoded.
pub(crate) const NOT_TEXT: &str = "not text";

/// Rows by their lines, as tests write them.
pub(crate) fn lines_of(rows: &[(u64, &[&str])]) -> Vec<Line> {
    let line = |(number, cells): &(u64, &[&str])| Line {
        number: *number,
        cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
    };
    rows.iter().map(line).collect()
}
