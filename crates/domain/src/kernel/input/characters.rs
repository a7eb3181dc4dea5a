//! Characters that a text must not contain, or that are invisible, and the patterns of texts.

/// Unicode line and paragraph separators, which are not control characters.
pub(super) const fn ends_line(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether the character is a mark, embedding, override or isolate of text direction. Phones put them around copied numbers and
/// names; within one line, they can make a text look like another.
pub(super) const fn is_directional(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A one-line text without directional characters, and without white space at its ends.
pub(crate) fn one_line(text: &str) -> String {
    if text.is_ascii() {
        return text.trim().to_owned();
    }
    text.replace(is_directional, "").trim().to_owned()
}

/// A text without white space and directional characters at its ends. Inside long texts, some scripts may need directional
/// characters.
pub(crate) fn without_ends(text: &str) -> &str {
    text.trim_matches(|character: char| character.is_whitespace() || is_directional(character))
}

/// Characters that are invisible on their own. Inside a text they are kept: scripts and emoji need joiners and marks.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || is_directional(character)
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The pattern of a line that is not blank. White space at its ends is trimmed, so any kind is allowed; directional characters
/// are removed, so they are allowed anywhere.
pub(super) const A_LINE: &str = concat!(
    r"^[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]*",
    r"[^\s\u0000-\u001f\u007f-\u009f\u00ad\u200e\u200f\u2028-\u202e\u2066-\u2069]",
    r"[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]*$",
);

/// The pattern of a host name, see [`HostName`](super::HostName).
pub(super) const A_HOST_NAME: &str = concat!(
    "^([0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?\\.)+",
    "(([0-9A-Za-z][0-9A-Za-z-]{0,61})?[A-Za-z]|[A-Za-z][0-9A-Za-z-]{0,61}[0-9A-Za-z])$",
);
