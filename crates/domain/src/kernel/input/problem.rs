//! What is wrong with an input, gathered instead of reported one at a time.

use serde::Serialize;

/// The most problems of a kind that are reported: more than any honest request has, and a bound on the answer to one
/// whose every byte is a fault.
const MAX_REPORTED: usize = 1_000;

/// One broken rule: an entry of `error.details`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Path of the member or name of the parameter, such as `tags[3]` or `patch.status`.
    pub field: String,
    /// Stable `snake_case` word for programs.
    pub code: &'static str,
    /// What was wrong and what would be right, for people. Never repeats the refused value.
    pub message: String,
}

impl Problem {
    /// A problem of one field.
    pub fn new(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into() }
    }
}

/// Collects the problems of one input.
///
/// **Invariant**: shape problems answer before rule problems, so the two are kept apart,
/// and every problem of the answering kind is reported.
#[derive(Debug, Default)]
pub struct Problems {
    shape: Vec<Problem>,
    rules: Vec<Problem>,
}

impl Problems {
    /// Notes that the input does not have the documented shape.
    pub fn shape(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        note(&mut self.shape, Problem::new(field, code, message));
    }

    /// Notes that a well-formed value breaks a rule.
    pub fn rule(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        note(&mut self.rules, Problem::new(field, code, message));
    }

    /// Whether nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.shape.is_empty() && self.rules.is_empty()
    }

    /// The answer: nothing wrong, or the first failing kind with all its problems.
    ///
    /// # Errors
    /// [`crate::Error::Malformed`] for shape problems, else [`crate::Error::Invalid`] for broken rules.
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

fn note(problems: &mut Vec<Problem>, problem: Problem) {
    if problems.len() < MAX_REPORTED {
        problems.push(problem);
    }
}
