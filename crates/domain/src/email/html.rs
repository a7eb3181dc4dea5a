//! The HTML part of an e-mail, rendered from its plain text: paragraphs, line breaks and links.

use crate::kernel::html::escape;

/// Empty lines separate paragraphs; `http` and `https` URLs become links.
pub fn to_html(text: &str) -> String {
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
            paragraph.push(line_html(line));
        }
    }
    html.push_str("</body></html>\n");
    html
}

fn line_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = next_link(rest) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"')).unwrap_or(from.len());
        // Trailing punctuation belongs to the sentence.
        let link = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
        escape(before, &mut html);
        html.push_str("<a href=\"");
        escape(link, &mut html);
        html.push_str("\">");
        escape(link, &mut html);
        html.push_str("</a>");
        rest = &from[link.len()..];
    }
    escape(rest, &mut html);
    html
}

/// Start of the next link. A link is never empty: a letter, a digit or a bracket follows the scheme.
fn next_link(text: &str) -> Option<usize> {
    text.match_indices("http").map(|(start, _)| start).find(|start| {
        let rest = &text[*start..];
        let host = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://"));
        host.is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric() || c == '['))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> String {
        let html = to_html(text);
        let (_, rest) = html.split_once("<body>\n").unwrap();
        rest.strip_suffix("</body></html>\n").unwrap().to_owned()
    }

    #[test]
    fn paragraphs_lines_and_links() {
        assert_eq!(body("One\nTwo\n\n\nThree\n"), "<p>One<br>\nTwo</p>\n<p>Three</p>\n");
        let link = "https://work.example.com/a#token=svp_x&y";
        let shown = "https://work.example.com/a#token=svp_x&amp;y";
        assert_eq!(body(link), format!("<p><a href=\"{shown}\">{shown}</a></p>\n"));
        assert_eq!(
            body("See (http://a.example), or http://b.example."),
            "<p>See (<a href=\"http://a.example\">http://a.example</a>), or \
             <a href=\"http://b.example\">http://b.example</a>.</p>\n"
        );
    }

    #[test]
    fn all_text_is_escaped() {
        for hostile in [
            "<script>alert(1)</script>",
            "\"><img src=x onerror='x'>",
            "https://x.example/\"onmouseover=\"alert(1)",
            "https://x.example/<b>",
            "javascript:alert(1) data:text/html,x",
            "https://'onclick='x",
            "http:// https://",
            "&lt;b&gt;",
        ] {
            let html = body(hostile);
            let without_ours =
                ["<p>", "</p>", "<a href=\"", "\">", "</a>"].iter().fold(html.clone(), |all, tag| all.replace(tag, ""));
            assert!(!without_ours.contains(['<', '>', '"', '\'']), "{html}");
            assert!(
                !html.contains("href=\"javascript") && !html.contains("&lt;b&gt;") || hostile.contains('<'),
                "{html}"
            );
        }
    }
}
