//! Toggl Track: the detailed report. Times of day are left out, because the report does not say in which zone they are.

use super::ColumnNames;

pub(super) const ENTRIES: ColumnNames = &[
    ("Description", "note"),
    ("Email", "member_email"),
    ("Start date", "date"),
    ("Duration", "seconds"),
    ("Billable", "billable"),
    ("Client", "note+"),
    ("Project", "note+"),
    ("Task", "note+"),
    ("Tags", "note+"),
];

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use crate::transfer::presets::{Preset, PresetName};
    use crate::transfer::{Columns, Mapping, TransferKind};

    fn row(name: PresetName, header: &str, cells: &str) -> Json {
        let cells_of = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mapping = Mapping { preset: Preset::of(name, TransferKind::TimeEntries), ..Mapping::default() };
        let columns = Columns::of(TransferKind::TimeEntries, &cells_of(header), &mapping).unwrap();
        columns.row(&cells_of(cells)).unwrap().row.into()
    }

    #[test]
    fn reports_of_other_systems_become_entries() {
        let toggl = row(
            PresetName::Toggl,
            "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount ()",
            "Ann,ann@acme.example,Acme,Shop,,Planning,Yes,2026-01-05,09:00:00,2026-01-05,10:30:00,01:30:00,office,",
        );
        let note = "Planning\n\nToggl Client: Acme\nToggl Project: Shop\nToggl Tags: office";
        let expected = json!({
            "member_email": "ann@acme.example", "date": "2026-01-05", "seconds": 5_400, "billable": true, "note": note,
        });
        assert_eq!(toggl, expected);
        let harvest = row(
            PresetName::Harvest,
            "Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name,Roles",
            "2026-01-05,Acme,Shop,,Design,Sketches,1.5,No,No,Ann,Lee,",
        );
        let note = "Sketches\n\nHarvest Client: Acme\nHarvest Project: Shop\nHarvest Task: Design\nHarvest First Name: Ann\n\
                    Harvest Last Name: Lee";
        let expected = json!({ "date": "2026-01-05", "seconds": 5_400, "billable": false, "note": note });
        assert_eq!(harvest, expected);
    }

    #[test]
    fn an_exported_entry_with_times_is_imported_by_them() {
        let header = ["date", "started_at", "ended_at", "seconds"].map(str::to_owned);
        let columns = Columns::of(TransferKind::TimeEntries, &header, &Mapping::default()).unwrap();
        let cells = ["2026-01-05", "2026-01-05T09:00:00Z", "2026-01-05T10:30:00Z", "5400"].map(str::to_owned);
        let row = columns.row(&cells).unwrap().row;
        assert!(row.contains_key("started_at") && row.contains_key("ended_at") && row.len() == 2, "{row:?}");
        let cells = ["2026-01-05", "", "", "1:30"].map(str::to_owned);
        assert_eq!(Json::from(columns.row(&cells).unwrap().row), json!({"date": "2026-01-05", "seconds": 5_400}));
    }
}
