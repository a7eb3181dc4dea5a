//! JSON Schemas of responses, in the same style as those of inputs.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json};

use super::JsonForm;
use super::schema::{ADDITIONAL, CONTRACT, description_of};

/// The schema of a response, as models read it.
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
    keywords.remove(CONTRACT);
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
            // The description of the type is not repeated for each member.
            schema.remove("description");
        } else {
            schema.insert("description".to_owned(), description.into());
        }
        if lines.contains(&ADDITIONAL) {
            schema.insert(CONTRACT.to_owned(), "additional".into());
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
macro_rules! same_schema_in_responses {
    ($($name:ident),*) => { $(
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                // The schema of an input is an object.
                <$name as $crate::kernel::input::Value>::schema().try_into().unwrap_or_default()
            }
        }
    )* };
}
pub(crate) use same_schema_in_responses;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn additional_members_of_records_are_marked_in_their_schema() {
        let lines = [" The deal.", " Contract: additional.", " Default: none."];
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        let record = RecordSchema::new(&mut generator).member::<i64>("a", &lines).member::<i64>("b", &[]).build();
        let mut record = record.to_value();
        assert_eq!(
            (&record["properties"]["a"][CONTRACT], record["properties"]["b"].get(CONTRACT)),
            (&json!("additional"), None)
        );
        compact(&mut record);
        assert!(!record.to_string().contains(CONTRACT), "models do not see it: {record}");
    }
}
