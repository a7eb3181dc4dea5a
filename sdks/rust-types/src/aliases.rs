//! Finds types that are equal: `CreateDealResult` is a `Deal`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::schema::{Schemas, is_nullable, is_record, reference, rename, target};

/// Keeps one of all records that are equal apart from descriptions; the others become aliases of it.
pub fn merge(records: &mut Schemas, patches: &BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, Value> {
    let mut aliases = BTreeMap::new();
    loop {
        let mut same: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, record) in records.iter().filter(|(_, record)| is_record(record)) {
            let shape = format!("{}{:?}", shape(record), patches.get(name));
            same.entry(shape).or_default().push(name.clone());
        }
        let mut names: BTreeMap<_, _> =
            records.iter().filter_map(|(name, record)| Some((name.clone(), target(record)?.to_owned()))).collect();
        names.keys().for_each(|name| drop(records.shift_remove(name)));
        for mut group in same.into_values().filter(|group| group.len() > 1) {
            group.sort_by_key(|name| (name.len(), name.clone()));
            let (first, others) =
                group.split_first().map_or((String::new(), &[][..]), |(first, rest)| (first.clone(), rest));
            for other in others {
                records.shift_remove(other);
                names.insert(other.clone(), first.clone());
            }
        }
        if names.is_empty() {
            return aliases;
        }
        records.values_mut().for_each(|record| rename(record, &names));
        aliases.values_mut().for_each(|alias| rename(alias, &names));
        aliases.extend(names.into_iter().map(|(name, target)| (name, reference(&target))));
    }
}

/// Turns types other than records into aliases, except parts of tools, which are inlined where they are used.
pub fn split(records: &mut Schemas, aliases: &mut BTreeMap<String, Value>) {
    let others: Vec<_> =
        records.iter().filter(|(_, record)| !is_record(record)).map(|(name, _)| name.clone()).collect();
    for name in others {
        if let Some(schema) = records.shift_remove(&name).filter(|schema| !is_nullable(schema)) {
            aliases.insert(name, schema);
        }
    }
}

/// The schema without descriptions, in a fixed order.
fn shape(schema: &Value) -> String {
    match schema {
        Value::Object(members) => {
            // A member with this name is a schema.
            let members: BTreeMap<_, _> =
                members.iter().filter(|(name, value)| *name != "description" || !value.is_string()).collect();
            let parts: Vec<_> = members.into_iter().map(|(name, value)| format!("{name:?}:{}", shape(value))).collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(items) => {
            let mut parts: Vec<_> = items.iter().map(shape).collect();
            parts.sort();
            format!("[{}]", parts.join(","))
        }
        other => other.to_string(),
    }
}
