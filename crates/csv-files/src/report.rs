//! The report of refused rows: the columns of the file and two more, so that it can be corrected and imported again.

use domain::transfer::{LINE, REASON, is_report_row};

use crate::Line;

/// The columns that a report takes from a file. If the file is itself a report, its last two columns are replaced.
fn own_columns(header: &[String], is_report: bool) -> &[String] {
    if is_report { &header[..header.len().saturating_sub(2)] } else { header }
}

/// The header of the report about a file.
pub fn report_columns(header: &[String], is_report: bool) -> Vec<&str> {
    own_columns(header, is_report).iter().map(String::as_str).chain([LINE, REASON]).collect()
}

/// The cells of a refused row, and the number of empty cells after them. Cells that an earlier report added are left out, but a
/// row of another length, or without a line number and a reason, keeps all of its cells.
pub fn report_cells<'a>(header: &[String], is_report: bool, line: &'a Line) -> (&'a [String], usize) {
    let columns = own_columns(header, is_report).len();
    let is_reported = is_report && line.cells.len() == header.len() && is_report_row(&line.cells);
    let cells = if is_reported { &line.cells[..columns] } else { &line.cells };
    (cells, columns.saturating_sub(cells.len()))
}

/// A refused row, with as many cells as the report has columns.
pub fn report_row(header: &[String], is_report: bool, line: &Line, reason: &str) -> Vec<String> {
    let (cells, empty) = report_cells(header, is_report, line);
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
    fn a_report_of_a_report_has_only_the_newest_reasons() {
        let (plain, report) = (texts(["a", "b"]), texts(["a", "b", LINE, REASON]));
        assert_eq!(report_columns(&plain, false), report_columns(&report, true));
        let row = |header: &[String], is_report: bool, cells: Vec<String>| {
            report_row(header, is_report, &Line { number: 7, cells }, "why")
        };
        let expected = texts(["1", "2", "7", "why"]);
        assert_eq!(row(&plain, false, texts(["1", "2"])), expected);
        assert_eq!(row(&report, true, texts(["1", "2", "3", "before"])), expected);
        assert_eq!(row(&plain, false, texts(["1"])), texts(["1", "", "7", "why"]));
        assert_eq!(row(&plain, false, texts(["1", "2", "3", "4"])), texts(["1", "2", "3", "4", "7", "why"]));
    }

    #[test]
    fn columns_of_these_names_in_another_file_are_kept() {
        let header = texts(["a", LINE, REASON]);
        assert_eq!(report_columns(&header, false), ["a", LINE, REASON, LINE, REASON]);
        let line = Line { number: 7, cells: texts(["1", "Red Line", "sold"]) };
        assert_eq!(report_row(&header, false, &line, "why"), texts(["1", "Red Line", "sold", "7", "why"]));
        // A row with a different length than the others of the report.
        assert_eq!(report_row(&header, true, &line, "why"), texts(["1", "Red Line", "sold", "7", "why"]));
    }
}
