//! Distinguishes HTML tags from other text in angle brackets, such as `<timeout>` or `Vec<String>`.

/// Maximum length of a tag, in bytes.
const MAX_TAG: usize = 2_000;
const COMMENT_ENDS: &str = "-->";
/// Inline elements that Markdown authors use.
const INLINE: [&str; 31] = [
    "a", "abbr", "b", "cite", "code", "del", "dfn", "em", "font", "i", "iframe", "img", "ins", "kbd", "mark", "q", "s",
    "samp", "script", "small", "span", "strike", "strong", "style", "sub", "sup", "tt", "u", "var", "video", "wbr",
];
/// Elements that separate words.
const BLOCKS: [&str; 32] = [
    "blockquote",
    "br",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
];

/// What a pair of angle brackets contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracketed {
    /// An inline tag.
    Inline,
    /// A tag that separates words.
    Block,
    /// An address, which is shown.
    Address,
    /// Plain text.
    Text,
}

/// Appends HTML without its tags and comments. Text that only looks like a tag is kept.
pub(super) fn without_tags(html: &str, text: &mut String) {
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (before, behind) = (&rest[..start], &rest[start + 1..]);
        text.push_str(before);
        rest = after_bracket(behind, text);
    }
    text.push_str(rest);
}

/// Handles the tag or text after an opening bracket. Returns what follows it.
fn after_bracket<'h>(behind: &'h str, text: &mut String) -> &'h str {
    if let Some(comment) = behind.strip_prefix("!--") {
        return comment.split_once(COMMENT_ENDS).map_or("", |(_, rest)| rest);
    }
    // A closing bracket further away does not count: otherwise every opening bracket would scan the rest of the text.
    let end = behind.bytes().take(MAX_TAG).position(|byte| byte == b'>').unwrap_or(0);
    match bracketed(&behind[..end]) {
        Bracketed::Inline => {}
        Bracketed::Block => text.push(' '),
        Bracketed::Address => text.push_str(&behind[..end]),
        Bracketed::Text => {
            text.push('<');
            return behind;
        }
    }
    &behind[end + 1..]
}

/// Classifies the text between an opening and a closing bracket.
fn bracketed(inside: &str) -> Bracketed {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let name = &name[..name.bytes().take_while(u8::is_ascii_alphanumeric).count()];
    let behind = inside.trim_start_matches('/')[name.len()..].chars().next();
    let is_one_of = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if behind.is_none_or(|next| next == '/' || next.is_whitespace()) {
        if is_one_of(&INLINE) {
            return Bracketed::Inline;
        }
        if is_one_of(&BLOCKS) {
            return Bracketed::Block;
        }
    }
    let is_email_address = inside.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty());
    let is_address = inside.contains("://") || inside.starts_with("mailto:") || is_email_address;
    if is_address && !inside.contains(char::is_whitespace) { Bracketed::Address } else { Bracketed::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclosed_markup_takes_linear_time() {
        for opening in ["<", "<!--", "<a ", "</"] {
            let html = opening.repeat(100_000 / opening.len());
            let mut text = String::new();
            without_tags(&html, &mut text);
            assert!(text.len() <= html.len());
        }
    }

    #[test]
    fn only_html_elements_are_tags() {
        for (inside, expected) in [
            ("b", Bracketed::Inline),
            ("/B", Bracketed::Inline),
            ("a href=\"https://e.x\"", Bracketed::Inline),
            ("br/", Bracketed::Block),
            ("H1", Bracketed::Block),
            ("https://e.x/a", Bracketed::Address),
            ("ann@example.com", Bracketed::Address),
            ("mailto:ann", Bracketed::Address),
            ("timeout", Bracketed::Text),
            ("your-name", Bracketed::Text),
            ("b-side", Bracketed::Text),
            ("/timeout", Bracketed::Text),
            ("String", Bracketed::Text),
            ("see https://e.x", Bracketed::Text),
            ("@ann", Bracketed::Text),
            ("//b", Bracketed::Text),
            ("", Bracketed::Text),
            ("é", Bracketed::Text),
        ] {
            assert_eq!(bracketed(inside), expected, "{inside}");
        }
    }
}
