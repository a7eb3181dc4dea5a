//! JSON Schemas of inputs, derived from the types that requests are parsed into (draft 2020-12).
//!
//! **Invariant**: no schema is written by hand. Each type defines its schema next to the code that reads it
//! ([`Value::schema`](super::Value::schema)), and an object's schema is composed of its members'.

use serde_json::{Map, Value as Json, json};

use super::InputMode;
pub use super::time_texts::{DateText, OptionalDateText, OptionalTimestampText, TimestampText};

/// The keyword that marks the schema of a value that identifies a person: `member`, the id of a member, or `actor`, the author of a
/// change. Surfaces that show schemas act on it and remove it.
pub const NAMES: &str = "x-names";

/// The keyword that marks the schema of an object whose nulls are meaningful, so that texts for models keep them. Surfaces that
/// show schemas remove it.
pub const KEEPS_NULLS: &str = "x-keeps-nulls";

/// The keyword with the description of a member for models, which replaces the one for people; empty for none. Surfaces for people
/// remove it.
pub const NOTE_KEYWORD: &str = "x-note";

/// The keyword that marks the schema of a member for which null means the same as leaving it out. Surfaces for models do not offer
/// null there; all surfaces remove the keyword.
pub const NULL_IS_ABSENT: &str = "x-null-is-absent";

/// The keyword with the values of an enumeration that only old clients send. Surfaces for models do not offer them; all surfaces
/// remove the keyword.
pub const LEGACY: &str = "x-legacy";

/// The keyword that marks what is not part of the supported contract (interface 19.9); its value is `additional`. Surfaces for
/// models do not show it.
pub const CONTRACT: &str = "x-contract";

/// Marks a schema with [`NAMES`].
pub(crate) fn naming(mut schema: Json, who: &str) -> Json {
    schema[NAMES] = who.into();
    schema
}

/// One member of an input object.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what schemas say of a member, each on its own")]
pub struct SchemaMember {
    pub name: &'static str,
    /// The description for people, in creates and in updates.
    pub description: String,
    /// The description in schemas: what neither the name nor the type says. Empty for most, because models pay for every word.
    pub note: String,
    /// The default of a create, as text; null in an update resets the member to it.
    pub default: Option<String>,
    /// Whether a create requires it.
    pub is_required: bool,
    /// Whether null is allowed; it clears the value or resets it to the default.
    pub is_nullable: bool,
    /// Whether the schema says that null is allowed. In creates and filters, null means the same as leaving the member out.
    pub offers_null: bool,
    /// Whether it is outside the supported contract (interface 19.9).
    pub is_additional: bool,
    /// The schema of the value, without null.
    pub schema: Json,
}

impl SchemaMember {
    pub fn required(name: &'static str, schema: Json) -> Self {
        Self { name, is_required: true, schema, ..Self::default() }
    }

    pub fn optional(name: &'static str, schema: Json) -> Self {
        Self { is_required: false, is_nullable: true, ..Self::required(name, schema) }
    }

    /// A member documented by the lines of a doc comment. A line `Default: …` is its default, a line `Note: …` its note, and a line
    /// `Contract: additional.` says that it is outside the supported contract.
    pub fn documented(name: &'static str, lines: &[&str], is_required: bool, schema: Json) -> Self {
        let text_of = |mark: &str| lines.iter().find_map(|line| line.strip_prefix(mark)).map(str::to_owned);
        Self {
            description: description_of(lines),
            note: text_of(NOTE).unwrap_or_default(),
            default: text_of(DEFAULT).map(|text| text.trim_end_matches('.').to_owned()),
            is_required,
            is_nullable: !is_required,
            is_additional: lines.contains(&ADDITIONAL),
            ..Self::required(name, schema)
        }
    }

    #[must_use]
    pub fn described(self, description: impl Into<String>) -> Self {
        Self { description: description.into(), ..self }
    }

    /// The member in an update: it may be absent, which does not mean the default, and null has an effect.
    #[must_use]
    pub fn in_update(self) -> Self {
        Self { is_required: false, offers_null: self.is_nullable, default: None, ..self }
    }

