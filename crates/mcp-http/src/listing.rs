//! The list of tools, filtered for a key.

use std::sync::OnceLock;

use domain::identity::access::Caller;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Input, InputMode, Problems, Read, SchemaMember, Value, refuse_unknown, take};
use domain::tools::{Effect, Feature, Tool};
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::tool::Entry;
use crate::tools::CATALOGUE;

/// The parameters of `tools/list`.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListRequest {
    pub(crate) include_denied: Option<bool>,
    pub(crate) include_schemas: Option<bool>,
    /// Whether the schemas include those of results; true if absent.
    pub(crate) include_output_schemas: Option<bool>,
    /// Tools of any of these features; all if absent.
    pub(crate) features: Option<Vec<Feature>>,
}

impl ListRequest {
    /// The names of its fields, the same in queries and bodies.
    pub(crate) const NAMES: [&'static str; 4] = ["includeDenied", "includeSchemas", "includeOutputSchemas", "features"];
}

/// Features as a client sends them: an array, or a comma-separated string.
#[derive(Debug, Clone)]
struct Features(Vec<Feature>);

/// Parses a comma-separated list.
pub(crate) fn parse_features(text: &str) -> Option<Vec<Feature>> {
    text.split(',').map(|name| Feature::parse(name.trim())).collect()
}

impl Value for Features {
    fn schema() -> Json {
        json!({ "type": "array", "items": Feature::schema() })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let features = match &json {
            Json::String(text) => parse_features(text),
            Json::Array(items) => items.iter().map(|item| Feature::parse(item.as_str()?)).collect(),
            _ => None,
        };
        if let Some(features) = features {
            return Read::Value(Self(features));
        }
        problems.shape(
            at,
            "invalid_value",
            format!("must be an array of features, each one of {}", Feature::allowed_values()),
        );
        Read::Invalid
    }
}

impl Input for ListRequest {
    fn members() -> Vec<SchemaMember> {
        let [denied, schemas, outputs, features] = Self::NAMES;
        let flag = |name, description: &str| SchemaMember::optional(name, bool::schema()).described(description);
        vec![
            flag(denied, "Also list the tools that the key may not call; false if absent."),
            flag(schemas, "Include the schemas of the tools; false if absent."),
            flag(outputs, "With `includeSchemas`: include the output schemas too; true if absent."),
            SchemaMember::optional(features, Features::schema())
                .described("Only tools of any of these features; all if absent."),
        ]
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let [denied, schemas, outputs, features] = Self::NAMES;
        let include_denied: Field<bool> = take(&mut object, denied, at, None, problems);
        let include_schemas: Field<bool> = take(&mut object, schemas, at, None, problems);
        let include_output_schemas: Field<bool> = take(&mut object, outputs, at, None, problems);
        let features: Field<Features> = take(&mut object, features, at, None, problems);
        refuse_unknown(&object, at, &Self::NAMES, problems);
        Self {
            include_denied: include_denied.set().copied(),
            include_schemas: include_schemas.set().copied(),
            include_output_schemas: include_output_schemas.set().copied(),
            features: features.set().map(|features| features.0.clone()),
        }
    }
}

/// Hints for clients. All four are always sent, because two of them default to true if absent.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "the shape is the protocol's")]
pub(crate) struct Annotations {
    pub(crate) read_only_hint: bool,
    pub(crate) destructive_hint: bool,
    pub(crate) idempotent_hint: bool,
    pub(crate) open_world_hint: bool,
}

impl Annotations {
    pub(crate) const fn of(tool: Tool) -> Self {
        let effect = tool.effect();
        Self {
            read_only_hint: matches!(effect, Effect::Reads),
            destructive_hint: matches!(effect, Effect::Changes | Effect::Replaces | Effect::Deletes),
            idempotent_hint: matches!(effect, Effect::Reads | Effect::Changes | Effect::Deletes),
            open_world_hint: tool.reaches_outside(),
        }
    }
}

/// The schemas of a tool, serialised once.
struct Schemas {
    input: Box<RawValue>,
    output: Box<RawValue>,
}

fn schemas_of(entry: &Entry) -> &'static Schemas {
    static SCHEMAS: OnceLock<Vec<Schemas>> = OnceLock::new();
    let raw = |schema: &Json| to_raw_value(schema).unwrap_or_else(|_| RawValue::NULL.to_owned());
    let all = SCHEMAS.get_or_init(|| {
        let serialise = |entry: &Entry| Schemas { input: raw(&entry.input_schema), output: raw(&entry.output_schema) };
        CATALOGUE.iter().map(serialise).collect()
    });
    // One per entry, in the same order.
    &all[entry.tool as usize]
}

