//! The excerpt of an article that shows its matches.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{form, is_of_word};
use crate::kernel::html;
use crate::kernel::search::{Part, SearchQuery, parts};

/// The length of an excerpt, in characters.
const LENGTH: usize = 200;
/// How far either end may move so that it falls between words.
const SLACK: usize = 30;

/// A match in a text.
struct Hit {
    /// Its range in bytes.
    bytes: Range<usize>,
    /// Its range in characters.
    chars: Range<usize>,
    /// The index of the matched form.
    form: usize,
}

/// A part of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExcerptPart {
    pub text: String,
    /// Whether the part matches a word of the search.
    pub is_match: bool,
}

/// About 200 characters of an article's text around its matches, as HTML: the article's own characters are
/// escaped, and `<mark>` around matches is the only tag.
pub fn excerpt(text: &str, forms: &[String]) -> String {
    let mut html = String::with_capacity(2 * LENGTH);
    for (part, is_match) in parts_around(text, hits(text, forms)) {
        html.push_str(if is_match { "<mark>" } else { "" });
        html::escape(part, &mut html);
        html.push_str(if is_match { "</mark>" } else { "" });
    }
    html
}

/// About 200 characters of a text on one line, around the words found by a search of records.
pub fn excerpt_of_search(text: &str, words: &SearchQuery) -> Vec<ExcerptPart> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hits = hits(&text, &forms_of_search(&text, words));
    let part = |(text, is_match): (&str, bool)| ExcerptPart { text: text.to_owned(), is_match };
    parts_around(&text, hits).into_iter().map(part).collect()
}

/// The excerpt, split where matches begin and end.
fn parts_around(text: &str, hits: Vec<Hit>) -> Vec<(&str, bool)> {
    let range = window(text, &best(&hits));
    let mut parts = Vec::new();
    if range.start > 0 {
        parts.push(("…", false));
    }
    let mut offset = range.start;
    let within = hits.into_iter().map(|hit| hit.bytes).filter(|hit| range.start <= hit.start && hit.end <= range.end);
    for hit in within {
        parts.push((&text[offset..hit.start], false));
        offset = hit.end;
        parts.push((&text[hit], true));
    }
    parts.push((&text[offset..range.end], false));
    if range.end < text.len() {
        parts.push(("…", false));
    }
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// The forms that a search of records matches in a text: words that begin with a prefix of the query, and, in scripts without
/// blanks between words, pairs of characters.
fn forms_of_search(text: &str, words: &SearchQuery) -> Vec<String> {
    let (mut starts, mut forms) = (BTreeSet::new(), BTreeSet::new());
    for chunk in words.tokens().iter().flatten().flatten() {
        let folded = form(chunk);
        let mut parts: Vec<_> = folded.split(|next: char| !is_of_word(next)).filter(|part| !part.is_empty()).collect();
        // Only the last word of a chunk may continue.
        starts.extend(parts.pop().map(str::to_owned));
        forms.extend(parts.into_iter().map(str::to_owned));
    }
    let mut from = 0;
    while let Some(word) = next_word(text, from) {
        from = word.end;
        let form = form(&text[word]);
        if starts.iter().any(|start| form.starts_with(start.as_str())) {
            forms.insert(form);
        }
    }
    forms.extend(starts);
    forms.into_iter().collect()
}

/// The matches in the text.
fn hits(text: &str, forms: &[String]) -> Vec<Hit> {
    let forms = Forms::of(forms);
    let mut hits = Vec::new();
    // How far characters are counted: the offset in bytes and in characters.
    let mut counted_to = (0, 0);
    let mut note = |bytes: Range<usize>, form: usize| {
        let start = counted_to.1 + text[counted_to.0..bytes.start].chars().count();
        let end = start + text[bytes.clone()].chars().count();
        counted_to = (bytes.end, end);
        hits.push(Hit { bytes, chars: start..end, form });
    };
    let mut from = 0;
    while let Some(word) = next_word(text, from) {
        from = word.end;
        for (hit, form) in forms.in_word(text, word) {
            note(hit, form);
        }
    }
    hits
}

/// The forms to find, with their indexes.
struct Forms<'f> {
    numbers: BTreeMap<&'f str, usize>,
    /// The ASCII characters that they begin with. This rules out most words before they are folded.
    may_begin: [bool; 128],
    /// The other characters that they begin with.
    others: BTreeSet<char>,
}

