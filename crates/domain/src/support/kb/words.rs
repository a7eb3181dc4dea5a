//! Word normalisation of articles and queries that does not depend on the store or its locale.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::kernel::search::push_plain;

/// The text that stores tokenise: lower case, composed, with blanks for non-ASCII symbols that are not part of words.
/// A database without a locale takes every such symbol for a letter, and lower-cases ASCII only.
pub fn searchable(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let seen = text.chars().filter(|character| !is_within_words(*character));
    let composed: String = seen.nfc().collect();
    let lower = composed.to_lowercase();
    lower.chars().map(|sign| if sign.is_ascii() || is_of_word(sign) { sign } else { ' ' }).collect()
}

/// A word folded for comparison: lower case, without accents. The database's `kb_fold` does the same with the words of
/// articles.
pub fn form(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut form = String::with_capacity(word.len());
    let lower: String = searchable(word).nfkd().collect();
    let lower = lower.to_lowercase();
    for letter in lower.chars().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)) {
        push_plain(letter, &mut form);
    }
    form
}

/// Whether a character belongs to a word.
pub fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || (!sign.is_ascii() && (is_combining_mark(sign) || is_within_words(sign)))
}

/// Invisible characters within words: soft hyphens, joiners, direction marks.
const fn is_within_words(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_apart_and_in_lower_case() {
        for (text, expected) in [
            ("Open the App, v1.2!", "open the app, v1.2!"),
            ("Open “Settings”…", "open  settings  "),
            ("Wi‑Fi—printer €5 a→b ™x ✅done 。", "wi fi printer  5 a b  x  done  "),
            ("МОСКВА Ελλάδα Öl", "москва ελλάδα öl"),
            ("cafe\u{301}s pass\u{ad}word می\u{200c}خواهم", "cafés password میخواهم"),
            ("one\u{200b}two हिन्दी", "one two हिन्दी"),
        ] {
            assert_eq!(searchable(text), expected);
        }
    }

    #[test]
    fn forms_are_without_accents() {
        for (word, expected) in [
            ("Café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("Ёлка", "елка"),
            ("हिन्दी", "हिन्दी"),
            ("Vie\u{323}\u{302}t", "viet"),
            ("Ørsted", "orsted"),
        ] {
            assert_eq!(form(word), expected);
        }
    }
}
