//! Imports of other systems' files: samples with the header rows of their exports (samples/README.md), and the result for each
//! cell.

mod crm;
mod issues;

use serde_json::{Value as Json, json};

use super::start;
use super::transfer::{Env, begin, limit_records, number_rows, outcomes, owned, records, run_batch, update_batch};
use domain::crm::companies::Company;
use domain::records::{OnMatch, RowOutcome};
use domain::transfer::{Batch, BatchResult, Columns, Mapping, Preset, PresetName, TransferKind};

const OWNER: &str = "noah@own.example";

/// The rows of a sample; cells with commas are in quotation marks.
fn table(sample: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for character in line.chars() {
            match character {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                character => cells.last_mut().unwrap().push(character),
            }
        }
        cells
    };
    sample.lines().map(row).collect()
}

struct Imported {
    columns: Columns,
    result: BatchResult,
}

impl Imported {
    /// The outcomes of the rows, with the reasons of refusals.
    fn outcomes(&self) -> Vec<&str> {
        let each = self.result.outcomes.iter().map(|outcome| match outcome {
            RowOutcome::Created => "Created",
            RowOutcome::Updated => "Updated",
            RowOutcome::Unchanged => "Unchanged",
            RowOutcome::Skipped => "Skipped",
            RowOutcome::Refused(reason) => reason.as_str(),
        });
        each.collect()
    }
}

fn import_with(
    env: &Env,
    (preset, kind): (PresetName, TransferKind),
    sample: &str,
    mapping: Mapping,
    on_match: OnMatch,
) -> Imported {
    let rows = table(sample);
    let mapping = Mapping { preset: Preset::of(preset, kind), ..mapping };
    let columns = Columns::of(kind, &rows[0], &mapping).unwrap();
    let file = u8::try_from(sample.bytes().map(usize::from).sum::<usize>() % 251).unwrap();
    let import = begin(env, kind, file);
    let batch = Batch { on_match, ..update_batch(columns.clone(), number_rows(rows[1..].to_vec()), import) };
    let result = run_batch(env, batch);
    for row in &rows[1..] {
        assert_eq!(row.len(), rows[0].len(), "{row:?}");
    }
    Imported { columns, result }
}

fn import(env: &Env, what: (PresetName, TransferKind), sample: &str) -> Imported {
    import_with(env, what, sample, Mapping::default(), OnMatch::Update)
}

/// Adds a member, and replaces the owner's address in the sample with theirs.
fn owned_by_a_member((test, world): &Env, sample: &str) -> (String, String) {
    let member = test.block_on(world.new_member());
    let found = test.block_on(world.read(move |tx| tx.members().recipients(&[member])));
    (sample.replace(OWNER, &found[0].email), member.0.to_string())
}

/// The values of the named fields of each record.
fn members_of(records: &[Json], names: &[&str]) -> Json {
    records.iter().map(|record| names.iter().map(|name| record[*name].clone()).collect::<Json>()).collect()
}

fn members<const N: usize>(record: &Json, names: [&str; N]) -> [Json; N] {
    names.map(|name| record[name].clone())
}

const HUBSPOT_CONTACTS: (PresetName, TransferKind) = (PresetName::Hubspot, TransferKind::Contacts);

#[test]
fn ambiguous_company_names_are_refused() {
    let env @ (test, world) = &start();
    for external_id in ["1", "2"] {
        test.block_on(world.add(Company {
            name: "Lantern".to_owned(),
            external_id: Some(external_id.to_owned()),
            ..world.bare_company()
        }));
    }
    let sample = "Record ID,Email,Company Name,Associated Company IDs (Primary)\n\
                1,a@x.example,LANTERN,\n2,b@x.example,Lantern,2\n3,c@x.example,Lantern,3\n4,d@x.example,---,";
    let report = import(env, HUBSPOT_CONTACTS, sample);
    let outcomes = report.outcomes();
    let several = "company_by_name: several companies of the workspace are named \"LANTERN\": ";
    assert!(outcomes[0].starts_with(several), "{outcomes:?}");
    assert_eq!(outcomes[1..3], ["Created"; 2]);
    assert!(outcomes[3].starts_with("company_by_name: \"---\" is not a company name"), "{outcomes:?}");
    assert_eq!(report.result.companies, 1, "a company with another id is another company");
    let companies = records(env, TransferKind::Companies, "external_id");
    assert_eq!(companies.iter().map(|company| &company["external_id"]).collect::<Vec<_>>(), ["1", "2", "3"]);
}

#[test]
fn equivalent_names_refer_to_one_company() {
    let env @ (test, world) = &start();
    test.block_on(world.add(Company { name: "ΣΥΝΝΕΦΟΣ".to_owned(), ..world.bare_company() }));
    let sample = "Email,Company Name\na@x.example,Συννεφος\nb@x.example,ΟΔΟΣ Α\nc@x.example,οδος\u{a0}α\n\
                  d@x.example,Cafe\u{301} Mac\ne@x.example,Caf\u{e9} MAC\nf@x.example,Caf\u{e9}\u{200b} Mac\n\
                  g@x.example,Cafe Mac";
    let report = import(env, HUBSPOT_CONTACTS, sample);
    assert_eq!((report.outcomes(), report.result.companies), (vec!["Created"; 7], 3));
    let companies = records(env, TransferKind::Companies, "name");
    let names: Vec<_> = companies.iter().map(|company| company["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Cafe Mac", "Cafe\u{301} Mac", "ΟΔΟΣ Α", "ΣΥΝΝΕΦΟΣ"]);
}

