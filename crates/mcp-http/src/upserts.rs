//! The shape of tools that write many records: an upsert of the domain, and a result with an outcome per item.

use std::collections::HashSet;

use domain::crm::upserts::{Upsert, Upserted};
use domain::identity::access::ToolPermit;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::Input;
use domain::kernel::input::json::Json;
use domain::kernel::input::leniency::array_of;
use domain::limits::Cost;
use domain::tools::Tool;

use crate::outputs::{MAX_OUTPUT_BYTES, ToolOutput};
use crate::shapes::UseCase;
use crate::tool::{Entry, NamedTool, ToolRequest, ToolResult, stored_as_is};

/// Replaces a message that repeats an earlier one.
const REPEATED_MESSAGE: &str = "see above";

/// Keeps the first of equal messages.
pub(crate) fn shorten_repeated<'a>(messages: impl Iterator<Item = &'a mut String>) {
    let mut distinct = HashSet::new();
    for message in messages {
        if !distinct.insert(message.clone()) {
            REPEATED_MESSAGE.clone_into(message);
        }
    }
}

/// The cost of a call: the class of its tool, or for a tool that writes many records, the cost of its items. A call whose
/// items cannot be parsed writes nothing and counts as one write.
pub(crate) fn cost_of(tool: Tool, items: &Json) -> Cost {
    if !tool.has_outcomes() {
        return tool.class().into();
    }
    Cost::for_items(match items {
        Json::Array(items) => items.len(),
        Json::String(text) => array_of(text).and_then(|array| array.as_array().map(Vec::len)).unwrap_or_default(),
        _ => 0,
    })
}

/// The size of the envelope around the JSON of a result.
const ENVELOPE_BYTES: usize = 400;

impl ToolOutput for Upserted {
    /// Keeps each message once and drops those that do not fit; every item keeps its outcome and code.
    fn tighten(&mut self) {
        shorten_repeated(self.failed.iter_mut().map(|failure| &mut failure.message));
        let messages: usize = self.failed.iter().map(|failure| bytes_in_json(&failure.message)).sum();
        let rest = serde_json::to_string(self).map_or(0, |json| json.len()).saturating_sub(messages);
        let mut remaining = MAX_OUTPUT_BYTES.saturating_sub(ENVELOPE_BYTES + rest);
        for failure in &mut self.failed {
            let bytes = bytes_in_json(&failure.message);
            if bytes > remaining {
                failure.message.clear();
            }
            remaining = remaining.saturating_sub(bytes);
        }
    }
}

/// The length of a string in JSON, without its quotes.
fn bytes_in_json(text: &str) -> usize {
    serde_json::to_string(text).map_or(0, |json| json.len().saturating_sub(2))
}

impl NamedTool {
    /// Creates or changes many records, idempotent per key.
    pub(crate) fn upsert<P, F, U>(self, upsert: U) -> Entry
    where
        P: ToolPermit,
        F: Input + Send + 'static,
        U: for<'a> UseCase<'a, P, (Option<IdempotentRequest<Upserted>>, Upsert<F>), IdempotentResult<Upserted>>,
    {
        self.run(move |mut call: ToolRequest<P, Upsert<F>>| async move {
            let idempotency = call.idempotent_with(stored_as_is);
            let outcome = upsert.run(&call.ports, &call.permit, (idempotency, call.arguments)).await?;
            Ok(ToolResult::of(outcome, |upserted| upserted))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::{Document, Names};
    use crate::outline::Outline;
    use crate::outputs::RenderedOutput;
    use domain::crm::upserts::{ItemOutcome, MAX_ITEMS, UpsertFailure};
    use uuid::Uuid;

    fn failed(message: impl Fn(usize) -> String) -> Upserted {
        let failure = |index| UpsertFailure {
            index,
            code: "duplicate",
            message: message(index),
            existing_id: Some(Uuid::from_u128(index as u128)),
        };
        let failed = (0..MAX_ITEMS).map(failure).collect();
        Upserted { failed, outcomes: vec![ItemOutcome::Failed; MAX_ITEMS], ..Upserted::default() }
    }

    fn whole(output: Upserted) -> RenderedOutput {
        let json = serde_json::to_string(&output).unwrap();
        let document = Document::Opaque(&json);
        RenderedOutput::of(&document, Some(Box::new(output)), &Outline::Opaque, &Names::new()).unwrap()
    }

    fn rendered(output: &Upserted) -> serde_json::Value {
        let rendered = whole(output.clone()).structured;
        assert!(rendered.len() <= MAX_OUTPUT_BYTES - ENVELOPE_BYTES, "{}", rendered.len());
        serde_json::from_str(&rendered).unwrap()
    }

    #[test]
    fn a_result_with_many_failures_fits_and_keeps_every_outcome() {
        let same = rendered(&failed(|_| "x".repeat(400)));
        assert_eq!(
            (same["failed"][0]["message"].as_str().map(str::len), &same["failed"][499]["message"]),
            (Some(400), &REPEATED_MESSAGE.into())
        );
        let different = rendered(&failed(|index| format!("{index} \"{}", "ü\n".repeat(200))));
        assert_eq!(different["outcomes"].as_array().map(Vec::len), Some(MAX_ITEMS));
        assert_eq!(different["failed"][499]["code"], "duplicate");
        assert_eq!(different["failed"][499]["message"], "");
        assert!(different["failed"][0]["message"].as_str().is_some_and(|message| message.starts_with("0 ")));
    }

    #[test]
    fn five_hundred_ids_are_also_shown_as_text() {
        let created = (0..MAX_ITEMS).map(|number| Some(Uuid::from_u128(number as u128))).collect();
        let output = Upserted { created, outcomes: vec![ItemOutcome::Created; MAX_ITEMS], ..Upserted::default() };
        let rendered = whole(output);
        assert_eq!(rendered.text, rendered.structured);
    }
}
