//! Renders Markdown by users to safe HTML.

mod anchors;
mod bare_links;
mod pictures;

use std::fmt;

use domain::kernel::markdown::{MAX_NESTING, shallow};
use pulldown_cmark::{
    Alignment, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream, html,
};

use self::anchors::{HeadingIds, internal};
use self::bare_links::BareLinks;
use self::pictures::WithPictures;
pub(crate) use self::pictures::{Pictures, may_have_pictures, plain_with_pictures};
use crate::rendering::Bounded;

/// Renders a text to HTML. HTML markup in it is shown as text, links lead only to web and e-mail addresses, and images
/// appear as `pictures` says. Bare web addresses become links.
///
/// The HTML nests at most [`MAX_NESTING`] levels, and is at most [`MAX_GROWTH`] times as long as the text. A text with
/// longer HTML, such as a table of many empty cells, is shown as plain text.
pub(crate) fn to_html(text: &str, pictures: Pictures) -> String {
    let shallow = shallow(text);
    bounded_html(text, TextMergeStream::new(WithPictures::new(parsed(&shallow), safe_address, pictures)))
}

/// Renders a help centre article. Like [`to_html`], but links can also lead to its headings and to other articles.
pub(crate) fn article_to_html(text: &str, pictures: Pictures) -> String {
    let shallow = shallow(text);
    let events = WithPictures::new(parsed(&shallow), address_in_article, pictures);
    bounded_html(text, HeadingIds::new(TextMergeStream::new(events)))
}

fn parsed(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
}

fn bounded_html<'a>(text: &str, events: impl Iterator<Item = Event<'a>>) -> String {
    let mut nesting = Nesting::default();
    let mut out = Bounded::new(text.len() * MAX_GROWTH + ALWAYS_ALLOWED);
    match html::write_html_fmt(&mut out, BareLinks::new(events).filter_map(|event| nesting.bounded(event))) {
        Ok(()) => out.text,
        Err(fmt::Error) => format!("<pre>{}</pre>\n", html_escape::encode_text(text)),
    }
}

/// The maximum bytes of HTML per byte of Markdown. Ordinary texts need two, and `"` alone needs six.
const MAX_GROWTH: usize = 8;
/// The bytes of HTML that even the shortest text may need: a quote of 20 levels has 540.
const ALWAYS_ALLOWED: usize = 1_000;

/// Removes elements that are nested too deeply, and keeps their text.
#[derive(Default)]
struct Nesting {
    /// For each open element, whether it is rendered.
    open: Vec<bool>,
    /// The number of open elements that are rendered.
    depth: usize,
}

impl Nesting {
    fn bounded<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match &event {
            Event::Start(tag) => {
                let is_shown = match tag {
                    // An item is rendered if its list is.
                    Tag::Item => self.open.last().copied().unwrap_or(true),
                    tag => !nests(tag) || self.depth < MAX_NESTING,
                };
                self.open.push(is_shown);
                self.depth += usize::from(is_shown && nests(tag));
                // The texts of two items must be separated.
                if is_shown { Some(event) } else { matches!(tag, Tag::Item).then_some(Event::SoftBreak) }
            }
            Event::End(tag) => {
                let is_shown = self.open.pop().unwrap_or(true);
                self.depth -= usize::from(is_shown && nests_end(*tag));
                is_shown.then_some(event)
            }
            _ => Some(event),
        }
    }
}

/// Whether an element can contain another of its kind.
fn nests(tag: &Tag<'_>) -> bool {
    nests_end(tag.to_end())
}

const fn nests_end(tag: TagEnd) -> bool {
    use TagEnd::{BlockQuote, Emphasis, Image, Link, List, Strikethrough, Strong};
    matches!(tag, BlockQuote(_) | List(_) | Emphasis | Strong | Strikethrough | Link | Image)
}

/// Removes unsafe parts of an event; `safe` checks link addresses.
fn sanitized<'a>(event: Event<'a>, safe: impl Fn(CowStr<'a>) -> CowStr<'a>) -> Event<'a> {
    match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        // An e-mail address in angle brackets. The parser checks it, and the renderer adds the scheme.
        link @ Event::Start(Tag::Link { link_type: LinkType::Email, .. }) => link,
        Event::Start(Tag::Link { link_type, dest_url, title, id } | Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe(dest_url), title, id })
        }
        // Alignment would be an inline style, which the content security policy forbids.
        Event::Start(Tag::Table(columns)) => Event::Start(Tag::Table(vec![Alignment::None; columns.len()])),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: demote_heading(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(demote_heading(level))),
        other => other,
    }
}

