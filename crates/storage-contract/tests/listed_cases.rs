//! Checks that every case is listed in a suite: a case missing there would not run.

use std::collections::BTreeSet;
use std::path::Path;

/// The start of a list in `suites.rs`, up to the name of its runner.
const LIST: &str = "$crate::suite! { $";
/// The start of a case; helpers are private, or indented methods.
const CASE: &str = "pub async fn ";

/// `module::case`
fn cases_of(module: &str, source: &str) -> Vec<String> {
    let cases = source.lines().filter_map(|line| line.strip_prefix(CASE)?.split(['(', '<']).next());
    cases.map(|case| format!("{module}::{case}")).collect()
}

/// All cases listed in the macros.
fn listed_in(source: &str) -> Vec<String> {
    let mut listed = Vec::new();
    for list in source.split(LIST).skip(1) {
        for module in list.split_once('\n').map_or("", |(_, cases)| cases).split_inclusive('}') {
            // The closing brace of the list is on a separate line.
            let Some((name, cases)) = module.trim_end_matches('}').split_once('{') else { break };
            let cases = cases.split(',').map(str::trim).filter(|case| !case.is_empty());
            listed.extend(cases.map(|case| format!("{}::{case}", name.trim())));
        }
    }
    listed
}

#[test]
fn every_case_is_in_the_list_of_a_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut written = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        assert!(path.is_file(), "{}: directories are not searched for cases", path.display());
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        written.extend(cases_of(&module, &std::fs::read_to_string(path).unwrap()));
    }
    let listed: BTreeSet<_> = listed_in(include_str!("../src/suites.rs")).into_iter().collect();
    let missing: Vec<_> = written.difference(&listed).collect();
    assert!(missing.is_empty(), "in no list of suites.rs: {missing:?}");
    // Guards this parser: a misread list would contain cases that do not exist.
    assert_eq!(listed.difference(&written).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(listed.len() > 100, "{}", listed.len());
}

#[test]
fn cases_and_lists_are_read() {
    let source = "pub async fn one(subject: &StoreUnderTest) {}\nasync fn helper() {}\nimpl A {\n    pub async fn b() {}\n}\n\
        pub async fn two(\n    subject: &StoreUnderTest,\n) {}\n";
    assert_eq!(cases_of("deals", source), ["deals::one", "deals::two"]);
    let macros = format!(
        "m! {{ {LIST}run\n deals {{ one,\n two }}\n kb {{ three }}\n }} {LIST}other\n queue {{ four, }}\n }} }}"
    );
    assert_eq!(listed_in(&macros), ["deals::one", "deals::two", "kb::three", "queue::four"]);
}
