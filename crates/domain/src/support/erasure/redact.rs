//! Redacts texts about a person. JSON keeps its shape, and its texts become `erased`.

use serde_json::{Map, Value as Json, json};

use super::{FoundText, PersonErasure, TextKind};
use crate::kernel::input::CUSTOM_FIELDS;
use crate::work::issues::ERASED;

/// Members whose texts say nothing about a person: ids and values from a fixed list.
const IMPERSONAL: [&str; 10] =
    ["id", "type", "kind", "status", "priority", "visibility", "contact_type", "reference", "version", "number"];
/// Members that look like an id or a time by their suffix but hold free text.
const FREE_TEXT: [&str; 1] = ["external_id"];
/// Members of a ticket that its customer wrote, or that are about the customer.
const CUSTOMER_WRITTEN: [&str; 5] = ["title", "subject", "description", "name", "email"];

/// Replaces a person's addresses and names in texts.
pub(super) struct Redaction {
    /// The longest first.
    needles: Vec<Needle>,
}

/// Replaces the person's addresses and names in JSON; returns whether there were any.
pub fn erase_mentions(erasure: &PersonErasure, json: &mut Json) -> bool {
    let before = json.clone();
    Redaction::of(&erasure.emails, &erasure.names).erase_mentions(json);
    *json != before
}

/// An address or a name, in lower case.
struct Needle {
    text: Vec<char>,
    is_address: bool,
}

impl Redaction {
    pub(super) fn of(emails: &[String], names: &[String]) -> Self {
        let needle = |text: &String, is_address| Needle {
            text: text.chars().flat_map(char::to_lowercase).collect(),
            is_address,
        };
        let emails = emails.iter().map(|email| needle(email, true));
        let mut needles: Vec<_> = emails.chain(names.iter().map(|name| needle(name, false))).collect();
        needles.retain(|needle| !needle.text.is_empty());
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.text.len()));
        Self { needles }
    }

    /// The redacted text; `None` if nothing was redacted.
    pub(super) fn text(&self, found: &FoundText) -> Option<String> {
        let redacted = match found.kind {
            TextKind::Theirs => ERASED.to_owned(),
            TextKind::Mentioning => self.without_mentions(&found.text),
            TextKind::ContactEvent => payload(&found.text, false, erase_all),
            TextKind::TicketEvent { is_theirs } => payload(&found.text, is_theirs, |payload, member| {
                self.erase_ticket(payload, member, is_theirs);
            }),
            TextKind::Answer { is_theirs: true } => {
                rewritten(&found.text, |response| erase_all(response, "")).unwrap_or_else(|| ERASED.to_owned())
            }
            TextKind::Report | TextKind::Answer { is_theirs: false } => {
                rewritten(&found.text, |json| self.erase_mentions(json))
                    .unwrap_or_else(|| self.without_mentions(&found.text))
            }
        };
        (redacted != found.text).then_some(redacted)
    }

    /// Whether a text has one of the addresses or names, as [`Redaction::without_mentions`] finds them.
    pub(super) fn finds(&self, text: &str) -> bool {
        text.char_indices().any(|(offset, _)| {
            let (before, rest) = text.split_at(offset);
            self.needles.iter().any(|needle| needle.end(before, rest).is_some())
        })
    }

    /// Whether the words of a search include all words of one of the names, in any order.
    pub(super) fn finds_words(&self, search: &str) -> bool {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let is_named = |needle: &Needle| {
            let text: String = needle.text.iter().collect();
            text.split_whitespace().all(|word| words.iter().any(|searched| searched == word))
        };
        self.finds(search) || self.needles.iter().any(is_named)
    }

    /// A text with each address and name replaced, ignoring case. A match within a longer word or address belongs to another person and
    /// stays.
    fn without_mentions(&self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        let mut offset = 0;
        while let Some(first) = text[offset..].chars().next() {
            let (before, rest) = text.split_at(offset);
            if let Some(end) = self.needles.iter().find_map(|needle| needle.end(before, rest)) {
                redacted.push_str(ERASED);
                offset += end;
            } else {
                redacted.push(first);
                offset += first.len_utf8();
            }
        }
        redacted
    }

    /// Redacts a ticket, a comment on it, or a change of either.
    fn erase_ticket(&self, json: &mut Json, member: &str, is_theirs: bool) {
        match json {
            Json::Object(members) => {
                self.rename(members);
                for (name, value) in members.iter_mut() {
                    self.erase_ticket(value, name, is_theirs);
                }
            }
            Json::Array(values) => values.iter_mut().for_each(|value| self.erase_ticket(value, member, is_theirs)),
            Json::String(text) if CUSTOMER_WRITTEN.contains(&member) || is_theirs && member == "body" => {
                ERASED.clone_into(text);
            }
            Json::String(text) => *text = self.without_mentions(text),
            _ => {}
        }
    }

    fn erase_mentions(&self, json: &mut Json) {
        match json {
            Json::Object(members) => {
                self.rename(members);
                members.values_mut().for_each(|value| self.erase_mentions(value));
            }
            Json::Array(values) => values.iter_mut().for_each(|value| self.erase_mentions(value)),
            Json::String(text) => *text = self.without_mentions(text),
            _ => {}
        }
    }

    /// Replaces mentions in the names of members. Names that become the same are numbered, so that no value is lost.
    fn rename(&self, members: &mut Map<String, Json>) {
        if members.keys().all(|name| self.without_mentions(name) == *name) {
            return;
        }
        let mut renamed = Map::new();
        for (name, value) in std::mem::take(members) {
            let redacted = self.without_mentions(&name);
            let numbered = (2..).map(|number| format!("{redacted} {number}"));
            let free = std::iter::once(redacted.clone()).chain(numbered).find(|name| !renamed.contains_key(name));
            renamed.insert(free.unwrap_or(redacted), value);
        }
        *members = renamed;
    }
}

