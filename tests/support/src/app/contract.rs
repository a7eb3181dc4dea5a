//! Compares requests and responses in tests with the OpenAPI document.
//!
//! Every exchange of a [`Client`](crate::Client) is checked: a status, member or value that the document does not contain
//! fails the test, and so does an accepted request whose body does not match its schema. The
//! document is therefore as accurate as the tests are complete. The codes in error details are compared with the interface.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::{Registry, Resource, Validator};
use reqwest::{Method, Request, Url};
use serde_json::{Value as Json, json};
use server::SURFACES;

use super::detail_codes;

/// The URI of the document in references.
const URI: &str = "urn:document";

struct Document {
    json: Json,
    registry: &'static Registry<'static>,
    /// Validators by pointer into the document.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let json = api_docs::openapi::document(http_core::operations(SURFACES));
    let resource = Resource::from_contents(json.clone());
    let registry = Registry::new().add(URI, resource).and_then(jsonschema::RegistryBuilder::prepare);
    let registry = registry.unwrap_or_else(|error| panic!("the document is not a valid resource: {error}"));
    Document { json, registry: Box::leak(Box::new(registry)), validators: Mutex::default() }
});

/// The parts of a request that the document describes.
pub(crate) struct SentRequest {
    method: Method,
    url: Url,
    body: Option<Json>,
}

impl SentRequest {
    pub(crate) fn of(request: &Request) -> Self {
        let body = request.body().and_then(|body| body.as_bytes());
        let body = body.and_then(|bytes| serde_json::from_slice(bytes).ok());
        Self { method: request.method().clone(), url: request.url().clone(), body }
    }

    /// Compares an exchange with the document.
    ///
    /// # Panics
    /// If the document does not match.
    pub(crate) fn compare(&self, status: u16, content_type: &str, reply: &Json) {
        let Some((path, operation)) = self.operation() else { return };
        let context = format!("{} {path} answered {status}: {reply}", self.method);
        let response = &operation["responses"][status.to_string()];
        let response = response["$ref"].as_str().map_or(response, |target| resolve(target));
        assert!(response.is_object(), "the OpenAPI document lacks the status. {context}");
        if let Some(codes) = response["x-error-codes"].as_array() {
            let error = &reply["error"];
            let code = error.get("code").unwrap_or(error);
            assert!(codes.contains(code), "the OpenAPI document lacks the code. {context}");
        }
        detail_codes::check(status, reply, &context);
        let media_type = content_type.split(';').next().unwrap_or_default();
        if let Some(content) = response["content"].as_object() {
            let schema = content.get(media_type).map(|media| &media["schema"]);
            let schema = schema.unwrap_or_else(|| panic!("the OpenAPI document lacks {media_type}. {context}"));
            if media_type == "application/json" {
                check_fields(schema, reply, self.fields().as_deref(), &context);
            }
        }
        if status < 300 {
            self.check_request(operation, &context);
        }
    }

    /// An accepted request must match the document.
    fn check_request(&self, operation: &Json, context: &str) {
        let declared = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names: BTreeSet<_> =
            declared.iter().filter(|one| one["in"] == "query").filter_map(|one| one["name"].as_str()).collect();
        for (name, _) in self.url.query_pairs() {
            assert!(names.contains(&*name), "the OpenAPI document lacks the parameter {name}. {context}");
        }
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if let (Some(body), true) = (&self.body, schema.is_object()) {
            check(schema, &trimmed(body), &format!("Accepted: {body}. {context}"));
        }
    }

    /// The requested members of each record of a list, if they are restricted.
    fn fields(&self) -> Option<Vec<String>> {
        let (_, names) = self.url.query_pairs().find(|(name, _)| name == http_core::query::FIELDS)?;
        Some(names.split(',').map(str::to_owned).collect())
    }

    /// The operation with its path, if it is in the document.
    fn operation(&self) -> Option<(&'static str, &'static Json)> {
        let pattern = pattern_of(self.url.path())?;
        let operation = DOCUMENT.json["paths"][pattern].get(self.method.as_str().to_ascii_lowercase())?;
        Some((pattern, operation))
    }
}

/// The pattern of the route of a path: the first match in the order of the tables, as in the service.
pub fn pattern_of(path: &str) -> Option<&'static str> {
    http_core::operations(SURFACES).map(|operation| operation.pattern).find(|pattern| is_match(pattern, path))
}

/// Whether a path matches a pattern, in which `{…}` matches any segment.
pub fn is_match(pattern: &str, path: &str) -> bool {
    let fits = |(segment, part): (&str, &str)| segment.starts_with('{') && !part.is_empty() || segment == part;
    pattern.split('/').count() == path.split('/').count() && pattern.split('/').zip(path.split('/')).all(fits)
}

/// Compares an example with the document: the `request`, if any, and the `response` with this status.
///
/// # Panics
/// If the document does not match.
pub fn compare_example(method: &str, pattern: &str, status: u16, example: &Json) {
    let operation: &'static Json = &DOCUMENT.json["paths"][pattern][method.to_ascii_lowercase()];
    let context = format!("The example of {method} {pattern}");
    let schema = |content: &'static Json| &content["content"]["application/json"]["schema"];
    if let Some(request) = example.get("request") {
        check(schema(&operation["requestBody"]), request, &context);
    }
    check(schema(&operation["responses"][status.to_string()]), &example["response"], &context);
}

