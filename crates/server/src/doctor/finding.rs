//! The result of a check.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Ok,
    /// Something that the check needs is missing.
    NotChecked,
    /// It works, but should be changed.
    Warning,
    /// It does not work or is not safe.
    Error,
}

impl Status {
    /// The label shown on a terminal.
    const fn label(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NotChecked => "not checked",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A result and how to fix it. Never contains a secret.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Finding {
    pub(super) status: Status,
    pub(super) message: String,
    /// How to fix it; `None` if nothing is wrong.
    pub(super) cure: Option<String>,
}

impl Finding {
    pub(super) fn ok(message: impl Into<String>) -> Self {
        Self { status: Status::Ok, message: message.into(), cure: None }
    }

    pub(super) fn not_checked(message: impl Into<String>) -> Self {
        Self { status: Status::NotChecked, message: message.into(), cure: None }
    }

    pub(super) fn warning(message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { status: Status::Warning, message: message.into(), cure: Some(cure.into()) }
    }

    pub(super) fn error(message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { status: Status::Error, message: message.into(), cure: Some(cure.into()) }
    }
}

/// The findings, or that all is well.
pub(super) fn or_ok(findings: Vec<Finding>, message: &str) -> Vec<Finding> {
    if findings.is_empty() { vec![Finding::ok(message)] } else { findings }
}

/// A finding and the name of its check.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CheckResult {
    pub(super) check: &'static str,
    #[serde(flatten)]
    pub(super) finding: Finding,
}

/// Aligned lines for a terminal: status, check and message, with the cure below.
pub(super) fn lines(all: &[CheckResult]) -> String {
    let width = all.iter().map(|result| result.check.len()).max().unwrap_or_default();
    let line = |result: &CheckResult| {
        let Finding { status, message, cure } = &result.finding;
        let cure = cure.as_ref().map(|cure| format!("\n{:indent$}{cure}", "", indent = width + 15)).unwrap_or_default();
        format!("{:<11}  {:<width$}  {message}{cure}", status.label(), result.check)
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}
