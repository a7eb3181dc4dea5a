//! Detects rows that two stray quotation marks join: one at the beginning of a cell, the other at the end of a cell of a later
//! row.
//!
//! By RFC 4180, they are one row with a cell of several lines. Only the form of these lines shows that they may be rows.

use super::cells::formats_of;
use super::targets::Target;

/// The number of columns from which lines with as many cells look like rows.
const MANY_COLUMNS: usize = 3;

/// Refuses a row that may be several rows. Not used for a report of refused rows: by importing it, the operator confirms that it is one
/// row.
///
/// # Errors
/// How to correct the file.
pub(super) fn check_joined(cells: &[String], targets: &[Target], separator: Option<char>) -> Result<(), String> {
    let Some(separator) = separator.filter(|_| cells.iter().any(|cell| cell.bytes().any(is_line_end))) else {
        return Ok(());
    };
    let is_address = |target: &Target| match target {
        Target::Member(member) => formats_of(&member.schema).any(|format| format == "email"),
        _ => false,
    };
    let addresses: Vec<_> = (0..targets.len()).filter(|index| is_address(&targets[*index])).collect();
    let Some(rows) = joined_rows(cells, separator, &addresses) else { return Ok(()) };
    Err(format!(
        "this may be {rows} rows that stray quotation marks join: correct the marks, or, if it is one row, import this report as \
         it is"
    ))
}

/// The number of rows that a row may be: one per line, if most lines have as many cells as there are columns, and their cells in
/// columns of e-mail addresses are empty or addresses. The other lines may be rows too: trailing cells may be missing, or a
/// separator may be part of the text between the marks.
fn joined_rows(cells: &[String], separator: char, addresses: &[usize]) -> Option<usize> {
    let lines = lines_of(cells, separator);
    let is_row = |line: &Vec<&str>| {
        let is_address = |index: &usize| line[*index].is_empty() || line[*index].contains('@');
        line.len() == cells.len() && addresses.iter().all(is_address)
    };
    let is_reliable = cells.len() >= MANY_COLUMNS || !addresses.is_empty();
    let rows = lines.iter().filter(|line| is_row(line)).count();
    (is_reliable && lines.len() > 1 && 2 * rows > lines.len()).then_some(lines.len())
}

/// The cells of each line, if the cells with line breaks were not quoted.
fn lines_of(cells: &[String], separator: char) -> Vec<Vec<&str>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for cell in cells {
        let Some((first, rest)) = cell.split_once(['\r', '\n']) else {
            line.push(cell.as_str());
            continue;
        };
        line.extend(first.split(separator));
        // Carriage returns and line feeds both end a line, so a pair of them leaves an empty one. Empty lines are not rows.
        for next in rest.split(['\r', '\n']).filter(|next| !next.is_empty()) {
            lines.push(std::mem::take(&mut line));
            line.extend(next.split(separator));
        }
    }
    lines.push(line);
    lines
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(cells: &[&str], addresses: &[usize]) -> Option<usize> {
        let cells: Vec<_> = cells.iter().map(|cell| (*cell).to_owned()).collect();
        joined_rows(&cells, ',', addresses)
    }

    #[test]
    fn lines_that_look_like_rows_may_be_rows() {
        assert_eq!(joined(&["a@x.example", "6 inch\nb@x.example,B\r\nc@x.example,pipe 5"], &[0]), Some(3));
        assert_eq!(joined(&["1", "6 inch\r2,5", "x"], &[]), None);
        assert_eq!(joined(&["1", "6 inch,x\r2,5", "y"], &[]), Some(2));
        assert_eq!(joined(&["1", "2", "6 inch\n\n4,5,6"], &[]), Some(2));
        assert_eq!(joined(&["6 inch,2,3\n4", "5, 5", "6"], &[]), Some(2));
    }

    #[test]
    fn most_lines_must_look_like_rows() {
        // The second line has too few cells.
        assert_eq!(joined(&["Q11", "6 inch,1\nQ12,B\nQ13,5", "3"], &[]), Some(3));
        // The second line has too many.
        assert_eq!(joined(&["Q11", "6 inch,1\nQ12,B, C,2\nQ13,5", "3"], &[]), Some(3));
        assert_eq!(joined(&["a@x.example", "6 inch\nb@x.example\nc@x.example,pipe 5"], &[0]), Some(3));
        assert_eq!(joined(&["Q11", "6 inch,1\nQ12,B", "2"], &[]), Some(2));
        // Half of the lines, or fewer.
        assert_eq!(joined(&["Q11", "6 inch,1\nQ12", "2"], &[]), None);
        assert_eq!(joined(&["Q11", "6 inch,1\nQ12\nQ13\nQ14,5", "3"], &[]), None);
        assert_eq!(joined(&["Q11", "first\nsecond, with a comma\nthird", "3"], &[]), None);
    }

    #[test]
    fn texts_of_several_lines_stay_texts() {
        for cells in [
            &["a@x.example", "Thanks,\nAnn"][..],
            &["a@x.example", "Dear Bob,\nsee you, Ann"],
            &["a@x.example", "one line, of text"],
            &["a@x.example", "Street 5\n10115 Berlin, Germany"],
        ] {
            assert_eq!(joined(cells, &[0]), None, "{cells:?}");
        }
        // Nothing shows whether these are rows.
        assert_eq!(joined(&["Acme", "Street 5\n10115 Berlin, Germany"], &[]), None);
        assert_eq!(joined(&["Acme", "12", "Street 5\n10115 Berlin, Germany"], &[]), None);
        assert_eq!(joined(&["a\nb"], &[]), None);
    }
}
