//! Renders guides as HTML: headings get the ids that links use, and links lead to pages in the binary.

use std::collections::BTreeMap;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::reference::guides::{GUIDES, Guide};

/// A rendered guide.
pub(crate) struct Rendered {
    pub(crate) html: String,
    /// The second-level headings with their ids.
    pub(crate) parts: Vec<(String, String)>,
}

pub(crate) fn render(text: &str) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let parts = identify_headings(&mut events);
    let mut links = Links::default();
    let mut events: Vec<_> = events.into_iter().filter_map(|event| links.rewrite(event)).map(adapt).collect();
    identify_rules(&mut events);
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events.into_iter());
    // Wide tables scroll on their own. A literal `<table>` in a text would be escaped, so only real tables match.
    let html = out.replace("<table>", "<div class=\"docs-table\"><table>").replace("</table>", "</table></div>");
    Rendered { html, parts }
}

/// Adds an id to each heading, and lists those of the second level.
fn identify_headings(events: &mut [Event<'_>]) -> Vec<(String, String)> {
    let (mut parts, mut seen) = (Vec::new(), BTreeMap::<String, usize>::new());
    for index in 0..events.len() {
        if !matches!(events[index], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let inside = events[index..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = inside.filter_map(text_of).collect();
        let mut slug = slug_of(&text);
        let times = seen.entry(slug.clone()).or_default();
        if *times > 0 {
            slug = format!("{slug}-{times}");
        }
        *times += 1;
        if let Event::Start(Tag::Heading { level, id, .. }) = &mut events[index] {
            if *level == HeadingLevel::H2 {
                parts.push((slug.clone(), text));
            }
            *id = Some(slug.into());
        }
    }
    parts
}

/// Adds an id to each rule of the interface, such as **4.3**.
fn identify_rules(events: &mut [Event<'_>]) {
    for index in 2..events.len() {
        if let [Event::Start(Tag::Paragraph), strong @ Event::Start(Tag::Strong), Event::Text(text)] =
            &mut events[index - 2..=index]
            && is_rule(text)
        {
            *strong = Event::Html(format!("<strong id=\"{text}\">").into());
        }
    }
}

/// Whether a text is a rule number, such as `4.3`.
fn is_rule(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(section, rule)| is_number(section) && is_number(rule))
}

fn text_of<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// The id of a heading, derived as code hosts do, so that links in the files work in both places.
fn slug_of(heading: &str) -> String {
    let allowed = heading.chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
    allowed.flat_map(char::to_lowercase).map(|char| if char == ' ' { '-' } else { char }).collect()
}

/// The target of a link in a guide; `None` for a file that is not a page.
fn target_of(address: &str) -> Option<String> {
    if address.starts_with('#') || address.contains("://") || address.starts_with("mailto:") {
        return Some(address.to_owned());
    }
    if address == "openapi.json" {
        return Some("/openapi.json".to_owned());
    }
    if let Some(image) = address.strip_prefix("images/") {
        return Some(format!("/docs/images/{image}"));
    }
    let (file, part) = address.split_once('#').map_or((address, ""), |(file, part)| (file, part));
    let guide = GUIDES.iter().find(|guide| guide.file == file)?;
    let part = if part.is_empty() { String::new() } else { format!("#{part}") };
    Some(format!("/docs/{}{part}", guide.slug))
}

/// Rewrites links; a link without a target is replaced by its text.
#[derive(Default)]
struct Links {
    /// Whether each open link is kept.
    open: Vec<bool>,
    /// The guide that the last link leads to, until its text follows.
    guide: Option<&'static Guide>,
    /// Whether a comment is open: each of its lines is an event.
    in_comment: bool,
}

impl Links {
    fn rewrite<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target_of(&dest_url);
                self.open.push(target.is_some());
                self.guide = GUIDES.iter().find(|guide| guide.file == &*dest_url);
                let dest_url = target?.into();
                Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
            }
            Event::End(TagEnd::Link) => self.open.pop()?.then_some(Event::End(TagEnd::Link)),
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = target_of(&dest_url).map_or(dest_url, Into::into);
                Some(Event::Start(Tag::Image { link_type, dest_url, title, id }))
            }
            // Readers of the pages do not know the file names.
            Event::Text(text) => {
                let guide = self.guide.take().filter(|guide| guide.file == &*text);
                Some(Event::Text(guide.map_or(text, |guide| guide.title.into())))
            }
            // Notes for editors of the file.
            Event::Html(raw) | Event::InlineHtml(raw) if self.in_comment || raw.trim_start().starts_with("<!--") => {
                self.in_comment = !raw.contains("-->");
                None
            }
            Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
            other => Some(other),
        }
    }
}

