//! Pictures from other sites, in texts written by members of the workspace.

use html_escape::{encode_double_quoted_attribute, encode_text};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};
use url::Url;

use super::sanitized;
use crate::texts::text_with;

/// How pictures from other sites appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// As links with the alternative text.
    Linked,
    /// As links that load the picture on a click. Without scripts, they open it in a new tab.
    OnClick,
    Shown,
}

/// Whether a Markdown text may have pictures from other sites, which its page then has to allow.
pub(crate) fn may_have_pictures(text: &str) -> bool {
    text.contains("![") && text.to_ascii_lowercase().contains("https:")
}

/// A picture with an `https` address.
struct Picture {
    address: String,
    host: String,
}

impl Picture {
    fn parse(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        let host = url.host_str()?.to_owned();
        let is_plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
        is_plain.then(|| Self { address: url.into(), host })
    }

    /// Only the style sheet limits the size.
    fn shown(&self, alt: &str) -> String {
        let (address, alt) = (encode_double_quoted_attribute(&self.address), encode_double_quoted_attribute(alt));
        format!("<img src=\"{address}\" alt=\"{alt}\" loading=\"lazy\" referrerpolicy=\"no-referrer\">")
    }

    fn on_click(&self, alt: &str) -> String {
        let address = encode_double_quoted_attribute(&self.address);
        let label = text_with("picture-show", [("host", self.host.as_str().into())]);
        let separator = if alt.is_empty() { "" } else { ": " };
        format!(
            "<a href=\"{address}\" target=\"_blank\" rel=\"noreferrer\" data-picture=\"{}\">{}{separator}{}</a>",
            encode_double_quoted_attribute(alt),
            encode_text(&label),
            encode_text(alt)
        )
    }
}

/// Makes events safe, and renders pictures.
pub(super) struct WithPictures<I, S> {
    events: I,
    /// Checks the addresses of links.
    safe: S,
    pictures: Pictures,
    open_links: usize,
}

impl<'a, I: Iterator<Item = Event<'a>>, S: Fn(CowStr<'a>) -> CowStr<'a>> WithPictures<I, S> {
    pub(super) const fn new(events: I, safe: S, pictures: Pictures) -> Self {
        Self { events, safe, pictures, open_links: 0 }
    }

    /// The picture that begins here, unless it becomes an ordinary link.
    fn picture(&mut self, address: &str) -> Option<Event<'a>> {
        let picture = Picture::parse(address).filter(|_| self.pictures != Pictures::Linked)?;
        let alt = self.text_of_picture();
        Some(match self.pictures {
            Pictures::Shown => Event::InlineHtml(picture.shown(&alt).into()),
            // Links cannot contain links.
            _ if self.open_links > 0 => Event::Text(alt.into()),
            _ => Event::InlineHtml(picture.on_click(&alt).into()),
        })
    }

    /// The text up to the end of the picture that began.
    fn text_of_picture(&mut self) -> String {
        let (mut alt, mut open) = (String::new(), 1_usize);
        for event in self.events.by_ref() {
            match event {
                Event::Start(Tag::Image { .. }) => open += 1,
                Event::End(TagEnd::Image) => open -= 1,
                Event::Text(part) | Event::Code(part) | Event::InlineHtml(part) => alt.push_str(&part),
                Event::SoftBreak | Event::HardBreak => alt.push(' '),
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        alt
    }
}

impl<'a, I: Iterator<Item = Event<'a>>, S: Fn(CowStr<'a>) -> CowStr<'a>> Iterator for WithPictures<I, S> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        let event = self.events.next()?;
        match &event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                if let Some(picture) = self.picture(dest_url) {
                    return Some(picture);
                }
            }
            Event::Start(Tag::Link { .. }) => self.open_links += 1,
            Event::End(TagEnd::Link) => self.open_links = self.open_links.saturating_sub(1),
            _ => {}
        }
        Some(sanitized(event, &self.safe))
    }
}

