//! Finds changes between two OpenAPI documents that break clients.
//!
//! New operations, new optional parameters, and new members and values in responses do not break clients, which ignore what they do not
//! know.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value as Json;

use super::shapes::{items, members};

/// One change that breaks clients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Breaking {
    /// Such as `GET /api/v1/projects`, or the name of an event.
    pub(super) place: String,
    /// The parameter or member, if it is about one.
    pub(super) member: String,
    what: String,
}

impl fmt::Display for Breaking {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, member, what } = self;
        match &**member {
            "" => write!(formatter, "{place}: {what}"),
            member => write!(formatter, "{place}: `{member}` {what}"),
        }
    }
}

/// The direction of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Clients send it: the new schema must accept everything that the old one accepted.
    In,
    /// Clients read it: the new schema must allow nothing that the old one did not.
    Out,
}

/// All changes from `old` to `new` that break clients.
pub(super) fn between(old: &Json, new: &Json) -> Vec<Breaking> {
    let mut comparison = Comparison { documents: [old, new], place: String::new(), all: BTreeSet::new() };
    for (path, operations) in members(&old["paths"]) {
        for (method, operation) in members(operations) {
            comparison.place = format!("{} {path}", method.to_uppercase());
            match new["paths"][path].get(method) {
                None => comparison.note("", "is gone"),
                Some(now) => comparison.operation(operation, now),
            }
        }
    }
    for (event, delivery) in members(&old["webhooks"]) {
        comparison.place.clone_from(event);
        match new["webhooks"].get(event) {
            None => comparison.note("", "is gone"),
            Some(now) => comparison.body(&delivery["post"]["requestBody"], &now["post"]["requestBody"], Direction::Out),
        }
    }
    comparison.all.into_iter().collect()
}

struct Comparison<'a> {
    documents: [&'a Json; 2],
    place: String,
    all: BTreeSet<Breaking>,
}

impl<'a> Comparison<'a> {
    fn note(&mut self, member: &str, what: impl Into<String>) {
        self.all.insert(Breaking { place: self.place.clone(), member: member.to_owned(), what: what.into() });
    }

    fn operation(&mut self, old: &'a Json, new: &'a Json) {
        self.parameters(old, new);
        self.scopes(old, new);
        self.body(&old["requestBody"], &new["requestBody"], Direction::In);
        if old["requestBody"]["required"] != true && new["requestBody"]["required"] == true {
            self.note("", "needs a body");
        }
        for (status, answer) in members(&old["responses"]).filter(|(status, _)| status.starts_with('2')) {
            match new["responses"].get(status) {
                None => self.note("", format!("no longer answers {status}")),
                Some(now) => self.body(answer, now, Direction::Out),
            }
        }
    }

    fn parameters(&mut self, old: &'a Json, new: &'a Json) {
        let list = |operation: &'a Json| items(&operation["parameters"]);
        let same = |one: &Json, other: &Json| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in list(old) {
            let name = parameter["name"].as_str().unwrap_or_default();
            match list(new).find(|now| same(now, parameter)) {
                None => self.note(name, "is gone"),
                Some(now) => {
                    if parameter["required"] != true && now["required"] == true {
                        self.note(name, "is required");
                    }
                    self.schema(&parameter["schema"], &now["schema"], name, Direction::In, 0);
                }
            }
        }
        for now in list(new).filter(|now| now["required"] == true) {
            if !list(old).any(|parameter| same(now, parameter)) {
                self.note(now["name"].as_str().unwrap_or_default(), "is new and required");
            }
        }
    }

    /// Each scheme that was sufficient must still be sufficient, with the same scopes.
    fn scopes(&mut self, old: &'a Json, new: &'a Json) {
        let list = |operation: &'a Json| operation["security"].as_array().map(Vec::as_slice).unwrap_or_default();
        let (before, now) = (list(old), list(new));
        let is_covered = |had: &Json| {
            now.is_empty()
                || now.iter().any(|needs| {
                    members(needs).all(|(scheme, scopes)| {
                        let old_scopes = had.get(scheme).and_then(Json::as_array);
                        old_scopes.is_some_and(|old_scopes| items(scopes).all(|one| old_scopes.contains(one)))
                    })
                })
        };
        if before.is_empty() && !now.is_empty() || before.iter().any(|had| !is_covered(had)) {
            self.note("", "needs other credentials or scopes");
        }
    }

    fn body(&mut self, old: &'a Json, new: &'a Json, direction: Direction) {
        for (media_type, content) in members(&old["content"]) {
            match new["content"].get(media_type) {
                None => self.note("", format!("no longer has {media_type}")),
                Some(now) => self.schema(&content["schema"], &now["schema"], "", direction, 0),
            }
        }
    }

