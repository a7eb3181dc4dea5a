//! `import` and `export` as operators use them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use domain::transfer::TransferKind;
use serde_json::Value;

use crate::support::{Service, command, data_dir, eventually, failure, json_of, run};

/// The number of rows of the import that is killed, large enough that it is still running when the test looks.
const ROWS: usize = 30_000;

fn workspace(data_dir: &Path, slug: &str) {
    json_of(&run(data_dir, &["workspace", "create", "--name", "Acme", "--slug", slug, "--json"]));
}

#[test]
fn a_killed_import_resumes_without_repeating_or_missing_rows() {
    let folder = data_dir();
    let service = Service::start(folder.path());
    workspace(folder.path(), "acme");
    let key = json_of(&run(
        folder.path(),
        &["key", "create", "--workspace", "acme", "--name", "k", "--preset", "full_access", "--json"],
    ));
    let key = key["key"].as_str().unwrap().to_owned();
    // Without a key, so that a row that is imported twice creates two companies.
    let mut file = String::from("name,phone\n");
    for row in 0..ROWS {
        if row == 2 || row == ROWS - 2 {
            writeln!(file, ",+{row}").unwrap();
        } else {
            writeln!(file, "Company {row},+{row}").unwrap();
        }
    }
    fs::write(folder.path().join("companies.csv"), file).unwrap();
    let import = ["import", "companies", "companies.csv", "--workspace", "acme", "--json"];
    let mut killed = command(folder.path()).args(import).stdout(Stdio::null()).spawn().unwrap();
    let stored = || service.get("/api/v1/crm/companies?limit=1", &key).contains("\"name\":\"Company");
    eventually("the first batch is written", stored);
    killed.kill().unwrap();
    assert!(!killed.wait().unwrap().success(), "it was killed");
    let draft = folder.path().join(format!("companies.refused.csv.{}.unfinished", killed.id()));
    assert!(draft.exists(), "the report had been begun");

    let result = run(folder.path(), &import);
    assert!(String::from_utf8_lossy(&result.stderr).contains("Resuming after row "), "it was killed before it ended");
    assert_eq!(result.status.code(), Some(3), "rows were refused");
    assert!(!draft.exists(), "the killed import left nothing next to the report");
    let result: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(
        (&result["rows"], &result["created"], &result["refused"]),
        (&ROWS.into(), &(ROWS - 2).into(), &2.into())
    );
    let report = fs::read_to_string(folder.path().join("companies.refused.csv")).unwrap();
    let lines: Vec<_> = report.lines().collect();
    assert_eq!(lines[0], "name,phone,line,reason");
    assert!(lines[1].starts_with(",'+2,4,\"name is required"), "{report}");
    assert!(lines[2].starts_with(&format!(",'+{},{},\"name is required", ROWS - 2, ROWS)), "{report}");
    assert_eq!(lines.len(), 3);

    json_of(&run(folder.path(), &["export", "companies", "all.csv", "--workspace", "acme", "--json"]));
    let exported = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    let names: Vec<_> = exported.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(names.len(), ROWS - 2);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), ROWS - 2, "no company twice");
    assert!(failure(&run(folder.path(), &import)).contains("--again"));
    let output = run(folder.path(), &[&import[..], &["--resume", "--report", "again.csv"]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["created"], ROWS - 2);
    assert_eq!(fs::read_to_string(folder.path().join("again.csv")).unwrap(), report);

    // The report can be corrected and imported.
    fs::write(folder.path().join("corrected.csv"), report.replace("\n,", "\nCorrected,")).unwrap();
    let corrected =
        json_of(&run(folder.path(), &["import", "companies", "corrected.csv", "--workspace", "acme", "--json"]));
    assert_eq!((&corrected["created"], &corrected["refused"]), (&2.into(), &0.into()));
}

#[test]
fn a_dry_run_also_refuses_a_second_row_about_the_same_record() {
    let folder = data_dir();
    workspace(folder.path(), "acme");
    let mut file = String::from("email,city\n");
    for row in 0..600 {
        writeln!(file, "p{row}@x.example,Bonn").unwrap();
    }
    writeln!(file, "P1@x.example,Rome").unwrap();
    fs::write(folder.path().join("people.csv"), file).unwrap();
    for options in [&["--dry-run"][..], &[]] {
        let import = ["import", "contacts", "people.csv", "--workspace", "acme", "--json"];
        let result = run(folder.path(), &[&import[..], options].concat());
        assert_eq!(result.status.code(), Some(3), "{options:?}: {}", String::from_utf8_lossy(&result.stderr));
        let result: Value = serde_json::from_slice(&result.stdout).unwrap();
        assert_eq!((&result["created"], &result["refused"]), (&600.into(), &1.into()), "{options:?}");
        let report = fs::read_to_string(folder.path().join("people.refused.csv")).unwrap();
        assert!(report.contains("P1@x.example,Rome,602,\"line 3 is about the same contact: "), "{options:?}: {report}");
    }
}

