//! JSON Schemas of inputs, derived from the types that requests are parsed into (draft 2020-12).
//!
//! **Invariant**: no schema is written by hand. Each type defines its schema next to the code that reads it
//! ([`Value::schema`](super::Value::schema)), and an object's schema is composed of its members'.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json, json};

use super::{InputMode, JsonForm};

/// The keyword that marks the schema of a value that names somebody: `member`, the id of a member, or `actor`, the author
/// of a change. Surfaces that show schemas act on it and remove it.
pub const NAMES: &str = "x-names";

/// The keyword that marks the schema of an object in which a member without a value means something, so that texts for
/// models keep it too. Surfaces that show schemas remove it.
pub const KEEPS_NULLS: &str = "x-keeps-nulls";

/// Marks a schema with [`NAMES`].
pub(crate) fn naming(mut schema: Json, who: &str) -> Json {
    schema[NAMES] = who.into();
    schema
}

/// One member of an input object.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaMember {
    pub name: &'static str,
    /// What the member is, in creates and in updates.
    pub description: String,
    /// What it is unless a create says otherwise, as text; null in an update sets it back to that.
    pub default: Option<String>,
    /// Whether a create requires it.
    pub is_required: bool,
    /// Whether null is allowed: no value, or back to the default.
    pub is_nullable: bool,
    /// The schema of the value, without null.
    pub schema: Json,
}

impl SchemaMember {
    pub fn required(name: &'static str, description: &str, schema: Json) -> Self {
        let description = description.to_owned();
        Self { name, description, default: None, is_required: true, is_nullable: false, schema }
    }

    /// An optional, nullable member.
    pub fn optional(name: &'static str, description: &str, schema: Json) -> Self {
        Self { is_required: false, is_nullable: true, ..Self::required(name, description, schema) }
    }

    /// A member that is documented by the lines of a doc comment. A line `Default: …` is its default.
    pub fn documented(name: &'static str, lines: &[&str], is_required: bool, schema: Json) -> Self {
        let default_of = |line: &&str| line.strip_prefix(DEFAULT).map(|text| text.trim_end_matches('.').to_owned());
        let default = lines.iter().find_map(default_of);
        let description = description_of(lines);
        Self { name, description, default, is_required, is_nullable: !is_required, schema }
    }

    /// The member in an update: it may be absent, which is no default, and null does something.
    #[must_use]
    pub fn in_update(mut self) -> Self {
        let default = self.default.take();
        if self.is_nullable {
            let effect = default.unwrap_or_else(|| "none".to_owned());
            let description = format!("{} null: {effect}.", self.description);
            description.trim().clone_into(&mut self.description);
        }
        Self { is_required: false, ..self }
    }

    /// The description in a create.
    fn with_default(&self) -> String {
        match &self.default {
            Some(default) => format!("{} Default: {default}.", self.description),
            None => self.description.clone(),
        }
    }
}

const DEFAULT: &str = " Default: ";

/// What the lines of a doc comment say beside the default.
fn description_of(lines: &[&str]) -> String {
    let lines: Vec<_> = lines.iter().copied().filter(|line| !line.starts_with(DEFAULT)).collect();
    lines.concat().trim().to_owned()
}

/// Problem codes whose rule a schema expresses by a keyword, such as `maxLength`.
const STATED_BY_KEYWORDS: &[&str] = &["too_long", "too_many", "out_of_range"];

/// Whether the schema expresses the rule behind a problem code, so that the value does not match the schema.
pub fn is_stated_by_schema(code: &str) -> bool {
    STATED_BY_KEYWORDS.contains(&code)
}

/// The schema of an object with exactly these members.
pub fn object_schema(members: &[SchemaMember], mode: InputMode) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for member in members {
        let described = if mode == InputMode::Patch { member.clone().in_update() } else { member.clone() };
        let mut schema = if member.is_nullable { nullable(member.schema.clone()) } else { member.schema.clone() };
        if let Json::Object(keywords) = &mut schema {
            let own = keywords.get("description").and_then(Json::as_str).unwrap_or_default();
            let whole = [described.with_default().as_str(), own].join(" ").trim().to_owned();
            if !whole.is_empty() {
                keywords.insert("description".to_owned(), whole.into());
            }
        }
        properties.insert(member.name.to_owned(), schema);
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
    if let Some(Json::Array(choices)) = schema.get_mut("anyOf") {
        choices.push(json!({ "type": "null" }));
    }
    schema
}

