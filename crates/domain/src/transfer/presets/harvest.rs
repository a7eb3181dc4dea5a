//! Harvest: the detailed time report.

use super::ColumnNames;

pub(super) const ENTRIES: ColumnNames = &[
    ("Date", "date"),
    ("Hours", "~hours"),
    ("Notes", "note"),
    ("Billable?", "billable"),
    ("Client", "note+"),
    ("Project", "note+"),
    ("Project Code", "note+"),
    ("Task", "note+"),
    ("First Name", "note+"),
    ("Last Name", "note+"),
];
