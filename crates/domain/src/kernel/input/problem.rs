//! Problems of an input, collected so that all are reported together.

use std::sync::Arc;

use serde::Serialize;
use time::OffsetDateTime;

use super::Read;
use crate::ports::{Ports, Settings};

/// Maximum reported problems per kind: more than any genuine request has, and a bound on the response to a hostile
/// one.
const MAX_REPORTED: usize = 1_000;

/// One problem of an input: an entry of `error.details`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Path of the member or name of the parameter, such as `tags[3]` or `patch.status`.
    pub field: String,
    /// Stable machine-readable code in `snake_case`.
    pub code: &'static str,
    /// Human-readable: what was wrong, and what would be right. Never repeats the rejected value.
    pub message: String,
}

impl Problem {
    pub fn new(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into() }
    }
}

/// Collects the problems of one input.
///
/// **Invariant**: shape problems take precedence over rule problems, so the two are kept apart, and every problem of
/// the reported kind is returned.
#[derive(Debug, Default)]
pub struct Problems {
    shape: Vec<Problem>,
    rules: Vec<Problem>,
    context: Option<RuleContext>,
    is_lenient: bool,
}

/// What some rules depend on in addition to the sent values.
#[derive(Debug, Clone)]
pub struct RuleContext {
    pub now: OffsetDateTime,
    pub settings: Arc<Settings>,
}

impl Problems {
    /// The problems of a request. Reading also checks rules that depend on the time and on settings, so that their problems are
    /// reported with all others. Use cases enforce these rules wherever their input comes from.
    pub fn in_context(ports: &Ports) -> Self {
        let context = RuleContext { now: ports.clock.now(), settings: Arc::clone(&ports.settings) };
        Self { context: Some(context), ..Self::default() }
    }

    /// Also accepts the lenient forms of tool arguments ([`leniency`](super::leniency)).
    #[must_use]
    pub fn leniently(self) -> Self {
        Self { is_lenient: true, ..self }
    }

    pub const fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// `None` if only the use case checks such rules.
    pub fn context(&self) -> Option<RuleContext> {
        self.context.clone()
    }

    /// Reports that the input does not have the documented shape.
    pub fn shape(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        note(&mut self.shape, Problem::new(field, code, message));
    }

    /// Like [`shape`](Self::shape), for a field that consequently has no value.
    pub fn malformed<T>(
        &mut self,
        field: impl Into<String>,
        code: &'static str,
        message: impl Into<String>,
    ) -> Read<T> {
        self.shape(field, code, message);
        Read::Invalid
    }

    /// Reports that a well-formed value fails validation.
    pub fn rule(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        note(&mut self.rules, Problem::new(field, code, message));
    }

    /// Like [`rule`](Self::rule), for a field that consequently has no value.
    pub fn invalid<T>(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Read<T> {
        self.rule(field, code, message);
        Read::Invalid
    }

    /// Adds the problems of a query parameter, all as shape problems. The codes of rule problems become `invalid_value`.
    pub fn all_as_shape(&mut self, other: Self) {
        other.shape.into_iter().for_each(|problem| note(&mut self.shape, problem));
        for problem in other.rules {
            note(&mut self.shape, Problem { code: "invalid_value", ..problem });
        }
    }

    /// Whether a problem of the member, or of a value in it, was reported.
    pub fn has(&self, member: &str) -> bool {
        let is_in = |rest: &str| rest.is_empty() || rest.starts_with(['[', '.']);
        self.shape.iter().chain(&self.rules).any(|problem| problem.field.strip_prefix(member).is_some_and(is_in))
    }

    pub fn is_empty(&self) -> bool {
        self.shape.is_empty() && self.rules.is_empty()
    }

    /// `Ok` without problems; otherwise all problems of the first kind that has any.
    ///
    /// # Errors
    /// [`crate::Error::Malformed`] for shape problems, else [`crate::Error::Invalid`] for rule problems.
    pub fn into_result(self) -> Result<(), crate::Error> {
        if !self.shape.is_empty() {
            Err(crate::Error::Malformed(self.shape))
        } else if !self.rules.is_empty() {
            Err(crate::Error::Invalid(self.rules))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
impl Problems {
    /// The fields and codes of [`Problems::into_result`], such as `tags[3]:required`.
    pub(crate) fn into_codes(self) -> Result<(), Vec<String>> {
        let code = |problem: Problem| format!("{}:{}", problem.field, problem.code);
        self.into_result().map_err(|error| error.details().into_iter().map(code).collect())
    }
}

fn note(problems: &mut Vec<Problem>, problem: Problem) {
    if problems.len() < MAX_REPORTED {
        problems.push(problem);
    }
}
