//! Imports of time entries: times that contradict each other, and members and projects by name.

use serde_json::{Value, json};

use super::time_entries::{remove_member, session, set};
use super::transfer::{
    Env, batch, begin, number_rows, outcome_texts, outcomes, permit, records, run_batch, update_batch,
};
use super::{create, start};
use domain::UserId;
use domain::crm::companies::Company;
use domain::identity::access::TransferRecords;
use domain::identity::notifications::NotificationChoices;
use domain::identity::workspaces::Role;
use domain::ports::MAX_NAMESAKE_PROJECTS;
use domain::records::{OnMatch, RowOutcome};
use domain::transfer::{
    self, BatchResult, Columns, Export, Mapping, Preset, PresetName, TransferKind, columns_of, export_page,
};
use domain::work::projects::Project;

const KIND: TransferKind = TransferKind::TimeEntries;
const HARVEST: &str = "Date,Client,Project,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name";

/// A new member with this name.
fn named((test, world): &Env, name: &'static str) -> UserId {
    let member = test.block_on(world.new_member());
    let choices = NotificationChoices::default();
    test.block_on(world.commit(move |tx| tx.members().save_account(member, name, choices)));
    member
}

/// Imports rows of a report of Harvest, with values for all rows.
fn harvest(env: &Env, file: u8, rows: &[&str], values: &[(&str, &str)]) -> BatchResult {
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let values = values.iter().map(|(member, value)| ((*member).to_owned(), String::new(), (*value).to_owned()));
    let preset = Preset::of(PresetName::Harvest, KIND);
    let mapping = Mapping { preset, values: values.collect(), ..Mapping::default() };
    let columns = Columns::of(KIND, &cells(HARVEST), &mapping).unwrap();
    let rows = number_rows(rows.iter().map(|row| cells(row)));
    run_batch(env, update_batch(columns, rows, begin(env, KIND, file)))
}

