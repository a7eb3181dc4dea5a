//! The use cases over the in-memory store.

mod access;
mod accounts;
mod crm;
mod cycles;
mod deals;
mod issues;
mod kb;
mod members;
mod projects;
mod workspace;

use serde_json::Value;

use super::TestPorts;
use super::suite::{Subject, World};
use crate::Error;
use crate::idempotency::{Answer, Once, Outcome};
use crate::input::{Input, Mode};
use crate::versions::ExpectedVersion;

/// Fresh ports and a workspace in them.
fn start() -> (TestPorts, World) {
    let test = TestPorts::new();
    let subject = Subject { ports: test.ports.clone(), clock: test.clock.clone() };
    let world = test.block_on(subject.world());
    (test, world)
}

/// A create body.
fn new<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, Mode::Create).unwrap()
}

/// A patch body.
fn patch<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, Mode::Patch).unwrap()
}

/// What reading a create body is refused with.
fn refused_body<I: Input + std::fmt::Debug>(body: Value) -> String {
    let Value::Object(object) = body else { panic!("no object") };
    refusal(I::from_object(object, Mode::Create))
}

/// The error's word and the fields it names.
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    let error = result.unwrap_err();
    let fields: Vec<_> =
        error.details().into_iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect();
    format!("{} {}", error.code().as_str(), fields.join(" ")).trim_end().to_owned()
}

fn fresh<T: std::fmt::Debug>(outcome: Result<Outcome<T>, Error>) -> T {
    outcome.unwrap().fresh().unwrap()
}

fn at_version(version: i64) -> ExpectedVersion {
    ExpectedVersion::OneOf(vec![version])
}

fn once<T: serde::Serialize>(key: &str, fingerprint: u8) -> Once<T> {
    Once {
        key: key.to_owned(),
        route: "POST /test",
        fingerprint: [fingerprint; 32],
        render: |made| Answer { status: 201, location: None, body: serde_json::to_string(made).unwrap() },
    }
}
