//! Serialises only the selected fields of a record.

use std::sync::Arc;

use domain::records::Projection;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

/// A record and its selected fields. The others are not serialised at all.
pub(crate) struct Projected<T> {
    pub(crate) record: T,
    pub(crate) fields: Arc<Projection>,
}

impl<T: Serialize> Serialize for Projected<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.record.serialize(FieldFilter { inner: serializer, fields: &self.fields })
    }
}

/// Forwards the selected fields of an object, and any other value unchanged. Nested fields are not filtered.
struct FieldFilter<'a, S> {
    inner: S,
    fields: &'a Projection,
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*) -> $output:ty;)+) => { $(
        fn $method(self, $($name: $type),*) -> Result<$output, S::Error> {
            self.inner.$method($($name),*)
        }
    )+ };
}

impl<'a, S: Serializer> Serializer for FieldFilter<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = S::SerializeSeq;
    type SerializeTuple = S::SerializeTuple;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = MapFieldFilter<'a, S::SerializeMap>;
    type SerializeStruct = FieldFilter<'a, S::SerializeStruct>;
    type SerializeStructVariant = S::SerializeStructVariant;

    forward! {
        serialize_bool(value: bool) -> S::Ok;
        serialize_i8(value: i8) -> S::Ok;
        serialize_i16(value: i16) -> S::Ok;
        serialize_i32(value: i32) -> S::Ok;
        serialize_i64(value: i64) -> S::Ok;
        serialize_u8(value: u8) -> S::Ok;
        serialize_u16(value: u16) -> S::Ok;
        serialize_u32(value: u32) -> S::Ok;
        serialize_u64(value: u64) -> S::Ok;
        serialize_f32(value: f32) -> S::Ok;
        serialize_f64(value: f64) -> S::Ok;
        serialize_char(value: char) -> S::Ok;
        serialize_str(value: &str) -> S::Ok;
        serialize_bytes(value: &[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(name: &'static str) -> S::Ok;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> S::Ok;
        serialize_seq(length: Option<usize>) -> S::SerializeSeq;
        serialize_tuple(length: usize) -> S::SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> S::SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize)
            -> S::SerializeTupleVariant;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize)
            -> S::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_variant(name, index, variant, value)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Ok(MapFieldFilter { inner: self.inner.serialize_map(length)?, fields: self.fields, is_selected: true })
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeStruct, S::Error> {
        Ok(FieldFilter { inner: self.inner.serialize_struct(name, length)?, fields: self.fields })
    }
}

impl<S: SerializeStruct> SerializeStruct for FieldFilter<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
        if self.fields.shows(name) { self.inner.serialize_field(name, value) } else { self.inner.skip_field(name) }
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
        self.inner.skip_field(name)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

/// Like [`FieldFilter`], for a map: serde serialises a record with flattened fields as one.
struct MapFieldFilter<'a, S> {
    inner: S,
    fields: &'a Projection,
    /// Whether the field of the last key is selected.
    is_selected: bool,
}

impl<S> MapFieldFilter<'_, S> {
    fn shows<K: Serialize + ?Sized>(&self, key: &K) -> bool {
        let name = serde_json::to_value(key).ok();
        name.as_ref().and_then(|name| name.as_str()).is_some_and(|name| self.fields.shows(name))
    }
}

impl<S: SerializeMap> SerializeMap for MapFieldFilter<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), S::Error> {
        self.is_selected = self.shows(key);
        if self.is_selected { self.inner.serialize_key(key) } else { Ok(()) }
    }

    fn serialize_value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), S::Error> {
        if self.is_selected { self.inner.serialize_value(value) } else { Ok(()) }
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), S::Error> {
        if self.shows(key) { self.inner.serialize_entry(key, value) } else { Ok(()) }
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

#[cfg(test)]
mod tests {
    use domain::kernel::input::Problems;
    use domain::records::Members;
    use serde_json::{Value, json};

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Row {
        id: u8,
        title: Option<&'static str>,
        place: Value,
    }

    impl Members for Row {
        const MEMBERS: &'static [&'static str] = &["id", "title", "place"];
    }

    #[derive(Serialize)]
    struct SearchHit {
        #[serde(flatten)]
        row: Row,
        matched_comment: u8,
    }

    fn project(record: impl Serialize, fields: &str) -> Value {
        let projection = Projection::parse::<Row>("fields", Some(fields), &mut Problems::default());
        let text = serde_json::to_string(&Projected { record, fields: Arc::new(projection) }).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn selected_fields_are_written_in_full_and_others_are_omitted() {
        let row = || Row { id: 1, title: None, place: json!({"title": "x", "id": [2]}) };
        assert_eq!(project(row(), "id"), json!({"id": 1}));
        assert_eq!(project(row(), "title"), json!({"id": 1, "title": null}));
        assert_eq!(project(row(), "place"), json!({"id": 1, "place": {"title": "x", "id": [2]}}));
        let hit = SearchHit { row: row(), matched_comment: 3 };
        assert_eq!(project(hit, "title"), json!({"id": 1, "title": null, "matched_comment": 3}));
    }
}
