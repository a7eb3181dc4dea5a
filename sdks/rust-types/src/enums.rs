//! Enums: one for each set of values, wherever it is used.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::schema::{Schemas, pascal, reference, rename};

/// Enums with more values are strings: nobody matches on all currencies.
const MAX_VALUES: usize = 100;

#[derive(Default)]
pub struct Enums {
    uses: Vec<EnumUse>,
}

struct EnumUse {
    values: Vec<String>,
    names: Vec<String>,
}

impl Enums {
    /// A placeholder for this enum until all enums are known.
    pub fn add(&mut self, owner: &str, member: &str, schema: &Value) -> Value {
        let values: Vec<_> =
            schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let mut schema_of_use = if values.len() > MAX_VALUES {
            json!({ "type": "string" })
        } else {
            let member = if member == "item" { "" } else { member };
            let name = format!("{owner}{}", pascal(member));
            let index = self.uses.iter().position(|one| one.values == values).unwrap_or_else(|| {
                self.uses.push(EnumUse { values, names: Vec::new() });
                self.uses.len() - 1
            });
            self.uses[index].names.push(name);
            reference(&format!("enum-{index}"))
        };
        if let Some(description) = schema.get("description") {
            schema_of_use["description"] = description.clone();
        }
        schema_of_use
    }

    /// Gives each enum the shortest name among its uses, so that one that records and tools share is named after the record.
    pub fn settle(self, records: &mut Schemas) -> BTreeMap<String, Vec<String>> {
        let mut settled = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (index, one) in self.uses.into_iter().enumerate() {
            let mut candidates = one.names;
            candidates.sort_by_key(|name| (name.len(), name.clone()));
            let is_free = |name: &&String| {
                !settled.contains_key(*name) && records.get(*name).is_none_or(|record| record["$ref"].is_string())
            };
            let name = candidates.iter().find(is_free).cloned().unwrap_or_else(|| format!("{}Value", candidates[0]));
            records.shift_remove(&name);
            names.insert(format!("enum-{index}"), name.clone());
            settled.insert(name, one.values);
        }
        records.values_mut().for_each(|record| rename(record, &names));
        settled
    }
}
