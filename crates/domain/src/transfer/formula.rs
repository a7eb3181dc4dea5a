//! Cells that a spreadsheet would take for formulas.

use std::borrow::Cow;

use super::report::{has_report_columns, is_report_row};
use crate::kernel::input::parse_uuid;

/// Whether a spreadsheet may take a text for a formula. That depends on its first character, in half or full width and after any blanks. A
/// tab or line break at the start counts too, because some programs begin another cell after it.
fn may_be_formula(text: &str) -> bool {
    let is_blank = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200f}')
    };
    let starts_formula = |letter: char| matches!(letter, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(is_blank).starts_with(starts_formula)
}

/// Whether a text is a formula, with or without apostrophes in front.
fn is_guarded_or_formula(text: &str) -> bool {
    may_be_formula(text.trim_start_matches('\''))
}

/// The cell for a text: with an apostrophe in front if a spreadsheet would take it for a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_guarded_or_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a cell that [`guarded`] has written. In the file of another program, the apostrophe is part of the text: see
/// [`GuardedRows`].
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_guarded_or_formula(rest)).unwrap_or(cell)
}

/// The rows of a file that [`guarded`] has written: the rows of a report of refused rows, which end with a line number and a
/// reason, and those of an export, which have the id of their record.
#[derive(Debug, Clone, Copy, Default)]
pub struct GuardedRows {
    is_report: bool,
    /// The index of the column with the id.
    id: Option<usize>,
}

impl GuardedRows {
    /// Recognizes the file by its header.
    pub fn of(header: &[String]) -> Self {
        Self { is_report: has_report_columns(header), id: header.iter().position(|name| name == "id") }
    }

    /// Whether the file is a report, whose header is also guarded.
    pub const fn is_report(self) -> bool {
        self.is_report
    }

    /// Removes the apostrophes from a row if it is one of these rows.
    pub fn unguard(self, cells: &mut [String]) {
        let has_id = self.id.and_then(|index| cells.get(index)).is_some_and(|cell| parse_uuid(cell.trim()).is_some());
        if has_id || self.is_report && is_report_row(cells) {
            for cell in cells {
                let removed = cell.len() - unguarded(cell).len();
                drop(cell.drain(..removed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LINE, REASON};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_get_an_apostrophe() {
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
            "'=1",
        ] {
            assert_eq!(guarded(formula), format!("'{formula}"), "{formula:?}");
        }
        for text in ["", " ", "a=1", "1-1", "{\"a\":1}", "a\n=1", "Ann", "2026-07-01", "–", "'tis", "it's"] {
            assert_eq!(guarded(text), text);
            assert_eq!(unguarded(text), text);
        }
    }

    #[test]
    fn only_rows_of_reports_and_exports_are_unguarded() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        for (header, row, expected) in [
            (["email", "notes"], ["a@x.example", "'@home' is our office"], "'@home' is our office"),
            (["id", "notes"], [id, "'@home"], "@home"),
            (["notes", "id"], ["'=1", id], id),
            // Another system's id, or a row that was added to an export.
            (["id", "notes"], ["4711", "'@home"], "'@home"),
            (["id", "notes"], ["", "'@home"], "'@home"),
            (["ID", "notes"], [id, "'@home"], "'@home"),
        ] {
            let mut cells = texts(&row);
            GuardedRows::of(&texts(&header)).unguard(&mut cells);
            assert_eq!(cells[1], expected, "{header:?} {row:?}");
        }
        let report = GuardedRows::of(&texts(&["notes", LINE, REASON]));
        let mut cells = texts(&["''@home' is our office", "2", "'=1 is no"]);
        report.unguard(&mut cells);
        assert_eq!(cells, ["'@home' is our office", "2", "=1 is no"]);
        let mut sold = texts(&["'=1", "Red Line", "sold"]);
        report.unguard(&mut sold);
        assert_eq!(sold[0], "'=1", "a file with columns of these names");
        assert!(report.is_report() && !GuardedRows::of(&texts(&["id", LINE])).is_report());
    }

    proptest! {
        #[test]
        fn texts_survive_a_round_trip(text in "['=+@ \\t-]{0,4}\\PC{0,5}") {
            let cell = guarded(&text);
            prop_assert!(!may_be_formula(&cell), "{cell:?}");
            prop_assert_eq!(unguarded(&cell), &*text);
        }
    }
}