#[test]
fn companies_are_created_only_for_written_rows_and_count_towards_the_quota() {
    let env = &start();
    let first = "Email,Company Name\na@x.example,One\nnowhere,Two";
    let report = import(env, HUBSPOT_CONTACTS, first);
    assert_eq!((report.outcomes()[0], report.result.companies), ("Created", 1));
    assert!(report.outcomes()[1].starts_with("email: "), "{:?}", report.outcomes());
    // A skipped row needs no company.
    let skipped =
        import_with(env, HUBSPOT_CONTACTS, "Email,Company Name\na@x.example,Three", Mapping::default(), OnMatch::Skip);
    assert_eq!((skipped.outcomes(), skipped.result.companies), (vec!["Skipped"], 0));
    limit_records(env, 5);
    // Two records count so far. If the quota has room for a contact but not for its company, the row is refused and neither is created.
    let sample = "Email,Company Name\nb@x.example,Four\nc@x.example,Four\nd@x.example,Five";
    let report = import(env, HUBSPOT_CONTACTS, sample);
    assert_eq!((&report.outcomes()[..2], report.result.companies), (&["Created"; 2][..], 1));
    assert!(report.outcomes()[2].contains("quota"), "{:?}", report.outcomes());
    let progress = report.result.import.unwrap().progress;
    assert_eq!((progress.companies, progress.rows()), (1, 3));
}

#[test]
fn imports_do_not_fill_in_todays_closing_date() {
    let env = &start();
    let deals: [&[&str]; 3] =
        [&["title", "external_id", "stage"], &["Won", "1", "Closed Won"], &["Open", "2", "proposal"]];
    assert_eq!(outcomes(env, TransferKind::Deals, &deals), ["Created", "Created"]);
    let later: [&[&str]; 2] = [&["external_id", "status", "title"], &["2", "closed_lost", "Open"]];
    assert_eq!(outcomes(env, TransferKind::Deals, &later), ["Updated"]);
    let deals = records(env, TransferKind::Deals, "external_id");
    assert_eq!([&deals[0]["actual_close_date"], &deals[1]["actual_close_date"]], [&json!(null); 2]);
    let tasks: [&[&str]; 6] = [
        &["title", "status", "completed_at"],
        &["a", "done", ""],
        &["b", "done", "2029-05-06T07:08:09.000000Z"],
        &["c", "todo", "2029-05-06T07:08:09.000000Z"],
        &["d", "done", "2031-01-01"],
        &["e", "open", ""],
    ];
    let results = outcomes(env, TransferKind::Tasks, &tasks);
    assert_eq!(results[..2], ["Created", "Created"]);
    assert!(results[2].starts_with("completed_at: only a task with the status done has one"), "{results:?}");
    assert!(results[3].starts_with("completed_at: must not be in the future"), "{results:?}");
    assert!(results[4].starts_with("status: \"open\" must be one of backlog, "), "{results:?}");
    let tasks = records(env, TransferKind::Tasks, "title");
    let times: Vec<_> = tasks.iter().map(|task| &task["completed_at"]).collect();
    assert_eq!(times, [&json!(null), &json!("2029-05-06T07:08:09.000000Z")]);
    // Changing another field keeps the time, and a different time counts as a change.
    let id = tasks[1]["id"].as_str().unwrap();
    for time in ["", "2029-05-07T00:00:00.000000Z"] {
        let changed: [&[&str]; 2] = [&["id", "title", "completed_at"], &[id, "b2", time]];
        assert_eq!(outcomes(env, TransferKind::Tasks, &changed), ["Updated"], "{time}");
    }
    assert_eq!(records(env, TransferKind::Tasks, "title")[1]["completed_at"], "2029-05-07T00:00:00.000000Z");
}

#[test]
fn the_console_proposes_the_mapping_of_the_preset() {
    let header = owned(&["Email", "Work email", "Deal", "Contact owner", "Company Name", "Create Date"]);
    let preset = Preset::of(PresetName::Hubspot, TransferKind::Contacts);
    assert_eq!(
        Columns::proposed(TransferKind::Contacts, &header, preset),
        ["email", "custom_fields.work_email", "", "owner_by_email", "company_name", "custom_fields.created_in_hubspot"]
    );
    let header = owned(&["Status", "Assignee", "Sprint", "Sprint", "Resolved", "Status Category"]);
    let proposed = Columns::proposed(TransferKind::Tasks, &header, Preset::of(PresetName::Jira, TransferKind::Tasks));
    assert_eq!(proposed, ["status", "owner_by_email", "description+", "description+", "completed_at", "status"]);
}
