//! Short texts that name something, such as tags. Labels that look the same are equal.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::characters::one_line;
use super::schema::text_schema;
use super::text::{ONE_LINE, read_text, text_access};
use super::{Problems, Read, Value};

/// A one-line text that names something, such as a tag, of at most `MAX` characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label<const MAX: usize>(String);

text_access!({const MAX: usize} Label<MAX>);

impl<const MAX: usize> Value for Label<MAX> {
    fn schema() -> Json {
        text_schema(MAX)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_text(json, at, MAX, label, ONE_LINE, problems, Self)
    }
}

/// A tag or label as it is stored: in NFC, without invisible characters except joiners, which emoji and several scripts need.
fn label(text: &str) -> String {
    if text.is_ascii() {
        return one_line(text);
    }
    let is_kept = |character: &char| !matches!(character, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}');
    let visible: String = one_line(text).chars().filter(is_kept).nfc().collect();
    visible.trim().to_owned()
}

/// A tag or label in the form for comparison: ignores case, the form of a final sigma, and Unicode normalization.
pub fn fold_label(text: &str) -> String {
    let label = label(text);
    if label.is_ascii() {
        return label.to_ascii_lowercase();
    }
    label.to_lowercase().chars().map(|letter| if letter == 'ς' { 'σ' } else { letter }).nfc().collect()
}

/// A folded label, and the forms that earlier releases indexed: they kept the final sigma and decomposed letters.
pub fn indexed_forms(folded: &str) -> BTreeSet<String> {
    if folded.is_ascii() {
        return BTreeSet::from([folded.to_owned()]);
    }
    let with_final_sigma = folded.replace('σ', "Σ").to_lowercase();
    let forms = [folded, &*with_final_sigma].into_iter();
    forms.flat_map(|form| [form.to_owned(), form.nfd().collect()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_were_indexed_by_earlier_releases_are_found() {
        for stored in ["VIP", "ΟΔΟΣ", "οδος", "ΣΕΙΣΜΟΣ ΣΑΣ", "Cafe\u{301}", "caf\u{e9}", "한국"] {
            let forms = indexed_forms(&fold_label(stored));
            assert!(
                forms.contains(&stored.to_lowercase()) && forms.contains(&fold_label(stored)),
                "{stored} {forms:?}"
            );
        }
        assert_eq!(indexed_forms("vip").len(), 1);
    }

    fn outcome<const MAX: usize>(text: &str) -> String {
        let mut problems = Problems::default();
        match Label::<MAX>::read(text.into(), "f", &mut problems) {
            Read::Value(label) => format!("={}", label.as_str()),
            Read::Empty => "empty".to_owned(),
            Read::Invalid => problems.into_result().unwrap_err().details()[0].code.to_owned(),
        }
    }

    #[test]
    fn the_length_limit_applies_to_the_stored_form() {
        assert_eq!(outcome::<4>(" cafe\u{301}\u{200b} "), "=caf\u{e9}");
        assert_eq!(outcome::<3>("cafe\u{301}"), "too_long");
        // Two characters in NFC.
        assert_eq!(outcome::<1>("\u{958}"), "too_long");
        assert_eq!(outcome::<3>("\u{200b}\u{feff}"), "empty");
        assert_eq!(outcome::<3>("a\tb"), "control_character");
    }

    #[test]
    fn labels_that_look_alike_are_equal() {
        for (one, other) in [
            ("cafe\u{301}", "caf\u{e9}"),
            ("vip", "vip\u{200b}"),
            ("vip", "\u{feff} v\u{ad}ip\u{2060} "),
            ("vip", "\u{202a}vip\u{202c}"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
        ] {
            assert_eq!(label(one), label(other), "{one:?} {other:?}");
        }
        for different in ["👩\u{200d}🔬", "می\u{200c}خواهم", "❤\u{fe0f}", "a b", "Ａ"] {
            assert_eq!(label(different), different);
        }
    }

    #[test]
    fn labels_are_compared_without_regard_to_case() {
        for (one, other) in
            [("VIP", "vip"), ("ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "οδοσ"), ("Café", "CAFE\u{301}"), ("STRASSE", "strasse")]
        {
            assert_eq!(fold_label(one), fold_label(other), "{one} {other}");
        }
        assert_ne!(fold_label("cafe"), fold_label("café"));
        for text in ["ΟΔΟΣ", "I\u{307}zmir", "Ǆ", "ẞ"] {
            assert_eq!(fold_label(&fold_label(text)), fold_label(text), "{text}");
        }
    }
}
