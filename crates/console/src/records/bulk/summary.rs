//! Describes a bulk form in words.

use super::change_set::{ADD_TAGS, CLEAR, REMOVE_TAGS};
use super::restorable_ids;
use super::selection::{name_in, selects_all, versions_in};
use crate::prelude::*;

/// The maximum number of records that are named.
const MAX_NAMED: usize = 5;

/// The number of records, in words.
pub(crate) fn counted(records: usize) -> String {
    text_with("kept-count", [("count", records.into())])
}

/// How many records a form changes, and what it does besides setting values: labels and texts.
pub(crate) fn bulk_summary(form: &Form) -> Vec<(String, String)> {
    let mut ids: Vec<_> = versions_in(form).into_keys().chain(restorable_ids(form)).collect();
    ids.sort_unstable();
    let mut records = if selects_all(form) { text("kept-all") } else { counted(ids.len()) };
    if !ids.is_empty() && ids.len() <= MAX_NAMED {
        // Records that a notice offers to restore have no names in the form.
        let names = ids.iter().map(|id| name_in(form, id)).filter(|name| name.parse::<uuid::Uuid>().is_err());
        let names = names.collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            records = format!("{records}: {names}");
        }
    }
    let is_bulk = selects_all(form) || !ids.is_empty();
    let mut lines = if is_bulk { vec![(text("kept-records"), records)] } else { Vec::new() };
    match form.value("_action") {
        Some("delete") => lines.push((text("kept-action"), text("delete"))),
        Some("restore") => lines.push((text("kept-action"), text("restore"))),
        _ => {}
    }
    let cleared: Vec<_> = form.values(CLEAR).map(|name| label("member", name)).collect();
    if !cleared.is_empty() {
        lines.push((text("bulk-clear"), cleared.join(", ")));
    }
    for (key, name) in [("bulk-add-tags", ADD_TAGS), ("bulk-remove-tags", REMOVE_TAGS)] {
        lines.extend(form.value(name).filter(|tags| !tags.trim().is_empty()).map(|tags| (text(key), tags.to_owned())));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bulk_forms_are_described_by_count_and_action() {
        let [one, two] = [1, 2].map(|number| format!("0190a8c4-0000-7000-8000-00000000000{number}"));
        let form = format!(
            "selected={one}:1&_name.{one}=Acme&selected={two}:4&_name.{two}=Globex&_clear=industry&_add_tags=hot"
        );
        let lines = bulk_summary(&Form::parse(form.as_bytes()));
        let values: Vec<_> = lines.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["2 records: Acme, Globex", "Industry", "hot"]);
        let lines = bulk_summary(&Form::parse(format!("selected={one}&_action=delete").as_bytes()));
        assert_eq!(lines.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["1 record", "Delete"]);
        assert!(bulk_summary(&Form::parse(b"title=Acme&_version=3")).is_empty());
    }
}
