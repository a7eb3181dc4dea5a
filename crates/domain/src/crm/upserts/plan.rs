//! Matches the items of an upsert with records, by their keys alone.

use std::collections::HashMap;

use uuid::Uuid;

use super::contents::Item;
use super::outcome::{ItemError, Outcomes};
use crate::kernel::{KeyedRecord, RecordKeys};

/// The fields that identify a kind of record, in the order in which they are tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyNames {
    pub(super) noun: &'static str,
    /// The member of [`RecordKeys::natural`], if there is one.
    pub(super) natural: Option<&'static str>,
}

impl KeyNames {
    fn all(self) -> Vec<&'static str> {
        std::iter::once("external_id").chain(self.natural).collect()
    }
}

/// An item with keys that no earlier item has.
#[derive(Debug)]
pub(super) struct KeyedItem<'a, F> {
    pub(super) index: usize,
    pub(super) item: &'a Item<F>,
    pub(super) keys: RecordKeys,
}

/// The items that have keys. An item that repeats the key of an earlier item fails, whatever the outcome of the earlier one.
pub(super) fn keyed<'a, F>(
    items: &'a [Result<Item<F>, ItemError>],
    names: KeyNames,
    keys_of: impl Fn(&F) -> RecordKeys,
    outcomes: &mut Outcomes,
) -> Vec<KeyedItem<'a, F>> {
    let (mut external_ids, mut natural) = (HashMap::new(), HashMap::new());
    let mut keyed = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let item = match item {
            Ok(item) => item,
            Err(error) => {
                outcomes.fail(index, error.clone());
                continue;
            }
        };
        let keys = keys_of(&item.fields);
        let first_index = |seen: &HashMap<String, usize>, key: &Option<String>| seen.get(key.as_ref()?).copied();
        let in_natural = first_index(&natural, &keys.natural).zip(names.natural);
        if keys == RecordKeys::default() {
            outcomes.fail(index, ItemError::without_key(&names.all()));
        } else if let Some(first) = first_index(&external_ids, &keys.external_id) {
            outcomes.fail(index, ItemError::repeats(first, "this external_id"));
        } else if let Some((first, name)) = in_natural {
            outcomes.fail(index, ItemError::repeats(first, &format!("this {name}")));
        } else {
            external_ids.extend(keys.external_id.clone().map(|key| (key, index)));
            natural.extend(keys.natural.clone().map(|key| (key, index)));
            keyed.push(KeyedItem { index, item, keys });
        }
    }
    keyed
}

/// The items to create and to change.
#[derive(Debug)]
pub(super) struct Plan<'a, 'r, F> {
    pub(super) creations: Vec<KeyedItem<'a, F>>,
    pub(super) changes: Vec<(KeyedItem<'a, F>, &'r KeyedRecord)>,
    /// Items about the record of an earlier item, with the index of that item.
    pub(super) repeated: Vec<(KeyedItem<'a, F>, usize)>,
}

/// Matches items with the records that have their keys: `external_id` first, then the natural key.
pub(super) fn matched<'a, 'r, F>(
    keyed: Vec<KeyedItem<'a, F>>,
    found: &'r [KeyedRecord],
    names: KeyNames,
    may_read: bool,
    outcomes: &mut Outcomes,
) -> Plan<'a, 'r, F> {
    let by = |key: fn(&RecordKeys) -> Option<&String>| -> HashMap<&String, &'r KeyedRecord> {
        found.iter().filter_map(|record| Some((key(&record.keys)?, record))).collect()
    };
    let (by_external_id, by_natural) = (by(|keys| keys.external_id.as_ref()), by(|keys| keys.natural.as_ref()));
    let mut plan = Plan { creations: Vec::new(), changes: Vec::new(), repeated: Vec::new() };
    let mut matched_ids: HashMap<Uuid, usize> = HashMap::new();
    let by_id: HashMap<Uuid, &'r KeyedRecord> = found.iter().map(|record| (record.id, record)).collect();
    for item in keyed {
        let with_id = item.item.id.and_then(|id| by_id.get(&id).copied());
        let with_external_id = item.keys.external_id.as_ref().and_then(|key| by_external_id.get(key).copied());
        let with_natural_key = item.keys.natural.as_ref().and_then(|key| by_natural.get(key).copied());
        let record = match record_of(&item.keys, [with_id, with_external_id, with_natural_key], names, may_read) {
            Ok(record) => record,
            Err(error) => {
                outcomes.fail(item.index, error);
                continue;
            }
        };
        let Some(record) = record else {
            plan.creations.push(item);
            continue;
        };
        if let Some(first) = matched_ids.get(&record.id) {
            plan.repeated.push((item, *first));
        } else {
            matched_ids.insert(record.id, item.index);
            plan.changes.push((item, record));
        }
    }
    plan
}

/// The error of an item about the record of an earlier item.
pub(super) fn repeats_record(first: usize, names: KeyNames) -> ItemError {
    ItemError::repeats(first, &format!("this {}", names.noun))
}

