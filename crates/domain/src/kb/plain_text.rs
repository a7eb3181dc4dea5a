//! Markdown as the text that a reader sees, as far as a short excerpt needs it.

/// The longest address of a link, or tag, in bytes.
const MAX_TARGET: usize = 2_000;

/// The text without marks, in one line.
pub(super) fn plain_text(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let line = without_line_marks(line.trim());
        let before = text.len();
        inline(line, &mut text);
        if text.len() > before {
            text.push(' ');
        }
    }
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

/// A line without what marks it as a heading, quotation, item, rule or fence.
fn without_line_marks(mut line: &str) -> &str {
    if line.starts_with("```") || line.starts_with("~~~") {
        return "";
    }
    let is_rule = |line: &str| !line.is_empty() && line.chars().all(|mark| "-*_=|: ".contains(mark));
    if is_rule(line) {
        return "";
    }
    loop {
        let shorter = line.trim_start_matches(['#', '>']).trim_start();
        let shorter =
            ["- ", "* ", "+ ", "[ ] ", "[x] "].iter().find_map(|mark| shorter.strip_prefix(mark)).unwrap_or(shorter);
        let digits = shorter.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &shorter[digits..];
        let shorter = if (1..=9).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")) {
            &rest[2..]
        } else {
            shorter
        };
        if shorter.len() == line.len() {
            return line;
        }
        line = shorter;
    }
}

/// Adds a line without the marks inside it.
fn inline(line: &str, text: &mut String) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        let behind = &rest[character.len_utf8()..];
        let next = behind.chars().next().unwrap_or(' ');
        rest = behind;
        match character {
            '\\' if next.is_ascii_punctuation() => {
                text.push(next);
                rest = &behind[1..];
            }
            '*' | '`' | '[' => {}
            '~' if next == '~' => rest = &behind[1..],
            '!' if next == '[' => {}
            '|' => text.push(' '),
            // Inside a word it belongs to it.
            '_' if !(before.is_alphanumeric() && next.is_alphanumeric()) => {}
            ']' => rest = behind_target(behind),
            '<' => rest = behind_tag(behind, text),
            other => text.push(other),
        }
        before = character;
    }
}

/// The place of an ASCII sign near the beginning. What is further away closes nothing: else a text full of opening signs
/// would be looked through from each of them.
fn near(rest: &str, sign: u8) -> Option<usize> {
    rest.bytes().take(MAX_TARGET).position(|byte| byte == sign)
}

/// Goes over the address of a link, if one follows its text.
fn behind_target(rest: &str) -> &str {
    let close = match rest.chars().next() {
        Some('(') => b')',
        Some('[') => b']',
        _ => return rest,
    };
    near(rest, close).map_or(rest, |end| &rest[end + 1..])
}

/// Goes over a tag; what only looks like the beginning of one is text.
fn behind_tag<'t>(rest: &'t str, text: &mut String) -> &'t str {
    let opens = rest.starts_with(|character: char| character.is_ascii_alphabetic() || "/!".contains(character));
    let Some(end) = near(rest, b'>').filter(|_| opens) else {
        text.push('<');
        return rest;
    };
    let inside = &rest[..end];
    if inside.contains("://") && !inside.contains(' ') {
        text.push_str(inside);
    }
    &rest[end + 1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_text_stays() {
        for (markdown, expected) in [
            ("# Reset\n\nOpen **Settings** and *click* `Save`.", "Reset Open Settings and click Save."),
            ("> - [x] a\n> 1. b\n2) c", "a b c"),
            ("see [the guide](https://e.x/a_(b)) or ![a map](m.png)", "see the guide) or a map"),
            ("[text][ref] ~~old~~ __new__ snake_case", "text old new snake_case"),
            ("```sh\nls *.rs\n```\n---\n", "ls .rs"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"),
            ("a < b <b>bold</b> <https://e.x> <!-- x -->", "a < b bold https://e.x"),
            (r"\*not\* \<b>", "*not* <b>"),
            ("2024 was 3.5 times", "2024 was 3.5 times"),
            ("", ""),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }
}
