//! Arguments that several tools share. Like every input, each type has its own parser and schema.

use std::marker::PhantomData;

use domain::event_types::TestFields;
use domain::fields;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{enum_schema, object_schema};
use domain::kernel::input::{
    EXTERNAL_IDS, Field, Input, InputMode, Integer, Line, Problems, SchemaMember, Value, refuse_external_ids,
    refuse_unknown, take,
};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::RotateFields;
use domain::work::issues::TicketReference;
use uuid::Uuid;

use crate::long_texts::{LongTexts, Part};

/// Default number of items in a list.
pub(crate) const DEFAULT_LIMIT: u32 = 20;

/// The schema of a tool's arguments.
pub(crate) fn schema_of(members: &[SchemaMember]) -> Json {
    // `Update` marks the members of its fields as optional itself.
    object_schema(members, InputMode::Create)
}

/// The id of a record.
fn id_member() -> SchemaMember {
    SchemaMember::required("id", Uuid::schema())
}

fn version_member() -> SchemaMember {
    SchemaMember::optional("expected_version", Version::schema())
}

type Version = Integer<1, { i32::MAX }>;

pub(crate) fn take_id(object: &mut Map<String, Json>, problems: &mut Problems) -> Uuid {
    // An invalid id was reported, so the nil id is never used.
    take(object, "id", "", Some(InputMode::Create), problems).set().copied().unwrap_or_default()
}

/// Selects a record by its id or, for a ticket, by its reference.
#[derive(Debug)]
pub(crate) enum Key {
    Id(Uuid),
    Reference(TicketReference),
}

/// Takes the key from `id` and `reference`, of which exactly one must be sent; `rule` says so.
pub(crate) fn take_key(object: &mut Map<String, Json>, rule: &'static str, problems: &mut Problems) -> Key {
    let has_id = object.contains_key("id");
    if has_id == object.get("reference").is_some_and(|json| !json.is_null()) {
        problems.rule("id", "required", rule);
    }
    // A key that is sent must not be null.
    let id: Field<Uuid> = take(object, "id", "", has_id.then_some(InputMode::Create), problems);
    let reference: Field<TicketReference> = take(object, "reference", "", None, problems);
    // A missing or invalid id was reported, so the nil id is never used.
    let id = || Key::Id(id.set().copied().unwrap_or_default());
    reference.set().cloned().map_or_else(id, Key::Reference)
}

fn take_version(object: &mut Map<String, Json>, problems: &mut Problems) -> ExpectedVersion {
    let version: Field<Version> = take(object, "expected_version", "", None, problems);
    version.set().map_or(ExpectedVersion::Any, |version| ExpectedVersion::OneOf(vec![version.get().into()]))
}

/// Selects a record and optionally a part of one of its long texts.
#[derive(Debug)]
pub(crate) struct Get<T> {
    pub(crate) id: Uuid,
    pub(crate) part: Option<Part>,
    record: PhantomData<fn() -> T>,
}

impl<T: LongTexts + 'static> Input for Get<T> {
    fn members() -> Vec<SchemaMember> {
        let mut members = vec![id_member()];
        if !T::NAMES.is_empty() {
            members.push(SchemaMember::optional("expand", enum_schema(T::NAMES.iter().copied())));
            members.push(SchemaMember::optional("offset", Offset::schema()));
        }
        members
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id = take_id(&mut object, problems);
        let part = if T::NAMES.is_empty() { None } else { take_part::<T>(&mut object, problems) };
        let names: &[_] = if T::NAMES.is_empty() { &["id"] } else { &["id", "expand", "offset"] };
        refuse_unknown(&object, "", names, problems);
        Self { id, part, record: PhantomData }
    }
}

pub(crate) fn take_part<T: LongTexts>(object: &mut Map<String, Json>, problems: &mut Problems) -> Option<Part> {
    let expand = object.remove("expand").filter(|json| !json.is_null());
    let name = expand.as_ref().and_then(|json| T::NAMES.iter().copied().find(|name| json.as_str() == Some(name)));
    if expand.is_some() && name.is_none() {
        problems.shape("expand", "invalid_value", format!("must be one of {}", T::NAMES.join(", ")));
    }
    let offset: Field<Offset> = take(object, "offset", "", None, problems);
    if offset.set().is_some() && expand.is_none() {
        problems.shape("offset", "invalid_value", "requires expand");
    }
    let offset = offset.set().map_or(0, |offset| offset.get().unsigned_abs());
    Some(Part { name: name?, offset: offset as usize })
}

type Offset = Integer<0, 1_000_000>;

/// Selects a record and the fields to change, which are siblings of the id.
#[derive(Debug)]
pub(crate) struct Update<F> {
    pub(crate) id: Uuid,
    pub(crate) expected: ExpectedVersion,
    pub(crate) fields: F,
}

impl<F: Input> Input for Update<F> {
    fn members() -> Vec<SchemaMember> {
        let changes = members_for_tools::<F>().into_iter().map(SchemaMember::in_update);
        [id_member(), version_member()].into_iter().chain(changes).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id = take_id(&mut object, problems);
        let expected = take_version(&mut object, problems);
        Self { id, expected, fields: read_for_tools(object, at, InputMode::Patch, problems) }
    }
}

