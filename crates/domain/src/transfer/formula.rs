//! Cells that a spreadsheet would take for formulas.

use std::borrow::Cow;

/// Whether a spreadsheet may take a text for a formula: by the sign that it begins with, in half or full width, whatever
/// blanks stand before it, or by a tab or line break, after which some programs begin another cell.
fn may_be_formula(text: &str) -> bool {
    let is_blank = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{feff}' | '\u{200b}'..='\u{200f}')
    };
    let starts_formula = |letter: char| matches!(letter, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(is_blank).starts_with(starts_formula)
}

/// Whether a text is a formula behind apostrophes, or one without any.
fn is_guarded_or_formula(text: &str) -> bool {
    may_be_formula(text.trim_start_matches('\''))
}

/// The cell for a text: with an apostrophe in front if a spreadsheet would take it for a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_guarded_or_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a cell that [`guarded`] made, or that a spreadsheet wrote as text.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_guarded_or_formula(rest)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_cell_is_a_formula() {
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

    proptest! {
        #[test]
        fn a_text_comes_back_as_it_was(text in "['=+@ \\t-]{0,4}\\PC{0,5}") {
            let cell = guarded(&text);
            prop_assert!(!may_be_formula(&cell), "{cell:?}");
            prop_assert_eq!(unguarded(&cell), &*text);
        }
    }
}
