use std::collections::VecDeque;

use rust_decimal::Decimal;
use serde_json::json;

use super::*;
use crate::UserId;
use crate::kernel::IssueKind;
use crate::kernel::input::{EmailKey, Input, InputMode};
use crate::kernel::search::SearchQuery;

filter! {
    /// One criterion of each form.
    pub(crate) struct Sample {
        /// A word.
        search: Option<SearchQuery>,
        /// Any of these.
        kind: Several<IssueKind, 2>,
        /// Any of these members.
        member: Several<UserId, 2>,
        /// An address.
        email: Option<EmailKey>,
        /// A tag.
        tag: Several<Tag, 2>,
        /// At least.
        least: Option<Number>,
    }
    together check;
}

fn check(sample: &Sample, problems: &mut Problems) {
    if sample.least.is_some_and(|least| least.0 > Decimal::TEN) {
        problems.rule("least", "invalid_value", "must be at most 10");
    }
}

/// Parameters of a test.
#[derive(Default)]
struct Query {
    values: VecDeque<(&'static str, String)>,
    problems: Problems,
}

impl Parameters for Query {
    fn all(&mut self, name: &str) -> Vec<String> {
        self.values.iter().filter(|(other, _)| *other == name).map(|(_, value)| value.clone()).collect()
    }

    fn single(&mut self, name: &str) -> Option<String> {
        self.all(name).pop()
    }

    fn problems(&mut self) -> &mut Problems {
        &mut self.problems
    }
}

fn from_query(values: &[(&'static str, &str)]) -> Result<Sample, Vec<String>> {
    let values = values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let mut query = Query { values, ..Query::default() };
    let sample = Sample::from_parameters(&mut query);
    listed(query.problems).map(|()| sample)
}

fn from_json(object: Json) -> Result<Sample, Vec<String>> {
    let mut problems = Problems::default();
    let Json::Object(object) = object else { panic!("an object") };
    let sample = Sample::read(object, "", InputMode::Create, &mut problems);
    listed(problems).map(|()| sample)
}

fn listed(problems: Problems) -> Result<(), Vec<String>> {
    problems.into_result().map_err(|error| {
        let kind = if matches!(error, crate::Error::Malformed(_)) { "shape" } else { "rule" };
        error.details().iter().map(|problem| format!("{kind} {}:{}", problem.field, problem.code)).collect()
    })
}

const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

#[test]
fn a_query_and_an_object_are_the_same_filter() {
    let query = from_query(&[
        ("search", "ann lee"),
        ("kind", "task"),
        ("kind", "ticket"),
        ("member", ID),
        ("member", &ID.to_uppercase()),
        ("email", "Ada@Example.COM"),
        ("tag", "VIP"),
        ("least", "-1.50"),
    ]);
    let object = from_json(json!({
        "search": "ann lee", "kind": ["task", "ticket"], "member": [ID], "email": "ada@example.com", "tag": ["vip"],
        "least": -1.5,
    }));
    assert_eq!(query, object);
    assert_eq!(query.unwrap().email.unwrap().as_str(), "ada@example.com");
    let nothing = json!({"search": null, "kind": null, "member": [], "email": null, "tag": null, "least": null});
    assert_eq!(from_json(nothing).unwrap(), Sample::default());
    assert_eq!(from_query(&[("search", " ")]).unwrap(), Sample::default());
}

#[test]
fn every_problem_of_a_query_is_a_shape_problem() {
    for (values, problems) in [
        (&[("kind", "Task")][..], &["shape kind:invalid_value"][..]),
        (&[("kind", "")], &["shape kind:invalid_value"]),
        (&[("kind", "x"), ("kind", "y")], &["shape kind:invalid_value"]),
        (&[("member", "x")], &["shape member:invalid_uuid"]),
        (&[("email", "x")], &["shape email:invalid_value"]),
        (&[("email", "")], &["shape email:invalid_value"]),
        (&[("tag", " ")], &["shape tag:invalid_value"]),
        (&[("tag", "a"), ("tag", "b"), ("tag", "c")], &["shape tag:too_many"]),
        (&[("tag", "a\u{0}b")], &["shape tag:invalid_value"]),
        (&[("least", "1e")], &["shape least:invalid_value"]),
        (&[("least", "11"), ("email", "x")], &["shape email:invalid_value", "shape least:invalid_value"]),
        (&[("search", "1 2 3 4 5 6 7 8 9")], &["shape search:too_many_tokens"]),
    ] {
        assert_eq!(from_query(values).unwrap_err(), problems, "{values:?}");
    }
}

#[test]
fn an_object_is_checked_like_every_input() {
    for (object, problems) in [
        (json!({"kind": "task"}), &["shape kind:invalid_type"][..]),
        (json!({"kind": ["Task"]}), &["shape kind[0]:invalid_value"]),
        (json!({"tag": ["a", "b", "c"]}), &["rule tag:too_many"]),
        (json!({"least": "1"}), &["shape least:invalid_type"]),
        (json!({"least": 1e300}), &["rule least:out_of_range"]),
        (json!({"least": 11}), &["rule least:invalid_value"]),
        (json!({"nope": 1}), &["shape nope:unknown_field"]),
    ] {
        assert_eq!(from_json(object.clone()).unwrap_err(), problems, "{object}");
    }
}

#[test]
fn a_number_is_what_json_writes() {
    for (text, good) in [
        ("0", true),
        ("-0.5", true),
        ("+12", false),
        ("-+1", false),
        ("01", false),
        ("-00.5", false),
        ("0.50", true),
        ("999999999999.99", true),
        // Above the largest number to compare with.
        ("1234567890123456789012345678", false),
        ("999999999999999999999999999999", false),
        ("1e3", true),
        (".5", false),
        ("5.", false),
        ("", false),
        ("-", false),
        ("--1", false),
        ("1_000", false),
        (" 1", false),
        ("0.00000000000000000000000000000000001", true),
        ("NaN", false),
    ] {
        let read = Number::read_text(text, "n", &mut Problems::default());
        assert_eq!(matches!(read, Read::Value(_)), good, "{text}");
    }
}

/// Every invalid query gets the same status, so the schemas of parameters state all rules.
#[test]
fn parameter_schemas_reject_what_is_refused() {
    let schemas = Sample::parameters();
    let schema =
        |name: &str| schemas.iter().find(|member| member.name == name).map(|member| member.schema.clone()).unwrap();
    assert_eq!(schema("tag")["items"]["pattern"], json!(crate::kernel::input::characters::A_LINE));
    // A repeated value counts once.
    assert_eq!((schema("kind").get("maxItems"), &schema("member")["maxItems"]), (None, &json!(2)));
    assert_eq!(<super::super::Currency as FilterValue>::parameter_schema()["enum"][0], "AED");
    let largest = schema("least")["maximum"].as_i64().unwrap();
    for (number, refused) in [(largest, false), (largest + 1, true), (-largest, false), (-largest - 1, true)] {
        let result = from_query(&[("least", &number.to_string())]);
        let out_of_range = result.err().is_some_and(|problems| problems == ["shape least:invalid_value"]);
        // A number that violates the rule of the sample is still a valid number.
        assert_eq!(out_of_range, refused || number > 10, "{number}");
    }
}
