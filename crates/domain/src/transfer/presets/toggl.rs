//! Toggl Track: the detailed report. Times of day are left out, because the report does not say in which zone they are.

use super::ColumnNames;

pub(super) const ENTRIES: ColumnNames = &[
    ("Description", "note"),
    ("User", "member_by_name"),
    ("Email", "member_email"),
    ("Start date", "date"),
    ("Duration", "seconds"),
    ("Billable", "billable"),
    ("Client", "client_by_name"),
    ("Project", "project_by_name"),
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
        let expected = json!({
            "member_email": "ann@acme.example", "date": "2026-01-05", "seconds": 5_400, "billable": true,
            "client_by_name": "Acme", "project_by_name": "Shop", "note": "Planning\n\nToggl Tags: office",
        });
        assert_eq!(toggl, expected);
        let by_name = row(PresetName::Toggl, "User,Start date,Duration", "Ann Lee,2026-01-05,01:30:00");
        assert_eq!(by_name, json!({ "member_by_name": "Ann Lee", "date": "2026-01-05", "seconds": 5_400 }));
        let harvest = row(
            PresetName::Harvest,
            "Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name,Roles",
            "2026-01-05,Acme,Shop,,Design,Sketches,1.5,No,No,Ann,Lee,",
        );
        let expected = json!({
            "member_by_name": "Ann Lee", "date": "2026-01-05", "seconds": 5_400, "billable": false,
            "client_by_name": "Acme", "project_by_name": "Shop", "note": "Sketches\n\nHarvest Task: Design",
        });
        assert_eq!(harvest, expected);
    }

    #[test]
    fn days_and_lengths_are_read_next_to_times() {
        let header = ["date", "started_at", "ended_at", "seconds"].map(str::to_owned);
        let columns = Columns::of(TransferKind::TimeEntries, &header, &Mapping::default()).unwrap();
        let cells = ["2026-01-05", "2026-01-05T09:00:00Z", "2026-01-05T10:30:00Z", "5400"].map(str::to_owned);
        let row = columns.row(&cells).unwrap().row;
        assert_eq!((&row["date"], &row["seconds"], row.len()), (&json!("2026-01-05"), &json!(5_400), 4), "{row:?}");
        let cells = ["2026-01-05", "", "", "1:30"].map(str::to_owned);
        assert_eq!(Json::from(columns.row(&cells).unwrap().row), json!({"date": "2026-01-05", "seconds": 5_400}));
    }
}
