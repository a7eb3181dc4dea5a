//! Validated texts: trimmed, bounded in Unicode scalar values, without control characters.

use serde_json::{Value as Json, json};

use super::characters::{ends_line, is_invisible, one_line, without_ends};
use super::schema::text_schema;
use super::{Problems, Read, Value};

/// A one-line text of at most `MAX` characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<const MAX: usize>(String);

/// A multi-line text: tabs and newlines are kept, CRLF becomes LF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LongText<const MAX: usize>(String);

/// Implements `as_str` and the conversion to a string for validated texts.
macro_rules! text_access {
    ($( $( {$($generics:tt)*} )? $name:ty ),* $(,)?) => { $(
        impl $( <$($generics)*> )? $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl $( <$($generics)*> )? From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }
    )* };
}
pub(crate) use text_access;

text_access!({const MAX: usize} Line<MAX>, {const MAX: usize} LongText<MAX>);

impl<const MAX: usize> Line<MAX> {
    /// Validates a text that is not JSON, such as a command-line flag.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] naming `field`.
    pub fn parse(text: &str, field: &str) -> Result<Self, crate::Error> {
        Self::from_text(text, field, &format!("{field} must not be empty"))
    }
}

impl<const MAX: usize> Value for Line<MAX> {
    fn schema() -> Json {
        text_schema(MAX)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_text(json, at, MAX, one_line, ONE_LINE, problems, Self)
    }
}

impl<const MAX: usize> Value for LongText<MAX> {
    fn schema() -> Json {
        text_schema(MAX)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        read_text(json, at, MAX, |text| without_ends(text).to_owned(), SEVERAL_LINES, problems, Self)
    }
}

/// Which characters a text must not contain, and the message for it.
type CharacterRule = (fn(char) -> bool, &'static str);

pub(super) const ONE_LINE: CharacterRule = (
    |character: char| character.is_control() || ends_line(character),
    "must not contain control characters or line separators",
);
const SEVERAL_LINES: CharacterRule = (
    |character: char| character.is_control() && !matches!(character, '\n' | '\t'),
    "must not contain control characters",
);

pub(super) fn read_text<T>(
    json: Json,
    at: &str,
    max: usize,
    kept: fn(&str) -> String,
    (refused, message): CharacterRule,
    problems: &mut Problems,
    wrap: fn(String) -> T,
) -> Read<T> {
    let Json::String(raw) = json else { return problems.malformed(at, "invalid_type", "must be a string") };
    // Control characters at either end are rejected too: trimming must not hide them.
    let text = if raw.contains('\r') { kept(&raw.replace("\r\n", "\n")) } else { kept(&raw) };
    let mut good = true;
    if text.chars().any(refused) {
        problems.rule(at, "control_character", message);
        good = false;
    } else if text.chars().all(is_invisible) {
        return Read::Empty;
    }
    if text.chars().count() > max {
        problems.rule(at, "too_long", format!("must be at most {max} characters long"));
        good = false;
    }
    if good { Read::Value(wrap(text)) } else { Read::Invalid }
}

/// Validates a one-line text by one more rule.
pub(super) fn narrow<const MAX: usize, T>(
    json: Json,
    at: &str,
    problems: &mut Problems,
    rule: fn(&str) -> bool,
    (code, message): (&'static str, &str),
    wrap: fn(String) -> T,
) -> Read<T> {
    Line::<MAX>::read(json, at, problems).and_then(|line| {
        if rule(line.as_str()) {
            return Read::Value(wrap(line.0));
        }
        problems.invalid(at, code, message)
    })
}

/// Declares one-line texts by maximum length, normalization, an additional rule, and the code and message of that rule.
macro_rules! narrow_lines {
    ($(
        $(#[$doc:meta])*
        $name:ident($max:literal, $kept:expr, $rule:expr, $code:literal, $message:expr, $schema:expr)
    );* $(;)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        $crate::kernel::input::text_access!($name);

        impl Value for $name {
            fn schema() -> Json {
                $schema
            }

            fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
                narrow::<$max, _>(json, at, problems, $rule, ($code, $message), |text| Self($kept(&text)))
            }
        }
    )* };
}
pub(super) use narrow_lines;

narrow_lines! {
    /// An ISO 4217 currency code in uppercase letters.
    Currency(20, str::to_owned, crate::kernel::input::is_currency, "invalid_currency", "must be an ISO 4217 currency code in three uppercase letters",
        text_schema(20));
    /// A lower-case host name such as `example.com`, of at most 255 characters. Internationalized names are given in their
    /// ASCII form (`xn--…`), so that each name has one spelling.
    HostName(255, str::to_ascii_lowercase, is_host_name, "invalid_domain", "must be a host name such as example.com, without scheme, port or path",
        text_schema(255));
}

/// At least two labels of 1 to 63 letters, digits and inner hyphens. The last is not all digits, which excludes IP
/// addresses.
fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit_once('.').map(|(_, last)| last);
    text.split('.').all(is_label) && last.is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()))
}

/// An id, or an empty text for no id (a contact's `company_id`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionalReference<T>(pub T);