/// A plain text, with pictures that load on a click.
pub(crate) fn plain_with_pictures(text: &str) -> String {
    let (mut html, mut rest) = (String::new(), text);
    while let Some((before, opened)) = rest.split_once("![") {
        html.push_str(&encode_text(before));
        rest = if let Some((alt, picture, after)) = picture_at(opened) {
            html.push_str(&picture.on_click(alt));
            after
        } else {
            html.push_str("![");
            opened
        };
    }
    html.push_str(&encode_text(rest));
    html
}

/// The alternative text, the picture and the text that follows it, in a text after `![`.
fn picture_at(text: &str) -> Option<(&str, Picture, &str)> {
    let (alt, rest) = text.split_at(text.find(['[', ']', '\n'])?);
    let rest = rest.strip_prefix("](")?;
    let (address, rest) = rest.split_at(rest.find(|letter: char| letter.is_whitespace() || "()<>".contains(letter))?);
    Some((alt, Picture::parse(address)?, rest.strip_prefix(')')?))
}

#[cfg(test)]
mod tests {
    use super::super::{article_to_html, to_html};
    use super::*;

    #[test]
    fn a_picture_is_shown_without_a_referrer_and_without_a_size() {
        for (text, shown) in [
            (
                "![A \"cup\"](https://example.com/a.png?x=1&y=2)",
                "<p><img src=\"https://example.com/a.png?x=1&amp;y=2\" alt=\"A &quot;cup&quot;\" loading=\"lazy\" \
                 referrerpolicy=\"no-referrer\"></p>\n",
            ),
            (
                "[![a](https://example.com/a.png)](https://example.org)",
                "<p><a href=\"https://example.org\"><img src=\"https://example.com/a.png\" alt=\"a\" loading=\"lazy\" \
                 referrerpolicy=\"no-referrer\"></a></p>\n",
            ),
            ("![a](http://example.com/a.png)", "<p><a href=\"http://example.com/a.png\">a</a></p>\n"),
            ("![a](data:image/svg+xml,x)", "<p><a href=\"#\">a</a></p>\n"),
            ("![a](//example.com/a.png)", "<p><a href=\"#\">a</a></p>\n"),
            ("![a](/a.png)", "<p><a href=\"#\">a</a></p>\n"),
            ("![a](javascript:alert(1))", "<p><a href=\"#\">a</a></p>\n"),
            ("![a](https://user:secret@example.com/a)", "<p><a href=\"https://user:secret@example.com/a\">a</a></p>\n"),
            ("<img src=\"https://example.com/a.png\">", "&lt;img src=\"https://example.com/a.png\"&gt;"),
        ] {
            assert_eq!(article_to_html(text, Pictures::Shown), shown, "{text}");
        }
        let nested =
            article_to_html("![a ![b](https://example.com/b.png) *c*](https://example.com/a.png)", Pictures::Shown);
        assert!(nested.contains("alt=\"a b c\"") && nested.matches("<img").count() == 1, "{nested}");
    }

    #[test]
    fn a_click_loads_a_picture_or_opens_it_without_a_referrer() {
        let link = "<a href=\"https://example.com/a.png\" target=\"_blank\" rel=\"noreferrer\" data-picture=\"a\">Show picture \
                    from example.com: a</a>";
        assert_eq!(to_html("![a](https://example.com/a.png)", Pictures::OnClick), format!("<p>{link}</p>\n"));
        assert_eq!(plain_with_pictures("<b>![a](https://example.com/a.png)!"), format!("&lt;b&gt;{link}!"));
        let within = to_html("[![a](https://example.com/a.png)](https://example.org)", Pictures::OnClick);
        assert_eq!(within, "<p><a href=\"https://example.org\">a</a></p>\n");
        for typed in
            ["![a](http://example.com/a.png)", "![a](https://example.com/a b)", "![a]", "![", "![a\n](https://b)"]
        {
            assert_eq!(plain_with_pictures(typed), typed);
        }
    }

    #[test]
    fn pages_load_pictures_only_if_a_text_may_have_them() {
        for (text, may) in [
            ("![a](https://example.com/a.png)", true),
            ("![a][1]\n\n[1]: HTTPS://example.com/a.png", true),
            ("[a](https://example.com)", false),
            ("![a](http://example.com/a.png)", false),
        ] {
            assert_eq!(may_have_pictures(text), may, "{text}");
        }
    }
}
