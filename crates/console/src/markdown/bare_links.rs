//! Turns bare web addresses into links, so that authors need no Markdown syntax for them.

use std::collections::VecDeque;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

/// Links the addresses in text outside links and code blocks. Adjacent text events must be merged first.
pub(super) struct BareLinks<'a, I> {
    events: I,
    /// The pieces of the current text, split at addresses.
    waiting: VecDeque<Event<'a>>,
    /// The number of open links and code blocks.
    open: usize,
}

impl<'a, I: Iterator<Item = Event<'a>>> BareLinks<'a, I> {
    pub(super) fn new(events: I) -> Self {
        Self { events, waiting: VecDeque::new(), open: 0 }
    }

    fn split(&mut self, text: &str) {
        let mut consumed = 0;
        let part = |text: &str| Event::Text(CowStr::from(text.to_owned()));
        for (start, end) in addresses(text) {
            let before = Some(&text[consumed..start]).filter(|before| !before.is_empty());
            self.waiting.extend(before.map(part));
            let address = &text[start..end];
            self.waiting.push_back(Event::Start(Tag::Link {
                link_type: LinkType::Autolink,
                dest_url: CowStr::from(address.to_owned()),
                title: CowStr::Borrowed(""),
                id: CowStr::Borrowed(""),
            }));
            self.waiting.extend([part(address), Event::End(TagEnd::Link)]);
            consumed = end;
        }
        let rest = Some(&text[consumed..]).filter(|rest| !rest.is_empty());
        self.waiting.extend(rest.map(part));
    }
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for BareLinks<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        let event = self.events.next()?;
        match &event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => self.open += 1,
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => self.open = self.open.saturating_sub(1),
            Event::Text(text) if self.open == 0 && text.contains(MARK) => {
                self.split(text);
                return self.waiting.pop_front();
            }
            _ => {}
        }
        Some(event)
    }
}

const MARK: &str = "://";
/// `https` comes first; neither is a suffix of the other.
const SCHEMES: [&str; 2] = ["https", "http"];

/// The ranges of the addresses in a text.
fn addresses(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find(MARK) {
        let mark = from + offset;
        let after = mark + MARK.len();
        let start = scheme_before(&text[..mark]).filter(|start| *start >= from && may_begin(&text[..*start]));
        let end = start.and_then(|_| end_of_address(text, after));
        if let Some((start, end)) = start.zip(end) {
            found.push((start, end));
        }
        from = end.unwrap_or(after);
    }
    found
}

/// The offset of the scheme at the end of a text.
fn scheme_before(text: &str) -> Option<usize> {
    SCHEMES.iter().find_map(|scheme| {
        let start = text.len().checked_sub(scheme.len())?;
        text.get(start..)?.eq_ignore_ascii_case(scheme).then_some(start)
    })
}

/// Whether an address may start after this text. It may not follow a word or a quotation mark, as in markup shown as text. Some
/// scripts put no spaces between words.
fn may_begin(before: &str) -> bool {
    before.chars().next_back().is_none_or(|last| !last.is_ascii_alphanumeric() && !"\"'`=/<@+-._~%&?#".contains(last))
}

/// The end of the address whose host starts here; `None` without a host.
fn end_of_address(text: &str, host: usize) -> Option<usize> {
    text[host..].chars().next().filter(|first| first.is_alphanumeric())?;
    let rest = &text[host..];
    let address = &rest[..rest.find(ends_address).unwrap_or(rest.len())];
    // Punctuation at the end of a sentence, and a closing bracket around the address, are not part of it.
    let count = |bracket: char| address.chars().filter(|one| *one == bracket).count();
    let (mut unopened_round, mut unopened_square) =
        (count(')').saturating_sub(count('(')), count(']').saturating_sub(count('[')));
    let end = address.trim_end_matches(|last: char| match last {
        ')' if unopened_round > 0 => {
            unopened_round -= 1;
            true
        }
        ']' if unopened_square > 0 => {
            unopened_square -= 1;
            true
        }
        _ => "?!.,:;*_~'".contains(last),
    });
    (!end.is_empty()).then_some(host + end.len())
}

/// Whether a character is never part of an address: white space, markup characters, and punctuation of scripts that put no spaces
/// around it.
fn ends_address(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || "<>\"`\\^{|}“”„‘’«»".contains(character)
        || matches!(character, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        addresses(text).into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn addresses_end_where_their_sentence_does() {
        for (text, expected) in [
            ("https://a.example", &["https://a.example"][..]),
            ("See http://a.example/b?c=d&e=f#g.", &["http://a.example/b?c=d&e=f#g"]),
            ("HTTPS://A.example/B", &["HTTPS://A.example/B"]),
            ("(https://a.example/b)", &["https://a.example/b"]),
            ("(see https://a.example/b_(c))", &["https://a.example/b_(c)"]),
            ("https://a.example/b), https://c.example!", &["https://a.example/b", "https://c.example"]),
            ("https://a.example/Größe", &["https://a.example/Größe"]),
            ("请访问https://a.example/版本。谢谢", &["https://a.example/版本"]),
            ("「https://a.example」", &["https://a.example"]),
            ("“https://a.example”", &["https://a.example"]),
            ("https://a.example:8080/b", &["https://a.example:8080/b"]),
            ("[https://a.example]", &["https://a.example"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_linked() {
        for text in [
            "javascript://a.example/%0aalert(1)",
            "ftp://a.example",
            "xhttp://a.example",
            "http://",
            "https:// a",
            "https://.",
            "http://-a",
            "a://b://c",
            "://",
            "<a href=\"https://a.example\">",
            "'https://a.example'",
            "/https://a.example",
            "www.a.example",
            "ann@a.example",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn long_texts_are_read_once() {
        for part in
            ["https://", "https://a", "https://a.example/)", "https://a.example ", "://", "https://a((", "http://a]))"]
        {
            let text = part.repeat(200_000 / part.len());
            let total: usize = addresses(&text).iter().map(|(start, end)| end - start).sum();
            assert!(total <= text.len());
        }
    }
}
