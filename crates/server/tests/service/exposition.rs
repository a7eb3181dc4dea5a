//! A strict parser of the Prometheus text format, version 0.0.4.

use std::collections::{BTreeMap, HashSet};

type Labels = BTreeMap<String, String>;

/// A metric and all its samples.
#[derive(Debug, Default)]
pub(crate) struct Family {
    pub(crate) kind: String,
    help: String,
    samples: Vec<(String, Labels, f64)>,
}

impl Family {
    /// The value of the single sample with this suffix and these labels.
    pub(crate) fn value(&self, suffix: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let has_labels =
            |all: &Labels| labels.iter().all(|(name, value)| all.get(*name).is_some_and(|actual| actual == value));
        let mut matching = self
            .samples
            .iter()
            .filter(|(name, all, _)| name.ends_with(suffix) && has_labels(all))
            .map(|(.., value)| *value);
        matching.next()
    }

    /// All values of a label.
    pub(crate) fn values_of(&self, label: &str) -> HashSet<&str> {
        self.samples.iter().filter_map(|(_, labels, _)| labels.get(label).map(String::as_str)).collect()
    }
}

/// All metrics by name. Panics on anything that Prometheus would reject or that breaks its conventions.
pub(crate) fn parse(text: &str) -> BTreeMap<String, Family> {
    assert!(text.ends_with('\n'), "the last line must end with a line feed");
    let (mut families, mut current) = (BTreeMap::<String, Family>::new(), String::new());
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, help) = help.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            let previous = families.insert(name.to_owned(), Family { help: help.to_owned(), ..Family::default() });
            assert!(previous.is_none(), "twice: {line}");
            name.clone_into(&mut current);
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            let family = families.entry(name.to_owned()).or_default();
            assert!(family.kind.is_empty() && family.samples.is_empty(), "late or twice: {line}");
            kind.clone_into(&mut family.kind);
            name.clone_into(&mut current);
        } else {
            assert!(!line.starts_with('#'), "{line}");
            let (name, labels, value) = sample(line);
            let family = families.get_mut(&current).unwrap_or_else(|| panic!("before its TYPE: {line}"));
            let suffixes: &[&str] = if family.kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
            let suffix = name.strip_prefix(current.as_str()).unwrap_or_else(|| panic!("out of its family: {line}"));
            assert!(suffixes.contains(&suffix), "{line}");
            assert!(!family.samples.iter().any(|(a, b, _)| *a == name && *b == labels), "twice: {line}");
            family.samples.push((name, labels, value));
        }
    }
    for (name, family) in &families {
        check(name, family);
    }
    families
}

/// One line: `name{label="value"} 1.5`.
fn sample(line: &str) -> (String, Labels, f64) {
    let end = line.find(['{', ' ']).unwrap_or_else(|| panic!("{line}"));
    let (name, mut rest) = line.split_at(end);
    let mut labels = Labels::new();
    if let Some(inside) = rest.strip_prefix('{') {
        rest = inside;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("{line}"));
            assert!(is_name(label) && !label.contains(':') && !label.starts_with("__"), "{line}");
            let (value, after) = quoted(after).unwrap_or_else(|| panic!("{line}"));
            assert!(labels.insert(label.to_owned(), value).is_none(), "{line}");
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        rest = &rest[1..];
    }
    assert!(is_name(name), "{line}");
    let value = rest.strip_prefix(' ').unwrap_or_else(|| panic!("{line}"));
    (name.to_owned(), labels, value.parse().unwrap_or_else(|_| panic!("{line}")))
}

fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut characters) = (String::new(), text.char_indices());
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[index + 1..])),
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                character @ ('"' | '\\') => character,
                _ => return None,
            }),
            character => value.push(character),
        }
    }
    None
}

fn is_name(name: &str) -> bool {
    name.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_' || character == ':')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == ':')
}

fn check(name: &str, family: &Family) {
    assert!(!family.help.is_empty() && !family.kind.is_empty(), "{name} has HELP and TYPE");
    assert_eq!(name.ends_with("_total"), family.kind == "counter", "{name} is a {}", family.kind);
    if family.kind == "counter" {
        assert!(family.samples.iter().all(|(.., value)| *value >= 0.0), "{name}");
    }
    if family.kind == "histogram" {
        assert!(name.ends_with("_seconds") || name.ends_with("_bytes"), "{name} has a base unit");
        histogram(name, family);
    }
}

/// Buckets are cumulative and ordered, and end with the total count.
fn histogram(name: &str, family: &Family) {
    let mut series = BTreeMap::<Labels, Vec<(f64, f64)>>::new();
    for (sample, labels, value) in &family.samples {
        if sample.ends_with("_bucket") {
            let mut labels = labels.clone();
            let bound = labels.remove("le").unwrap_or_else(|| panic!("{name} without le"));
            series.entry(labels).or_default().push((bound.parse().unwrap(), *value));
        }
    }
    assert!(!series.is_empty(), "{name} has buckets");
    for (labels, buckets) in series {
        assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{name} {labels:?}");
        let values_with = |suffix: &str| {
            let all =
                family.samples.iter().filter(|(sample, of_sample, _)| sample.ends_with(suffix) && *of_sample == labels);
            all.map(|(.., value)| *value).collect::<Vec<_>>()
        };
        let last = buckets.last().unwrap();
        assert!(last.0.is_infinite(), "{name} {labels:?}");
        assert_eq!(values_with("_count"), [last.1], "{name} {labels:?}");
        assert_eq!(values_with("_sum").len(), 1, "{name} {labels:?}");
    }
}
