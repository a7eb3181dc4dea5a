//! The tools that the service lists, and which of them the adapter offers.

use std::collections::BTreeMap;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::Value;

use crate::options::Limits;
use crate::retry::RetrySafety;

/// The response of the service.
#[derive(Debug, Deserialize)]
pub(crate) struct Catalogue {
    tools: Vec<JsonObject>,
}

/// What the adapter needs to know about a listed tool to call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListedTool {
    pub(crate) retry_safety: RetrySafety,
    pub(crate) is_offered: bool,
}

#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
    #[serde(default)]
    feature: Option<String>,
    #[serde(default)]
    annotations: ToolAnnotations,
    #[serde(default = "default_true")]
    allowed: bool,
    /// Whether a call with an `Idempotency-Key` may be retried.
    #[serde(default = "default_true")]
    repeatable: bool,
}

fn default_true() -> bool {
    true
}

impl Entry {
    fn parse(tool: &JsonObject) -> Option<Self> {
        let entry = serde_json::from_value(Value::Object(tool.clone()));
        entry.inspect_err(|error| log::warn!("cannot parse a listed tool: {error}")).ok()
    }

    /// A tool without `readOnlyHint` is assumed to write.
    fn listed(&self, limits: &Limits) -> ListedTool {
        let reads = self.annotations.read_only_hint == Some(true);
        // The service filters by feature, but an older release may not.
        let has_feature =
            limits.features.is_empty() || self.feature.as_ref().is_none_or(|feature| limits.features.contains(feature));
        ListedTool {
            retry_safety: match (reads, self.repeatable) {
                (true, _) => RetrySafety::Reads,
                (false, true) => RetrySafety::Writes,
                (false, false) => RetrySafety::WritesEachTime,
            },
            is_offered: self.allowed && has_feature && (reads || !limits.read_only),
        }
    }
}

impl Catalogue {
    /// The listed tools by name.
    pub(crate) fn listed(&self, limits: &Limits) -> BTreeMap<String, ListedTool> {
        let entries = self.tools.iter().filter_map(Entry::parse);
        entries.map(|entry| (entry.name.clone(), entry.listed(limits))).collect()
    }

    /// The offered tools in the form of the protocol. The list must include schemas.
    pub(crate) fn into_offered_tools(self, limits: &Limits) -> Vec<Tool> {
        let is_offered = |tool: &JsonObject| Entry::parse(tool).is_some_and(|entry| entry.listed(limits).is_offered);
        let offered = self.tools.into_iter().filter(is_offered);
        offered
            .filter_map(|tool| {
                let tool = serde_json::from_value(Value::Object(tool));
                tool.inspect_err(|error| log::warn!("cannot offer a listed tool: {error}")).ok()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn catalogue() -> Catalogue {
        let tool = |name: &str, feature: &str, annotations: Value| {
            json!({
                "name": name, "title": "T", "feature": feature, "annotations": annotations, "allowed": true,
                "inputSchema": {"type": "object", "x-own": {"deep": [1, 1.5, null]}},
            })
        };
        let mut denied = tool("delete_deal", "crm", json!({"readOnlyHint": true}));
        denied["allowed"] = json!(false);
        let tools = [
            tool("list_deals", "crm", json!({"readOnlyHint": true})),
            tool("create_deal", "crm", json!({"readOnlyHint": false})),
            tool("list_projects", "projects", json!({"readOnlyHint": true})),
            tool("silent", "crm", json!({})),
            denied,
            json!({"title": "nameless"}),
        ];
        serde_json::from_value(json!({"tools": tools, "count": tools.len()})).unwrap()
    }

    fn names(limits: &Limits) -> Vec<String> {
        catalogue().into_offered_tools(limits).into_iter().map(|tool| tool.name.into_owned()).collect()
    }

    #[test]
    fn all_allowed_tools_are_offered_unless_limited() {
        assert_eq!(names(&Limits::default()), ["list_deals", "create_deal", "list_projects", "silent"]);
        let projects = ["projects".to_owned()].into();
        assert_eq!(names(&Limits { features: projects, read_only: false }), ["list_projects"]);
        assert_eq!(names(&Limits { read_only: true, ..Limits::default() }), ["list_deals", "list_projects"]);
    }

    #[test]
    fn schemas_are_passed_on_verbatim() {
        let tool = catalogue().into_offered_tools(&Limits::default()).remove(0);
        let expected = json!({"type": "object", "x-own": {"deep": [1, 1.5, null]}});
        assert_eq!(Value::Object(tool.input_schema.as_ref().clone()), expected);
    }

    #[test]
    fn a_tool_without_read_only_hint_writes() {
        let listed = catalogue().listed(&Limits { read_only: true, ..Limits::default() });
        assert_eq!(listed["silent"], ListedTool { retry_safety: RetrySafety::Writes, is_offered: false });
        assert_eq!(listed["list_deals"], ListedTool { retry_safety: RetrySafety::Reads, is_offered: true });
    }
}
