//! How webhooks, deliveries and events are shown.

use std::fmt::Write;

use domain::event_types::EventType;
use domain::events::{ALL_EVENTS, Module};
use domain::webhooks::{Attempt, DeliveryState, DisabledReason, ReplayState, SubscriptionView};
use serde::de::IgnoredAny;

use crate::texts::{label, text};

/// A state as a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Badge {
    pub(crate) text: String,
    /// The CSS class of the colour.
    pub(crate) class: &'static str,
}

const GOOD: &str = "bg-green-lt";
const BAD: &str = "bg-red-lt";
const WAITING: &str = "bg-yellow-lt";
const NEUTRAL: &str = "bg-secondary-lt";

impl Badge {
    fn new(key: &str, class: &'static str) -> Self {
        Self { text: text(key), class }
    }

    pub(crate) fn of_webhook(webhook: &SubscriptionView) -> Self {
        match (webhook.enabled, webhook.disabled_reason, webhook.failing_since) {
            (false, Some(DisabledReason::Gone), _) => Self::new("webhook-disabled-gone", BAD),
            (false, Some(DisabledReason::Failing), _) => Self::new("webhook-disabled-failing", BAD),
            (false, None, _) => Self::new("webhook-disabled", NEUTRAL),
            (true, _, Some(_)) => Self::new("webhook-failing", WAITING),
            (true, _, None) => Self::new("webhook-active", GOOD),
        }
    }

    pub(crate) fn of_delivery(state: DeliveryState) -> Self {
        let class = match state {
            DeliveryState::Succeeded => GOOD,
            DeliveryState::Failed => BAD,
            DeliveryState::Pending | DeliveryState::Delivering | DeliveryState::Retrying => WAITING,
            DeliveryState::Cancelled => NEUTRAL,
        };
        Self { text: label("value", state.as_str()), class }
    }

    pub(crate) fn of_replay(state: ReplayState) -> Self {
        let class = match state {
            ReplayState::Running => WAITING,
            ReplayState::Completed => GOOD,
            ReplayState::Cancelled => NEUTRAL,
        };
        Self { text: label("value", state.as_str()), class }
    }

    /// The status of a response, or that there was none.
    pub(crate) fn of_attempt(attempt: &Attempt) -> Self {
        match attempt.status {
            Some(status) => Self { text: status.to_string(), class: if status / 100 == 2 { GOOD } else { BAD } },
            None => Self::new("delivery-no-answer", BAD),
        }
    }
}

/// The names of the events that a webhook subscribes to.
pub(super) fn events_of(webhook: &SubscriptionView) -> Vec<&str> {
    if webhook.events.iter().any(|name| name == ALL_EVENTS) {
        webhook.module.events().to_vec()
    } else {
        webhook.events.iter().map(String::as_str).collect()
    }
}

/// The selectable events of one kind of record.
#[derive(Debug)]
pub(crate) struct EventGroup {
    pub(crate) label: String,
    pub(crate) events: Vec<EventChoice>,
}

/// A selectable event.
#[derive(Debug)]
pub(crate) struct EventChoice {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// A sample payload, indented.
    pub(crate) example: String,
    pub(crate) is_chosen: bool,
}

impl EventGroup {
    pub(crate) fn has_selected(&self) -> bool {
        self.events.iter().any(|event| event.is_chosen)
    }

    /// The events of a module, grouped by kind of record. `chosen` contains names of events.
    pub(crate) fn all(types: &[&'static EventType], module: Module, chosen: &[String]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for known in types.iter().filter(|known| known.module == module) {
            let noun = known.event.split('.').next().unwrap_or_default();
            let label = label("kind", noun);
            let event = EventChoice {
                name: known.event,
                description: known.description,
                example: format!("{:#}", known.example),
                is_chosen: chosen.iter().any(|name| name == known.event),
            };
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.events.push(event),
                None => groups.push(Self { label, events: vec![event] }),
            }
        }
        groups
    }
}

/// Indents a text if it is JSON. The order of members and the notation of numbers do not change.
pub(crate) fn pretty_text(text: &str) -> String {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return text.to_owned();
    }
    let (mut shown, mut depth, mut in_text, mut is_escaped) = (String::with_capacity(text.len() * 2), 0, false, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if in_text {
            shown.push(character);
            in_text = character != '"' || is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            continue;
        }
        match character {
            '{' | '[' => {
                shown.push(character);
                if let Some(end) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    shown.push(end);
                } else {
                    depth += 1;
                    break_line(&mut shown, depth);
                }
            }
            '}' | ']' => {
                depth = usize::saturating_sub(depth, 1);
                break_line(&mut shown, depth);
                shown.push(character);
            }
            ',' => {
                shown.push(character);
                break_line(&mut shown, depth);
            }
            ':' => shown.push_str(": "),
            _ if character.is_ascii_whitespace() => {}
            _ => {
                in_text = character == '"';
                shown.push(character);
            }
        }
    }
    shown
}

fn break_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}

/// Headers, one per line.
pub(crate) fn header_lines<'a>(headers: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    headers.fold(String::new(), |mut lines, (name, value)| {
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{name}: {value}");
        lines
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_order_and_other_texts_are_unchanged() {
        for (text, shown) in [
            (r#"{"b":1.50,"a":[]}"#, "{\n  \"b\": 1.50,\n  \"a\": []\n}"),
            (r#"[ "a,{\"]", {"x":{}} ]"#, "[\n  \"a,{\\\"]\",\n  {\n    \"x\": {}\n  }\n]"),
            (r#"["\\",1]"#, "[\n  \"\\\\\",\n  1\n]"),
            ("not {json}", "not {json}"),
            ("", ""),
        ] {
            assert_eq!(pretty_text(text), shown, "{text}");
        }
    }
}
