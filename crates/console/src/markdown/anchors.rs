//! Anchors of headings, and links from one article to another.

use std::collections::{HashMap, VecDeque};

use domain::support::kb::is_slug;
use percent_encoding::percent_decode_str;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

/// Prefix of heading ids, because pages have other elements with ids.
const PREFIX: &str = "h-";
/// The maximum length of a heading id without its prefix, in characters.
const MAX_ANCHOR: usize = 100;
/// Path prefix of help centres.
const HELP_CENTRES: &str = "/kb/";

/// Adds ids to headings, made from their texts.
pub(super) struct HeadingIds<'a, I> {
    events: I,
    /// The buffered events of the current heading.
    waiting: VecDeque<Event<'a>>,
    /// How often each id was used.
    given: HashMap<String, usize>,
}

impl<'a, I: Iterator<Item = Event<'a>>> HeadingIds<'a, I> {
    pub(super) fn new(events: I) -> Self {
        Self { events, waiting: VecDeque::new(), given: HashMap::new() }
    }

    /// The id of a heading. The second heading with the same text gets a number as a suffix.
    fn id_of(&mut self, text: &str) -> Option<String> {
        let anchor = anchor_of(text);
        if anchor.is_empty() {
            return None;
        }
        let times = self.given.entry(anchor.clone()).or_default();
        *times += 1;
        Some(if *times == 1 { format!("{PREFIX}{anchor}") } else { format!("{PREFIX}{anchor}-{}", *times - 1) })
    }
}

impl<'a, I: Iterator<Item = Event<'a>>> Iterator for HeadingIds<'a, I> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        let event = self.events.next()?;
        let Event::Start(Tag::Heading { level, classes, attrs, .. }) = event else { return Some(event) };
        let mut text = String::new();
        for event in self.events.by_ref() {
            if let Event::Text(shown) | Event::Code(shown) = &event {
                text.push_str(shown);
            }
            let is_end = matches!(event, Event::End(TagEnd::Heading(_)));
            self.waiting.push_back(event);
            if is_end {
                break;
            }
        }
        let id = self.id_of(&text).map(CowStr::from);
        Some(Event::Start(Tag::Heading { level, id, classes, attrs }))
    }
}

/// The anchor of a heading, in the usual form: words in lower case, joined by hyphens, without punctuation.
fn anchor_of(text: &str) -> String {
    let characters = text.trim().chars().filter_map(|character| match character {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        word if word.is_alphanumeric() => Some(word),
        _ => None,
    });
    characters.take(MAX_ANCHOR).flat_map(char::to_lowercase).collect()
}

/// The address of a link to a heading or another article, relative to the article's page; `None` for other links.
///
/// Links name articles by slug or by the path of their page.
pub(super) fn internal(address: &str) -> Option<String> {
    let (page, heading) =
        address.trim().split_once('#').map_or((address.trim(), None), |(page, heading)| (page, Some(heading)));
    let is_page = match page.strip_prefix(HELP_CENTRES) {
        Some(path) => path.split_once('/').map_or(is_slug(path), |(centre, slug)| is_slug(centre) && is_slug(slug)),
        None => page.is_empty() || is_slug(page.strip_prefix("./").unwrap_or(page)),
    };
    let anchor = heading.map(|heading| anchor_of(&percent_decode_str(heading).decode_utf8_lossy()));
    let anchor = anchor.filter(|anchor| !anchor.is_empty()).map(|anchor| format!("#{PREFIX}{anchor}"));
    match (is_page, page.is_empty(), anchor) {
        (false, ..) | (true, true, None) => None,
        (true, _, anchor) => Some(format!("{page}{}", anchor.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_ids_are_made_from_their_words() {
        for (text, anchor) in [
            ("Reset your password?", "reset-your-password"),
            (" C++ & C# ", "c--c"),
            ("snake_case and co-op", "snake_case-and-co-op"),
            ("Größe", "größe"),
            ("重置密码", "重置密码"),
            ("…", ""),
        ] {
            assert_eq!(anchor_of(text), anchor, "{text}");
        }
        assert_eq!(anchor_of(&"a".repeat(1_000)).len(), MAX_ANCHOR);
    }

    #[test]
    fn internal_links_lead_only_to_headings_and_articles() {
        for (address, shown) in [
            ("#setup", Some("#h-setup")),
            ("#Reset your password?", Some("#h-reset-your-password")),
            ("#gr%C3%B6%C3%9Fe", Some("#h-größe")),
            ("reset-password", Some("reset-password")),
            ("./reset-password#step-2", Some("./reset-password#h-step-2")),
            ("/kb/acme/reset-password", Some("/kb/acme/reset-password")),
            ("/kb/acme/reset-password#a", Some("/kb/acme/reset-password#h-a")),
            ("/kb/acme", Some("/kb/acme")),
            ("#", None),
            ("", None),
            ("#?", None),
            ("/sign-out", None),
            ("/kb/acme/-/ticket", None),
            ("/kb/acme/a/b", None),
            ("/kb/../settings", None),
            ("//evil.example", None),
            ("../settings", None),
            ("javascript:alert(1)", None),
            ("javascript:alert(1)#a", None),
            ("Reset", None),
            ("a?b", None),
        ] {
            assert_eq!(internal(address).as_deref(), shown, "{address}");
        }
    }
}
