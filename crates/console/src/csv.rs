//! Files of comma-separated values (RFC 4180) that are opened in spreadsheets.

/// Adds a row.
pub(crate) fn write_row<Cell: AsRef<str>>(file: &mut String, cells: impl IntoIterator<Item = Cell>) {
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            file.push(',');
        }
        write_cell(file, cell.as_ref());
    }
    file.push_str("\r\n");
}

/// Adds a cell in quotes. What a spreadsheet would take for a formula begins with an apostrophe.
fn write_cell(file: &mut String, text: &str) {
    file.push('"');
    if may_be_formula(text) {
        file.push('\'');
    }
    for (place, part) in text.split('"').enumerate() {
        if place > 0 {
            file.push_str("\"\"");
        }
        file.push_str(part);
    }
    file.push('"');
}

/// Whether a spreadsheet may take a text for a formula: by the sign that it begins with, in half or full width, whatever
/// blanks stand before it, or by a tab or line break, after which some programs begin another cell.
fn may_be_formula(text: &str) -> bool {
    let is_blank = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200f}')
    };
    let starts_formula = |letter: char| matches!(letter, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(is_blank).starts_with(starts_formula)
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
        for formula in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "＝1+1",
            "＋1",
            "－1",
            "＠SUM(A1)",
            "\n=1+1",
            "\t=1+1",
            "\r=1+1",
            "\ntext",
            "\ttext",
            "\rtext",
            " =1+1",
            "\u{a0}=1+1",
            "\u{feff}=1+1",
            "\u{200b}＝1",
            "\0=1+1",
        ] {
            assert_eq!(cell(formula), format!("\"'{formula}\""), "{formula:?}");
        }
        for text in ["", " ", "a=1", "1-1", "{\"a\":1}", "a\n=1", "Ann", "2026-07-01", "'=1", "–"] {
            assert!(!cell(text).contains("\"'") || text.starts_with('\''), "{text:?}");
        }
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
