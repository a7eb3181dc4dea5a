//! Markdown of people as HTML that can do no harm.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

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
        Event::Start(Tag::Link { link_type, dest_url, title, id } | Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe_address(dest_url), title, id })
        }
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        other => other,
    }
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
            ("**bold**", "<p><strong>bold</strong></p>\n"),
        ] {
            assert_eq!(to_html(text), shown, "{text}");
        }
    }
}
