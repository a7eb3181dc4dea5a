//! Folding: makes spellings equal that a reader considers the same, in lists and in the knowledge base.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};

/// Stretches the line between two Arabic letters and has no meaning.
pub(crate) const TATWEEL: char = '\u{640}';

/// Lower-cases; removes accents and other marks, invisible and control characters; replaces all apostrophes and dashes by their
/// ASCII forms; and applies compatibility decomposition.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        let printable = text.chars().filter(|letter| keeps(*letter));
        folded.extend(printable.map(|letter| plain_twin(letter).to_ascii_lowercase()));
        return folded;
    }
    // Composed first; otherwise the spacing acute would become a blank and an accent.
    let composed = text.chars().filter(|letter| !is_invisible(*letter)).nfc().map(plain_twin);
    let decomposed = composed.flat_map(char::to_lowercase).nfkd().filter(|letter| !is_folded_mark(*letter));
    for letter in decomposed.flat_map(char::to_lowercase).filter(|letter| keeps(*letter) && *letter != TATWEEL) {
        // Hangul stays decomposed, so that a syllable is found while it is typed; か, however, must not match the start of が.
        match folded.chars().next_back().filter(|_| is_voicing_mark(letter)).and_then(|kana| compose(kana, letter)) {
            Some(voiced) => {
                folded.pop();
                folded.push(voiced);
            }
            None => push_plain(plain_twin(letter), &mut folded),
        }
    }
    folded
}

/// A name of a record or member in the form for comparison. Names that look the same are equal: case, the form of a final
/// sigma, compatibility forms, kinds of apostrophes and dashes, invisible characters and the amount of white space do not matter.
/// Accents do: `Café` and `Cafe` are two names.
///
/// Names with the same key have the same [`fold`], and so the same words.
pub fn name_key(name: &str) -> String {
    let visible = name.chars().filter(|letter| !is_invisible(*letter)).nfc().map(plain_twin);
    let lower: String = visible.nfkc().flat_map(char::to_lowercase).filter(|letter| keeps(*letter)).collect();
    let mut key = String::with_capacity(lower.len());
    for word in lower.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        for letter in word.chars() {
            match letter {
                'ß' => key.push_str("ss"),
                'ς' => key.push('σ'),
                // The dot is part of the letter, and a capital letter does not tell whether it was there.
                'ı' => key.push('i'),
                '\u{307}' if key.ends_with('i') => {}
                other => key.push(other),
            }
        }
    }
    key.nfc().collect()
}

/// Folding as in releases before search version 1. Records that are not reindexed yet have such words.
pub(super) fn former_fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let decomposed = text.chars().flat_map(char::to_lowercase).nfkd().filter(|letter| !is_combining_mark(*letter));
    for letter in decomposed.flat_map(char::to_lowercase).filter(|letter| keeps(*letter)) {
        push_plain(letter, &mut folded);
    }
    folded
}

/// Appends a lower-case letter. Letters that Unicode does not decompose get their common ASCII spelling, as in the database
/// function `kb_fold`.
pub(crate) fn push_plain(letter: char, text: &mut String) {
    match letter {
        'ß' => text.push_str("ss"),
        'æ' => text.push_str("ae"),
        'œ' => text.push_str("oe"),
        'þ' => text.push_str("th"),
        'ø' => text.push('o'),
        'ł' => text.push('l'),
        'đ' | 'ð' => text.push('d'),
        'ı' => text.push('i'),
        'ς' => text.push('σ'),
        other => text.push(other),
    }
}

