//! The types can parse every example response in the OpenAPI document.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Result, Value, json};

use crate::generated::answers::read;

/// Names the document, which is in the repository but not in the package.
const OPENAPI: &str = "SERVICE_OPENAPI";

pub(crate) fn whole<T: DeserializeOwned + Serialize>(answer: Value) -> Result<Value> {
    serde_json::to_value(serde_json::from_value::<T>(answer)?)
}

pub(crate) fn data<T: DeserializeOwned + Serialize>(mut answer: Value) -> Result<Value> {
    answer["data"] = whole::<T>(answer["data"].take())?;
    Ok(answer)
}

pub(crate) fn list<T: DeserializeOwned + Serialize>(mut answer: Value) -> Result<Value> {
    answer["pagination"] = whole::<crate::types::Pagination>(answer["pagination"].take())?;
    answer["data"] = whole::<Vec<T>>(answer["data"].take())?;
    Ok(answer)
}

#[test]
fn responses_are_parsed_without_loss() {
    let Ok(path) = std::env::var(OPENAPI) else { return };
    let openapi: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let operations = openapi["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let mut count = 0;
    for operation in operations {
        let id = operation["operationId"].as_str().unwrap();
        for (_, answer) in
            operation["responses"].as_object().unwrap().iter().filter(|(status, _)| status.starts_with('2'))
        {
            let content = &answer["content"]["application/json"];
            let named =
                content["examples"].as_object().into_iter().flat_map(|all| all.values().map(|one| &one["value"]));
            for example in named.chain(content.get("example")) {
                let again = read(id, example.clone()).unwrap_or_else(|error| panic!("{id}: {error} in {example}"));
                assert_eq!(without_nothing(&again), without_nothing(example), "{id}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} answers were read");
}

/// Absent members, null and empty lists are the same in a record, and so are 5 and 5.0.
fn without_nothing(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (name.clone(), without_nothing(member)));
            members.filter(|(_, member)| !member.is_null() && *member != json!([])).collect()
        }
        Value::Array(items) => items.iter().map(without_nothing).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}
