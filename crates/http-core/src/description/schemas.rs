//! The named schemas of the OpenAPI document.

use domain::events::DataType;
use domain::kernel::input::schema::{
    CONTRACT, KEEPS_NULLS, LEGACY, NAMES, NOTE_KEYWORD, NULL_IS_ABSENT, object_schema,
};
use domain::kernel::input::{Input, InputMode, SchemaMember};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};

/// The JSON pointer to the document's named schemas.
const DEFINITIONS_PATH: &str = "/components/schemas";

/// Collects the schemas that operations refer to by name.
#[derive(Debug)]
pub struct Schemas {
    answers: SchemaGenerator,
    inputs: Map<String, Json>,
}

impl Default for Schemas {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = DEFINITIONS_PATH.into();
            settings.meta_schema = None;
        });
        Self { answers: settings.into_generator(), inputs: Map::new() }
    }
}

impl Schemas {
    /// The schema of a serialised type, by reference if it has a name.
    pub fn answer<T: JsonSchema>(&mut self) -> Json {
        shown(self.answers.subschema_for::<T>().to_value())
    }

    /// The schema of an event's data, by reference.
    pub fn answer_of(&mut self, data: DataType) -> Json {
        shown(data.schema_in(&mut self.answers).to_value())
    }

    /// The schema of an input type, by reference.
    pub fn input<T: Input>(&mut self, mode: InputMode) -> Json {
        let name = input_name(std::any::type_name::<T>(), mode);
        let schema = || {
            let members = T::members();
            let additional: Vec<_> =
                members.iter().filter(|member| member.is_additional).map(|member| member.name).collect();
            let mut schema = shown(object_schema(&with_blank_rules(members), mode));
            for name in additional {
                schema["properties"][name][CONTRACT] = "additional".into();
            }
            if mode == InputMode::Patch {
                schema["minProperties"] = 1.into();
            }
            schema
        };
        self.inputs.entry(name.clone()).or_insert_with(schema);
        json!({ "$ref": format!("#{DEFINITIONS_PATH}/{name}") })
    }

    /// All schemas by name.
    pub fn finish(mut self) -> Map<String, Json> {
        let mut all = self.answers.take_definitions(true);
        all.values_mut().for_each(|schema| *schema = shown(schema.take()));
        all.extend(self.inputs);
        all.sort_keys();
        all
    }
}

/// States how blank strings are treated. Where a value is required, a blank one breaks a rule: tools report it as such, so
/// the schema does not state it. Elsewhere a blank string means no value, so it needs no pattern.
fn with_blank_rules(mut members: Vec<SchemaMember>) -> Vec<SchemaMember> {
    for member in &mut members {
        if member.is_nullable {
            if let Json::Object(keywords) = &mut member.schema
                && let Some(format) = keywords.remove("format")
            {
                let is_text = format == "uri" || format == "email";
                let (keyword, value) = if is_text {
                    ("anyOf", json!([{ "format": format }, { "maxLength": 0 }]))
                } else {
                    ("format", format)
                };
                keywords.insert(keyword.to_owned(), value);
            }
            continue;
        }
        let is_text =
            ["format", "enum", "pattern", "minLength"].iter().all(|keyword| member.schema.get(keyword).is_none());
        if is_text && member.schema.get("type").is_some_and(|kind| kind == "string") {
            member.schema["pattern"] = r"\S".into();
        }
    }
    members
}

/// `domain::crm::deals::DealFields` becomes `DealInput` in creates and `DealUpdate` in updates.
fn input_name(path: &str, mode: InputMode) -> String {
    let plain = path.split('<').next().unwrap_or(path);
    let name = plain.rsplit("::").next().unwrap_or(plain);
    let (base, suffix) = match mode {
        InputMode::Create => (name.strip_prefix("New").unwrap_or(name), "Input"),
        InputMode::Patch => (name, "Update"),
    };
    let base = base.strip_suffix("Fields").unwrap_or(base);
    // A type that is only used for updates: `CommentChange` becomes `CommentUpdate`.
    format!("{}{suffix}", base.strip_suffix("Change").unwrap_or(base))
}

/// Removes the annotations for other surfaces and the names of Rust types from a schema.
pub fn shown(mut schema: Json) -> Json {
    strip(&mut schema);
    schema
}