impl<'f> Forms<'f> {
    fn of(forms: &'f [String]) -> Self {
        let mut may_begin = [false; 128];
        for first in forms.iter().filter_map(|form| form.bytes().next()).filter(u8::is_ascii) {
            may_begin[usize::from(first)] = true;
        }
        let others = forms.iter().filter_map(|form| form.chars().next()).filter(|first| !first.is_ascii()).collect();
        Self { numbers: forms.iter().map(String::as_str).zip(0..).collect(), may_begin, others }
    }

    /// The matches in a word, each with the index of its form: the word or parts of it, and, in scripts without blanks between words,
    /// pairs of characters.
    fn in_word(&self, text: &str, word: Range<usize>) -> Vec<(Range<usize>, usize)> {
        if text[word.clone()].is_ascii() {
            return self.in_letters(text, word);
        }
        let (mut hits, mut start) = (Vec::new(), word.start);
        for part in parts(&text[word]) {
            match part {
                Part::Other(other) => {
                    hits.extend(self.in_letters(text, start..start + other.len()));
                    start += other.len();
                }
                Part::Run(run) => {
                    hits.extend(self.in_run(text, &run, start));
                    start += run.iter().map(|character| character.len()).sum::<usize>();
                }
            }
        }
        hits
    }

    fn in_letters(&self, text: &str, word: Range<usize>) -> Vec<(Range<usize>, usize)> {
        let hit = |range: Range<usize>| Some((range.clone(), self.form_index(&text[range])?));
        match hit(word.clone()) {
            Some(whole) => vec![whole],
            None => pieces(text, word).into_iter().filter_map(hit).collect(),
        }
    }

    /// Merges pairs that overlap or touch into one match, unless it becomes too long for the excerpt.
    fn in_run(&self, text: &str, run: &[&str], start: usize) -> Vec<(Range<usize>, usize)> {
        let mut hits: Vec<(Range<usize>, usize)> = Vec::new();
        let mut offset = start;
        for (number, character) in run.iter().enumerate() {
            let end = offset + character.len() + run.get(number + 1).map_or(0, |next| next.len());
            if let Some(form) = self.form_index(&text[offset..end]) {
                match hits.last_mut() {
                    Some((last, _)) if last.end >= offset && end - last.start <= LENGTH => last.end = end,
                    last => {
                        let from = last.map_or(offset, |(last, _)| offset.max(last.end));
                        if from < end {
                            hits.push((from..end, form));
                        }
                    }
                }
            }
            offset += character.len();
        }
        hits
    }

    fn form_index(&self, word: &str) -> Option<usize> {
        let first = word.chars().next()?;
        let may_match = match first {
            _ if first.is_ascii() => self.may_begin[first.to_ascii_lowercase() as usize],
            // These characters fold to themselves.
            '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => self.others.contains(&first),
            _ => true,
        };
        if !may_match || word.chars().nth(LENGTH).is_some() {
            return None;
        }
        self.numbers.get(form(word).as_str()).copied()
    }
}

/// The next word from an offset on. A dot between digits belongs to a word, as in `v1.2.3`.
fn next_word(text: &str, mut from: usize) -> Option<Range<usize>> {
    while letter_at(text, from).is_none() {
        from += text[from..].chars().next()?.len_utf8();
    }
    let is_digit = |offset: usize| text.as_bytes().get(offset).is_some_and(u8::is_ascii_digit);
    let mut end = from;
    loop {
        while let Some(length) = letter_at(text, end) {
            end += length;
        }
        if !text[end..].starts_with('.') || !is_digit(end - 1) || !is_digit(end + 1) {
            return Some(from..end);
        }
        end += 1;
    }
}

