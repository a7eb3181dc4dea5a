//! Markdown that users write, before it is parsed.

use std::borrow::Cow;

/// How many levels of quotes and lists a text may nest. The parser revisits each open level on every following line, and each
/// level of a quote becomes 27 bytes of HTML for one byte of text.
pub const MAX_NESTING: usize = 20;

/// The text without the markers of quotes and lists that one line nests more than [`MAX_NESTING`] levels deep.
pub fn shallow(markdown: &str) -> Cow<'_, str> {
    let mut shallow = String::new();
    let mut copied = 0;
    let mut line_start = 0;
    for line in markdown.split_inclusive('\n') {
        if let Some((from, to)) = too_deep(line) {
            shallow.push_str(&markdown[copied..line_start + from]);
            copied = line_start + to;
        }
        line_start += line.len();
    }
    if copied == 0 {
        return Cow::Borrowed(markdown);
    }
    shallow.push_str(&markdown[copied..]);
    Cow::Owned(shallow)
}

/// The byte range of the markers at the start of a line that are nested too deeply.
fn too_deep(line: &str) -> Option<(usize, usize)> {
    let mut rest = line;
    let mut from = 0;
    for depth in 0.. {
        if depth == MAX_NESTING {
            from = line.len() - rest.len();
        }
        match after_mark(rest) {
            Some(after) => rest = after,
            None => return (depth > MAX_NESTING).then(|| (from, line.len() - rest.len())),
        }
    }
    None
}

/// The rest of the line after a quote or list marker, if it begins with one.
fn after_mark(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t']);
    if let Some(quoted) = line.strip_prefix('>') {
        return Some(quoted);
    }
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let mark: &[char] = if number.len() == line.len() { &['-', '*', '+'] } else { &['.', ')'] };
    number.strip_prefix(mark).filter(|after| after.starts_with([' ', '\t', '\r', '\n']) || after.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markers_nested_too_deeply_are_removed() {
        for line in ["a > b - c", "---", "**bold", "12.5 mm", "-5", ">= 3", "2) x"] {
            assert_eq!(too_deep(line), None);
        }
        assert_eq!(too_deep(&"> ".repeat(25)), Some((39, 49)));
        for depth in [1, MAX_NESTING] {
            let markdown = format!("{}text", "> ".repeat(depth));
            assert!(matches!(shallow(&markdown), Cow::Borrowed(_)), "{depth}");
        }
    }

    /// The parser revisits every open block on each following line: 100 kB of this took six seconds.
    #[test]
    fn a_deep_quote_with_many_lines_is_flattened() {
        for mark in [">", "> ", "- ", "1. "] {
            let deep = mark.repeat(50_000 / mark.len());
            let markdown = format!("{deep}a\n{}", "b\n".repeat(25_000));
            assert!(shallow(&markdown).len() <= MAX_NESTING * mark.len() + 50_100);
        }
    }
}
