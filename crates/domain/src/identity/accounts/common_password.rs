//! Recognizes common passwords, which attackers try first.
//!
//! The list has the most frequent passwords of zxcvbn's list (Dropbox, MIT licence), which comes from published breaches. The
//! estimator itself is not used, because it takes more than a second for a hostile password.

/// Sorted by bytes, one per line, in lower case.
const LIST: &str = include_str!("common_passwords.txt");

/// Keyboard walks and other well-known sequences.
const WALKS: [&str; 6] = [
    "1234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "1q2w3e4r5t6y7u8i9o0p",
];

/// A password that repeats any part of at most this length is common.
const SHORT_PART: usize = 4;

/// Whether a password is in the list, with or without digits and punctuation around it, repeats a short or listed part, or is a
/// keyboard walk. Case and usual replacements of letters (`p@ssw0rd`) are ignored.
pub(super) fn is_common(password: &str) -> bool {
    let lower = password.to_lowercase();
    is_listed(&lower) || is_walk(&lower) || is_repeated(&lower)
}

fn is_listed(text: &str) -> bool {
    let core = text.trim_matches(|character: char| !character.is_alphabetic());
    let plain: String = text.chars().map(letter_of).collect();
    let plain_core = plain.trim_matches(|character: char| !character.is_alphabetic());
    [text, core, plain_core].iter().any(|candidate| is_in_list(candidate)) || is_listed_without_tail(text)
}

/// Checks the part of `p@ssw0rd2024!` before its tail, because the digits of the tail would otherwise be read as letters.
fn is_listed_without_tail(text: &str) -> bool {
    let head = text.trim_end_matches(|character: char| !character.is_alphabetic());
    let plain: String = head.chars().map(letter_of).collect();
    is_in_list(&plain)
}

/// A core that is too short does not make the whole password common.
fn is_in_list(text: &str) -> bool {
    text.len() > SHORT_PART && LIST.lines().any(|line| line == text)
}

fn is_walk(text: &str) -> bool {
    let backwards: String = text.chars().rev().collect();
    WALKS.iter().any(|walk| {
        let repeated_walk = walk.repeat(text.len() / walk.len() + 2);
        repeated_walk.contains(text) || repeated_walk.contains(&backwards)
    })
}

fn is_repeated(text: &str) -> bool {
    let characters: Vec<_> = text.chars().collect();
    let repeats = |length: &usize| characters.iter().zip(&characters[*length..]).all(|(one, next)| one == next);
    (1..=characters.len() / 2).find(repeats).is_some_and(|length| {
        let part: String = characters[..length].iter().collect();
        length <= SHORT_PART || is_listed(&part) || is_walk(&part)
    })
}

/// The letter that a digit or symbol stands for.
const fn letter_of(character: char) -> char {
    match character {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_attackers_try_first_are_common() {
        for password in [
            "password1234",
            "Password123!",
            "P@ssw0rd2024!",
            "PASSWORDPASSWORD",
            "123456789012",
            "210987654321",
            "qwertyuiopas",
            "1q2w3e4r5t6y",
            "1qaz2wsx3edc",
            "abcdefghijkl",
            "aaaaaaaaaaaa",
            "üüüüüüüüüüüü",
            "abcabcabcabc",
            "letmeinletmein",
            "iloveyou2024",
            "qwerty123456",
            "...dragon...",
        ] {
            assert!(is_common(password), "{password}");
        }
    }

    #[test]
    fn other_passwords_are_not_common() {
        for password in [
            "correct horse",
            "correct horse battery",
            "a good password",
            "purple monkey dishwasher",
            "no digits here",
            "bluebottle-harbour",
            "kj3h4k5jh34k",
            "ﬀ rare ﬁgures ß",
            "728194650273",
            "dragonfly wings",
        ] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn the_list_is_sorted_and_in_lower_case() {
        assert!(
            LIST.lines().all(|line| line == line.to_lowercase() && line == line.trim() && line.len() >= SHORT_PART)
        );
        assert!(LIST.lines().count() > 5_000);
    }
}
