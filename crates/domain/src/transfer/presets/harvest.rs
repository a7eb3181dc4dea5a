//! Harvest: the detailed time report.

use super::ColumnNames;

pub(super) const ENTRIES: ColumnNames = &[
    ("Date", "date"),
    ("Hours", "~hours"),
    ("Notes", "note"),
    ("Billable?", "billable"),
    ("Invoiced?", "~invoiced"),
    ("Client", "client_by_name"),
    ("Project", "project_by_name"),
    ("Project Code", "note+"),
    ("Task", "note+"),
    ("First Name", "~first_name"),
    ("Last Name", "~last_name"),
];