impl<T: Value> Value for OptionalReference<T> {
    fn schema() -> Json {
        json!({ "type": "string", "anyOf": [{ "format": "uuid" }, { "const": "" }] })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if json.as_str() == Some("") {
            return Read::Empty;
        }
        T::read(json, at, problems).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome<T: Value + Into<String>>(text: &str) -> String {
        let mut problems = Problems::default();
        match T::read(Json::String(text.to_owned()), "f", &mut problems) {
            Read::Value(value) => format!("={}", value.into()),
            Read::Empty => "empty".to_owned(),
            Read::Invalid => match problems.into_result() {
                Err(crate::Error::Invalid(list)) => {
                    list.iter().map(|problem| problem.code).collect::<Vec<_>>().join("+")
                }
                other => panic!("{other:?}"),
            },
        }
    }

    #[test]
    fn lines_are_trimmed_and_bounded_in_characters() {
        assert_eq!(outcome::<Line<3>>("  äöü "), "=äöü");
        assert_eq!(outcome::<Line<3>>("abcd"), "too_long");
        assert_eq!(outcome::<Line<3>>("a\0bcd"), "control_character+too_long");
        assert_eq!(outcome::<Line<9>>("a\tb"), "control_character");
        assert_eq!(outcome::<Line<9>>("a\nb"), "control_character");
        assert_eq!(outcome::<Line<9>>("\u{7f}"), "control_character");
        assert_eq!(outcome::<Line<9>>("a\u{2028}b"), "control_character");
        assert_eq!(outcome::<Line<9>>("a\u{2029}b"), "control_character");
        assert_eq!(outcome::<LongText<9>>("a\u{2028}b"), "=a\u{2028}b");
        assert_eq!(outcome::<Line<9>>(" \t "), "empty");
        assert_eq!(outcome::<Line<9>>("\0"), "control_character");
    }

    #[test]
    fn an_invisible_text_is_empty() {
        for blank in ["\u{200b}", "\u{200c}\u{200d}", " \u{2060} ", "\u{feff}", "\u{ad}\u{ad}", "\u{3164}", "\u{fe0f}"]
        {
            assert_eq!(outcome::<Line<9>>(blank), "empty", "{blank:?}");
            assert_eq!(outcome::<LongText<9>>(&format!("\n{blank}\n")), "empty", "{blank:?}");
        }
        for shown in ["👩\u{200d}🔬", "می\u{200c}خواهم", "a\u{ad}b", "\u{200b}a", "❤\u{fe0f}", "\u{61c}שלום"]
        {
            assert_eq!(outcome::<Line<9>>(shown), format!("={shown}"));
        }
    }

    #[test]
    fn directional_characters_are_removed_from_lines_and_from_the_ends_of_long_texts() {
        for character in
            "\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".chars()
        {
            let around = |text: &str| format!(" {character} {text}{character}\n");
            assert_eq!(outcome::<Line<9>>(&around("")), "empty", "{character:?}");
            assert_eq!(outcome::<Line<3>>(&around(&format!("a{character}b "))), "=ab", "{character:?}");
            assert_eq!(outcome::<Line<3>>(&around(&format!("{character}abcd"))), "too_long", "{character:?}");
            assert_eq!(outcome::<Line<9>>(&around("a\u{7}")), "control_character", "{character:?}");
            assert_eq!(outcome::<Currency>(&around("EUR")), "=EUR", "{character:?}");
            assert_eq!(outcome::<HostName>(&around("example.org")), "=example.org", "{character:?}");
            assert_eq!(outcome::<LongText<9>>(&around("")), "empty", "{character:?}");
            assert_eq!(outcome::<LongText<3>>(&around(&format!("a{character}b"))), format!("=a{character}b"));
        }
        let copied = "\u{202d}+49 30 1234\u{202c}";
        assert_eq!(outcome::<Line<50>>(copied), "=+49 30 1234");
        assert_eq!(outcome::<Line<50>>("\u{2068}سارة\u{2069}"), "=سارة");
    }

    #[test]
    fn long_texts_keep_lines_and_tabs() {
        assert_eq!(outcome::<LongText<9>>("a\r\n\tb\n"), "=a\n\tb");
        assert_eq!(outcome::<LongText<9>>("a\rb"), "control_character");
        assert_eq!(outcome::<LongText<3>>("a\r\nb"), "=a\nb");
        assert_eq!(outcome::<LongText<9>>("a\0"), "control_character");
    }

    #[test]
    fn formats_are_validated() {
        for (text, good) in [
            ("example.com", true),
            ("a-1.b2.example", true),
            ("xn--bcher-kva.example", true),
            ("1.example", true),
            ("example", false),
            ("https://example.com", false),
            ("example.com/path", false),
            ("example.com:443", false),
            ("example.com.", false),
            (".example.com", false),
            ("a..example", false),
            ("-a.example", false),
            ("a-.example", false),
            ("a_b.example", false),
            ("a b.example", false),
            ("bücher.example", false),
            ("192.0.2.1", false),
        ] {
            assert_eq!(outcome::<HostName>(text).starts_with('='), good, "{text}");
        }
        assert_eq!(outcome::<HostName>(" Example.COM "), "=example.com");
        let labels = |length: usize| format!("{}.example", "a".repeat(length));
        assert!(outcome::<HostName>(&labels(63)).starts_with('='));
        assert_eq!(outcome::<HostName>(&labels(64)), "invalid_domain");
        let name = |length: usize| format!("{}b", "a.".repeat(length / 2));
        assert!(outcome::<HostName>(&name(254)).starts_with('='));
        assert_eq!(outcome::<HostName>(&name(256)), "too_long");
        for (text, good) in [("EUR", true), ("eur", false), ("XXY", false), ("EURO", false)] {
            assert_eq!(outcome::<Currency>(text).starts_with('='), good, "{text}");
        }
    }
}