/// The length in bytes of the character at an offset, if it belongs to a word. Nearly all are ASCII and need not be decoded.
fn letter_at(text: &str, offset: usize) -> Option<usize> {
    match text.as_bytes().get(offset)? {
        byte if byte.is_ascii() => byte.is_ascii_alphanumeric().then_some(1),
        _ => text[offset..].chars().next().filter(|character| is_of_word(*character)).map(char::len_utf8),
    }
}

/// The parts of a word with a number: letters, the number with its dots, and the rest; empty for other words.
fn pieces(text: &str, word: Range<usize>) -> Vec<Range<usize>> {
    let letters = &text[word.clone()];
    if !letters.contains('.') {
        return Vec::new();
    }
    let is_in_number = |character: char| character == '.' || character.is_ascii_digit();
    let number = word.start + letters.find(is_in_number).unwrap_or(letters.len());
    let rest = number + text[number..word.end].find(|character| !is_in_number(character)).unwrap_or(word.end - number);
    vec![word.start..number, number..rest, rest..word.end]
}

/// The best range of hits that fits into the length, in characters: the one with the most different forms, then the most hits, then the
/// earliest.
fn best(hits: &[Hit]) -> Range<usize> {
    let mut best = (0, 0, 0..0);
    // How often each form occurs within the range, which slides over the text.
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut first = 0;
    for (last, Hit { chars: hit, form, .. }) in hits.iter().enumerate() {
        *counts.entry(*form).or_default() += 1;
        while first < last && hit.end - hits[first].chars.start > LENGTH {
            let first_form = hits[first].form;
            if counts.get(&first_form) == Some(&1) {
                counts.remove(&first_form);
            } else {
                counts.entry(first_form).and_modify(|count| *count -= 1);
            }
            first += 1;
        }
        let score = (counts.len(), last - first + 1);
        if score > (best.0, best.1) {
            best = (score.0, score.1, hits[first].chars.start..hit.end);
        }
    }
    best.2
}

/// The range to show, in bytes. `matches`, which is in characters, is in its middle, and its ends are between words.
fn window(text: &str, matches: &Range<usize>) -> Range<usize> {
    let length = text.chars().count();
    if length <= LENGTH + SLACK {
        return 0..text.len();
    }
    let lead = LENGTH.saturating_sub(matches.len()) / 2;
    let start = matches.start.saturating_sub(lead).min(length - LENGTH);
    let end = (start + LENGTH).max(matches.end).min(length);
    let start = if start == 0 {
        0
    } else {
        let until = (start + SLACK).min(matches.start.max(start));
        spaces(text, start..until).next().map_or_else(|| byte_offset(text, start), |space| space + 1)
    };
    let end = if end == length {
        text.len()
    } else {
        let from = end.saturating_sub(SLACK).max(matches.end);
        spaces(text, from..end + 1).last().unwrap_or_else(|| byte_offset(text, end))
    };
    start..end
}

/// The byte offsets of the spaces among these characters.
fn spaces(text: &str, chars: Range<usize>) -> impl Iterator<Item = usize> {
    let start = byte_offset(text, chars.start);
    let characters = text[start..].char_indices().take(chars.len());
    characters.filter(|(_, character)| *character == ' ').map(move |(offset, _)| start + offset)
}

/// The byte offset of a character.
fn byte_offset(text: &str, char: usize) -> usize {
    let mut rest = text.chars();
    if let Some(before) = char.checked_sub(1) {
        rest.nth(before);
    }
    text.len() - rest.as_str().len()
}

#[cfg(test)]
mod tests;
