//! The codes in `details` of errors, which interface 2.11 lists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value as Json;

const INTERFACE: &str = include_str!("../../../../docs/interface.md");

/// Listed codes by status.
static LISTED: LazyLock<BTreeMap<u16, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let section = INTERFACE.split("**2.11**").nth(1).and_then(|rest| rest.split("**2.12**").next()).unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    rows.filter_map(|(status, codes)| Some((status.parse().ok()?, codes.split('`').skip(1).step_by(2).collect())))
        .collect()
});

fn is_listed(status: u16, code: &str) -> bool {
    LISTED.get(&status).is_some_and(|codes| codes.contains(code))
}

/// Checks the details of an error, in the envelope of REST or of tools, or in the result of a failed tool.
///
/// # Panics
/// If interface 2.11 does not list a code for the status.
pub(super) fn check(status: u16, body: &Json, context: &str) {
    if body["isError"] == true {
        let error = body["content"][0]["text"].as_str().and_then(|text| serde_json::from_str(text).ok());
        let error: Json = error.unwrap_or_default();
        check_each(&error, context, |code| LISTED.values().any(|codes| codes.contains(code)));
    } else if status >= 400 && body["error"].is_object() {
        check_each(&body["error"], context, |code| is_listed(status, code));
    } else if status >= 400 {
        // Tool arguments that violate a schema are 400, even if they also violate a rule.
        check_each(body, context, |code| is_listed(status, code) || status == 400 && is_listed(422, code));
    }
}

fn check_each(error: &Json, context: &str, is_allowed: impl Fn(&str) -> bool) {
    for detail in error["details"].as_array().into_iter().flatten() {
        let code = detail["code"].as_str().unwrap_or_default();
        assert!(is_allowed(code), "interface 2.11 lacks the code {code:?}. {context}");
    }
}
