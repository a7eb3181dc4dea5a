//! The input of the SDK generators: the OpenAPI document and the tool catalogue, with a name for every type.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use super::parts;
use super::schemas::{SCHEMAS, flattened, merged, pascal, query_schema, rename_parts, resolved, simplify, text};

/// The parameter that selects the members of a list.
const PROJECTION: &str = "fields";

/// The operations and tools, and all their types.
pub(super) struct Contract {
    pub(super) operations: Vec<Operation>,
    pub(super) tools: Vec<Tool>,
    /// JSON Schemas by name; they refer to each other as in the OpenAPI document.
    pub(super) schemas: Map<String, Value>,
    /// Names of the events.
    pub(super) events: Vec<String>,
}

/// An operation of the REST surfaces.
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) summary: String,
    pub(super) path_parameters: Vec<String>,
    /// Name of the type of its query parameters.
    pub(super) query: Option<String>,
    pub(super) body: Option<Body>,
    pub(super) response: Response,
    pub(super) takes_key: bool,
    pub(super) takes_version: bool,
    pub(super) is_additional: bool,
}

impl Operation {
    /// What it does, as a sentence.
    pub(super) fn help(&self) -> String {
        let additional = if self.is_additional { " Beyond the supported contract." } else { "" };
        format!("{}.{additional}", self.summary.trim_end_matches('.'))
    }

    /// The type of its options in TypeScript and Python.
    pub(super) const fn options(&self) -> &'static str {
        match (self.takes_key, self.takes_version) {
            (true, _) => "KeyOptions",
            (_, true) => "VersionOptions",
            _ => "RequestOptions",
        }
    }
}

pub(super) struct Body {
    pub(super) name: String,
    pub(super) is_required: bool,
}

/// The body of a successful response: the name of its type, and its form.
pub(super) struct Response {
    pub(super) name: Option<String>,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// A page of items of this type.
    List(String),
    /// `{"data": …}` with this type.
    Data(String),
    /// The body itself.
    Whole,
}

pub(super) struct Tool {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) arguments: String,
    pub(super) result: String,
    pub(super) reads: bool,
    /// Whether a call may be repeated with its idempotency key.
    pub(super) is_repeatable: bool,
}

impl Contract {
    pub(super) fn read(openapi: &Value, tools: &Value) -> Result<Self> {
        let schemas = openapi["components"]["schemas"].as_object().context("no components.schemas")?.clone();
        let mut contract = Self { operations: Vec::new(), tools: Vec::new(), schemas, events: Vec::new() };
        for (path, item) in openapi["paths"].as_object().context("no paths")? {
            for (method, operation) in item.as_object().context("a path is not an object")? {
                let operation = contract.operation(openapi, path, method, operation)?;
                contract.operations.push(operation);
            }
        }
        for tool in tools["tools"].as_array().context("no tools")? {
            let tool = contract.tool(tool)?;
            contract.tools.push(tool);
        }
        for (event, item) in openapi["webhooks"].as_object().context("no webhooks")? {
            contract.webhook(event, item)?;
            contract.events.push(event.clone());
        }
        contract.unions(openapi)?;
        contract.parts_of_tools()?;
        for schema in contract.schemas.values_mut() {
            simplify(schema);
        }
        Ok(contract)
    }

    /// The types as an OpenAPI document without paths, which every generator reads.
    pub(super) fn types(&self) -> Value {
        json!({
            "openapi": "3.1.0",
            "info": { "title": "Types", "version": "1" },
            "paths": {},
            "components": { "schemas": parts::named(&self.schemas) },
        })
    }