    fn schema_in(&self, mode: InputMode) -> Json {
        let of_type = self.schema["description"].as_str().unwrap_or_default();
        let note = if self.note.is_empty() { of_type } else { &self.note };
        let whole = [&*self.description, &self.effect_of_none(mode), of_type].join(" ");
        let mut schema = match &self.schema {
            // Any value. As an object, the schema can have a description.
            Json::Bool(true) => json!({}),
            schema if self.is_nullable => nullable(schema.clone()),
            schema => schema.clone(),
        };
        schema[NOTE_KEYWORD] = note.into();
        let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ");
        if whole.is_empty() {
            schema.as_object_mut().and_then(|keywords| keywords.remove("description"));
        } else {
            schema["description"] = whole.into();
        }
        if self.is_nullable && !self.offers_null && mode == InputMode::Create {
            schema[NULL_IS_ABSENT] = true.into();
        }
        if let Some(default) = self.default_value().filter(|_| mode == InputMode::Create) {
            schema["default"] = default;
        }
        schema
    }

    /// The effect of leaving the member out of a create, or of null in an update.
    fn effect_of_none(&self, mode: InputMode) -> String {
        match (mode, &self.default) {
            (InputMode::Create, Some(default)) => format!("Default: {default}."),
            (InputMode::Patch, Some(default)) if self.is_nullable => format!("null: {default}."),
            (InputMode::Patch, None) if self.is_nullable => "null: none.".to_owned(),
            _ => String::new(),
        }
    }

    /// The default as a value of the schema; `None` if it is not a fixed value.
    fn default_value(&self) -> Option<Json> {
        let text = self.default.as_deref()?;
        let value = match self.schema["type"].as_str()? {
            "integer" | "number" | "boolean" => text.parse().ok()?,
            _ => Json::from(text),
        };
        let fits = self.schema.get("enum").is_none_or(|known| known.as_array().is_some_and(|all| all.contains(&value)));
        (fits && (!value.is_string() || self.schema.get("enum").is_some())).then_some(value)
    }
}

const DEFAULT: &str = " Default: ";
const NOTE: &str = " Note: ";
pub(super) const ADDITIONAL: &str = " Contract: additional.";

/// The lines of a doc comment that are meant for people.
pub(super) fn description_of(lines: &[&str]) -> String {
    let is_mark = |line: &str| line.starts_with(DEFAULT) || line.starts_with(NOTE) || line == ADDITIONAL;
    let lines = lines.iter().copied().filter(|line| !is_mark(line));
    lines.collect::<String>().trim().to_owned()
}

/// Problem codes whose rule a schema expresses by a keyword, such as `maxLength`.
const STATED_BY_KEYWORDS: &[&str] = &["too_long", "too_many", "out_of_range"];

/// Whether the schema expresses the rule behind a problem code, so that the value does not match the schema.
pub fn is_stated_by_schema(code: &str) -> bool {
    STATED_BY_KEYWORDS.contains(&code)
}