/// The fields of a new record.
#[derive(Debug)]
pub(crate) struct New<F>(pub(crate) F);

impl<F: Input> Input for New<F> {
    fn members() -> Vec<SchemaMember> {
        members_for_tools::<F>()
    }

    fn read(object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        Self(read_for_tools(object, at, mode, problems))
    }
}

fn members_for_tools<F: Input>() -> Vec<SchemaMember> {
    F::members().into_iter().filter(|member| !EXTERNAL_IDS.contains(&member.name)).collect()
}

/// Reads the fields of a record without external ids.
fn read_for_tools<F: Input>(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> F {
    refuse_external_ids(&mut object, at, problems);
    if mode == InputMode::Patch && object.is_empty() {
        let names: Vec<_> = members_for_tools::<F>().iter().map(|member| member.name).collect();
        problems.rule(at, "empty_patch", format!("at least one field must be sent: {}", names.join(", ")));
        // Problems were reported already; parsing would report them again, and name members that tools do not accept.
        return F::read(object, at, mode, &mut Problems::default());
    }
    F::read(object, at, mode, problems)
}

/// Selects a record to delete.
#[derive(Debug)]
pub(crate) struct Delete {
    pub(crate) id: Uuid,
    pub(crate) expected: ExpectedVersion,
}

impl Input for Delete {
    fn members() -> Vec<SchemaMember> {
        vec![id_member(), version_member()]
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id = take_id(&mut object, problems);
        let expected = take_version(&mut object, problems);
        refuse_unknown(&object, "", &["id", "expected_version"], problems);
        Self { id, expected }
    }
}

/// Only the id of a record.
#[derive(Debug)]
pub(crate) struct Id(pub(crate) Uuid);

impl Input for Id {
    fn members() -> Vec<SchemaMember> {
        vec![id_member()]
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id = take_id(&mut object, problems);
        refuse_unknown(&object, "", &["id"], problems);
        Self(id)
    }
}

/// The id of a record, and further fields.
#[derive(Debug)]
pub(crate) struct WithId<F> {
    pub(crate) id: Uuid,
    pub(crate) fields: F,
}

/// The name of the id in [`WithId`].
pub(crate) trait NamedId: Input {
    const ID: &'static str = "id";
}

impl NamedId for RotateFields {}
impl NamedId for TestFields {}

impl<F: NamedId> Input for WithId<F> {
    fn members() -> Vec<SchemaMember> {
        let id = SchemaMember { name: F::ID, ..id_member() };
        std::iter::once(id).chain(F::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id: Field<Uuid> = take(&mut object, F::ID, "", Some(InputMode::Create), problems);
        let fields = F::read(object, at, InputMode::Create, problems);
        Self { id: id.set().copied().unwrap_or_default(), fields }
    }
}

/// A filter and a page.
#[derive(Debug)]
pub(crate) struct Paged<F, T> {
    pub(crate) filter: F,
    pub(crate) page: PageRequest,
    record: PhantomData<fn() -> T>,
}

fields! {
    /// Selects a page of a list.
    pub(crate) struct PageFields {
        /// At most this many; 20 if absent.
        limit: Integer<1, 100>,
        /// The previous page's nextCursor; same filter.
        cursor: Line<200>,
    }
}

impl<F: Input, T: Paginated + 'static> Input for Paged<F, T> {
    fn members() -> Vec<SchemaMember> {
        F::members().into_iter().chain(PageFields::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let paging = PageFields::NAMES.iter().filter_map(|name| object.remove_entry(*name)).collect();
        let fields = PageFields::read(paging, at, InputMode::Create, problems);
        let filter = F::read(object, at, InputMode::Create, problems);
        let limit = fields.limit.set().map_or(DEFAULT_LIMIT, |limit| limit.get().unsigned_abs());
        let cursor = fields.cursor.set().map(Line::as_str);
        let page = PageRequest::parse(T::LIST, None, Some(&limit.to_string()), cursor, problems);
        Self { filter, page, record: PhantomData }
    }
}

/// No arguments except those of the page.
#[derive(Debug)]
pub(crate) struct NoFilter;

impl Input for NoFilter {
    fn members() -> Vec<SchemaMember> {
        Vec::new()
    }

    fn read(object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        refuse_unknown(&object, at, PageFields::NAMES, problems);
        Self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message_for<T: Input>(arguments: &Json) -> String {
        let object = arguments.as_object().unwrap().clone();
        let Err(error) = T::from_object(object, InputMode::Create) else { panic!("{arguments} was accepted") };
        error.details().into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn the_error_for_an_unknown_argument_names_the_known_ones() {
        let unknown = json!({ "id": Uuid::nil(), "more": 1 });
        assert_eq!(message_for::<Id>(&unknown), "this is not a field; the fields are id");
        let unknown = json!({ "more": 1 });
        assert_eq!(message_for::<NoFilter>(&unknown), "this is not a field; the fields are limit, cursor");
    }
}
