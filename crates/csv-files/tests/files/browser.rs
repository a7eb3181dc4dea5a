//! Runs the browser's reader in Node on the same files: it must split them into the rows that the server reads.

use std::io::Write as _;
use std::process::{Command, Stdio};

use csv_files::{Line, Table};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::cases::cases;
use crate::dialects::{files, with_stray_marks};
use crate::read::{NOT_TEXT, ReadResult, name_of, read};

const GENERATED: usize = 300;
/// Maximum number of rows of a part, so that most files have several parts.
const MAX_ROWS: usize = 2;
/// Maximum number of encoded characters of a part, so that some parts have fewer rows.
const MAX_PART: usize = 200;

/// Reads one file per input line, as the page does.
const PROGRAM: &str = r#"
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line);
for (const line of lines) {
  const { file, delimiter, maxPart, maxRows } = JSON.parse(line);
  const answer = {};
  try {
    const text = csvFiles.decode(new Uint8Array(Buffer.from(file, "hex")));
    if (text !== null) {
      const plan = { text, delimiter, ...csvFiles.headerOf(text, delimiter) };
      const count = csvFiles.countRows(plan, maxPart * 9);
      const parts = [...csvFiles.partsOf(plan, maxPart, maxRows)];
      Object.assign(answer, { text, named: csvFiles.namedSeparator(text), header: plan.header, count, parts });
    }
  } catch (error) {
    if (!(error instanceof csvFiles.Problem)) throw error;
    answer.problem = `${error.name} ${error.line} ${error.opened}`;
  }
  console.log(JSON.stringify(answer));
}
"#;

/// The results of the browser's reader.
fn read_in_browser(files: &[Vec<u8>]) -> Vec<Value> {
    let source = include_str!("../../../assets/own/csv.js");
    let mut node = Command::new("node")
        .args(["-e", &format!("{source}\n{PROGRAM}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    for file in files {
        // The page asks the server for the separator.
        let delimiter = Table::new(&**file).map_or(b',', |table| table.form().delimiter);
        let plan =
            json!({ "file": hex::encode(file), "delimiter": delimiter, "maxPart": MAX_PART, "maxRows": MAX_ROWS });
        writeln!(input, "{plan}").unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "node failed");
    let results = String::from_utf8(output.stdout).unwrap();
    let results: Vec<_> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.len(), files.len());
    results
}

/// Reads the parts that the browser would send with the server's reader.
fn read_parts(result: &Value) -> ReadResult {
    if let Some(problem) = result["problem"].as_str() {
        return Err(problem.to_owned());
    }
    if result["text"].is_null() {
        return Err(NOT_TEXT.to_owned());
    }
    let header = result["header"].as_str().unwrap();
    let mut lines: Vec<Line> = Vec::new();
    for part in result["parts"].as_array().unwrap() {
        let text = format!("{header}{}", part["rows"].as_str().unwrap());
        let mut table = Table::new(text.as_bytes()).map_err(|error| name_of(&error))?;
        table.set_line(part["line"].as_u64().unwrap());
        let rows = table.batch(usize::MAX).map_err(|error| name_of(&error))?;
        assert!(rows.len() <= MAX_ROWS && part["count"] == rows.len(), "{result}");
        lines.extend(rows);
    }
    assert_eq!(result["count"], lines.len(), "{result}");
    Ok(lines)
}

fn check(file: &[u8], result: &Value) {
    let (server, browser) = (read(file), read_parts(result));
    match (&server, &browser) {
        // The server decodes row by row and the browser all at once, so only the browser finds this first.
        (Err(_), Err(reason)) if reason == NOT_TEXT => {}
        // The page first sends the header to the server, which reports what is wrong with it.
        (Err(_), _) if Table::new(file).is_err() => {}
        _ => assert_eq!(browser, server, "{:?}", String::from_utf8_lossy(file)),
    }
    if let (Ok(_), Ok(table)) = (&browser, Table::new(file)) {
        let form = table.form();
        let separator_line = result["named"].as_str().unwrap();
        assert_eq!(!separator_line.is_empty(), form.names_delimiter, "{result}");
        assert!(separator_line.is_empty() || separator_line.as_bytes() == [form.delimiter], "{result}");
    }
}

/// Files in all dialects, most of them with stray quotation marks.
fn generated() -> Vec<Vec<u8>> {
    let strays = prop::collection::vec(any::<(prop::sample::Index, bool)>(), 0..3);
    let mut runner = TestRunner::deterministic();
    let files = (files(), strays);
    let mut file = || {
        let ((sheet, dialect), strays) = files.new_tree(&mut runner).unwrap().current();
        dialect.encode(&with_stray_marks(&dialect.write(&sheet).0, &strays))
    };
    (0..GENERATED).map(|_| file()).collect()
}

#[test]
fn the_browser_and_the_server_read_the_same_rows() {
    if Command::new("node").arg("--version").output().is_err() {
        return not_run::report("node");
    }
    let case_files = cases().map(|(file, _)| file.to_vec());
    // Line endings count towards the size of a part.
    let tail = format!("a,b\n1,2\n{}3,4\n{}", ",,,\n".repeat(100), ",\r\n".repeat(100)).into_bytes();
    let files: Vec<_> = case_files.chain([tail, b"\0a\0,\0b\0\n\0\x31".to_vec()]).chain(generated()).collect();
    for (file, result) in files.iter().zip(read_in_browser(&files)) {
        check(file, &result);
    }
}
