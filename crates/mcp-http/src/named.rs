//! Adds the names of members and authors to JSON results. Nothing else changes: numbers and the order of members stay as
//! they were.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::outline::{Outline, name_member};

/// The names of members and other authors, by id.
pub(crate) type Names = HashMap<Uuid, String>;

/// Whether null members are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    Written,
    Omitted,
}

/// The members of an object, in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

/// The id of an author.
#[derive(Deserialize)]
struct AuthorId {
    id: Option<Uuid>,
}

/// A parsed result. Parts that cannot contain a user or a key stay raw.
pub(crate) enum Document<'a> {
    Object(Vec<(String, Self)>),
    Items(Vec<Self>),
    /// An object whose null members are always written.
    Whole(Box<Self>),
    Member(&'a str, Option<Uuid>),
    Actor(&'a str, Option<Uuid>),
    Opaque(&'a str),
}

impl<'a> Document<'a> {
    /// Parses a document and collects the ids of the members and authors in it.
    pub(crate) fn read(outline: &Outline, raw: &'a str, ids: &mut BTreeSet<Uuid>) -> serde_json::Result<Self> {
        Ok(match outline {
            Outline::Whole(inner) => Self::Whole(Box::new(Self::read(inner, raw, ids)?)),
            Outline::Member => {
                let id = serde_json::from_str(raw).unwrap_or_default();
                ids.extend(id);
                Self::Member(raw, id)
            }
            Outline::Actor => {
                let author: Option<AuthorId> = serde_json::from_str(raw).unwrap_or_default();
                let id = author.and_then(|author| author.id);
                ids.extend(id);
                Self::Actor(raw, id)
            }
            Outline::Object(_) if raw.starts_with('{') => {
                let Members(members) = serde_json::from_str(raw)?;
                let read = |(name, value): (String, &'a RawValue)| {
                    Self::read(outline.member(&name), value.get(), ids).map(|value| (name, value))
                };
                Self::Object(members.into_iter().map(read).collect::<serde_json::Result<_>>()?)
            }
            Outline::Items(inner) if raw.starts_with('[') => {
                let items = serde_json::from_str::<Vec<&RawValue>>(raw)?.into_iter();
                Self::Items(items.map(|item| Self::read(inner, item.get(), ids)).collect::<serde_json::Result<_>>()?)
            }
            _ => Self::Opaque(raw),
        })
    }

    /// Writes the document with the names.
    pub(crate) fn write(&self, names: &Names, nulls: Nulls) -> serde_json::Result<String> {
        let mut text = String::new();
        self.write_to(&mut text, names, nulls)?;
        Ok(text)
    }

    fn write_to(&self, text: &mut String, names: &Names, nulls: Nulls) -> serde_json::Result<()> {
        match self {
            Self::Whole(inner) => inner.write_to(text, names, Nulls::Written)?,
            Self::Object(members) => {
                text.push('{');
                for (member, value) in members {
                    if !value.is_null() || nulls == Nulls::Written {
                        begin_member(text, member)?;
                        value.write_to(text, names, nulls)?;
                    }
                    let (Self::Member(_, id) | Self::Actor(_, id)) = value else { continue };
                    let name = id.and_then(|id| names.get(&id));
                    if name.is_some() || nulls == Nulls::Written {
                        begin_member(text, &name_member(member))?;
                        text.push_str(&serde_json::to_string(&name)?);
                    }
                }
                text.push('}');
            }
            Self::Items(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    item.write_to(text, names, nulls)?;
                }
                text.push(']');
            }
            Self::Actor(raw, _) if nulls == Nulls::Omitted => text.push_str(&raw.replace(",\"id\":null", "")),
            Self::Member(raw, _) | Self::Actor(raw, _) | Self::Opaque(raw) => text.push_str(raw),
        }
        Ok(())
    }

    fn is_null(&self) -> bool {
        match self {
            Self::Whole(inner) => inner.is_null(),
            Self::Member(raw, _) | Self::Actor(raw, _) | Self::Opaque(raw) => *raw == "null",
            Self::Object(_) | Self::Items(_) => false,
        }
    }
}

fn begin_member(text: &mut String, name: &str) -> serde_json::Result<()> {
    if !text.ends_with('{') {
        text.push(',');
    }
    text.push_str(&serde_json::to_string(name)?);
    text.push(':');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        let row = vec![
            ("title".to_owned(), Outline::Opaque),
            ("assignee_id".to_owned(), Outline::Member),
            ("custom_fields".to_owned(), Outline::Opaque),
            ("author".to_owned(), Outline::Actor),
        ];
        Outline::Object(vec![("data".to_owned(), Outline::Items(Box::new(Outline::Object(row))))])
    }

    fn read<'a>(outline: &Outline, raw: &'a str) -> (Document<'a>, Vec<Uuid>) {
        let mut ids = BTreeSet::new();
        (Document::read(outline, raw, &mut ids).unwrap(), ids.into_iter().collect())
    }

    #[test]
    fn names_are_added_next_to_ids_and_nothing_else_changes() {
        let (ann, key) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let raw = format!(
            r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","title":null,"custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}}}},{{"assignee_id":null,"title":"{{","author":{{"type":"system","id":null}}}}],"note":null}}"#
        );
        let (document, ids) = read(&outline(), &raw);
        assert_eq!(ids, [ann, key]);
        let names = Names::from([(ann, "Ann \"A\"".to_owned())]);
        let full = document.write(&names, Nulls::Written).unwrap();
        assert_eq!(
            full,
            format!(
                r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","assignee_name":"Ann \"A\"","title":null,"custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}},"author_name":null}},{{"assignee_id":null,"assignee_name":null,"title":"{{","author":{{"type":"system","id":null}},"author_name":null}}],"note":null}}"#
            )
        );
        let short = document.write(&names, Nulls::Omitted).unwrap();
        assert_eq!(
            short,
            format!(
                r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","assignee_name":"Ann \"A\"","custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}}}},{{"title":"{{","author":{{"type":"system"}}}}]}}"#
            )
        );
    }

    #[test]
    fn meaningful_nulls_are_kept() {
        let key = Outline::Object(vec![("assignee".to_owned(), Outline::Member)]);
        let group = vec![("key".to_owned(), Outline::Whole(Box::new(key))), ("note".to_owned(), Outline::Opaque)];
        let raw = r#"{"key":{"assignee":null},"note":null}"#;
        let text = read(&Outline::Object(group), raw).0.write(&Names::new(), Nulls::Omitted).unwrap();
        assert_eq!(text, r#"{"key":{"assignee":null,"assignee_name":null}}"#);
    }

    #[test]
    fn an_empty_document_stays_empty() {
        for raw in ["{}", r#"{"data":[]}"#, "[]", "null"] {
            assert_eq!(read(&outline(), raw).0.write(&Names::new(), Nulls::Omitted).unwrap(), raw);
        }
    }
}
