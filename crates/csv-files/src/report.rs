//! The report of refused rows: the columns of the file with two behind them, so that it can be mended and imported again.

use domain::transfer::{LINE, REASON};

use crate::Line;

/// The columns that a report has of a file, which may be a report itself.
fn own_columns(header: &[String]) -> &[String] {
    match header {
        [rest @ .., line, reason] if line == LINE && reason == REASON => rest,
        whole => whole,
    }
}

/// The header of the report about a file.
pub fn report_columns(header: &[String]) -> Vec<&str> {
    own_columns(header).iter().map(String::as_str).chain([LINE, REASON]).collect()
}

/// The cells of a refused row, and how many empty ones follow them. Cells of an earlier report stay out; a row of another
/// length keeps all of its cells.
pub fn report_cells<'a>(header: &[String], line: &'a Line) -> (&'a [String], usize) {
    let columns = own_columns(header).len();
    let is_reported = columns < header.len() && line.cells.len() == header.len();
    let cells = if is_reported { &line.cells[..columns] } else { &line.cells };
    (cells, columns.saturating_sub(cells.len()))
}

/// A refused row, with as many cells as the report has columns.
pub fn report_row(header: &[String], line: &Line, reason: &str) -> Vec<String> {
    let (cells, empty) = report_cells(header, line);
    let mut row = cells.to_vec();
    row.resize(row.len() + empty, String::new());
    row.extend([line.number.to_string(), reason.to_owned()]);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
        texts.map(str::to_owned).to_vec()
    }

    #[test]
    fn a_report_of_a_report_has_the_newest_reasons_alone() {
        let (plain, report) = (texts(["a", "b"]), texts(["a", "b", LINE, REASON]));
        assert_eq!(report_columns(&plain), report_columns(&report));
        let row = |header: &[String], cells: Vec<String>| report_row(header, &Line { number: 7, cells }, "why");
        let expected = texts(["1", "2", "7", "why"]);
        assert_eq!(row(&plain, texts(["1", "2"])), expected);
        assert_eq!(row(&report, texts(["1", "2", "3", "before"])), expected);
        assert_eq!(row(&plain, texts(["1"])), texts(["1", "", "7", "why"]));
        assert_eq!(row(&plain, texts(["1", "2", "3", "4"])), texts(["1", "2", "3", "4", "7", "why"]));
    }
}