/// The page already has a heading of the first level: its title.
fn demote_heading(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

fn safe_address(address: CowStr<'_>) -> CowStr<'_> {
    let lower = address.trim_start().to_ascii_lowercase();
    let is_safe = ["https://", "http://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme));
    if is_safe { address } else { CowStr::Borrowed("#") }
}

fn address_in_article(address: CowStr<'_>) -> CowStr<'_> {
    internal(&address).map_or_else(|| safe_address(address), CowStr::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_text_and_only_web_addresses_are_links() {
        for (text, shown) in [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
            ("[x](javascript:alert(1))", "<p><a href=\"#\">x</a></p>\n"),
            ("[x](JaVaScRiPt:alert(1))", "<p><a href=\"#\">x</a></p>\n"),
            ("[x](data:text/html,x)", "<p><a href=\"#\">x</a></p>\n"),
            ("[x](https://example.com)", "<p><a href=\"https://example.com\">x</a></p>\n"),
            ("![x](https://example.com/x.png)", "<p><a href=\"https://example.com/x.png\">x</a></p>\n"),
            ("<ann@example.com>", "<p><a href=\"mailto:ann@example.com\">ann@example.com</a></p>\n"),
            ("<javascript:alert(1)>", "<p><a href=\"#\">javascript:alert(1)</a></p>\n"),
            (
                "|a|\n|-:|\n|1|",
                "<table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td>1</td></tr>\n</tbody></table>\n",
            ),
            ("**bold**", "<p><strong>bold</strong></p>\n"),
            (
                "https://a.example/b?c&d.",
                "<p><a href=\"https://a.example/b?c&amp;d\">https://a.example/b?c&amp;d</a>.</p>\n",
            ),
            (
                "See https://a.example/b_c_d",
                "<p>See <a href=\"https://a.example/b_c_d\">https://a.example/b_c_d</a></p>\n",
            ),
            ("[https://a.example](https://b.example)", "<p><a href=\"https://b.example\">https://a.example</a></p>\n"),
            ("<https://a.example>", "<p><a href=\"https://a.example\">https://a.example</a></p>\n"),
            ("`https://a.example`", "<p><code>https://a.example</code></p>\n"),
            ("    https://a.example", "<pre><code>https://a.example</code></pre>\n"),
            ("<a href=\"https://a.example\">", "&lt;a href=\"https://a.example\"&gt;"),
            (
                "https://a.example/\"><b>",
                "<p><a href=\"https://a.example/\">https://a.example/</a>\"&gt;&lt;b&gt;</p>\n",
            ),
            ("javascript://a.example/%0aalert(1)", "<p>javascript://a.example/%0aalert(1)</p>\n"),
            ("[x](#first)\n\n# First", "<p><a href=\"#\">x</a></p>\n<h2>First</h2>\n"),
            ("[x](other-article)", "<p><a href=\"#\">x</a></p>\n"),
            ("# First", "<h2>First</h2>\n"),
            ("###### Last", "<h6>Last</h6>\n"),
        ] {
            assert_eq!(to_html(text, Pictures::Linked), shown, "{text}");
        }
    }

    #[test]
    fn links_of_an_article_lead_to_its_headings_and_to_other_articles() {
        for (text, shown) in [
            ("[x](#first-steps)", "<p><a href=\"#h-first-steps\">x</a></p>\n"),
            (
                "# First *steps*\n\n## First `steps`",
                "<h2 id=\"h-first-steps\">First <em>steps</em></h2>\n<h3 id=\"h-first-steps-1\">First <code>steps</code></h3>\n",
            ),
            ("# 重置", "<h2 id=\"h-重置\">重置</h2>\n"),
            ("# \"<b>", "<h2 id=\"h-b\">\"&lt;b&gt;</h2>\n"),
            ("# !", "<h2>!</h2>\n"),
            ("[x](reset-password#step-2)", "<p><a href=\"reset-password#h-step-2\">x</a></p>\n"),
            ("[x](/kb/acme/reset-password)", "<p><a href=\"/kb/acme/reset-password\">x</a></p>\n"),
            ("[x](/sign-out)", "<p><a href=\"#\">x</a></p>\n"),
            ("[x](javascript:alert(1))", "<p><a href=\"#\">x</a></p>\n"),
            ("https://a.example", "<p><a href=\"https://a.example\">https://a.example</a></p>\n"),
        ] {
            assert_eq!(article_to_html(text, Pictures::Linked), shown, "{text}");
        }
    }

    /// The deepest nesting of elements with these names.
    fn depth_of(html: &str, names: &[&str]) -> usize {
        let (mut depth, mut deepest) = (0_usize, 0);
        for part in html.split('<').skip(1) {
            let (is_end, tag) = part.strip_prefix('/').map_or((false, part), |tag| (true, tag));
            let name = tag.split(['>', ' ']).next().unwrap_or_default();
            if names.contains(&name) {
                depth = if is_end { depth - 1 } else { depth + 1 };
                deepest = deepest.max(depth);
            }
        }
        assert_eq!(depth, 0, "every element ends");
        deepest
    }

    #[test]
    fn nothing_is_nested_more_than_20_levels_deep() {
        let by_indentation = |depth: usize| (0..depth).map(|level| format!("{}- w{level}\n", "  ".repeat(level)));
        let lists = |depth| by_indentation(depth).collect::<String>();
        let names = ["blockquote", "ul", "ol", "em", "strong", "del", "a"];
        for (text, deepest) in [
            (format!("{}w", "> ".repeat(20)), 20),
            (format!("{}w", "> ".repeat(21)), 20),
            (format!("{}w", ">".repeat(1_000_000)), 20),
            (format!("{}w", "- ".repeat(10_000)), 20),
            (format!("{}w", "1. ".repeat(10_000)), 20),
            (lists(20), 20),
            (lists(300), 20),
            (format!("{}w{}", "*".repeat(5_000), "*".repeat(5_000)), 20),
            (format!("{}w{}", "*_".repeat(500), "_*".repeat(500)), 20),
            (format!("{}w{}", "![".repeat(100), "](https://a.example)".repeat(100)), 20),
            ((0..100).map(|level| "> ".repeat(level) + "w\n").collect(), 20),
            (format!("{}https://w.example", "> ".repeat(20)), 20),
            (format!("{}[w](w) https://w.example", "> ".repeat(19)), 20),
        ] {
            for html in [to_html(&text, Pictures::Linked), article_to_html(&text, Pictures::Linked)] {
                assert!(depth_of(&html, &names) <= deepest, "{}", &text[..text.len().min(60)]);
                assert!(html.contains('w'), "the text stays");
            }
        }
        let html = to_html(&lists(300), Pictures::Linked);
        assert!((0..300).all(|level| html.contains(&format!("w{level}"))), "all items stay");
        assert!(!html.contains("w20w21"), "and their words are separated");
        assert_eq!(depth_of(&to_html(&lists(20), Pictures::Linked), &names), 20);
    }

    #[test]
    fn the_size_of_html_is_bounded_by_that_of_its_text() {
        let table = format!("|{}\n|{}\n{}", "a|".repeat(1_000), "-|".repeat(1_000), "x\n".repeat(3_000));
        for text in [
            ">".repeat(10_000),
            format!("{}\n\n", ">".repeat(20)).repeat(450),
            "- ".repeat(5_000),
            format!("{}a\n\n", "- ".repeat(20)).repeat(200),
            table,
            "\"".repeat(10_000),
            "&".repeat(10_000),
            "`a` ".repeat(2_500),
            "*a* ".repeat(2_500),
            "***\n".repeat(2_500),
            "# a\n".repeat(2_500),
            "<a@b.c> ".repeat(1_250),
            "[a](b)".repeat(1_600),
            format!("[a]: https://a.example/{}\n\n{}", "x".repeat(1_000), "[a] ".repeat(2_000)),
            "- [ ] a\n".repeat(1_000),
            "http://a ".repeat(1_250),
            format!("http://a{}", "&".repeat(10_000)),
            "# a\n[a](#a)\n".repeat(1_000),
            format!("# {}\n", "a".repeat(10_000)),
            "\\\n".repeat(5_000),
            "![](https://a)".repeat(700),
            ">".to_owned(),
        ] {
            let bound = text.len() * MAX_GROWTH + ALWAYS_ALLOWED;
            for html in
                [Pictures::Linked, Pictures::OnClick, Pictures::Shown].map(|pictures| article_to_html(&text, pictures))
            {
                assert!(
                    html.len() <= bound,
                    "{} bytes from {}: {}",
                    html.len(),
                    text.len(),
                    &text[..text.len().min(60)]
                );
            }
        }
    }

    #[test]
    fn a_text_with_too_much_html_is_shown_as_plain_text() {
        let text = format!("|{}\n|{}\n{}", "<b>|".repeat(500), "-|".repeat(500), "x\n".repeat(500));
        assert!(to_html(&text, Pictures::Linked).starts_with("<pre>|&lt;b&gt;|"));
        let text = format!("a|b\n-|-\n{}", "x\n".repeat(20));
        assert!(to_html(&text, Pictures::Linked).starts_with("<table>"), "a few empty cells do not matter");
    }
}
