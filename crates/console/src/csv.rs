//! Files of comma-separated values (RFC 4180) that are opened in spreadsheets.

use domain::transfer::guarded;

/// Adds a row.
pub(crate) fn write_row<Cell: AsRef<str>>(file: &mut String, cells: impl IntoIterator<Item = Cell>) {
    write_row_with(file, b',', cells);
}

/// Adds a row with another sign between its cells.
pub(crate) fn write_row_with<Cell: AsRef<str>>(
    file: &mut String,
    delimiter: u8,
    cells: impl IntoIterator<Item = Cell>,
) {
    write_cells(file, delimiter, cells);
    file.push_str("\r\n");
}

/// Adds cells, without the end of their row.
pub(crate) fn write_cells<Cell: AsRef<str>>(file: &mut String, delimiter: u8, cells: impl IntoIterator<Item = Cell>) {
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            file.push(char::from(delimiter));
        }
        write_cell(file, cell.as_ref());
    }
}

/// Adds a cell in quotes. What a spreadsheet would take for a formula begins with an apostrophe.
fn write_cell(file: &mut String, text: &str) {
    file.push('"');
    for (place, part) in guarded(text).split('"').enumerate() {
        if place > 0 {
            file.push_str("\"\"");
        }
        file.push_str(part);
    }
    file.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> String {
        let mut file = String::new();
        write_cell(&mut file, text);
        file
    }

    #[test]
    fn no_cell_is_a_formula_or_ends_early() {
        assert_eq!(cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
        assert_eq!(cell("=\"\"\",1"), "\"'=\"\"\"\"\"\",1\"");
    }

    #[test]
    fn a_row_ends_with_both_signs() {
        let mut file = String::from("a,b\r\n");
        write_row(&mut file, ["1", ""]);
        assert_eq!(file, "a,b\r\n\"1\",\"\"\r\n");
    }
}