/// Decides which record an item is about, given the records with its id, its `external_id` and its natural key.
///
/// # Errors
/// A duplicate if these are different records, or if the record with the natural key has another `external_id`.
fn record_of<'a>(
    keys: &RecordKeys,
    [with_id, with_external_id, with_natural_key]: [Option<&'a KeyedRecord>; 3],
    names: KeyNames,
    may_read: bool,
) -> Result<Option<&'a KeyedRecord>, ItemError> {
    if let (Some(record), Some(other)) = (with_id, with_external_id)
        && record.id != other.id
    {
        let which = if may_read { format!(", {},", other.id) } else { String::new() };
        let message = format!(
            "the {} with this external_id{which} is not the one with this id: omit one of the two, or change that {} \
             first",
            names.noun, names.noun
        );
        return Err(ItemError::duplicate(message, may_read.then_some(other.id)));
    }
    let Some(record) = with_natural_key else { return Ok(with_id.or(with_external_id)) };
    let is_another = match (with_id.or(with_external_id), &record.keys.external_id) {
        (Some(other), _) => other.id != record.id,
        (None, Some(theirs)) => keys.external_id.as_ref().is_some_and(|ours| ours != theirs),
        (None, None) => false,
    };
    if !is_another {
        return Ok(Some(record));
    }
    let which = if may_read { format!(", {},", record.id) } else { String::new() };
    let message = format!(
        "the {} with this {}{which} {}: omit one of the two, or change that {} first",
        names.noun,
        names.natural.unwrap_or_default(),
        if with_id.is_some() { "is not the one with this id" } else { "does not have this external_id" },
        names.noun
    );
    Err(ItemError::duplicate(message, may_read.then_some(record.id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::upserts::outcome::Outcome;

    const NAMES: KeyNames = KeyNames { noun: "contact", natural: Some("email") };

    fn keys(text: &str) -> RecordKeys {
        let (external_id, natural) = text.split_once('/').unwrap();
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        RecordKeys { external_id: some(external_id), natural: some(natural) }
    }

    fn record(id: u128, text: &str) -> KeyedRecord {
        KeyedRecord { id: Uuid::from_u128(id), keys: keys(text), bytes: 0 }
    }

    /// For each item, `+` for a creation, the record's number for a change, or the code of the failure.
    fn outcomes_of(stored: &[&str], sent: &[&str]) -> Vec<String> {
        let stored: Vec<_> = stored.iter().zip(1..).map(|(text, id)| record(id, text)).collect();
        let items: Vec<_> = sent.iter().map(|text| Ok(Item::new(*text))).collect();
        let mut outcomes = Outcomes::default();
        let found = keyed(&items, NAMES, |text| keys(text), &mut outcomes);
        let plan = matched(found, &stored, NAMES, true, &mut outcomes);
        for (item, first) in plan.repeated {
            outcomes.fail(item.index, repeats_record(first, NAMES));
        }
        for item in plan.creations {
            outcomes.set(item.index, Outcome::Created(None));
        }
        for (item, record) in plan.changes {
            outcomes.set(item.index, Outcome::Updated(record.id));
        }
        let result = outcomes.into_result();
        let (mut updated, mut failed) = (result.updated.iter(), result.failed.iter());
        let each = result.outcomes.iter().map(|outcome| match outcome.as_str() {
            "created" => "+".to_owned(),
            "updated" => updated.next().unwrap().as_u128().to_string(),
            _ => failed.next().unwrap().code.to_owned(),
        });
        each.collect()
    }

    #[test]
    fn an_external_id_is_matched_before_the_natural_key() {
        let stored = ["x/a", "/b", "y/"];
        for (sent, expected) in [
            ("x/", "1"),
            ("/a", "1"),
            ("x/a", "1"),
            ("x/new", "1"),
            ("new/new", "+"),
            ("/new", "+"),
            ("new/b", "2"),
            ("y/new", "3"),
            // Keys of two records, and a record with another `external_id`.
            ("x/b", "duplicate"),
            ("y/a", "duplicate"),
            ("new/a", "duplicate"),
            ("/", "invalid_value"),
        ] {
            assert_eq!(outcomes_of(&stored, &[sent]), [expected], "{sent}");
        }
    }

    #[test]
    fn only_the_first_item_with_a_key_or_record_is_applied() {
        assert_eq!(outcomes_of(&[], &["x/", "x/b"]), ["+", "duplicate_item"]);
        assert_eq!(outcomes_of(&[], &["x/a", "y/a", "y/c"]), ["+", "duplicate_item", "+"]);
        assert_eq!(outcomes_of(&["x/a"], &["x/", "/a"]), ["1", "duplicate_item"]);
        // A key that an earlier item changes still belongs to its record within this request.
        assert_eq!(outcomes_of(&["x/a"], &["x/b", "/a", "y/a"]), ["1", "duplicate_item", "duplicate_item"]);
    }
}