#[test]
fn a_whole_workspace_is_exported_and_unreadable_files_write_nothing() {
    let folder = data_dir();
    workspace(folder.path(), "acme");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("people.csv"), "email;Vorname;=x\na@x.example;=Ann;1\n").unwrap();
    let import = |options: &[&str]| {
        run(folder.path(), &[&["import", "contacts", "people.csv", "--workspace", "acme", "--json"], options].concat())
    };
    let message = failure(&import(&[]));
    assert!(message.contains("--map \"Vorname\"=MEMBER"), "{message}");
    let mapped = ["--map", "Vorname=first_name", "--map", "=x=", "--value", "lead_source:=fair"];
    let message = failure(&import(&[&mapped[..], &["--value", "status:=gone"]].concat()));
    assert!(message.contains("status: must be one of"), "{message}");
    let dry_run = json_of(&import(&[&mapped[..], &["--dry-run"]].concat()));
    assert_eq!((&dry_run["created"], &dry_run["report"]), (&1.into(), &Value::Null));
    assert_eq!(json_of(&import(&mapped))["created"], 1);
    fs::write(path("latin.csv"), b"email\na@x.example\n\xe9@x.example\n").unwrap();
    let message = failure(&run(folder.path(), &["import", "contacts", "latin.csv", "--workspace", "acme"]));
    assert!(message.contains("line 3 is not UTF-8"), "{message}");
    let message =
        failure(&run(folder.path(), &["import", "tasks", "people.csv", "--workspace", "acme", "--preset", "hubspot"]));
    assert!(message.contains("no hubspot preset for tasks"), "{message}");

    let manifest = json_of(&run(folder.path(), &["export", "--all", "records", "--workspace", "acme", "--json"]));
    let stored: Value = serde_json::from_slice(&fs::read(path("records/manifest.json")).unwrap()).unwrap();
    assert_eq!(stored, manifest);
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(files.len(), 2 * TransferKind::ALL.len());
    for file in files {
        let content = fs::read(path("records").join(file["name"].as_str().unwrap())).unwrap();
        let hash = hex::encode(ring::digest::digest(&ring::digest::SHA256, &content));
        assert_eq!((&file["sha256"], &file["bytes"]), (&hash.into(), &content.len().into()), "{file}");
        assert_eq!(file["records"], i32::from(file["kind"] == "contacts"), "{file}");
    }
    let contacts = fs::read_to_string(path("records/contacts.csv")).unwrap();
    assert!(contacts.contains(",a@x.example,'=Ann,"), "{contacts}");
    let line = fs::read_to_string(path("records/contacts.jsonl")).unwrap();
    let contact: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&contact["first_name"], &contact["lead_source"]), (&"=Ann".into(), &"fair".into()));
    let again = failure(&run(folder.path(), &["export", "--all", "records", "--workspace", "acme"]));
    assert!(again.contains("is not empty"), "{again}");
    let message = failure(&run(folder.path(), &["export", "contacts", "people.csv", "--workspace", "acme"]));
    assert!(message.contains("exists"), "{message}");
}

