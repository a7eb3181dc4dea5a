//! What is left of texts about a person: JSON of the same shape that says `erased`.

use serde_json::{Map, Value as Json};

use super::{FoundText, TextKind};
use crate::work::issues::ERASED;

/// Members whose texts say nothing about a person: ids, times, and words from a fixed list.
const KEPT: [&str; 10] =
    ["id", "type", "kind", "status", "priority", "visibility", "contact_type", "reference", "version", "number"];
/// Members that end like a kept one and are free text all the same.
const FREE: [&str; 1] = ["external_id"];
/// Members of a ticket that its customer wrote or that are about them.
const OF_TICKET: [&str; 5] = ["title", "subject", "description", "name", "email"];

/// Replaces a person's addresses and names in texts.
pub(super) struct Redaction {
    /// In lower case, the longest first.
    needles: Vec<Vec<char>>,
}

impl Redaction {
    pub(super) fn of(texts: &[String]) -> Self {
        let lower = |text: &String| text.chars().flat_map(char::to_lowercase).collect();
        let mut needles: Vec<Vec<char>> =
            texts.iter().map(lower).filter(|needle: &Vec<char>| !needle.is_empty()).collect();
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        Self { needles }
    }

    /// What is left of a text; `None` if that is all of it.
    pub(super) fn text(&self, found: &FoundText) -> Option<String> {
        let left = match found.kind {
            TextKind::Theirs => ERASED.to_owned(),
            TextKind::Mentioning => self.mentions(&found.text),
            TextKind::ContactEvent => payload(&found.text, false, |payload| erase_all(payload, "")),
            TextKind::TicketEvent { is_theirs } => payload(&found.text, is_theirs, |payload| {
                self.erase_ticket(payload, "", is_theirs);
            }),
            TextKind::Report => rewritten(&found.text, |payload| self.erase_mentions(payload)),
            TextKind::Answer => rewritten(&found.text, |answer| erase_all(answer, "")),
        };
        (left != found.text).then_some(left)
    }

    /// A text with each address and name replaced, in whatever case.
    fn mentions(&self, text: &str) -> String {
        let mut left = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(end) = self.needles.iter().find_map(|needle| end_of(needle, rest)) {
                left.push_str(ERASED);
                rest = &rest[end..];
            } else {
                left.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        left
    }

    /// A ticket, a comment on it, or a change of either.
    fn erase_ticket(&self, json: &mut Json, member: &str, is_theirs: bool) {
        match json {
            Json::Object(members) => {
                // from and to of a change belong to the member around them.
                let own = |name: &String| {
                    if ["from", "to"].contains(&name.as_str()) { member.to_owned() } else { name.clone() }
                };
                for (name, value) in members.iter_mut() {
                    self.erase_ticket(value, &own(name), is_theirs);
                }
            }
            Json::Array(values) => values.iter_mut().for_each(|value| self.erase_ticket(value, member, is_theirs)),
            Json::String(text) if OF_TICKET.contains(&member) || is_theirs && member == "body" => {
                ERASED.clone_into(text);
            }
            Json::String(text) => *text = self.mentions(text),
            _ => {}
        }
    }

    fn erase_mentions(&self, json: &mut Json) {
        match json {
            Json::Object(members) => members.values_mut().for_each(|value| self.erase_mentions(value)),
            Json::Array(values) => values.iter_mut().for_each(|value| self.erase_mentions(value)),
            Json::String(text) => *text = self.mentions(text),
            _ => {}
        }
    }
}

/// An event's payload. Its actor stays, unless it is the person.
fn payload(text: &str, is_theirs: bool, erase: impl Fn(&mut Json)) -> String {
    rewritten(text, |payload| {
        for member in ["data", "changes"] {
            payload.get_mut(member).into_iter().for_each(&erase);
        }
        if let Some(name) = payload.pointer_mut("/actor/name").filter(|_| is_theirs) {
            *name = ERASED.into();
        }
    })
}

/// What is no JSON is erased as a whole.
fn rewritten(text: &str, erase: impl FnOnce(&mut Json)) -> String {
    let Ok(mut json) = serde_json::from_str(text) else { return ERASED.to_owned() };
    erase(&mut json);
    json.to_string()
}

/// Erases every text but ids, times and words from a fixed list.
fn erase_all(json: &mut Json, member: &str) {
    match json {
        Json::Object(members) if member == "custom_fields" && !is_change(members) => members.clear(),
        Json::Object(members) => {
            let change = is_change(members);
            for (name, value) in members.iter_mut() {
                erase_all(value, if change { member } else { name });
            }
        }
        Json::Array(values) if ["tags", "labels"].contains(&member) => values.clear(),
        Json::Array(values) => values.iter_mut().for_each(|value| erase_all(value, member)),
        Json::String(text) if !says_nothing(member) => ERASED.clone_into(text),
        _ => {}
    }
}

/// Whether these are the two values of a changed member.
fn is_change(members: &Map<String, Json>) -> bool {
    members.len() == 2 && members.contains_key("from") && members.contains_key("to")
}

fn says_nothing(member: &str) -> bool {
    let is_kept = KEPT.contains(&member) || member.ends_with("_id") || member.ends_with("_at");
    is_kept && !FREE.contains(&member)
}

/// Where a text that begins with the needle goes on behind it.
fn end_of(needle: &[char], text: &str) -> Option<usize> {
    let mut wanted = needle.iter();
    for (at, character) in text.char_indices() {
        if wanted.as_slice().is_empty() {
            return Some(at);
        }
        if !character.to_lowercase().all(|lower| wanted.next() == Some(&lower)) {
            return None;
        }
    }
    wanted.as_slice().is_empty().then_some(text.len())
}
