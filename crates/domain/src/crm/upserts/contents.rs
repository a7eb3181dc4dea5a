//! The arguments of an upsert. An error within an item is the outcome of that item and does not fail the request.

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::outcome::ItemError;
use crate::kernel::input::leniency::parse_list_text;
use crate::kernel::input::schema::object_schema;
use crate::kernel::input::{
    EXTERNAL_IDS, Field, Input, InputMode, Integer, Problems, Read, SchemaMember, Value, refuse_external_ids,
    refuse_unknown, take,
};
use crate::kernel::versions::ExpectedVersion;
use crate::records::{ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportRow, id_of, not_creatable};

/// Maximum number of items.
pub const MAX_ITEMS: usize = 500;

/// The member of an item with the version that its record must have.
const EXPECTED_VERSION: &str = "expected_version";

type Version = Integer<1, { i32::MAX }>;

/// The arguments of an upsert.
#[derive(Debug, Clone)]
pub struct Upsert<F> {
    pub(super) items: Vec<Result<Item<F>, ItemError>>,
    /// Whether to report the outcomes without writing anything.
    pub dry_run: bool,
}

/// An item that is valid for an update; `not_creatable` says whether it is also valid for a create.
#[derive(Debug, Clone)]
pub(super) struct Item<F> {
    /// The id of its record, if known. If there is no such record, the keys are used.
    pub(super) id: Option<Uuid>,
    /// The version at which the record may be changed.
    pub(super) expected: ExpectedVersion,
    pub(super) fields: F,
    /// Why no record can be created from it, such as a missing required member.
    pub(super) not_creatable: Option<ItemError>,
}

#[cfg(test)]
impl<F> Item<F> {
    pub(super) const fn new(fields: F) -> Self {
        Self { id: None, expected: ExpectedVersion::Any, fields, not_creatable: None }
    }
}

impl<F: Input> Item<F> {
    pub(super) fn read(object: Map<String, Json>) -> Result<Self, ItemError> {
        // Only tools write many records.
        let problems = || Problems::default().leniently();
        let not_creatable = F::from_object_with(object.clone(), InputMode::Create, problems()).err();
        let fields = F::from_object_with(object, InputMode::Patch, problems());
        let fields = fields.map_err(|error| ItemError::of(&error))?;
        let not_creatable = not_creatable.as_ref().map(ItemError::of);
        Ok(Self { id: None, expected: ExpectedVersion::Any, fields, not_creatable })
    }

    /// Reads an item of a request, which may have the version that its record must have.
    fn of_request(mut object: Map<String, Json>) -> Result<Self, ItemError> {
        // Only tools write many records.
        let mut problems = Problems::default().leniently();
        let version: Field<Version> = take(&mut object, EXPECTED_VERSION, "", None, &mut problems);
        refuse_external_ids(&mut object, "", &mut problems);
        problems.into_result().map_err(|error| ItemError::of(&error))?;
        let item = Self::read(object)?;
        let Field::Set(version) = version else { return Ok(item) };
        // A caller who sends a version has seen the record. If it is gone, they do not want a new one.
        let not_found = ItemError::of_unknown(format!(
            "no live record has these keys: restore it if it was deleted, or omit {EXPECTED_VERSION} to create one"
        ));
        Ok(Self {
            expected: ExpectedVersion::OneOf(vec![version.get().into()]),
            not_creatable: Some(not_found),
            ..item
        })
    }

    /// Reads a row of an import: an item that may have its record's id, and a separate column for each custom field.
    pub(super) fn of_row(mut row: ImportRow) -> Result<Self, ItemError> {
        let (id, unknown) = (id_of(&row), not_creatable(&row).map(ItemError::of_unknown));
        row.remove("id");
        if let Some(Json::Object(added)) = row.remove(ADDED_CUSTOM_FIELDS)
            // The caller refuses any other value.
            && let Json::Object(custom_fields) = row.entry(CUSTOM_FIELDS).or_insert_with(|| Map::new().into())
        {
            custom_fields.extend(added);
        }
        let item = Self::read(row)?;
        let incomplete = item.not_creatable.map(ItemError::of_incomplete_row);
        // A row that names its record by id or reference never creates one.
        Ok(Self { id, not_creatable: unknown.or(incomplete), ..item })
    }
}

/// The items before they are read, so that their problems do not become problems of the request.
#[derive(Debug, Clone)]
struct Items(Vec<Map<String, Json>>);

impl Value for Items {
    fn schema() -> Json {
        json!({ "type": "array", "minItems": 1, "maxItems": MAX_ITEMS })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Array(items) = parse_list_text(json, problems) else {
            return problems.malformed(at, "invalid_type", "must be an array of objects");
        };
        if items.is_empty() || items.len() > MAX_ITEMS {
            return problems.invalid(at, "out_of_range", format!("must have 1 to {MAX_ITEMS} items"));
        }
        let mut objects = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            match item {
                Json::Object(object) => objects.push(object),
                _ => problems.shape(format!("{at}[{index}]"), "invalid_type", "must be a JSON object"),
            }
        }
        Read::Value(Self(objects))
    }
}

impl<F: Input> Input for Upsert<F> {
    fn members() -> Vec<SchemaMember> {
        let mut items = Items::schema();
        let version = SchemaMember::optional(EXPECTED_VERSION, Version::schema());
        let accepted = F::members().into_iter().filter(|member| !EXTERNAL_IDS.contains(&member.name));
        let members: Vec<_> = accepted.chain([version]).collect();
        items["items"] = object_schema(&members, InputMode::Patch);
        let note = "Only say what would happen.".to_owned();
        let dry_run = SchemaMember { note, ..SchemaMember::optional("dry_run", bool::schema()) };
        vec![SchemaMember::required("items", items), dry_run]
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let items: Field<Items> = take(&mut object, "items", at, Some(InputMode::Create), problems);
        let dry_run: Field<bool> = take(&mut object, "dry_run", at, None, problems);
        refuse_unknown(&object, at, &["items", "dry_run"], problems);
        let items = match items {
            Field::Set(Items(items)) => items.into_iter().map(Item::of_request).collect(),
            Field::Absent | Field::Null => Vec::new(),
        };
        Self { items, dry_run: dry_run.set().copied().unwrap_or_default() }
    }
}
