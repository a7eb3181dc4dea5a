//! The outline of a document, from its JSON Schema: the parts that the service defines, and where members are named.
//!
//! Free-form parts, such as custom fields, are not in an outline, so nothing is changed in them.

use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::leniency::array_of;
use domain::kernel::input::path;
use domain::kernel::input::schema::{KEEPS_NULLS, NAMES};

/// The outline of a value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outline {
    /// The id of a member.
    Member,
    /// The author of a change: `type` and `id`.
    Actor,
    /// An object with these members.
    Object(Vec<(String, Self)>),
    /// An array of values with this outline.
    Items(Box<Self>),
    /// An object whose members are always written, even if null.
    Whole(Box<Self>),
    /// Anything else.
    Opaque,
}

impl Outline {
    pub(crate) fn of(schema: &Json) -> Self {
        let outline = Self::of_value(schema);
        if schema.get(KEEPS_NULLS).is_some() { Self::Whole(Box::new(outline)) } else { outline }
    }

    fn of_value(schema: &Json) -> Self {
        match annotation_of(schema) {
            Some("member") => return Self::Member,
            Some("actor") => return Self::Actor,
            _ => {}
        }
        if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
            return Self::Object(properties.iter().map(|(name, inner)| (name.clone(), Self::of(inner))).collect());
        }
        if let Some(items) = schema.get("items") {
            return Self::Items(Box::new(Self::of(items)));
        }
        let variants = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
        variants.map(Self::of).find(|outline| *outline != Self::Opaque).unwrap_or(Self::Opaque)
    }

    /// The outline of a member of an object.
    pub(crate) fn member(&self, name: &str) -> &Self {
        match self {
            Self::Object(members) => {
                members.iter().find(|(known, _)| known == name).map_or(&Self::Opaque, |(_, inner)| inner)
            }
            Self::Whole(inner) => inner.member(name),
            _ => &Self::Opaque,
        }
    }

    /// Visits every argument value that names a member, with its path.
    pub(crate) fn each_member(&self, value: &mut Json, at: &str, visit: &mut dyn FnMut(&mut Json, &str)) {
        if let (Self::Items(_), Some(array)) = (self, value.as_str().and_then(array_of)) {
            *value = array;
        }
        match (self, value) {
            (Self::Member, value) => visit(value, at),
            (Self::Object(_), Json::Object(object)) => self.each_member_in(object, at, visit),
            // A single value is a list of one.
            (Self::Items(inner), value @ Json::String(_)) => inner.each_member(value, &format!("{at}[0]"), visit),
            (Self::Items(inner), Json::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    inner.each_member(item, &format!("{at}[{index}]"), visit);
                }
            }
            _ => {}
        }
    }

    /// Like `each_member`, for an object.
    pub(crate) fn each_member_in(
        &self,
        object: &mut Map<String, Json>,
        at: &str,
        visit: &mut dyn FnMut(&mut Json, &str),
    ) {
        let Self::Object(members) = self else { return };
        for (name, inner) in members {
            if let Some(value) = object.get_mut(name) {
                inner.each_member(value, &path(at, name), visit);
            }
        }
    }
}

/// The annotation of a schema whose value names a member or an author.
pub(crate) fn annotation_of(schema: &Json) -> Option<&str> {
    let direct = schema.get(NAMES).and_then(Json::as_str);
    let mut variants = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    direct.or_else(|| variants.find_map(|variant| variant.get(NAMES)?.as_str()))
}

/// The member for the name that belongs to an id: `assignee_name` for `assignee_id`.
pub(crate) fn name_member(member: &str) -> String {
    format!("{}_name", member.strip_suffix("_id").unwrap_or(member))
}

/// Visits a schema and all its subschemas.
pub(crate) fn each_schema(schema: &mut Json, visit: &mut dyn FnMut(&mut Json)) {
    visit(schema);
    let Json::Object(keywords) = schema else { return };
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties", Json::Object(properties)) => {
                properties.values_mut().for_each(|inner| each_schema(inner, visit));
            }
            ("anyOf", Json::Array(variants)) => variants.iter_mut().for_each(|inner| each_schema(inner, visit)),
            ("items" | "additionalProperties", inner) => each_schema(inner, visit),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::UserId;
    use domain::identity::access::Actor;
    use domain::kernel::input::output_schema::output_schema;
    use domain::kernel::input::{Several, Value};
    use schemars::JsonSchema;
    use serde::Serialize;
    use serde_json::json;

    #[derive(Serialize, JsonSchema)]
    struct Row {
        assignee_id: Option<UserId>,
        author: Option<Actor>,
        custom_fields: Map<String, Json>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Rows {
        data: Vec<Row>,
    }

    #[test]
    fn the_outline_of_a_result_has_members_and_authors() {
        let schema = output_schema::<Rows>();
        let outline = Outline::of(&schema);
        let Outline::Items(row) = outline.member("data") else { panic!("{schema}") };
        for (member, expected) in
            [("assignee_id", Outline::Member), ("author", Outline::Actor), ("custom_fields", Outline::Opaque)]
        {
            assert_eq!(row.member(member), &expected, "{schema}");
        }
    }

    #[test]
    fn arguments_take_addresses_wherever_they_take_members() {
        let member = json!({
            "type": "object",
            "properties": { "assignee": Several::<UserId, 50>::schema(), "patch": { "properties": { "a": UserId::schema() } } },
        });
        let outline = Outline::of(&member);
        let visited = |arguments: &mut Json| {
            let mut visited = Vec::new();
            outline.each_member(arguments, "", &mut |value, at| visited.push(format!("{at}={value}")));
            visited
        };
        let mut arguments = json!({ "assignee": ["a@x.example", 1], "patch": { "a": null }, "other": "b@x.example" });
        assert_eq!(visited(&mut arguments), ["assignee[0]=\"a@x.example\"", "assignee[1]=1", "patch.a=null"]);
        assert_eq!(visited(&mut json!({ "assignee": "b@x.example" })), ["assignee[0]=\"b@x.example\""]);
        let mut text = json!({ "assignee": "[\"a@x.example\", \"b@x.example\"]" });
        assert_eq!(visited(&mut text), ["assignee[0]=\"a@x.example\"", "assignee[1]=\"b@x.example\""]);
        assert_eq!(text, json!({ "assignee": ["a@x.example", "b@x.example"] }));
    }
}