/// Characters that look like an apostrophe, in order.
const APOSTROPHES: [char; 27] = [
    '`', '\u{b4}', '\u{2b9}', '\u{2bb}', '\u{2bc}', '\u{2bd}', '\u{2be}', '\u{2bf}', '\u{2c8}', '\u{2ca}', '\u{2cb}',
    '\u{384}', '\u{55a}', '\u{5f3}', '\u{7f4}', '\u{7f5}', '\u{1fbd}', '\u{1fbf}', '\u{1ffe}', '\u{2018}', '\u{2019}',
    '\u{201b}', '\u{2032}', '\u{2035}', '\u{a78b}', '\u{a78c}', '\u{ff07}',
];
/// Characters that look like a hyphen, in order.
const DASHES: [char; 29] = [
    '\u{2d7}', '\u{58a}', '\u{5be}', '\u{1400}', '\u{1806}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}',
    '\u{2014}', '\u{2015}', '\u{2043}', '\u{207b}', '\u{208b}', '\u{2212}', '\u{2e17}', '\u{2e1a}', '\u{2e3a}',
    '\u{2e3b}', '\u{2e40}', '\u{2e5d}', '\u{301c}', '\u{3030}', '\u{30a0}', '\u{fe31}', '\u{fe32}', '\u{fe58}',
    '\u{fe63}', '\u{ff0d}',
];
/// Another character that looks like a hyphen.
const YEZIDI_HYPHEN: char = '\u{10ead}';

/// The ASCII apostrophe or hyphen for a similar character; other characters stay unchanged.
pub(crate) fn plain_twin(character: char) -> char {
    if character.is_ascii() && character != '`' {
        character
    } else if APOSTROPHES.binary_search(&character).is_ok() {
        '\''
    } else if DASHES.binary_search(&character).is_ok() || character == YEZIDI_HYPHEN {
        '-'
    } else {
        character
    }
}

/// Whether a character is invisible: soft hyphens, zero-width spaces and joiners, direction marks, fillers, variation selectors,
/// tags.
pub(crate) const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a combining mark is removed: accents, points and tone marks of all scripts. Vowel signs and viramas of Indic and
/// South-East Asian scripts and kana voicing marks are kept, because without them it is a different word.
pub fn is_folded_mark(mark: char) -> bool {
    is_combining_mark(mark)
        && match canonical_combining_class(mark) {
            0 => is_enclosing(mark),
            // Voicing marks, viramas, and the vowel signs of Telugu, Thai, Lao and Tibetan that have a combining class.
            8 | 9 | 84 | 91 | 103 | 118 | 129 | 130 | 132 => false,
            _ => true,
        }
}

const fn is_enclosing(mark: char) -> bool {
    matches!(
        mark,
        '\u{488}'..='\u{489}'
            | '\u{1abe}'
            | '\u{20dd}'..='\u{20e0}'
            | '\u{20e2}'..='\u{20e4}'
            | '\u{a670}'..='\u{a672}'
    )
}

const fn is_voicing_mark(mark: char) -> bool {
    matches!(mark, '\u{3099}' | '\u{309a}')
}

