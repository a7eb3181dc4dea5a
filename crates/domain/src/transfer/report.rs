//! Recognizes a report of refused rows, which is imported again after its cells are corrected.

use super::targets::Mapping;

/// The columns that a report has after those of the file.
pub const LINE: &str = "line";
pub const REASON: &str = "reason";

/// Whether a header ends with the two columns of a report. Another file can have columns of these names, too: the rows decide, see
/// [`is_report_row`].
pub fn has_report_columns(header: &[String]) -> bool {
    matches!(header, [.., line, reason] if line == LINE && reason == REASON)
}

/// Whether a row ends with a line number and a reason, as in a report. A row that was refused for its length has more cells than
/// the header, so the last two count.
pub fn is_report_row(cells: &[String]) -> bool {
    let is_number = |cell: &str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
    matches!(cells, [.., line, reason] if is_number(line.trim()) && !reason.trim().is_empty())
}

/// Refuses a row that does not end with a line number and a reason, although the file seemed to be a report.
///
/// # Errors
/// How to correct the file.
pub(super) fn check_report_row(cells: &[String]) -> Result<(), String> {
    if is_report_row(cells) {
        return Ok(());
    }
    Err(format!(
        "the columns {LINE} and {REASON} seem to be those of a report of refused rows, but this row does not end with a line \
         number and a reason: add them, or rename the two columns"
    ))
}

/// Whether a file is imported as a report. A member that the operator chooses for one of the two columns takes precedence, unless
/// the file also has a column of this name before them.
pub(super) fn is_report(header: &[String], mapping: &Mapping) -> bool {
    let own = &header[..header.len().saturating_sub(2)];
    let is_mapped = |name: &str| {
        let is_chosen = |(column, member): &(String, String)| column == name && !member.is_empty();
        mapping.columns.iter().any(is_chosen) && !own.iter().any(|column| column == name)
    };
    mapping.is_report && has_report_columns(header) && !is_mapped(LINE) && !is_mapped(REASON)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn a_report_row_ends_with_a_number_and_a_reason() {
        for cells in [&["a", "3", "email: why"][..], &["a", "surplus", " 12 ", "why"], &["3", "why"]] {
            assert!(is_report_row(&owned(cells)), "{cells:?}");
        }
        for cells in [&["a", "Red Line", "why"][..], &["a", "3", " "], &["a", "", "why"], &["a", "-3", "why"], &["why"]]
        {
            assert!(!is_report_row(&owned(cells)), "{cells:?}");
        }
    }

    #[test]
    fn a_chosen_member_takes_precedence() {
        let is_report_with = |header: &[&str], columns: &[(&str, &str)]| {
            let columns = columns.iter().map(|(column, member)| ((*column).to_owned(), (*member).to_owned()));
            let mapping = Mapping { columns: columns.collect(), is_report: true, ..Mapping::default() };
            is_report(&owned(header), &mapping)
        };
        assert!(is_report_with(&["a", "line", "reason"], &[]));
        assert!(is_report_with(&["a", "line", "reason"], &[("line", "")]));
        assert!(!is_report_with(&["a", "line", "reason"], &[("line", "custom_fields.line")]));
        assert!(is_report_with(&["a", "line", "reason", "line", "reason"], &[("line", "custom_fields.line")]));
        assert!(!is_report_with(&["a", "reason", "line"], &[]));
        assert!(!is_report(&owned(&["a", "line", "reason"]), &Mapping::default()));
    }
}
