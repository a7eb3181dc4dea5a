//! Scripts that are written without blanks between words. The start of a word cannot be seen in a run of such characters, so the
//! run is cut into overlapping pairs.

use unicode_normalization::char::is_combining_mark;

use super::fold::is_invisible;

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    /// Characters of such scripts, each with its marks.
    Run(Vec<&'t str>),
    Other(&'t str),
}

/// Splits a text at the boundaries of such runs.
pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    if text.is_ascii() && !text.is_empty() {
        return vec![Part::Other(text)];
    }
    let mut parts = Vec::new();
    let mut other_start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((start_of_run, character)) = characters.next() {
        if !is_of_run(character) {
            continue;
        }
        if other_start < start_of_run {
            parts.push(Part::Other(&text[other_start..start_of_run]));
        }
        let (mut run, mut start) = (Vec::new(), start_of_run);
        loop {
            while characters.next_if(|(_, next)| continues_previous(*next)).is_some() {}
            let end = characters.peek().map_or(text.len(), |(next, _)| *next);
            run.push(&text[start..end]);
            (start, other_start) = (end, end);
            if characters.next_if(|(_, next)| is_of_run(*next)).is_none() {
                break;
            }
        }
        parts.push(Part::Run(run));
    }
    if other_start < text.len() {
        parts.push(Part::Other(&text[other_start..]));
    }
    parts
}

/// The words of a run for the index: each pair, and the last character, with which no pair begins.
pub(crate) fn index_pairs(run: &[&str]) -> Vec<String> {
    let mut words: Vec<_> = run.windows(2).map(<[&str]>::concat).collect();
    words.extend(run.last().map(|last| (*last).to_owned()));
    words
}

/// The words of a run in a query: each pair, or the single character, which may begin a pair.
pub(crate) fn query_pairs(run: &[&str]) -> Vec<String> {
    match run {
        [only] => vec![(*only).to_owned()],
        _ => run.windows(2).map(<[&str]>::concat).collect(),
    }
}

/// Whether a word is a single character of such a script, which is searched as the start of a pair.
pub fn is_lone_character(word: &str) -> bool {
    matches!(parts(word).as_slice(), [Part::Run(run)] if run.len() == 1)
}

/// Han, kana, bopomofo, Hangul, Thai, Lao, Burmese and Khmer: letters, without digits and punctuation.
const fn is_of_run(character: char) -> bool {
    matches!(
        character,
        '\u{e01}'..='\u{e3a}'
            | '\u{e40}'..='\u{e4e}'
            | '\u{e81}'..='\u{ebd}'
            | '\u{ec0}'..='\u{ecf}'
            | '\u{edc}'..='\u{edf}'
            | '\u{1000}'..='\u{103f}'
            | '\u{1050}'..='\u{108f}'
            | '\u{1100}'..='\u{11ff}'
            | '\u{1780}'..='\u{17d3}'
            | '\u{17d7}'
            | '\u{17dc}'..='\u{17dd}'
            | '\u{2e80}'..='\u{2fd5}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{3035}'
            | '\u{3038}'..='\u{303c}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{318e}'
            | '\u{31a0}'..='\u{31bf}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{a960}'..='\u{a97c}'
            | '\u{ac00}'..='\u{d7fb}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ffdc}'
            | '\u{1aff0}'..='\u{1b16f}'
            | '\u{20000}'..='\u{323af}'
    )
}

/// Whether a character belongs to the previous one: a mark, an invisible character, or the vowel or final consonant of a
/// decomposed Hangul syllable.
fn continues_previous(character: char) -> bool {
    matches!(character, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7fb}' | '\u{ff9e}'..='\u{ff9f}')
        || is_combining_mark(character)
        || is_invisible(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run<'t>(characters: &[&'t str]) -> Part<'t> {
        Part::Run(characters.to_vec())
    }

    #[test]
    fn runs_are_cut_from_other_text_and_into_characters_with_their_marks() {
        let other = Part::Other;
        for (text, expected) in [
            ("", vec![]),
            ("plain", vec![other("plain")]),
            ("重置", vec![run(&["重", "置"])]),
            ("用iphone壳。", vec![run(&["用"]), other("iphone"), run(&["壳"]), other("。")]),
            ("สินค้า", vec![run(&["สิ", "น", "ค้", "า"])]),
            ("か\u{3099}ﾀﾞ", vec![run(&["か\u{3099}", "ﾀﾞ"])]),
            (
                "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}",
                vec![run(&["\u{1112}\u{1161}\u{11ab}", "\u{1100}\u{116e}\u{11a8}"])],
            ),
            ("ジョン・スミス", vec![run(&["ジ", "ョ", "ン"]), other("・"), run(&["ス", "ミ", "ス"])]),
            ("एक\u{e33}", vec![other("एक"), run(&["\u{e33}"])]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn every_part_of_a_run_is_among_its_pairs() {
        assert_eq!(index_pairs(&["重", "置", "码"]), ["重置", "置码", "码"]);
        assert_eq!((index_pairs(&["重"]), index_pairs(&[])), (vec!["重".to_owned()], vec![]));
        assert_eq!(
            (query_pairs(&["重", "置", "码"]), query_pairs(&["重"])),
            (vec!["重置".to_owned(), "置码".to_owned()], vec!["重".to_owned()])
        );
        assert!(
            is_lone_character("码") && is_lone_character("ค้") && !is_lone_character("重置") && !is_lone_character("a")
        );
    }

    proptest! {
        #[test]
        fn no_character_is_lost(text in "[a重置かが\u{3099}สิค้\u{1112}\u{1161}한 。\u{200b}]{0,20}|\\PC{0,20}") {
            let whole: String = parts(&text).iter().map(|part| match part {
                Part::Run(run) => run.concat(),
                Part::Other(other) => (*other).to_owned(),
            }).collect();
            prop_assert_eq!(whole, text);
        }
    }
}