/// Redacts the payload of an event. `erase` is called with each value and the name of its member. The actor stays, unless it is the
/// person.
fn payload(text: &str, is_theirs: bool, erase: impl Fn(&mut Json, &str)) -> String {
    let redacted = rewritten(text, |payload| {
        if let Some(data) = payload.get_mut("data") {
            erase(data, "");
        }
        if let Some(changes) = payload.get_mut("changes").and_then(Json::as_object_mut) {
            combine_custom_fields(changes);
            // Only in changes, `from` and `to` are the values of the member that contains them.
            for (member, change) in changes {
                match change {
                    Json::Object(values) => values.values_mut().for_each(|value| erase(value, member)),
                    value => erase(value, member),
                }
            }
        }
        if let Some(name) = payload.pointer_mut("/actor/name").filter(|_| is_theirs) {
            *name = ERASED.into();
        }
    });
    redacted.unwrap_or_else(|| ERASED.to_owned())
}

/// Combines the changes of individual custom fields into one change of `custom_fields`, so that their names are redacted with
/// them.
fn combine_custom_fields(changes: &mut Map<String, Json>) {
    let (mut from, mut to) = (Map::new(), Map::new());
    for (member, change) in std::mem::take(changes) {
        let custom_field = member.strip_prefix(CUSTOM_FIELDS).and_then(|rest| rest.strip_prefix('.'));
        let Some(name) = custom_field else {
            changes.insert(member, change);
            continue;
        };
        from.insert(name.to_owned(), change["from"].clone());
        to.insert(name.to_owned(), change["to"].clone());
    }
    if !from.is_empty() {
        changes.insert(CUSTOM_FIELDS.to_owned(), json!({ "from": from, "to": to }));
    }
}

/// JSON after `erase`. If that changes nothing, the text stays identical to the byte. `None` if the text is not JSON.
fn rewritten(text: &str, erase: impl FnOnce(&mut Json)) -> Option<String> {
    let json: Json = serde_json::from_str(text).ok()?;
    let mut redacted = json.clone();
    erase(&mut redacted);
    Some(if redacted == json { text.to_owned() } else { redacted.to_string() })
}

/// Erases every text except ids, times and values from a fixed list.
fn erase_all(json: &mut Json, member: &str) {
    match json {
        Json::Object(members) if member == CUSTOM_FIELDS => members.clear(),
        Json::Object(members) => members.iter_mut().for_each(|(name, value)| erase_all(value, name)),
        Json::Array(values) if ["tags", "labels"].contains(&member) => values.clear(),
        Json::Array(values) => values.iter_mut().for_each(|value| erase_all(value, member)),
        Json::String(text) if !is_impersonal(member) => ERASED.clone_into(text),
        _ => {}
    }
}

fn is_impersonal(member: &str) -> bool {
    let is_listed = IMPERSONAL.contains(&member) || member.ends_with("_id") || member.ends_with("_at");
    is_listed && !FREE_TEXT.contains(&member)
}

impl Needle {
    /// The end of the needle in `rest`, if `rest` begins with it. `before` is the text in front of it: a needle within a longer word or
    /// address does not count.
    fn end(&self, before: &str, rest: &str) -> Option<usize> {
        let end = end_of(&self.text, rest)?;
        let (before, behind) = (before.chars().rev(), rest[end..].chars());
        let is_part = if self.is_address {
            joins_address(before) || joins_address(behind)
        } else {
            joins_name(before) || joins_name(behind)
        };
        (!is_part).then_some(end)
    }
}

// `person_pattern` in the database has the same rules.

fn joins_name(mut adjacent: impl Iterator<Item = char>) -> bool {
    adjacent.next().is_some_and(char::is_alphanumeric)
}

/// Whether the characters next to an address belong to a longer address. A full stop alone may end a sentence.
fn joins_address(mut adjacent: impl Iterator<Item = char>) -> bool {
    let next = match adjacent.next() {
        Some('.' | '-' | '@') => adjacent.next(),
        other => other,
    };
    next.is_some_and(|character| character.is_alphanumeric() || "_%+".contains(character))
}

/// The end of the needle in a text that begins with it, ignoring case.
fn end_of(needle: &[char], text: &str) -> Option<usize> {
    let mut rest = needle.iter();
    for (offset, character) in text.char_indices() {
        if rest.as_slice().is_empty() {
            return Some(offset);
        }
        if !character.to_lowercase().all(|lower| rest.next() == Some(&lower)) {
            return None;
        }
    }
    rest.as_slice().is_empty().then_some(text.len())
}