    /// The body of an operation, unless it has no members: such a body need not be sent.
    pub(super) fn sent_body<'a>(&self, operation: &'a Operation) -> Option<&'a Body> {
        let has_members =
            |body: &&Body| self.schemas[&body.name]["properties"].as_object().is_some_and(|all| !all.is_empty());
        operation.body.as_ref().filter(has_members)
    }

    /// Whether a type has required members.
    pub(super) fn has_required(&self, name: &str) -> bool {
        self.schemas[name]["required"].as_array().is_some_and(|required| !required.is_empty())
    }

    fn operation(&mut self, openapi: &Value, path: &str, method: &str, operation: &Value) -> Result<Operation> {
        let id = text(operation, "operationId")?;
        let name = pascal(&id);
        let parameters: Vec<&Value> =
            operation["parameters"].as_array().into_iter().flatten().map(|item| resolved(openapi, item)).collect();
        let of_kind = |kind: &'static str| parameters.iter().copied().filter(move |parameter| parameter["in"] == kind);
        let has_header = |header: &str| of_kind("header").any(|parameter| parameter["name"] == header);
        let path_parameters = of_kind("path").map(|parameter| text(parameter, "name")).collect::<Result<Vec<_>>>()?;
        // Response types have every member.
        let sent_by_sdks = of_kind("query").filter(|parameter| parameter["name"] != PROJECTION);
        let query = query_schema(&sent_by_sdks.collect::<Vec<_>>())?;
        let (takes_key, takes_version) = (has_header("Idempotency-Key"), has_header("If-Match"));
        let query = query.map(|schema| self.named(&format!("{name}Query"), &schema)).transpose()?;
        let body = match resolved(openapi, &operation["requestBody"]) {
            Value::Null => None,
            sent => Some(Body {
                name: self.named(&format!("{name}Body"), &sent["content"]["application/json"]["schema"])?,
                is_required: sent["required"] == true,
            }),
        };
        Ok(Operation {
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: text(operation, "summary")?,
            path_parameters,
            query,
            body,
            response: self.response(openapi, &name, operation)?,
            takes_key,
            takes_version,
            is_additional: operation["x-contract"] == "additional",
            id,
        })
    }

    fn response(&mut self, openapi: &Value, name: &str, operation: &Value) -> Result<Response> {
        let responses = operation["responses"].as_object().context("no responses")?;
        let success = responses.iter().find(|(status, _)| status.starts_with('2')).map(|(_, response)| response);
        let schema = &resolved(openapi, success.context("no success")?)["content"]["application/json"]["schema"];
        if schema.is_null() {
            return Ok(Response { name: None, content: Content::Whole });
        }
        let mut schema = merged(schema);
        let is_list = schema["properties"]["pagination"].is_object();
        let data = schema.pointer_mut(if is_list { "/properties/data/items" } else { "/properties/data" });
        let content = match data {
            Some(data) => {
                let item_name = self.named(&format!("{name}{}", if is_list { "Item" } else { "Data" }), data)?;
                *data = json!({ "$ref": format!("{SCHEMAS}{item_name}") });
                if is_list { Content::List(item_name) } else { Content::Data(item_name) }
            }
            None => Content::Whole,
        };
        Ok(Response { name: Some(self.named(&format!("{name}Response"), &schema)?), content })
    }

    fn tool(&mut self, tool: &Value) -> Result<Tool> {
        let name = text(tool, "name")?;
        let arguments = self.tool_schema(&name, "Arguments", &tool["inputSchema"])?;
        let result = self.tool_schema(&name, "Result", &tool["outputSchema"])?;
        Ok(Tool {
            title: text(tool, "title")?,
            arguments,
            result,
            reads: tool["annotations"]["readOnlyHint"] == true,
            is_repeatable: tool["repeatable"] == true,
            name,
        })
    }

    /// Adds the type of this event in the log. The document has the type of its deliveries, under a similar name.
    fn webhook(&mut self, event: &str, item: &Value) -> Result<()> {
        let name = pascal(event);
        let delivery = &item["post"]["requestBody"]["content"]["application/json"]["schema"];
        ensure!(delivery["$ref"] == format!("{SCHEMAS}{name}Delivery"), "the delivery of {event} has another name");
        let payload = self.schemas.get(&format!("{name}Delivery")).and_then(|body| body.pointer("/properties/payload"));
        let properties = &payload.context("a delivery has no payload")?["properties"];
        let (data, changes) = (&properties["data"], &properties["changes"]);
        let known = json!({ "allOf": [
            { "$ref": format!("{SCHEMAS}Event") },
            { "type": "object", "required": ["event", "data", "changes"], "properties": {
                "event": { "const": event, "type": "string" }, "data": data, "changes": changes,
            } },
        ] });
        self.add(&format!("{name}Event"), flattened(&known, &self.schemas))
    }

    /// Adds the unions of all deliveries and of all events, distinguished by `event`.
    fn unions(&mut self, openapi: &Value) -> Result<()> {
        let events: Vec<_> = openapi["webhooks"].as_object().into_iter().flatten().map(|(event, _)| event).collect();
        for (name, kind) in [("WebhookDelivery", "Delivery"), ("LogEvent", "Event")] {
            let kinds = events.iter().map(|event| json!({ "$ref": format!("{SCHEMAS}{}{kind}", pascal(event)) }));
            let mut kinds: Vec<_> = kinds.collect();
            if kind == "Delivery" {
                kinds.push(json!({ "$ref": format!("{SCHEMAS}WebhookTestDelivery") }));
            }
            self.add(name, json!({ "anyOf": kinds }))?;
        }
        // No change causes this event, so the document does not contain it.
        let text = json!({ "type": "string" });
        self.add("WebhookTestDelivery", json!({
            "type": "object", "required": ["id", "event", "workspace_id", "created_at", "payload"],
            "properties": {
                "id": text, "workspace_id": text, "created_at": text, "event": { "const": "webhook.test", "type": "string" },
                "payload": { "type": "object", "required": ["message", "module"],
                    "properties": {
                        "message": text, "module": text, "sample_of": text, "data": { "type": "object" },
                    } },
            },
        }))
    }

    /// Adds types for resource methods that call a tool: the members to change, and the items to upsert.
    fn parts_of_tools(&mut self) -> Result<()> {
        let mut changes = self.schemas["UpdateContactArguments"].clone();
        let members = ["id", "expected_version"];
        let properties = changes["properties"].as_object_mut().context("update_contact takes no arguments")?;
        properties.retain(|name, _| !members.contains(&name.as_str()));
        if let Some(required) = changes["required"].as_array_mut() {
            required.retain(|name| !name.as_str().is_some_and(|name| members.contains(&name)));
        }
        self.add("ContactChanges", changes)?;
        for kind in ["Contacts", "Companies", "Deals"] {
            let arguments = self.schemas.get_mut(&format!("Upsert{kind}Arguments")).context("no upsert")?;
            let items = arguments.pointer_mut("/properties/items/items").context("an upsert takes no items")?;
            let name = format!("Upsert{kind}Item");
            let item = items.clone();
            if item["$ref"].is_null() {
                *items = json!({ "$ref": format!("{SCHEMAS}{name}") });
            }
            self.add(&name, item)?;
        }
        Ok(())
    }

    /// Adds a schema of a tool. Its `$defs` become separate types.
    fn tool_schema(&mut self, tool: &str, kind: &str, schema: &Value) -> Result<String> {
        let name = format!("{}{kind}", pascal(tool));
        let mut schema = schema.clone();
        let parts = schema.as_object_mut().and_then(|members| members.remove("$defs"));
        rename_parts(&mut schema, &name);
        for (part, mut shared) in parts.as_ref().and_then(Value::as_object).cloned().unwrap_or_default() {
            rename_parts(&mut shared, &name);
            self.add(&format!("{name}{}", pascal(&part)), shared)?;
        }
        self.add(&name, schema)?;
        Ok(name)
    }

    /// The name of this schema, which is added to the types unless it is already there.
    fn named(&mut self, name: &str, schema: &Value) -> Result<String> {
        if let Some(known) = schema["$ref"].as_str().and_then(|target| target.strip_prefix(SCHEMAS)) {
            return Ok(known.to_owned());
        }
        self.add(name, schema.clone())?;
        Ok(name.to_owned())
    }

    fn add(&mut self, name: &str, schema: Value) -> Result<()> {
        let former = self.schemas.insert(name.to_owned(), schema);
        ensure!(former.is_none(), "there are two types with the name {name}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_and_every_shared_part_of_a_tool_gets_a_name() {
        let openapi = json!({
            "webhooks": {},
            "components": { "schemas": { "Deal": { "type": "object", "properties": { "title": { "type": "string" } } } } },
            "paths": { "/deals": { "get": {
                "operationId": "deals_list", "summary": "List", "parameters": [
                    { "in": "query", "name": "limit", "schema": { "type": "integer", "default": 50 } },
                ],
                "responses": { "200": { "content": { "application/json": { "schema": { "type": "object", "properties": {
                    "data": { "type": "array", "items": { "$ref": "#/components/schemas/Deal" } }, "pagination": {},
                } } } } } },
            } } },
        });
        let other = |name: &str, input: Value| {
            json!({
                "name": name, "title": name, "repeatable": true, "annotations": { "readOnlyHint": false },
                "inputSchema": input, "outputSchema": { "type": "object", "properties": {} },
            })
        };
        let items = json!({ "type": "array", "items": { "type": "object", "properties": {} } });
        let upsert = json!({ "type": "object", "properties": { "items": items } });
        let change = json!({ "type": "object", "properties": { "id": {}, "email": {} } });
        let tools = json!({ "tools": [
            other("update_contact", change),
            other("upsert_contacts", upsert.clone()),
            other("upsert_companies", upsert.clone()),
            other("upsert_deals", upsert),
            {
            "name": "get_deal", "title": "Get", "repeatable": true, "annotations": { "readOnlyHint": true },
            "inputSchema": { "type": "object" },
            "outputSchema": { "$defs": { "who": { "type": "string" } }, "properties": { "by": { "$ref": "#/$defs/who" } } },
        }] });
        let contract = Contract::read(&openapi, &tools).unwrap();
        assert!(matches!(&contract.operations[0].response.content, Content::List(item) if item == "Deal"));
        assert_eq!(contract.schemas["DealsListQuery"]["properties"]["limit"], json!({ "type": "integer" }));
        assert!(contract.schemas["Deal"]["properties"]["title"].is_object(), "a member is not a keyword");
        let by = &contract.schemas["GetDealResult"]["properties"]["by"];
        assert_eq!(by["$ref"], "#/components/schemas/GetDealResultWho");
        let without = contract.tools.iter().find(|tool| tool.name == "get_deal").unwrap();
        assert!(!contract.has_required(&without.arguments), "called without arguments, or with an empty object");
        assert_eq!(contract.schemas["ContactChanges"]["properties"], json!({ "email": {} }));
    }
}