/// Makes code blocks scrollable by keyboard. Drops table alignment, which would be an inline style.
fn adapt(event: Event<'_>) -> Event<'_> {
    let html = |text: String| Event::Html(CowStr::from(text));
    match event {
        Event::Start(Tag::CodeBlock(kind)) => {
            let language = match &kind {
                CodeBlockKind::Fenced(info) => info.split([' ', ',']).next().unwrap_or_default(),
                CodeBlockKind::Indented => "",
            };
            let language = language.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
            html(format!("<div class=\"docs-code\"><pre tabindex=\"0\"><code data-language=\"{language}\">"))
        }
        Event::End(TagEnd::CodeBlock) => html("</code></pre></div>\n".to_owned()),
        Event::Start(Tag::Table(columns)) => Event::Start(Tag::Table(vec![Alignment::None; columns.len()])),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn links_lead_to_pages_in_the_binary_or_become_text() {
        for (text, shown) in [
            ("[a](webhooks.md)", "<p><a href=\"/docs/webhooks\">a</a></p>\n"),
            ("[a](interface.md#26-the-console)", "<p><a href=\"/docs/interface#26-the-console\">a</a></p>\n"),
            ("[webhooks.md](webhooks.md)", "<p><a href=\"/docs/webhooks\">Webhooks</a></p>\n"),
            ("[a](#part)", "<p><a href=\"#part\">a</a></p>\n"),
            ("[a](https://example.com/x.md)", "<p><a href=\"https://example.com/x.md\">a</a></p>\n"),
            ("[a](openapi.json)", "<p><a href=\"/openapi.json\">a</a></p>\n"),
            ("[`a` b](testing.md#x) [c](../SECURITY.md)", "<p><code>a</code> b c</p>\n"),
            ("![a](images/home.png)", "<p><img src=\"/docs/images/home.png\" alt=\"a\" /></p>\n"),
            ("x <!-- run: no --> <b>", "<p>x  &lt;b&gt;</p>\n"),
            ("<!-- run: a\nb | c\n\nd -->\nx", "<p>x</p>\n"),
        ] {
            assert_eq!(render(text).html, shown, "{text}");
        }
    }

    #[test]
    fn headings_have_the_ids_of_code_hosts() {
        let text = "# A\n## 26. The `console`: what's new?\n## Same\n### Same\n";
        let Rendered { html, parts } = render(text);
        let second = ("26-the-console-whats-new".to_owned(), "26. The console: what's new?".to_owned());
        assert_eq!(parts, [second, ("same".to_owned(), "Same".to_owned())]);
        assert!(html.contains("<h3 id=\"same-1\">"), "{html}");
    }

    #[test]
    fn rules_have_ids_and_other_bold_text_has_none() {
        assert_eq!(render("**4.3** Keys").html, "<p><strong id=\"4.3\">4.3</strong> Keys</p>\n");
        for text in ["**4.x**", "**Keys**", "**.3**", "see **4.3**"] {
            assert!(!render(text).html.contains("id="), "{text}");
        }
    }

    #[test]
    fn code_is_text_and_no_style_is_inline() {
        let html = render("```sh skip\n<b>\n```\n\n|a|\n|-:|\n|1|\n").html;
        assert!(html.contains("<code data-language=\"sh\">&lt;b&gt;\n</code></pre></div>"), "{html}");
        assert!(html.contains("<div class=\"docs-table\"><table><thead><tr><th>a</th>"), "{html}");
        assert!(!html.contains("style"), "{html}");
    }

    /// Links that a code host resolves in the files must also work on the pages.
    #[test]
    fn every_link_between_guides_finds_its_heading() {
        let ids = |html: &str| -> BTreeSet<String> {
            html.split("id=\"").skip(1).filter_map(|part| Some(part.split_once('"')?.0.to_owned())).collect()
        };
        let pages: Vec<_> = GUIDES.iter().map(|guide| (guide, render(guide.text).html)).collect();
        let mut seen = 0;
        for (guide, html) in &pages {
            for href in html.split("href=\"").skip(1).filter_map(|part| Some(part.split_once('"')?.0)) {
                let Some((page, part)) = href.split_once('#').filter(|_| !href.contains("://")) else { continue };
                let other = pages.iter().find(|(other, _)| page == format!("/docs/{}", other.slug));
                let target = other.map_or(html, |(_, target)| target);
                assert!(ids(target).contains(part), "{}: {href}", guide.file);
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
