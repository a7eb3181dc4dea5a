//! The HTML part of an e-mail, rendered from its plain text: paragraphs, line breaks and links.

use crate::kernel::html::escape;

/// Empty lines separate paragraphs; URLs of the service become links. Other URLs stay text, because anyone who can write a
/// comment may have added them.
pub fn to_html(text: &str, service: &str) -> String {
    let mut html = String::with_capacity(text.len() + 256);
    html.push_str("<!doctype html>\n<html><head><meta charset=\"utf-8\"></head><body>\n");
    let mut paragraph = Vec::new();
    for line in text.lines().chain([""]) {
        if line.trim().is_empty() {
            if !paragraph.is_empty() {
                html.push_str("<p>");
                html.push_str(&paragraph.join("<br>\n"));
                html.push_str("</p>\n");
                paragraph.clear();
            }
        } else {
            paragraph.push(line_html(line, service));
        }
    }
    html.push_str("</body></html>\n");
    html
}

fn line_html(text: &str, service: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = next_link(rest, service) {
        let (before, tail) = rest.split_at(start);
        let end = tail.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"')).unwrap_or(tail.len());
        // Trailing punctuation belongs to the sentence.
        let link = tail[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
        escape(before, &mut html);
        html.push_str("<a href=\"");
        escape(link, &mut html);
        html.push_str("\">");
        escape(link, &mut html);
        html.push_str("</a>");
        rest = &tail[link.len()..];
    }
    escape(rest, &mut html);
    html
}

/// Start of the next link: the address of the service, followed by a path or a fragment.
fn next_link(text: &str, service: &str) -> Option<usize> {
    let service = service.trim_end_matches('/');
    let starts = text.match_indices(service).map(|(start, _)| start);
    let mut starts = starts.filter(|start| text[start + service.len()..].starts_with(['/', '#']));
    starts.next().filter(|_| !service.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> String {
        let html = to_html(text, "https://work.example.com/");
        let (_, rest) = html.split_once("<body>\n").unwrap();
        rest.strip_suffix("</body></html>\n").unwrap().to_owned()
    }

    #[test]
    fn paragraphs_lines_and_links() {
        assert_eq!(body("One\nTwo\n\n\nThree\n"), "<p>One<br>\nTwo</p>\n<p>Three</p>\n");
        let link = "https://work.example.com/a#token=svp_x&y";
        let escaped = "https://work.example.com/a#token=svp_x&amp;y";
        assert_eq!(body(link), format!("<p><a href=\"{escaped}\">{escaped}</a></p>\n"));
        let (one, two) = ("https://work.example.com/b", "https://work.example.com#c");
        assert_eq!(
            body(&format!("See ({one}), or {two}.")),
            format!("<p>See (<a href=\"{one}\">{one}</a>), or <a href=\"{two}\">{two}</a>.</p>\n")
        );
    }

    #[test]
    fn only_urls_of_the_service_become_links() {
        for text in [
            "https://evil.example/",
            "https://work.example.com.evil.example/",
            "https://work.example.com@evil.example/",
            "http://work.example.com/",
            "https://work.example.com",
        ] {
            assert_eq!(body(text), format!("<p>{text}</p>\n"));
        }
        assert_eq!(to_html("https://a.example", "").matches("<a ").count(), 0, "the service has no address");
    }

    #[test]
    fn all_text_is_escaped() {
        for hostile in [
            "<script>alert(1)</script>",
            "\"><img src=x onerror='x'>",
            "https://work.example.com/\"onmouseover=\"alert(1)",
            "https://work.example.com/<b>",
            "javascript:alert(1) data:text/html,x",
            "https://work.example.com/'onclick='x",
            "http:// https://",
            "&lt;b&gt;",
        ] {
            let html = body(hostile);
            let unknown_markup =
                ["<p>", "</p>", "<a href=\"", "\">", "</a>"].iter().fold(html.clone(), |all, tag| all.replace(tag, ""));
            assert!(!unknown_markup.contains(['<', '>', '"', '\'']), "{html}");
            assert!(
                !html.contains("href=\"javascript") && !html.contains("&lt;b&gt;") || hostile.contains('<'),
                "{html}"
            );
        }
    }
}
