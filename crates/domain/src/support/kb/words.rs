//! Normalises the words of articles and queries, independently of the store and its locale.

use std::iter;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::kernel::search::{
    Part, TATWEEL, index_pairs, is_folded_mark, is_invisible, parts, plain_twin, push_plain, query_pairs,
};

/// The text with words in the form for comparison: lower case, composed, without invisible characters, with ASCII apostrophes and
/// hyphens, and with blanks in place of other non-ASCII symbols that are not part of words. A database without a locale treats
/// every such symbol as a letter, and lower-cases only ASCII.
pub fn searchable(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut visible = String::with_capacity(text.len());
    for character in text.chars().filter(|character| !is_invisible(*character) && *character != TATWEEL) {
        match character {
            // The full-width forms in Chinese and Japanese text have the same meaning as the ordinary ones.
            '\u{ff00}'..='\u{ffef}' => visible.extend(iter::once(character).nfkc()),
            _ => visible.push(character),
        }
    }
    let lower = visible.nfc().collect::<String>().to_lowercase();
    let plain = lower.chars().map(plain_twin);
    plain.map(|character| if character.is_ascii() || is_of_word(character) { character } else { ' ' }).collect()
}

/// The text that stores tokenize: [`searchable`], with runs of scripts without blanks between words cut into overlapping pairs of
/// characters and the last character.
pub fn indexable(text: &str) -> String {
    cut(&searchable(text), index_pairs)
}

/// The words, separated by blanks, that find a query word in text from [`indexable`].
pub fn query_words(word: &str) -> String {
    cut(word, query_pairs)
}

fn cut(text: &str, words: impl Fn(&[&str]) -> Vec<String>) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut cut = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Other(other) => cut.push_str(other),
            Part::Run(run) => {
                for word in words(&run) {
                    push_separated(&word, &mut cut);
                }
                cut.push(' ');
            }
        }
    }
    cut.truncate(cut.trim_end().len());
    cut
}

fn push_separated(word: &str, text: &mut String) {
    if text.chars().next_back().is_some_and(|last| last != ' ') {
        text.push(' ');
    }
    text.push_str(word);
}

/// A word folded for comparison: lower case, without accents. The database's `kb_fold` does the same with the words of
/// articles.
pub fn form(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let bare: String = searchable(word).nfkd().filter(|character| !is_folded_mark(*character)).collect();
    let mut form = String::with_capacity(word.len());
    for letter in bare.to_lowercase().nfc() {
        push_plain(letter, &mut form);
    }
    form
}

/// Whether a character belongs to a word.
pub fn is_of_word(character: char) -> bool {
    let is_letter = character.is_alphanumeric() && plain_twin(character) == character;
    is_letter || (!character.is_ascii() && (is_combining_mark(character) || is_invisible(character)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_and_in_lower_case() {
        for (text, expected) in [
            ("Open the App, v1.2!", "open the app, v1.2!"),
            ("Open “Settings”…", "open  settings  "),
            ("Wi‑Fi—printer €5 a→b ™x ✅done 。", "wi-fi-printer  5 a b  x  done  "),
            ("the user’s п’ять пʼять Qurʾan", "the user's п'ять п'ять qur'an"),
            ("ＡＢ＆ｃ ｶﾞｽ，５．５", "ab&c ガス,5.5"),
            ("محمـــد", "محمد"),
            ("МОСКВА Ελλάδα Öl", "москва ελλάδα öl"),
            ("cafe\u{301}s pass\u{ad}word می\u{200c}خواهم", "cafés password میخواهم"),
            ("zero\u{200b}width हिन्दी", "zerowidth हिन्दी"),
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
            ("Þór", "thor"),
            ("ΕΛΛΆΣ", "ελλασ"),
            ("مُحَمَّد", "محمد"),
            ("שָׁלוֹם", "שלום"),
            ("ｶﾞｽ", "ガス"),
            ("น้ำ", "น\u{e4d}า"),
        ] {
            assert_eq!(form(word), expected);
        }
    }

    #[test]
    fn runs_are_split_into_pairs() {
        for (text, index, query) in [
            ("plain text", "plain text", "plain text"),
            ("重置密码", "重置 置密 密码 码", "重置 置密 密码"),
            ("码", "码", "码"),
            ("点击设置，选择。", "点击 击设 设置 置 , 选择 择", "点击 击设 设置 , 选择"),
            ("新款iPhone手机 v1.2版本", "新款 款 iphone 手机 机 v1.2 版本 本", "新款 iphone 手机 v1.2 版本"),
            ("สินค้า", "สิน นค้ ค้า า", "สิน นค้ ค้า"),
        ] {
            assert_eq!(indexable(text).split_whitespace().collect::<Vec<_>>().join(" "), index, "{text}");
            let query_text = query_words(&searchable(text));
            assert_eq!(query_text.split_whitespace().collect::<Vec<_>>().join(" "), query, "{text}");
        }
    }
}