/// Merges the possible forms of a string into one pattern. For `anyOf`, client generators emit a class, or a type that
/// accepts anything.
fn merge_into_pattern(keywords: &mut Map<String, Json>) {
    let kind = keywords.get("type");
    let is_text = kind.is_some_and(|kind| *kind == json!("string") || *kind == json!(["string", "null"]));
    if !is_text || keywords.contains_key("pattern") {
        return;
    }
    let Some(Json::Array(forms)) = keywords.get("anyOf") else { return };
    let string_forms = forms.iter().filter(|form| form["type"] != "null");
    let Some(patterns) = string_forms.map(pattern_of).collect::<Option<Vec<_>>>() else { return };
    keywords.remove("anyOf");
    keywords.insert("pattern".to_owned(), format!("^({})$", patterns.join("|")).into());
}

/// The pattern of one form; `None` if a pattern cannot express it.
fn pattern_of(form: &Json) -> Option<String> {
    if form["maxLength"] == 0 {
        return Some(String::new());
    }
    if let Some(values) = form["enum"].as_array() {
        return values.iter().map(literal).collect::<Option<Vec<_>>>().map(|all| all.join("|"));
    }
    if let Some(constant) = form.get("const") {
        return literal(constant);
    }
    // As permissive as the parser: the exact form is a rule with its own error.
    let pattern = match form["format"].as_str()? {
        "uuid" => "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
        "uri" => r"[A-Za-z]+://\S+",
        "email" => ".+@.+",
        _ => return None,
    };
    Some(pattern.to_owned())
}

/// A constant, escaped for a pattern.
fn literal(value: &Json) -> Option<String> {
    let text = value.as_str()?;
    text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_').then(|| text.to_owned())
}

fn strip(schema: &mut Json) {
    match schema {
        Json::Object(keywords) => {
            for annotation in [NAMES, KEEPS_NULLS, LEGACY, NOTE_KEYWORD, NULL_IS_ABSENT, "title"] {
                keywords.remove(annotation);
            }
            for (keyword, value) in keywords.iter_mut() {
                if keyword == "properties" {
                    value.as_object_mut().into_iter().flat_map(|all| all.values_mut()).for_each(strip);
                } else if !matches!(keyword.as_str(), "enum" | "const" | "default" | "example" | "examples") {
                    strip(value);
                }
            }
            merge_into_pattern(keywords);
        }
        Json::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_schema_is_named_by_its_record_and_mode() {
        for (path, mode, name) in [
            ("domain::crm::deals::DealFields", InputMode::Create, "DealInput"),
            ("domain::crm::deals::DealFields", InputMode::Patch, "DealUpdate"),
            ("NewIssue", InputMode::Create, "IssueInput"),
            ("CommentChange", InputMode::Patch, "CommentUpdate"),
        ] {
            assert_eq!(input_name(path, mode), name);
        }
    }

    #[test]
    fn forms_of_a_string_become_one_pattern() {
        let uuid = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
        for (forms, pattern) in [
            (
                json!([{ "format": "uuid", "x-names": "member" }, { "enum": ["none", "any"] }]),
                format!("^({uuid}|none|any)$"),
            ),
            (json!([{ "format": "uuid" }, { "const": "" }, { "type": "null" }]), format!("^({uuid}|)$")),
            (json!([{ "format": "uri" }, { "maxLength": 0 }]), r"^([A-Za-z]+://\S+|)$".to_owned()),
        ] {
            let schema = json!({ "type": ["string", "null"], "anyOf": forms });
            assert_eq!(shown(schema), json!({ "type": ["string", "null"], "pattern": pattern }));
        }
        let several_types = json!({ "anyOf": [{ "type": "string" }, { "type": "array" }] });
        assert_eq!(shown(several_types.clone()), several_types);
    }

    #[test]
    fn annotations_for_other_surfaces_are_removed_but_members_with_the_same_names_stay() {
        let schema = json!({
            "title": "T", "x-names": "member", "properties": { "title": { "type": "string", "title": "U" } },
            "items": [{ "x-keeps-nulls": true, "enum": ["a"] }]
        });
        let expected = json!({ "properties": { "title": { "type": "string" } }, "items": [{ "enum": ["a"] }] });
        assert_eq!(shown(schema), expected);
    }
}