/// A tool in the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolView {
    name: Tool,
    title: &'static str,
    description: &'static str,
    feature: Feature,
    /// Null if every key may call it.
    permission: Option<&'static str>,
    /// Only for a denied tool with several required permissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    permissions: Option<Vec<&'static str>>,
    /// Only for a denied tool that needs all of several permissions; otherwise any one suffices.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    needs_all_permissions: bool,
    annotations: Annotations,
    /// Only if a call must not be retried, not even with an idempotency key.
    #[serde(skip_serializing_if = "is_true")]
    repeatable: bool,
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'static RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'static RawValue>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires this signature")]
const fn is_true(value: &bool) -> bool {
    *value
}

/// The response of `tools/list`.
#[derive(Serialize)]
pub(crate) struct ToolListResponse {
    tools: Vec<ToolView>,
    count: usize,
}

impl ToolListResponse {
    pub(crate) fn of(caller: &Caller, request: &ListRequest) -> Self {
        let tools: Vec<_> = CATALOGUE.iter().filter_map(|entry| view_of(entry, caller, request)).collect();
        Self { count: tools.len(), tools }
    }
}

fn view_of(entry: &Entry, caller: &Caller, request: &ListRequest) -> Option<ToolView> {
    let tool = entry.tool;
    let allowed = caller.check_tool(tool).is_ok();
    let requested = |feature: &Feature| request.features.as_ref().is_none_or(|features| features.contains(feature));
    // If the tool has several features, the requested one.
    let feature = tool.features().iter().copied().find(requested)?;
    if !allowed && request.include_denied != Some(true) {
        return None;
    }
    let names: Vec<_> = tool.permissions().iter().map(|permission| permission.as_str()).collect();
    // Of several permissions, one that the caller has.
    let granted = tool.permissions().iter().find(|permission| caller.tools().has(**permission));
    let schemas = (request.include_schemas == Some(true)).then(|| schemas_of(entry));
    let with_output = request.include_output_schemas != Some(false);
    Some(ToolView {
        name: tool,
        title: entry.title,
        description: entry.description,
        feature,
        permission: granted.map(|permission| permission.as_str()).or(names.first().copied()),
        permissions: (!allowed && names.len() > 1).then_some(names),
        needs_all_permissions: !allowed && tool.needs_every_permission(),
        annotations: Annotations::of(tool),
        repeatable: tool.is_repeatable(),
        allowed,
        input_schema: schemas.map(|schemas| &*schemas.input),
        output_schema: schemas.filter(|_| with_output).map(|schemas| &*schemas.output),
    })
}

/// All tools, independent of a caller: the source for generating clients in other languages. It has the fields of the list
/// that do not depend on a key, and complete input schemas, which the list shortens.
#[must_use]
pub fn catalogue() -> Json {
    let tools: Vec<_> = CATALOGUE.iter().map(catalogue_entry).collect();
    json!({ "tools": tools })
}

fn catalogue_entry(entry: &Entry) -> Json {
    let tool = entry.tool;
    json!({
        "name": tool,
        "title": entry.title,
        "description": entry.description,
        "features": tool.features(),
        "permissions": tool.permissions().iter().map(|permission| permission.as_str()).collect::<Vec<_>>(),
        "annotations": Annotations::of(tool),
        "repeatable": tool.is_repeatable(),
        "inputSchema": entry.full_input(),
        "outputSchema": entry.output_schema,
    })
}

/// The features that a client of the transport requested; `None` stands for all.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestedFeatures(pub(crate) Option<Vec<Feature>>);

impl RequestedFeatures {
    pub(crate) fn include(&self, tool: Tool) -> bool {
        self.0.as_ref().is_none_or(|features| tool.features().iter().any(|feature| features.contains(feature)))
    }
}

/// The tools that a caller may call, for the protocol's `tools/list`.
pub(crate) fn allowed_entries<'a>(
    caller: &'a Caller,
    features: &'a RequestedFeatures,
) -> impl Iterator<Item = &'static Entry> + 'a {
    CATALOGUE.iter().filter(|entry| caller.check_tool(entry.tool).is_ok() && features.include(entry.tool))
}
