//! One operation in the document.

use std::collections::BTreeMap;

use domain::kernel::input::schema::CONTRACT;
use http_core::Operation;
use http_core::description::{AnswerDescription, Description, Parameter};
use serde_json::{Map, Value as Json, json};

use crate::openapi::errors::SharedErrors;
use crate::openapi::examples::Example;
use crate::openapi::{headers, security, tags};

const JSON: &str = "application/json";
const ADDITIONAL: &str = "additional";

pub(crate) fn render(operation: &Operation, description: Description, shared_errors: &mut SharedErrors) -> Json {
    let example = Example::of(operation.method, operation.pattern);
    let mut rendered = json!({
        "operationId": description.id,
        "summary": description.summary.trim_end_matches('.'),
        "description": format!("{} {}", security::sentence(operation), description.note).trim(),
        "tags": [tags::for_path(operation.pattern)],
        "x-rate-limit-class": operation.limits.class.as_str(),
        "security": security::requirements(operation),
        "responses": responses(operation, &description, &example, shared_errors),
    });
    if description.is_additional {
        rendered[CONTRACT] = ADDITIONAL.into();
    }
    let parameters = parameters(operation.pattern, &description);
    if !parameters.is_empty() {
        rendered["parameters"] = parameters.into();
    }
    if let Some(body) = description.body {
        let mut content = json!({ "schema": body.schema });
        if let Some(request) = example.request() {
            content["example"] = request.clone();
        }
        rendered["requestBody"] = json!({ "required": body.is_required, "content": { JSON: content } });
    }
    rendered
}

fn parameters(pattern: &str, description: &Description) -> Vec<Json> {
    let path_parameters = names_in(pattern).map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": path_schema(name), "description": path_text(name) })
    });
    let in_location = |location: &'static str, parameters: &[Parameter]| {
        let rendered = |parameter: &Parameter| {
            let mut rendered = json!({
                "name": parameter.name, "in": location, "required": parameter.is_required,
                "description": parameter.description, "schema": parameter.schema,
            });
            if parameter.is_additional {
                rendered[CONTRACT] = ADDITIONAL.into();
            }
            rendered
        };
        parameters.iter().map(rendered).collect::<Vec<_>>()
    };
    path_parameters
        .chain(in_location("query", &description.query))
        .chain(in_location("header", &description.headers))
        .collect()
}

/// The names of the parameters in a path.
pub(crate) fn names_in(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// Path parameters are ids, except for these.
fn path_schema(name: &str) -> Json {
    match name {
        "module" => json!({ "type": "string", "examples": ["inventory"] }),
        "ticket_ref" => json!({ "type": "string", "examples": ["TKT-1042"] }),
        _ => json!({ "type": "string", "format": "uuid" }),
    }
}

fn path_text(name: &str) -> String {
    match name {
        "module" => "The name of an external module.".to_owned(),
        "ticket_ref" => "The reference of the ticket, known to its customer.".to_owned(),
        id => format!("The id of the {}.", id.trim_end_matches("_id").replace('_', " ")),
    }
}

fn responses(
    operation: &Operation,
    description: &Description,
    example: &Example,
    shared_errors: &mut SharedErrors,
) -> Map<String, Json> {
    let mut by_status: BTreeMap<u16, Json> = BTreeMap::new();
    for answer in merged(&description.answers) {
        let mut rendered = json!({
            "description": answer.description, "headers": headers::for_response(operation, &answer.headers),
        });
        for (media_type, schema) in answer.content {
            rendered["content"][media_type] = json!({ "schema": schema });
            if let Some(body) = example.response(answer.status).filter(|_| media_type == JSON) {
                rendered["content"][media_type]["example"] = body.clone();
            }
        }
        by_status.insert(answer.status, rendered);
    }
    for status in description.errors.iter().map(|error| error.status) {
        let errors: Vec<_> = description.errors.iter().filter(|error| error.status == status).collect();
        by_status.entry(status).or_insert_with(|| shared_errors.reference(status, &errors));
    }
    by_status.into_iter().map(|(status, rendered)| (status.to_string(), rendered)).collect()
}

/// Merges responses with the same status into one with any of their schemas.
fn merged(answers: &[AnswerDescription]) -> Vec<AnswerDescription> {
    let mut merged: Vec<AnswerDescription> = Vec::new();
    for answer in answers {
        match merged.iter_mut().find(|earlier| earlier.status == answer.status) {
            None => merged.push(answer.clone()),
            Some(earlier) => {
                for ((_, schema), (_, other)) in earlier.content.iter_mut().zip(&answer.content) {
                    *schema = json!({ "anyOf": [schema.take(), other] });
                }
            }
        }
    }
    merged
}