/// The value with every text as stored, without surrounding white space (interface 1.9).
fn trimmed(value: &Json) -> Json {
    match value {
        Json::String(text) => text.trim().into(),
        Json::Array(items) => items.iter().map(trimmed).collect(),
        Json::Object(members) => members.iter().map(|(name, value)| (name.clone(), trimmed(value))).collect(),
        other => other.clone(),
    }
}

fn resolve(target: &str) -> &'static Json {
    let pointer = target.trim_start_matches('#');
    DOCUMENT.json.pointer(pointer).unwrap_or_else(|| panic!("the OpenAPI document has no {target}"))
}

/// Checks a value, and that the schema declares each of its members.
fn check(schema: &Json, value: &Json, context: &str) {
    check_fields(schema, value, None, context);
}

/// Like [`check`], for a response whose records contain only the requested members.
fn check_fields(schema: &Json, value: &Json, fields: Option<&[String]>, context: &str) {
    let validator = validator_of(schema);
    let problems = validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path()));
    let is_requested = |name: &str| name == "id" || fields.is_none_or(|fields| fields.iter().any(|one| one == name));
    let is_of_record = |pointer: &str| pointer.starts_with("/data/") && pointer.matches('/').count() == 2;
    let is_omitted = |problem: &str| {
        let missing = problem.split_once(": \"").filter(|(pointer, _)| is_of_record(pointer));
        let missing = missing.and_then(|(_, rest)| rest.strip_suffix("\" is a required property"));
        missing.is_some_and(|name| !is_requested(name))
    };
    let problems: Vec<_> = problems.filter(|problem| !is_omitted(problem)).collect();
    assert!(problems.is_empty(), "not as the OpenAPI document says: {problems:?}. {context}");
    let mut unknown = Vec::new();
    find_unknown(&[schema], value, "", &mut unknown);
    assert!(unknown.is_empty(), "the OpenAPI document lacks the members {unknown:?}. {context}");
}

fn validator_of(schema: &Json) -> Arc<Validator> {
    let text = schema.to_string();
    let mut validators = DOCUMENT.validators.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = validators.get(&text) {
        return Arc::clone(known);
    }
    let whole: Json = serde_json::from_str(&text.replace("\"#/components", &format!("\"{URI}#/components")))
        .unwrap_or_else(|error| panic!("{error}"));
    // The service accepts addresses in every script, and with text that pasting adds around them.
    let options = jsonschema::draft202012::options().with_registry(DOCUMENT.registry).should_validate_formats(true);
    let options = options.with_format("email", |text: &str| text.contains('@'));
    let created = Arc::new(options.build(&whole).unwrap_or_else(|error| panic!("{schema}: {error}")));
    validators.insert(text, Arc::clone(&created));
    created
}

/// Collects the members that none of the schemas declares. If one accepts any member, all are known.
fn find_unknown(schemas: &[&Json], value: &Json, pointer: &str, unknown: &mut Vec<String>) {
    let schemas = flattened(schemas);
    match value {
        Json::Object(members) => {
            let is_open = schemas.iter().any(|schema| {
                let allows = |keyword: &str| schema.get(keyword).is_some_and(|others| *others != json!(false));
                allows("additionalProperties") || schema.get("properties").is_none() && accepts_objects(schema)
            });
            if is_open {
                return;
            }
            for (name, value) in members {
                let declared: Vec<_> = schemas.iter().filter_map(|schema| schema["properties"].get(name)).collect();
                let pointer = format!("{pointer}/{name}");
                if declared.is_empty() {
                    unknown.push(pointer);
                } else {
                    find_unknown(&declared, value, &pointer, unknown);
                }
            }
        }
        Json::Array(items) => {
            let item_schemas: Vec<_> = schemas.iter().filter_map(|schema| schema.get("items")).collect();
            for (index, item) in items.iter().enumerate().filter(|_| !item_schemas.is_empty()) {
                find_unknown(&item_schemas, item, &format!("{pointer}/{index}"), unknown);
            }
        }
        _ => {}
    }
}

/// Whether a schema without members accepts objects: `true`, or one without a type.
fn accepts_objects(schema: &Json) -> bool {
    let types = &schema["type"];
    let is_group = ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|keyword| schema.get(keyword).is_some());
    !is_group
        && (types.is_null()
            || *types == json!("object")
            || types.as_array().is_some_and(|all| all.contains(&json!("object"))))
}

/// The schemas, and the schemas that they are composed of.
fn flattened<'a>(schemas: &[&'a Json]) -> Vec<&'a Json> {
    let mut all = Vec::new();
    for schema in schemas {
        all.push(*schema);
        if let Some(target) = schema["$ref"].as_str() {
            all.extend(flattened(&[resolve(target)]));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let parts: Vec<_> = schema[keyword].as_array().into_iter().flatten().collect();
            all.extend(flattened(&parts));
        }
    }
    all
}
