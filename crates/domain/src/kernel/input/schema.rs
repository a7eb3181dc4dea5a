//! The schema of inputs, derived from the very types that requests are read into (JSON Schema 2020-12).
//!
//! **Invariant**: nobody writes a schema by hand. A type says what it takes next to the code that takes it
//! ([`Value::schema`](super::Value::schema)), and an object's schema is the sum of its members'.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json, json};

use super::{InputMode, JsonForm};

/// One member of an input object.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaMember {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub description: String,
    /// Whether the object is nothing without it.
    pub is_required: bool,
    /// Whether null means something: none, or back to the default.
    pub is_nullable: bool,
    /// The schema of its value, without null.
    pub schema: Json,
}

impl SchemaMember {
    /// A member that must be there.
    pub fn required(name: &'static str, description: &str, schema: Json) -> Self {
        Self { name, description: description.to_owned(), is_required: true, is_nullable: false, schema }
    }

    /// A member that may be absent or null.
    pub fn optional(name: &'static str, description: &str, schema: Json) -> Self {
        Self { name, description: description.to_owned(), is_required: false, is_nullable: true, schema }
    }
}

/// The codes of broken rules that a schema of ours states by a keyword, such as `maxLength`.
const STATED_BY_KEYWORDS: &[&str] = &["too_long", "too_many", "out_of_range"];

/// Whether a schema states the rule behind a problem's code, so that the value is off the schema.
pub fn is_stated_by_schema(code: &str) -> bool {
    STATED_BY_KEYWORDS.contains(&code)
}

/// The schema of an object with these members and no others.
pub fn object_schema(members: &[SchemaMember], mode: InputMode) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for member in members {
        let mut schema = if member.is_nullable { nullable(member.schema.clone()) } else { member.schema.clone() };
        if let Json::Object(keywords) = &mut schema {
            let own = keywords.get("description").and_then(Json::as_str).unwrap_or_default();
            let whole = [member.description.as_str(), own].join(" ").trim().to_owned();
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

/// The same schema, that takes null too.
fn nullable(mut schema: Json) -> Json {
    if let Some(Json::String(only)) = schema.get("type") {
        schema["type"] = json!([only, "null"]);
    }
    if let Some(Json::Array(words)) = schema.get_mut("enum") {
        words.push(Json::Null);
    }
    schema
}

/// The schema of one of these words.
pub fn enum_schema<'a>(words: impl IntoIterator<Item = &'a str>) -> Json {
    json!({ "type": "string", "enum": words.into_iter().collect::<Vec<_>>() })
}

/// The schema of a text in a named form, such as `date-time`.
pub fn format_schema(format: &str) -> Json {
    json!({ "type": "string", "format": format })
}

/// The schema of a text of at most so many characters.
pub fn text_schema(max_characters: usize) -> Json {
    json!({ "type": "string", "maxLength": max_characters })
}

/// The schema of an answer, in the same form as those of inputs.
pub fn output_schema<T: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        // A client that reads one schema alone follows no references.
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    compact(&mut schema);
    schema
}

/// Leaves out what helps nobody who has an answer before them: what members are for, which the documents say, and the
/// sizes of our own number types. A list of tools is read by models, and every byte costs.
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

/// Builds the schema of a record, all of whose members are always there.
pub(crate) struct RecordSchema<'a> {
    generator: &'a mut SchemaGenerator,
    properties: Map<String, Json>,
    required: Vec<&'static str>,
}

impl<'a> RecordSchema<'a> {
    pub(crate) fn new(generator: &'a mut SchemaGenerator) -> Self {
        Self { generator, properties: Map::new(), required: Vec::new() }
    }

    pub(crate) fn member<T: JsonForm>(mut self, name: &'static str) -> Self {
        let schema = self.generator.subschema_for::<T::Schema>();
        self.properties.insert(name.to_owned(), schema.to_value());
        self.required.push(name);
        self
    }

    pub(crate) fn build(self) -> Schema {
        json_schema!({ "type": "object", "properties": self.properties, "required": self.required })
    }
}

/// What a timestamp looks like in an answer.
#[derive(Debug)]
pub struct TimestampText;

/// What a date looks like in an answer.
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