/// The schema of an object with exactly these members, as complete as possible. Surfaces leave out what their readers do not need.
pub fn object_schema(members: &[SchemaMember], mode: InputMode) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for member in members {
        properties.insert(member.name.to_owned(), member.schema_in(mode));
        if member.is_required && mode == InputMode::Create {
            required.push(member.name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The same schema with null allowed.
fn nullable(mut schema: Json) -> Json {
    if let Some(Json::String(only)) = schema.get("type") {
        schema["type"] = json!([only, "null"]);
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.push(Json::Null);
    }
    if let Some(Json::Array(choices)) = schema.get_mut("anyOf")
        && !choices.iter().any(takes_null)
    {
        choices.push(json!({ "type": "null" }));
    }
    schema
}

/// Whether a choice only restricts texts, such as a format: it does not mention null, and therefore allows it.
fn takes_null(choice: &Json) -> bool {
    ["type", "enum", "const", "$ref", "anyOf"].iter().all(|keyword| choice.get(keyword).is_none())
}

/// The same schema without null.
pub fn not_nullable(schema: &mut Map<String, Json>) {
    if let Some(Json::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = &**types {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Json::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
    }
}

pub fn enum_schema<'a>(values: impl IntoIterator<Item = &'a str>) -> Json {
    json!({ "type": "string", "enum": values.into_iter().collect::<Vec<_>>() })
}

/// The schema of a string of either of two kinds.
pub fn either(mut one: Json, mut other: Json) -> Json {
    for schema in [&mut one, &mut other] {
        schema.as_object_mut().and_then(|keywords| keywords.remove("type"));
    }
    json!({ "type": "string", "anyOf": [one, other] })
}

/// The schema of a string with a `format`, such as `date-time`.
pub fn format_schema(format: &str) -> Json {
    json!({ "type": "string", "format": format })
}

/// The schema of a string of at most `max_characters`.
pub fn text_schema(max_characters: usize) -> Json {
    json!({ "type": "string", "maxLength": max_characters })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_describe_members_for_people_and_mark_what_models_need() {
        let priority = [" How urgent it is.", " Default: medium."];
        let priority = SchemaMember::documented("priority", &priority, false, enum_schema(["low", "medium"]));
        let count = SchemaMember::documented("count", &[" Default: 20."], false, json!({ "type": "integer" }));
        let title = SchemaMember::documented("title", &[" What it is."], true, text_schema(9));
        let currency = [" The currency.", " Note: An ISO code.", " Default: the workspace's."];
        let currency = SchemaMember::documented("currency", &currency, false, text_schema(9));
        let members = [priority, count, title, currency];
        let create = object_schema(&members, InputMode::Create);
        assert_eq!(
            create["properties"],
            json!({
                "priority": {
                    "type": ["string", "null"], "enum": ["low", "medium", null], "default": "medium",
                    "description": "How urgent it is. Default: medium.", "x-note": "", "x-null-is-absent": true,
                },
                "count": {
                    "type": ["integer", "null"], "default": 20, "description": "Default: 20.", "x-note": "",
                    "x-null-is-absent": true,
                },
                "title": { "type": "string", "maxLength": 9, "description": "What it is.", "x-note": "" },
                "currency": {
                    "type": ["string", "null"], "maxLength": 9, "description": "The currency. Default: the workspace's.",
                    "x-note": "An ISO code.", "x-null-is-absent": true,
                },
            })
        );
        assert_eq!(create["required"], json!(["title"]));
        let update = object_schema(&members, InputMode::Patch);
        let described = |name: &str| update["properties"][name]["description"].clone();
        assert_eq!(described("priority"), "How urgent it is. null: medium.");
        assert_eq!(described("currency"), "The currency. null: the workspace's.");
        assert_eq!((update.get("required"), update["properties"]["count"].get("default")), (None, None));
        assert!(!update.to_string().contains(NULL_IS_ABSENT), "null does something in an update");
    }

    #[test]
    fn additional_members_are_marked_in_their_schema() {
        let lines = [" The deal.", " Contract: additional.", " Default: none."];
        let member = SchemaMember::documented("deal_id", &lines, false, format_schema("uuid"));
        assert_eq!((member.is_additional, &*member.description), (true, "The deal."));
        assert!(!SchemaMember::documented("title", &[" The title."], false, text_schema(9)).is_additional);
    }

    #[test]
    fn not_nullable_undoes_nullable() {
        for schema in [text_schema(9), enum_schema(["a", "b"]), either(format_schema("date"), format_schema("uuid"))] {
            let mut other = nullable(schema.clone());
            assert_ne!(other, schema);
            assert!(!other.to_string().contains(r#"{"type":"null"}"#), "generators make a type of it: {other}");
            not_nullable(other.as_object_mut().unwrap());
            assert_eq!(other, schema);
        }
    }

    #[test]
    fn null_is_added_as_a_choice_unless_another_allows_it() {
        let either_word = json!({ "anyOf": [{ "type": "string", "format": "uuid" }, { "enum": ["none"] }] });
        let mut other = nullable(either_word.clone());
        assert_eq!(other["anyOf"][2], json!({ "type": "null" }));
        not_nullable(other.as_object_mut().unwrap());
        assert_eq!(other, either_word);
    }
}