/// The only entry with this day.
fn on(env: &Env, day: &str) -> Value {
    let mut entries = records(env, KIND, "date");
    entries.retain(|entry| entry["date"] == day);
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

#[test]
fn a_day_or_length_that_contradicts_the_times_is_refused() {
    let env @ (test, world) = &start();
    set(test, world, json!({ "time_zone": "Europe/Zurich" }));
    let member = &*world.member.0.to_string();
    let table: [&[&str]; 5] = [
        &["member_id", "date", "seconds", "started_at", "ended_at"],
        &[member, "2026-04-02", "3600", "2026-04-01 16:00", "2026-04-01 17:00"],
        &[member, "2026-04-01", "3599", "2026-04-01 18:00", "2026-04-01 19:00"],
        // In Zurich, the next day has begun.
        &[member, "2026-04-02", "1:00", "2026-04-01 22:30", "2026-04-01 23:30"],
        &[member, "", "", "2026-04-03 08:00", "2026-04-03 09:00"],
    ];
    let day = "date: must be 2026-04-01, the day of the start in the time zone of the workspace, or empty";
    let length = "seconds: must be 3600, the time from start to end, or empty";
    assert_eq!(outcomes(env, KIND, &table), [day, length, "Created", "Created"]);
    let entry = on(env, "2026-04-02");
    assert_eq!((&entry["seconds"], &entry["started_at"]), (&json!(3_600), &json!("2026-04-01T22:30:00.000000Z")));

    // An export changes nothing, even if the days of the workspace are other ones now.
    set(test, world, json!({ "time_zone": "UTC" }));
    let page = test.block_on(export_page(&test.ports, &permit(world), KIND, None)).unwrap();
    let rows: Vec<_> = page.records.iter().map(|record| Export::from(KIND).row(record)).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let columns = columns_of(KIND);
    let mut table: Vec<&[&str]> = vec![&columns];
    table.extend(rows.iter().map(Vec::as_slice));
    assert_eq!(outcomes(env, KIND, &table), ["Unchanged"; 2]);
    let id = entry["id"].as_str().unwrap();
    for (seconds, outcome) in [("60", length), ("3600", "Unchanged")] {
        let without_times: [&[&str]; 2] = [&["id", "seconds"], &[id, seconds]];
        assert_eq!(outcomes(env, KIND, &without_times), [outcome]);
    }
}

#[test]
fn the_names_in_a_report_of_harvest_are_those_of_members() {
    let env @ (test, world) = &start();
    let (mia, ben) = (named(env, "Mia Müller"), named(env, "Ben Ott"));
    for name in ["Ann Lee", "ann lee", "Zoë Roy", "Zoe Roy"] {
        named(env, name);
    }
    remove_member(test, world, ben);
    let rows = [
        "2026-01-05,Acme,Shop,Design,Sketches,1.5,Yes,Yes,MIA,Muller",
        "2026-01-06,,,,,1,Yes,No,Ben,Ott",
        "2026-01-07,,,,,1,Yes,No,Ann,Lee",
        "2026-01-08,,,,,1,Yes,No,Zoe,Roy",
    ];
    let result = harvest(env, 1, &rows, &[]);
    let todo = "correct the name, or give the member for all rows";
    let (nobody, several) = (
        format!("member_by_name: no active member is named \"Ben Ott\": {todo}"),
        format!("member_by_name: several active members are named \"Ann Lee\": {todo}"),
    );
    assert_eq!(outcome_texts(result.outcomes), ["Created", &nobody, &several, "Created"]);
    let notes = [
        "already invoiced in Harvest: approve these entries and mark them as exported, so that they are not invoiced \
         again (1 row)",
        "no project of the client \"Acme\" is named \"Shop\": the name is kept in the note (1 row)",
    ];
    assert_eq!(result.notes.texts(), notes);
    let entry = on(env, "2026-01-05");
    assert_eq!((&entry["member_id"], &entry["billable"]), (&json!(mia.0), &json!(true)));
    let note = "Sketches\n\nHarvest Task: Design\nHarvest Invoiced?: Yes\nHarvest Client: Acme\nHarvest Project: Shop";
    assert_eq!(entry["note"], note);

    // The member for all rows has the time of people who are not found.
    let owner = world.member.0.to_string();
    let result = harvest(env, 2, &rows[1..2], &[("member_id", &owner)]);
    assert_eq!(result.outcomes, [RowOutcome::Created]);
    let note = "no active member is named \"Ben Ott\": the member for all rows is used, and the name is kept in the \
                note (1 row)";
    assert_eq!(result.notes.texts(), [note]);
    let entry = on(env, "2026-01-06");
    assert_eq!((&entry["member_id"], &entry["note"]), (&json!(owner), &json!("Harvest Person: Ben Ott")));
    let known = harvest(env, 3, &["2026-01-09,,,,,1,Yes,No,Mia,Müller"], &[("member_id", &owner)]);
    assert_eq!(known.outcomes, [RowOutcome::Created]);
    assert_eq!(on(env, "2026-01-09")["member_id"], json!(mia.0));
}

#[test]
fn projects_are_found_by_their_names_and_clients() {
    let env @ (test, world) = &start();
    named(env, "Mia Ott");
    let company = test.block_on(world.add(Company { name: "Acme".to_owned(), ..world.bare_company() }));
    let project = |body: Value| create::<Project>(test, world, body).unwrap();
    let shop = project(json!({ "name": "Shop", "company_id": company.id.0 }));
    project(json!({ "name": "shop" }));
    project(json!({ "name": "Shop floor" }));
    let app = project(json!({ "name": "App" }));
    let rows = [
        "2026-01-05,ACME,shop,,,1,Yes,No,Mia,Ott",
        "2026-01-06,,APP,,,1,Yes,No,Mia,Ott",
        "2026-01-07,,Shop,,,1,Yes,No,Mia,Ott",
        "2026-01-08,Acme,App,,,1,Yes,No,Mia,Ott",
    ];
    let result = harvest(env, 1, &rows, &[]);
    assert_eq!(result.outcomes, vec![RowOutcome::Created; 4]);
    let notes = [
        "no project of the client \"Acme\" is named \"App\": the name is kept in the note (1 row)",
        "several projects are named \"Shop\": the name is kept in the note (1 row)",
    ];
    assert_eq!(result.notes.texts(), notes);
    for (day, project, note) in [
        ("2026-01-05", json!(shop.id.0), ""),
        ("2026-01-06", json!(app.id.0), ""),
        ("2026-01-07", Value::Null, "Harvest Project: Shop"),
        ("2026-01-08", Value::Null, "Harvest Client: Acme\nHarvest Project: App"),
    ] {
        let entry = on(env, day);
        assert_eq!((&entry["project_id"], &entry["note"]), (&project, &json!(note)), "{day}");
    }
    // An entry is for one record only.
    let task = outcomes(env, TransferKind::Tasks, &[&["title"], &["Draft"]]);
    assert_eq!(task, ["Created"]);
    let task = records(env, TransferKind::Tasks, "title")[0]["id"].as_str().unwrap().to_owned();
    let result = harvest(env, 2, &["2026-01-09,,App,,,1,Yes,No,Mia,Ott"], &[("task_id", &task)]);
    assert_eq!(result.outcomes, [RowOutcome::Created]);
    let entry = on(env, "2026-01-09");
    assert_eq!((&entry["task_id"], &entry["note"]), (&json!(task), &json!("Harvest Project: App")));
}

/// Adds projects for nobody, with names by number.
fn add_projects((test, world): &Env, count: usize, name: impl Fn(usize) -> String) {
    let project = |number| Project { name: name(number), ..world.bare_project() };
    let projects: Vec<_> = (0..count).map(project).collect();
    let insert = world.commit(move |tx| projects.iter().try_for_each(|one| tx.records::<Project>().insert(one)));
    test.block_on(insert);
}

#[test]
fn a_project_is_found_among_many_with_the_words_of_its_name() {
    let env @ (test, world) = &start();
    named(env, "Mia Ott");
    let shop = create::<Project>(test, world, json!({ "name": "Shop" })).unwrap();
    add_projects(env, 300, |number| format!("Shop {number}"));
    // The longest name.
    let long = format!("Shop {}", "x".repeat(195));
    let longest = create::<Project>(test, world, json!({ "name": long })).unwrap();
    for _ in 0..2 {
        create::<Project>(test, world, json!({ "name": "Shop floor" })).unwrap();
    }
    let of_longest = format!("2026-01-06,,{long},,,1,Yes,No,Mia,Ott");
    let rows = ["2026-01-05,,SHOP,,,1,Yes,No,Mia,Ott", &of_longest, "2026-01-07,,Shop floor,,,1,Yes,No,Mia,Ott"];
    let result = harvest(env, 1, &rows, &[]);
    assert_eq!(result.outcomes, vec![RowOutcome::Created; 3]);
    assert_eq!(
        result.notes.texts(),
        ["several projects are named \"Shop floor\": the name is kept in the note (1 row)"]
    );
    let projects = ["2026-01-05", "2026-01-06", "2026-01-07"].map(|day| on(env, day)["project_id"].clone());
    assert_eq!(projects, [json!(shop.id.0), json!(longest.id.0), Value::Null]);
}

#[test]
fn projects_with_one_name_are_told_apart_by_the_client_up_to_a_limit() {
    let env @ (test, world) = &start();
    named(env, "Mia Ott");
    let company = test.block_on(world.add(Company { name: "Acme".to_owned(), ..world.bare_company() }));
    let site = json!({ "name": "Site", "company_id": company.id.0 });
    let site = create::<Project>(test, world, site).unwrap();
    add_projects(env, MAX_NAMESAKE_PROJECTS - 2, |_| "Site".to_owned());
    let result = harvest(env, 1, &["2026-01-05,Acme,Site,,,1,Yes,No,Mia,Ott"], &[]);
    assert_eq!(result.outcomes, [RowOutcome::Created]);
    assert_eq!(on(env, "2026-01-05")["project_id"], json!(site.id.0));

    add_projects(env, 1, |_| "Site".to_owned());
    let result = harvest(env, 2, &["2026-01-06,Acme,Site,,,1,Yes,No,Mia,Ott"], &[]);
    assert_eq!(result.notes.texts(), ["too many projects are named \"Site\": the name is kept in the note (1 row)"]);
    assert_eq!(on(env, "2026-01-06")["project_id"], Value::Null);
}

#[test]
fn rows_without_a_member_are_those_of_the_importer_who_is_told() {
    let env @ (test, world) = &start();
    let table: [&[&str]; 2] = [&["date", "seconds"], &["2026-01-05", "60"]];
    let refused = "member_id: must have a value: name the member in a column member_email, or for all rows with \
                   --value member_id:=ADDRESS";
    assert_eq!(outcomes(env, KIND, &table), [refused]);
    let own = session(world, world.member, Role::Member).permit::<TransferRecords>().unwrap();
    let rows = batch(KIND, &table, OnMatch::Update, None);
    let result = test.block_on(transfer::import_batch(&test.ports, &own, rows)).unwrap();
    assert_eq!(result.outcomes, [RowOutcome::Created]);
    assert_eq!(result.notes.texts(), ["without a member: recorded as your own time (1 row)"]);
}
