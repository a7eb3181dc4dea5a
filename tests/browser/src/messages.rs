//! Browser messages about a page: script errors, violations of the Content-Security-Policy, failed requests.

use std::fmt;

use serde_json::Value;

/// Statuses that the page explains to the user. Chromium reports each as an error.
const ANSWERS: [u16; 6] = [400, 401, 403, 409, 422, 429];

/// A line of the browser's console.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    level: String,
    source: String,
    pub(crate) text: String,
}

impl Message {
    pub(crate) fn read(entry: &Value) -> Self {
        let member = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        Self { level: member("level"), source: member("source"), text: member("message") }
    }

    /// Whether the message means that the page is broken.
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self.level.as_str(), "SEVERE" | "WARNING") && !self.is_answer()
    }

    fn is_answer(&self) -> bool {
        let answers = |status: &u16| self.text.contains(&format!("responded with a status of {status} "));
        self.source == "network" && ANSWERS.iter().any(answers)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}: {}", self.level, self.source, self.text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_are_faults_and_refusals_are_not() {
        let failed = |status: &str| {
            format!("http://127.0.0.1:1/a - Failed to load resource: the server responded with a status of {status}")
        };
        for (level, source, text, is_fault) in [
            ("SEVERE", "javascript", "x is not defined".to_owned(), true),
            ("SEVERE", "security", "Refused to apply inline style".to_owned(), true),
            ("WARNING", "other", "deprecated".to_owned(), true),
            ("INFO", "console-api", "hello".to_owned(), false),
            ("SEVERE", "network", failed("404 (Not Found)"), true),
            ("SEVERE", "network", failed("500 (Internal Server Error)"), true),
            ("SEVERE", "network", failed("422 (Unprocessable Entity)"), false),
            ("SEVERE", "console-api", failed("422 (Unprocessable Entity)"), true),
        ] {
            let message = Message::read(&json!({"level": level, "source": source, "message": text}));
            assert_eq!(message.is_fault(), is_fault, "{message}");
        }
    }
}
