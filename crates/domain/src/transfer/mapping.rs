//! How the operator maps a file.

use super::numbers::DecimalSign;
use super::presets::Preset;

/// What the operator says about a file in addition to its header, and what its rows show.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    pub preset: Option<Preset>,
    /// Columns and the members that they are for; an empty one ignores the column.
    pub columns: Vec<(String, String)>,
    /// Members, cell texts, and the values that these mean. The value for an empty cell applies to all rows without a value, even
    /// if the file has no column for the member.
    pub values: Vec<(String, String, String)>,
    /// Whether the separator is not a comma. Then the file does not show whether the decimal separator is a point or a comma.
    pub has_other_separator: bool,
    /// The decimal separator; `None` if it only follows from the separator of cells.
    pub decimal: Option<DecimalSign>,
    /// Whether the rows, as far as they are known, look like those of a report of refused rows (see
    /// [`is_report_row`](super::is_report_row)).
    pub is_report: bool,
}
