//! Results as JSON texts with the names of those whom they name. Nothing else changes: numbers and the order of members
//! stay as they were written.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::outline::{Outline, name_member};

/// The names of members and of other authors, by id.
pub(crate) type Names = HashMap<Uuid, String>;

/// Whether members without a value are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    Written,
    LeftOut,
}

/// The members of an object in their order.
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

/// Whom a value names, if it does.
fn named_by(outline: &Outline, raw: &str) -> Option<Uuid> {
    match outline {
        Outline::Member => serde_json::from_str::<Option<Uuid>>(raw).ok()?,
        Outline::Actor => serde_json::from_str::<Option<AuthorId>>(raw).ok()??.id,
        _ => None,
    }
}

/// The ids of all who are named in a document.
pub(crate) fn ids_in(outline: &Outline, raw: &str) -> Result<BTreeSet<Uuid>, serde_json::Error> {
    let mut ids = BTreeSet::new();
    collect(outline, raw, &mut ids)?;
    Ok(ids)
}

fn collect(outline: &Outline, raw: &str, ids: &mut BTreeSet<Uuid>) -> Result<(), serde_json::Error> {
    match outline {
        Outline::Whole(of) => collect(of, raw, ids)?,
        Outline::Member | Outline::Actor => ids.extend(named_by(outline, raw)),
        Outline::Object(_) if raw.starts_with('{') => {
            for (name, value) in serde_json::from_str::<Members<'_>>(raw)?.0 {
                collect(outline.member(&name), value.get(), ids)?;
            }
        }
        Outline::Items(of) if raw.starts_with('[') => {
            for item in serde_json::from_str::<Vec<&RawValue>>(raw)? {
                collect(of, item.get(), ids)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The document with the names.
pub(crate) fn write(outline: &Outline, raw: &str, names: &Names, nulls: Nulls) -> Result<String, serde_json::Error> {
    let mut text = String::with_capacity(raw.len() + 64);
    write_to(&mut text, outline, raw, names, nulls)?;
    Ok(text)
}

fn write_to(
    text: &mut String,
    outline: &Outline,
    raw: &str,
    names: &Names,
    nulls: Nulls,
) -> Result<(), serde_json::Error> {
    match outline {
        Outline::Whole(of) => write_to(text, of, raw, names, Nulls::Written)?,
        Outline::Object(_) if raw.starts_with('{') => {
            text.push('{');
            for (member, value) in serde_json::from_str::<Members<'_>>(raw)?.0 {
                let of = outline.member(&member);
                if value.get() != "null" || nulls == Nulls::Written {
                    begin_member(text, &member)?;
                    write_to(text, of, value.get(), names, nulls)?;
                }
                if !matches!(of, Outline::Member | Outline::Actor) {
                    continue;
                }
                let name = named_by(of, value.get()).and_then(|id| names.get(&id));
                if name.is_some() || nulls == Nulls::Written {
                    begin_member(text, &name_member(&member))?;
                    text.push_str(&serde_json::to_string(&name)?);
                }
            }
            text.push('}');
        }
        Outline::Items(of) if raw.starts_with('[') => {
            text.push('[');
            for (index, item) in serde_json::from_str::<Vec<&RawValue>>(raw)?.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_to(text, of, item.get(), names, nulls)?;
            }
            text.push(']');
        }
        Outline::Actor if nulls == Nulls::LeftOut => text.push_str(&raw.replace(",\"id\":null", "")),
        _ => text.push_str(raw),
    }
    Ok(())
}

fn begin_member(text: &mut String, name: &str) -> Result<(), serde_json::Error> {
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

    #[test]
    fn names_stand_beside_ids_and_nothing_else_changes() {
        let (ann, key) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let raw = format!(
            r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","title":null,"custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}}}},{{"assignee_id":null,"title":"{{","author":{{"type":"system","id":null}}}}],"note":null}}"#
        );
        assert_eq!(ids_in(&outline(), &raw).unwrap().into_iter().collect::<Vec<_>>(), [ann, key]);
        let names = Names::from([(ann, "Ann \"A\"".to_owned())]);
        let whole = write(&outline(), &raw, &names, Nulls::Written).unwrap();
        assert_eq!(
            whole,
            format!(
                r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","assignee_name":"Ann \"A\"","title":null,"custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}},"author_name":null}},{{"assignee_id":null,"assignee_name":null,"title":"{{","author":{{"type":"system","id":null}},"author_name":null}}],"note":null}}"#
            )
        );
        let short = write(&outline(), &raw, &names, Nulls::LeftOut).unwrap();
        assert_eq!(
            short,
            format!(
                r#"{{"data":[{{"value":10.50,"assignee_id":"{ann}","assignee_name":"Ann \"A\"","custom_fields":{{"a":null}},"author":{{"type":"api_key","id":"{key}"}}}},{{"title":"{{","author":{{"type":"system"}}}}]}}"#
            )
        );
    }

    #[test]
    fn nulls_that_mean_something_stay() {
        let key = Outline::Object(vec![("assignee".to_owned(), Outline::Member)]);
        let group = vec![("key".to_owned(), Outline::Whole(Box::new(key))), ("note".to_owned(), Outline::Opaque)];
        let raw = r#"{"key":{"assignee":null},"note":null}"#;
        let text = write(&Outline::Object(group), raw, &Names::new(), Nulls::LeftOut).unwrap();
        assert_eq!(text, r#"{"key":{"assignee":null,"assignee_name":null}}"#);
    }

    #[test]
    fn an_empty_document_stays_one() {
        for raw in ["{}", r#"{"data":[]}"#, "[]", "null"] {
            assert_eq!(write(&outline(), raw, &Names::new(), Nulls::LeftOut).unwrap(), raw);
        }
    }
}
