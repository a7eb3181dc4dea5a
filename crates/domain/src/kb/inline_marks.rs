//! The marks inside the lines of a Markdown text: what a reader does not see of them goes, and all else stays.

use std::collections::{BTreeMap, BTreeSet};

use super::html_tags::{Bracketed, bracketed};

/// The longest address of a link, tag, or code within a line, in bytes.
const MAX_TARGET: usize = 2_000;
/// The longest name of an address, in bytes.
const MAX_LABEL: usize = 1_000;
/// Stands for a sign that turned out to be a mark.
const GONE: char = '\0';
const COMMENT_ENDS: &str = "-->";

/// Gathers the text of lines. A sign that may be a mark is kept until its other half comes.
#[derive(Debug)]
pub(super) struct Inline {
    text: String,
    /// The last places of `*`, `_` and `~` that may begin something, by sign and number.
    emphasis: BTreeMap<(char, usize), usize>,
    /// The places of `[` that nothing closed yet.
    brackets: Vec<usize>,
    /// The names of addresses that are given elsewhere.
    labels: BTreeSet<String>,
    /// How far before the end the last comment ends; 0 where none does.
    last_comment: usize,
    within_comment: bool,
}

impl Inline {
    pub(super) fn of(markdown: &str) -> Self {
        Self {
            text: String::with_capacity(markdown.len()),
            emphasis: BTreeMap::new(),
            brackets: Vec::new(),
            labels: markdown.lines().filter_map(defined).map(key).collect(),
            last_comment: markdown.rfind(COMMENT_ENDS).map_or(0, |place| markdown.len() - place),
            within_comment: false,
        }
    }

    /// The text in one line.
    pub(super) fn into_text(self) -> String {
        let kept = self.text.replace(GONE, "");
        let mut squeezed = String::with_capacity(kept.len());
        for word in kept.split_whitespace() {
            if !squeezed.is_empty() {
                squeezed.push(' ');
            }
            squeezed.push_str(word);
        }
        squeezed
    }

    /// What is left of a line behind the end of a comment that began above it; none where it goes on.
    pub(super) fn behind_comment<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        if !self.within_comment {
            return Some(line);
        }
        let end = line.find(COMMENT_ENDS)?;
        self.within_comment = false;
        Some(&line[end + COMMENT_ENDS.len()..])
    }

    /// Ends a paragraph, with all that it left open.
    pub(super) fn end_paragraph(&mut self) {
        self.emphasis.clear();
        self.brackets.clear();
    }

    /// Adds a line as it stands.
    pub(super) fn literal(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line without the marks inside it. So many bytes follow.
    pub(super) fn line(&mut self, line: &str, below: usize) {
        let mut rest = line;
        let mut before = ' ';
        while let Some(sign) = rest.chars().next() {
            let behind = &rest[sign.len_utf8()..];
            rest = match sign {
                '\\' if behind.starts_with(|next: char| next.is_ascii_punctuation()) => {
                    self.text.push_str(&behind[..1]);
                    &behind[1..]
                }
                '`' => self.code(rest),
                '*' | '_' | '~' => self.emphasized(sign, rest, before),
                '[' => {
                    self.brackets.push(self.text.len());
                    self.text.push('[');
                    behind
                }
                ']' => self.closed(behind),
                '<' => self.angle(behind, below),
                '|' => {
                    self.text.push(' ');
                    behind
                }
                other => {
                    self.text.push(other);
                    behind
                }
            };
            before = sign;
        }
        self.text.push('\n');
    }

    /// Code is text to the letter.
    fn code<'l>(&mut self, rest: &'l str) -> &'l str {
        let run = run_of(rest, '`');
        let inside = &rest[run..];
        let Some(end) = code_end(inside, run) else {
            self.text.push_str(&rest[..run]);
            return inside;
        };
        self.text.push_str(&inside[..end]);
        &inside[end + run..]
    }

    /// Signs of emphasis are marks in pairs alone.
    fn emphasized<'l>(&mut self, sign: char, rest: &'l str, before: char) -> &'l str {
        let run = run_of(rest, sign);
        let behind = &rest[run..];
        let next = behind.chars().next().unwrap_or(' ');
        // Inside a word an underscore belongs to it.
        let inside_word = sign == '_' && before.is_alphanumeric() && next.is_alphanumeric();
        let place = self.text.len();
        self.text.push_str(&rest[..run]);
        if inside_word || (if sign == '~' { run != 2 } else { run > 3 }) {
            return behind;
        }
        let opened = self.emphasis.get(&(sign, run)).copied();
        match opened.filter(|start| start + run < place && !before.is_whitespace()) {
            Some(start) => {
                self.emphasis.remove(&(sign, run));
                self.remove(start, run);
                self.remove(place, run);
            }
            None if !next.is_whitespace() => drop(self.emphasis.insert((sign, run), place)),
            None => {}
        }
        behind
    }

    /// A bracket that closes: of a link its text stays.
    fn closed<'l>(&mut self, behind: &'l str) -> &'l str {
        let Some(start) = self.brackets.pop() else {
            self.text.push(']');
            return behind;
        };
        let known = |label: &str| {
            !self.labels.is_empty() && label.len() <= MAX_LABEL && self.labels.contains(&key(&label.replace(GONE, "")))
        };
        let shown = &self.text[start + 1..];
        let behind_target = match behind.as_bytes().first() {
            Some(b'(') => target_end(&behind[1..]).map(|end| &behind[end + 2..]),
            Some(b'[') => {
                let named =
                    near(&behind[1..], b']').filter(|end| known(if *end == 0 { shown } else { &behind[1..=*end] }));
                named.map(|end| &behind[end + 2..])
            }
            _ => known(shown).then_some(behind),
        };
        let Some(rest) = behind_target else {
            self.text.push(']');
            return behind;
        };
        self.remove(start, 1);
        if self.text[..start].ends_with('!') {
            self.remove(start - 1, 1);
        }
        rest
    }

    /// Goes over a tag or comment; what only looks like the beginning of one is text.
    fn angle<'l>(&mut self, behind: &'l str, below: usize) -> &'l str {
        if behind.starts_with("!--") && self.last_comment > 0 && behind.len() + below >= self.last_comment {
            let end = behind.find(COMMENT_ENDS);
            self.within_comment = end.is_none();
            return end.map_or("", |end| &behind[end + COMMENT_ENDS.len()..]);
        }
        let end = near(behind, b'>').unwrap_or(0);
        match bracketed(&behind[..end]) {
            Bracketed::Inline => {}
            Bracketed::Block => self.text.push(' '),
            Bracketed::Address => self.text.push_str(&behind[..end]),
            Bracketed::Text => {
                self.text.push('<');
                return behind;
            }
        }
        &behind[end + 1..]
    }

    /// Takes back signs of one byte each; what stands behind them keeps its place.
    fn remove(&mut self, place: usize, count: usize) {
        for sign in place..place + count {
            self.text.replace_range(sign..=sign, "\0");
        }
    }
}