/// The schema of an enumeration.
pub fn enum_schema<'a>(values: impl IntoIterator<Item = &'a str>) -> Json {
    json!({ "type": "string", "enum": values.into_iter().collect::<Vec<_>>() })
}

/// The schema of a string with a `format`, such as `date-time`.
pub fn format_schema(format: &str) -> Json {
    json!({ "type": "string", "format": format })
}

/// The schema of a string of at most `max_characters`.
pub fn text_schema(max_characters: usize) -> Json {
    json!({ "type": "string", "maxLength": max_characters })
}

/// The schema of a response, in the same style as input schemas.
pub fn output_schema<T: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        // Clients may read a schema on its own and do not resolve references.
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    compact(&mut schema);
    schema
}

/// Removes descriptions, titles and the bounds of Rust's number types: models read the tool list, and every byte
/// costs.
fn compact(schema: &mut Json) {
    let Json::Object(keywords) = schema else { return };
    keywords.remove("title");
    keywords.remove("description");
    let format = keywords.get("format").and_then(Json::as_str).unwrap_or_default().to_owned();
    if format.starts_with("uint") || format.starts_with("int") || matches!(format.as_str(), "double" | "float") {
        for keyword in ["format", "minimum", "maximum"] {
            keywords.remove(keyword);
        }
    }
    for nested in ["items", "additionalProperties"] {
        keywords.get_mut(nested).into_iter().for_each(compact);
    }
    if let Some(Json::Object(properties)) = keywords.get_mut("properties") {
        properties.values_mut().for_each(compact);
    }
}

/// Builds the schema of a record, whose members are always present.
pub(crate) struct RecordSchema<'a> {
    generator: &'a mut SchemaGenerator,
    properties: Map<String, Json>,
    required: Vec<&'static str>,
}

impl<'a> RecordSchema<'a> {
    pub(crate) fn new(generator: &'a mut SchemaGenerator) -> Self {
        Self { generator, properties: Map::new(), required: Vec::new() }
    }

    /// A member with the lines of its doc comment.
    pub(crate) fn member<T: JsonForm>(mut self, name: &'static str, lines: &[&str]) -> Self {
        let mut schema = self.generator.subschema_for::<T::Schema>();
        let description = description_of(lines);
        if description.is_empty() {
            // What a type says about itself is not said again for each member.
            schema.remove("description");
        } else {
            schema.insert("description".to_owned(), description.into());
        }
        self.properties.insert(name.to_owned(), schema.to_value());
        self.required.push(name);
        self
    }

    pub(crate) fn build(self) -> Schema {
        json_schema!({ "type": "object", "properties": self.properties, "required": self.required })
    }
}

/// Gives types the same schema in responses as in inputs.
macro_rules! answers_as_read {
    ($($name:ident),*) => { $(
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                // A schema of an input is an object.
                <$name as $crate::kernel::input::Value>::schema().try_into().unwrap_or_default()
            }
        }
    )* };
}
pub(crate) use answers_as_read;

/// Schema of a timestamp in responses.
#[derive(Debug)]
pub struct TimestampText;

/// Schema of a date in responses.
#[derive(Debug)]
pub struct DateText;

macro_rules! formatted_text {
    ($($name:ident => $format:literal),*) => { $(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": $format })
            }
        }
    )* };
}

formatted_text!(TimestampText => "date-time", DateText => "date");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_create_shows_defaults_and_an_update_what_null_does() {
        let text = || text_schema(9);
        let priority =
            SchemaMember::documented("priority", &[" How urgent", " it is.", " Default: medium."], false, text());
        let title = SchemaMember::documented("title", &[" What it is."], true, text());
        let notes = SchemaMember::documented("notes", &[" What is known."], false, text());
        let members = [priority, title, notes];
        let described = |mode| {
            let schema = object_schema(&members, mode);
            let of = |name: &str| schema["properties"][name]["description"].as_str().unwrap_or_default().to_owned();
            (["priority", "title", "notes"].map(of), schema.get("required").cloned())
        };
        let (create, required) = described(InputMode::Create);
        assert_eq!(create, ["How urgent it is. Default: medium.", "What it is.", "What is known."]);
        assert_eq!(required, Some(json!(["title"])));
        let (update, required) = described(InputMode::Patch);
        assert_eq!(update, ["How urgent it is. null: medium.", "What it is.", "What is known. null: none."]);
        assert_eq!(required, None);
    }
}