fn keeps(character: char) -> bool {
    character.is_whitespace() || !character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn similar_characters_are_listed_in_order() {
        assert!(APOSTROPHES.is_sorted() && DASHES.is_sorted());
    }

    #[test]
    fn similar_characters_fold_alike() {
        for apostrophe in
            ['’', '‘', 'ʼ', 'ʻ', 'ʹ', '´', '`', '＇', '‛', '′', '\u{55a}', '\u{5f3}', 'ꞌ', '\u{1ffd}', '\u{1fef}']
        {
            assert_eq!(fold(&format!("O{apostrophe}Brien")), "o'brien", "{apostrophe:?}");
        }
        for dash in ['‐', '\u{2011}', '‒', '–', '—', '―', '−', '﹘', '﹣', '－', '⁻', '\u{5be}', '〜', '゠', '⸺', '˗']
        {
            assert_eq!(fold(&format!("2020{dash}2024")), "2020-2024", "{dash:?}");
        }
    }

    #[test]
    fn names_that_look_the_same_have_one_key() {
        for (one, other) in [
            ("ΣΥΝΝΕΦΟΣ", "Συννεφος"),
            ("ΟΔΟΣ Α", "οδος α"),
            ("Cafe\u{301} Mac", "Café Mac"),
            ("CAFÉ MAC", "cafe\u{301}  mac "),
            ("Blue\u{a0}Lantern", "Blue Lantern"),
            ("Blue \u{3000}\tLantern", "blue lantern"),
            ("Lan\u{ad}tern", "Lan\u{200b}tern"),
            ("\u{feff}\u{202a}Lantern\u{202c}", "Lantern"),
            ("Ｌａｎｔｅｒｎ　ＡＧ", "Lantern AG"),
            ("ﾗﾝﾀﾝ", "ランタン"),
            ("STRASSE", "Straße"),
            ("STRAẞE", "straße"),
            ("IŞIK", "ışık"),
            ("İZMİR", "izmir"),
            ("O’Brien – Söhne", "O'Brien - söhne"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
        ] {
            assert_eq!(name_key(one), name_key(other), "{one:?} {other:?}");
            assert_eq!(
                fold(one).split_whitespace().collect::<Vec<_>>(),
                fold(other).split_whitespace().collect::<Vec<_>>()
            );
        }
        for (one, other) in
            [("Café", "Cafe"), ("Bø", "Bo"), ("ガス", "カス"), ("Blue Lantern", "BlueLantern"), ("A", "Α")]
        {
            assert_ne!(name_key(one), name_key(other), "{one} {other}");
        }
        assert_eq!(name_key("\u{200b} \u{a0}"), "");
    }

    #[test]
    fn invisible_characters_are_removed() {
        for letter in "\u{ad}\u{200b}\u{200c}\u{200d}\u{200e}\u{202e}\u{2060}\u{2069}\u{feff}\u{fe0f}\u{180e}\u{34f}\u{e0020}\u{0}".chars() {
            assert_eq!(fold(&format!("Zéro{letter}width")), "zerowidth", "{letter:?}");
        }
        assert_eq!(fold("zero\u{0}width"), "zerowidth");
    }

    #[test]
    fn marks_of_all_scripts_are_removed_except_vowel_signs_and_voicing_marks() {
        for (text, folded) in [
            ("Größe ﬁn Ⅷ ² №", "grosse fin viii 2 no"),
            ("Vie\u{323}\u{302}t Việt Łódź Þór Ελλάς", "viet viet lodz thor ελλασ"),
            ("מְנוֹרָה", "מנורה"),
            ("مُحَمَّد محمـــد آمن", "محمد محمد امن"),
            ("ܫܠܵܡܵܐ", "ܫܠܡܐ"),
            ("Ёлка й", "елка и"),
            ("हिन्दी", "हिन्दी"),
            ("क़लम ड़ ऩ", "कलम ड न"),
            ("தமிழ் తెలుగు కై বাংলা", "தமிழ் తెలుగు కై বাংলা"),
            ("น้ำ สินค้า ชื่อ", "นํา สินคา ชือ"),
            ("ガギ ｶﾞｷﾞ か\u{3099} パ", "ガギ ガギ が パ"),
            ("タワー ﾀﾜｰ", "タワー タワー"),
            ("a\u{20dd}1\u{20e3}", "a1"),
        ] {
            // The expected text in the form that folding produces, in which some of these are decomposed.
            let folded: String = folded.split(' ').map(decomposed).collect::<Vec<_>>().join(" ");
            assert_eq!(fold(text), folded, "{text}");
        }
        assert_ne!(fold("हिन्दी"), fold("हनद"));
        assert_ne!(fold("ガ"), fold("カ"));
        assert!(!fold("ガス").starts_with(&fold("カ")));
    }

    fn decomposed(word: &str) -> String {
        word.chars()
            .flat_map(|letter| if is_kana(letter) { vec![letter] } else { letter.to_string().nfkd().collect() })
            .collect()
    }

    fn is_kana(letter: char) -> bool {
        ('\u{3041}'..='\u{30ff}').contains(&letter)
    }

    proptest! {
        #[test]
        fn folding_is_stable_and_drops_control_characters(text in "\\PC{0,40}|.{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.clone());
            prop_assert!(!once.contains('\0'));
        }
    }
}