/// The name that a line gives to an address, if it does nothing else.
pub(super) fn defined(line: &str) -> Option<&str> {
    let (label, target) = line.trim().strip_prefix('[')?.split_once("]:")?;
    let is_label =
        !label.trim().is_empty() && label.len() <= MAX_LABEL && !label.starts_with('^') && !label.contains(['[', ']']);
    (is_label && is_target(target)).then_some(label)
}

/// Whether it is an address, with a title at most.
fn is_target(text: &str) -> bool {
    let text = text.trim();
    let is_title = |text: &str| text.trim_start().starts_with(['"', '\'', '(']);
    match text.strip_prefix('<').and_then(|text| text.split_once('>')) {
        Some((_, behind)) => behind.is_empty() || is_title(behind),
        None => text.split_once(char::is_whitespace).map_or(!text.is_empty(), |(_, behind)| is_title(behind)),
    }
}

/// Names are the same in any casing.
fn key(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// How many of a sign of one byte stand at the beginning.
fn run_of(text: &str, sign: char) -> usize {
    text.chars().take_while(|next| *next == sign).count()
}

/// The place of an ASCII sign near the beginning. What is further away closes nothing: else a text full of opening signs
/// would be looked through from each of them.
fn near(rest: &str, sign: u8) -> Option<usize> {
    rest.bytes().take(MAX_TARGET).position(|byte| byte == sign)
}

/// Where exactly so many backticks stand.
fn code_end(inside: &str, run: usize) -> Option<usize> {
    let mut count = 0;
    for (place, byte) in inside.bytes().chain([b' ']).enumerate().take(MAX_TARGET) {
        if byte == b'`' {
            count += 1;
        } else if count == run {
            return Some(place - run);
        } else {
            count = 0;
        }
    }
    None
}

/// Where the address of a link ends, which has parentheses in pairs; none where it is text in parentheses.
fn target_end(inside: &str) -> Option<usize> {
    let mut open = 1;
    let closes = |byte: u8| {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        open == 0
    };
    let end = inside.bytes().take(MAX_TARGET).position(closes)?;
    (end == 0 || is_target(&inside[..end])).then_some(end)
}
