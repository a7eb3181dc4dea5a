//! Markdown of people as HTML that can do no harm.

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

/// The HTML of a text. Markup of HTML in it is shown as it was typed, links lead to web and e-mail addresses alone, and
/// images are links: a page loads nothing from elsewhere.
pub(crate) fn to_html(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(text, options).map(harmless);
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events);
    out
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        // An address in angle brackets, before which the scheme is written: it is checked by the parser.
        link @ Event::Start(Tag::Link { link_type: LinkType::Email, .. }) => link,
        Event::Start(Tag::Link { link_type, dest_url, title, id } | Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe_address(dest_url), title, id })
        }
        // Alignment would be an inline style, which pages do not have.
        Event::Start(Tag::Table(columns)) => Event::Start(Tag::Table(vec![Alignment::None; columns.len()])),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: below_title(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below_title(level))),
        other => other,
    }
}

/// The page has a heading of the first level already: its title.
fn below_title(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

fn safe_address(address: CowStr<'_>) -> CowStr<'_> {
    let lower = address.trim_start().to_ascii_lowercase();
    let is_safe = ["https://", "http://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme));
    if is_safe { address } else { CowStr::Borrowed("#") }
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
            ("# First", "<h2>First</h2>\n"),
            ("###### Last", "<h6>Last</h6>\n"),
        ] {
            assert_eq!(to_html(text), shown, "{text}");
        }
    }
}
