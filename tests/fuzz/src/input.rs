//! Generates texts from parts of seeds, words, and characters that often break parsers.

use proptest::prelude::*;
use proptest::sample::select;

use crate::Target;

/// Characters and sequences that are often split, escaped, folded or counted wrongly.
const AWKWARD: &str = "\0\t\n \"'\\/<>&;%+-_.:@#?[]()*\u{7f}\u{2028}\u{202e}\u{feff}";
const SEQUENCES: [&str; 6] = ["\r\n", "//", "%00", "--", "..", "\u{1f469}\u{200d}\u{1f680}"];
/// Letters whose folded or normalized form has another length.
const LETTERS: [&str; 10] = ["İ", "ı", "ß", "ẞ", "ﬀ", "Ⅷ", "e\u{301}", "ñ", "ǅ", "\u{345}"];

/// The texts of a target.
pub(crate) fn texts(target: &Target) -> BoxedStrategy<String> {
    let words: Vec<&str> = target.words.iter().copied().chain([""]).collect();
    let parts = (select(target.seeds), 0.0..1.0_f64, 0.0..1.0_f64).prop_map(|(seed, from, to)| part(seed, from, to));
    let piece = prop_oneof![
        4 => parts,
        4 => select(words.clone()).prop_map(ToOwned::to_owned),
        1 => select(AWKWARD.chars().collect::<Vec<_>>()).prop_map(String::from),
        1 => select(&SEQUENCES[..]).prop_map(ToOwned::to_owned),
        1 => select(&LETTERS[..]).prop_map(ToOwned::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => (select(words), 1_usize..300).prop_map(|(word, times)| word.repeat(times)),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()).boxed()
}

/// The characters of a text between two places.
fn part(text: &str, from: f64, to: f64) -> String {
    let length = text.chars().count();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "any place"
    )]
    let index = |at: f64| (at * (length + 1) as f64) as usize;
    let (from, to) = (index(from.min(to)), index(from.max(to)));
    text.chars().skip(from).take(to - from).collect()
}