#[test]
fn a_report_has_the_format_of_its_file_and_replaces_only_a_report() {
    let folder = data_dir();
    workspace(folder.path(), "acme");
    let path = |name: &str| folder.path().join(name);
    let import = |options: &[&str]| {
        let deals = ["import", "deals", "deals.csv", "--workspace", "acme"];
        run(folder.path(), &[&deals[..], options].concat())
    };
    let rows = "\u{feff}title;value\r\nMühle;1.234,50\r\nOne;12,500\r\n";
    fs::write(path("deals.csv"), rows).unwrap();
    fs::write(path("precious.csv"), "my,own\n1,2\n").unwrap();
    fs::hard_link(path("deals.csv"), path("same.csv")).unwrap();
    for (report, reason) in [
        ("precious.csv", "is not a report of refused rows"),
        ("same.csv", "would overwrite the imported file"),
        ("./deals.csv", "would overwrite the imported file"),
        ("missing/report.csv", "cannot create the report"),
    ] {
        let message = failure(&import(&["--report", report]));
        assert!(message.contains(reason), "{report}: {message}");
    }
    assert_eq!(fs::read_to_string(path("precious.csv")).unwrap(), "my,own\n1,2\n");
    assert_eq!(fs::read_to_string(path("deals.csv")).unwrap(), rows);
    let result = import(&["--json"]);
    assert_eq!(result.status.code(), Some(3), "a row is refused");
    let result: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&result["created"], &result["refused"]), (&1.into(), &1.into()));
    let report = fs::read_to_string(path("deals.refused.csv")).unwrap();
    let begin = "\u{feff}title;value;line;reason\r\nOne;12,500;3;value: 12,500 is ambiguous: write 12500 or 12.5, or";
    assert!(report.starts_with(begin), "{report}");
    let comma: Value = serde_json::from_slice(&import(&["--decimal", "comma", "--json"]).stdout).unwrap();
    assert_eq!((&comma["created"], &comma["refused"]), (&2.into(), &0.into()), "it counts as another import");
    // An earlier report is replaced.
    assert_eq!(import(&["--again"]).status.code(), Some(3));
    let marked = run(folder.path(), &["export", "deals", "marked.csv", "--bom", "--workspace", "acme", "--json"]);
    assert_eq!(json_of(&marked)["records"], 4);
    let marked = fs::read_to_string(path("marked.csv")).unwrap();
    assert!(marked.starts_with("\u{feff}id,title,"), "{marked}");
    let unchanged = run(folder.path(), &["import", "deals", "marked.csv", "--workspace", "acme", "--json"]);
    assert_eq!(json_of(&unchanged)["unchanged"], 4);
    let refused = run(folder.path(), &["export", "deals", "all.jsonl", "--bom", "--workspace", "acme"]);
    assert!(failure(&refused).contains("JSON Lines have no byte order mark"));
    let exported = run(folder.path(), &["export", "deals", "all.json", "--workspace", "acme"]);
    assert!(failure(&exported).contains("the file name must end in .jsonl or .csv"));
    json_of(&run(folder.path(), &["export", "deals", "all.jsonl", "--workspace", "acme", "--json"]));
    let message = failure(&run(folder.path(), &["import", "deals", "all.jsonl", "--workspace", "acme"]));
    assert!(message.contains("is a JSON Lines file"), "{message}");
}

#[test]
fn stray_quotation_marks_do_not_hide_rows() {
    let folder = data_dir();
    let path = |name: &str| folder.path().join(name);
    let import = |file: &[u8]| {
        fs::write(path("people.csv"), file).unwrap();
        run(folder.path(), &["import", "contacts", "people.csv", "--workspace", "acme", "--json"])
    };
    // The file is read before the database is opened, so this does not even need a workspace.
    for (file, message) in [
        (
            &b"email,notes\na@x.example,\"open quote\nb@x.example,B\nc@x.example,C\n"[..],
            "line 2: a quotation mark opens a cell, but the closing mark is missing",
        ),
        (
            b"email,notes\na@x.example,\"6 inch\nb@x.example,B\nc@x.example,5\" pipe\n",
            "line 4: text follows the closing quotation mark of a cell that begins in line 2",
        ),
        (b"email,notes\na@x.example,\"abc\"def\n", "line 2: text follows the closing quotation mark"),
        (b"email,notes\na@x.example, \"abc, def\"\n", "line 2: a cell has spaces before its opening quotation mark"),
        (b"e\0m\0a\0i\0l\0\n\0a\0@\0x\0", "as in UTF-16 without a byte order mark: save the file as \"CSV UTF-8\""),
    ] {
        let output = failure(&import(file));
        assert!(output.contains(message) && !output.contains('\0'), "{output}");
    }

    workspace(folder.path(), "acme");
    let table = "sep=;\r\nEmail;Notes;First Name\r\na@x.example;\"6 inch;x\r\nb@x.example;8 inch;y\r\nc@x.example;pipe 5\";z\r\n\
        d@x.example;;D\u{e9}sir\u{e9}e;;\r\n;;\r\ne@x.example;one;Eve;two\r\n;;;\r\n";
    let file: Vec<u8> = format!("\u{feff}{table}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let result = import(&file);
    assert_eq!(result.status.code(), Some(3), "{}", String::from_utf8_lossy(&result.stderr));
    let result: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(
        (&result["rows"], &result["created"], &result["refused"]),
        (&3.into(), &1.into(), &2.into()),
        "{result}"
    );
    let report = fs::read_to_string(path("people.refused.csv")).unwrap();
    assert!(
        report.starts_with("\u{feff}sep=;\r\nEmail;Notes;First Name;line;reason\r\na@x.example;\"6 inch;x\r\n"),
        "{report}"
    );
    assert!(report.contains(";3;this may be 3 rows") && report.contains(";8;the row has 4 cells"), "{report}");

    // To confirm that it is a single row, the user imports the report.
    fs::rename(path("people.refused.csv"), path("one.csv")).unwrap();
    let result = run(folder.path(), &["import", "contacts", "one.csv", "--workspace", "acme", "--json"]);
    let result: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&result["created"], &result["refused"]), (&1.into(), &1.into()), "{result}");
}