    /// Resolves a reference, in the old document or in the new one.
    fn resolved(&self, document: usize, schema: &'a Json) -> &'a Json {
        let target = schema["$ref"].as_str().and_then(|target| self.documents[document].pointer(&target[1..]));
        target.unwrap_or(schema)
    }

    fn schema(&mut self, old: &'a Json, new: &'a Json, place: &str, direction: Direction, depth: usize) {
        // Deep enough for every schema, and stops at recursive ones.
        if depth > 12 {
            return;
        }
        let (old, new) = (self.resolved(0, old), self.resolved(1, new));
        self.types(old, new, place, direction);
        if direction == Direction::In {
            self.bounds(old, new, place);
        }
        self.members_of(old, new, place, direction, depth);
        if old.get("items").is_some() && new.get("items").is_some() {
            self.schema(&old["items"], &new["items"], &format!("{place}[]"), direction, depth + 1);
        }
        for keyword in ["allOf", "anyOf"] {
            let (before, now) = (old[keyword].as_array(), new[keyword].as_array());
            match (before, now) {
                (Some(before), Some(now)) if before.len() == now.len() => {
                    for (old, new) in before.iter().zip(now) {
                        self.schema(old, new, place, direction, depth + 1);
                    }
                }
                (None, None) => {}
                _ if before == now => {}
                _ => self.note(place, format!("has another {keyword}")),
            }
        }
    }

    fn types(&mut self, old: &Json, new: &Json, place: &str, direction: Direction) {
        let (wide, narrow) = if direction == Direction::In { (new, old) } else { (old, new) };
        let (allowed, possible) = (texts(&wide["type"]), texts(&narrow["type"]));
        let fits = |one: &&str| allowed.contains(one) || *one == "integer" && allowed.contains(&"number");
        if !allowed.is_empty() && (possible.is_empty() || !possible.iter().all(fits)) {
            self.note(place, format!("has the type {}, not {}", new["type"], old["type"]));
        }
        if direction == Direction::In
            && let Some(values) = new["enum"].as_array()
        {
            for removed in items(&old["enum"]).filter(|value| !values.contains(value)) {
                self.note(place, format!("no longer takes {removed}"));
            }
            if old.get("enum").is_none() {
                self.note(place, "takes named values only");
            }
        }
    }

    fn bounds(&mut self, old: &Json, new: &Json, place: &str) {
        for (keyword, is_upper) in [
            ("maxLength", true),
            ("maxItems", true),
            ("maximum", true),
            ("maxProperties", true),
            ("minLength", false),
            ("minItems", false),
            ("minimum", false),
            ("minProperties", false),
        ] {
            let (before, now) = (old[keyword].as_f64(), new[keyword].as_f64());
            let is_tighter = match (before, now) {
                (Some(before), Some(now)) if is_upper => now < before,
                (Some(before), Some(now)) => now > before,
                (before, now) => before.is_none() && now.is_some(),
            };
            if is_tighter {
                self.note(place, format!("has the tighter {keyword} {}", new[keyword]));
            }
        }
        for keyword in ["pattern", "format"] {
            if new.get(keyword).is_some() && new.get(keyword) != old.get(keyword) {
                self.note(place, format!("has the {keyword} {}", new[keyword]));
            }
        }
    }

    fn members_of(&mut self, old: &'a Json, new: &'a Json, place: &str, direction: Direction, depth: usize) {
        let path = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        let is_open = |schema: &Json| schema.get("additionalProperties").is_some_and(|others| *others != false);
        for (name, member) in members(&old["properties"]) {
            match new["properties"].get(name) {
                Some(now) => self.schema(member, now, &path(name), direction, depth + 1),
                None if direction == Direction::In && is_open(new) => {}
                None => self.note(&path(name), "is gone"),
            }
        }
        let (before, now) = (texts(&old["required"]), texts(&new["required"]));
        match direction {
            Direction::In => now.difference(&before).for_each(|name| self.note(&path(name), "is required")),
            Direction::Out => before.difference(&now).for_each(|name| self.note(&path(name), "may be missing")),
        }
        if direction == Direction::In && is_open(old) && !is_open(new) {
            self.note(place, "takes named members only");
        }
    }
}

/// The strings in a value that is a string or an array.
fn texts(value: &Json) -> BTreeSet<&str> {
    let several = items(value).filter_map(Json::as_str);
    value.as_str().into_iter().chain(several).collect()
}

#[cfg(test)]
mod tests;
