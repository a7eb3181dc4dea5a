//! Converts Markdown to plain text, which search indexes and excerpts show.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::html_tags::without_tags;
use crate::kernel::markdown::shallow;

/// Above this length, in bytes, the store saves the plain text, because rendering may take a tenth of a second.
const LONG: usize = 8_000;

/// Whether the plain text of a body is stored instead of being rendered for each search hit.
pub const fn is_long(markdown: &str) -> bool {
    markdown.len() > LONG
}

/// The text without markup, in one line. Words stay whole and separate.
pub fn plain_text(markdown: &str) -> String {
    let markdown = &shallow(markdown);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut text = String::with_capacity(markdown.len());
    // HTML blocks arrive line by line, and a comment may span several lines.
    let mut html_block = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(shown) | Event::Code(shown) => text.push_str(&shown),
            Event::InlineHtml(html) => without_tags(&html, &mut text),
            Event::Html(html) => html_block.push_str(&html),
            Event::End(TagEnd::HtmlBlock) => {
                without_tags(&html_block, &mut text);
                html_block.clear();
                text.push(' ');
            }
            Event::Start(tag) if !is_within_a_line(&tag) => text.push(' '),
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push(' '),
            _ => {}
        }
    }
    in_one_line(&text)
}

/// Whether a tag does not separate words, as in `**S**ettings`.
const fn is_within_a_line(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_is_removed_and_text_stays() {
        for (markdown, expected) in [
            ("# Reset\n\nOpen **Settings** and *click* `Save`.", "Reset Open Settings and click Save."),
            ("Title\n=====\n> - [x] a\n> 1. b\n\n2) c", "Title a b c"),
            ("see [the guide](https://e.x/a_(b)) or ![a map](m.png \"Map\")", "see the guide or a map"),
            ("[a\nlong *link*](<https://e.x/a b>) [](x) ![[a](b)](c)", "a long link a"),
            ("~~old~~ __new__ snake_case **S**ettings ***both***", "old new snake_case Settings both"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"),
            ("a < b <b>bold</b> <https://e.x> <!-- x -->", "a < b bold https://e.x"),
            ("Re<b>set</b> one<br>two <ann@example.com>", "Reset one two ann@example.com"),
            (r"\*not\* \<b> \[a](b) &lt;i&gt; &amp;", "*not* <b> [a](b) <i> &"),
            ("2024 was 3.5 times\n\n---\n", "2024 was 3.5 times"),
            ("a\u{b}b\tc", "a b c"),
            ("a\u{b}b\u{a0}c\td", "a b c d"),
            ("[text][Ref] [ref] [other][no]\n\n[REF]: https://e.x/secret 'Title'", "text ref [other][no]"),
            ("", ""),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn text_without_markup_is_kept() {
        for text in [
            "a <your-name> b Vec<String> <timeout> </timeout> <b-side> a<b",
            "2*3 * 4 ** x ~/.config a ~ b **open",
            "array[1] m[i][j] [a](see the manual) ] x [y",
            "an ` and `` open <!-- this",
            "C++ C# node.js AT&T",
        ] {
            assert_eq!(plain_text(text), text);
        }
    }

    #[test]
    fn code_is_kept_verbatim() {
        for (markdown, expected) in [
            ("`Vec<b>` ``a `b` *c*`` `[x](y)` `a|b`", "Vec<b> a `b` *c* [x](y) a|b"),
            ("```sh\nls *.rs # <b>all</b>\n---\n[a]: b\n```\n# *end*", "ls *.rs # <b>all</b> --- [a]: b end"),
            ("> ```\n> a <b>\n> ```\n> *c*", "a <b> c"),
            ("    <b> &lt;\n\n- ```\n  *a*\n  ```\n- *b*", "<b> &lt; *a* b"),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn html_blocks_lose_their_tags() {
        for (markdown, expected) in [
            ("<div class=\"a\">\nkeep <timeout>\n</div>\n\nb", "keep <timeout> b"),
            ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
            ("a <!-- one --> b\n\n<!-- two\n\n# three\n-->\n\nc", "a b c"),
            ("<timeout>\nof a request", "<timeout> of a request"),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn deep_nesting_loses_markers_but_no_words() {
        for mark in ["> ", ">", "- ", "* ", "1. ", "  + "] {
            for depth in [1, 19, 20, 21, 5_000] {
                let markdown = format!("one\n\n{}two\nthree 3\n\n{0}\nfour", mark.repeat(depth));
                assert_eq!(plain_text(&markdown), "one two three 3 four", "{depth} times {mark}");
            }
        }
    }

    #[test]
    fn unclosed_markup_takes_linear_time() {
        for sign in
            ["[", "](", "[](", "<", "<!--", "`", "`` ` ", "*a ", "**", "[a]", "<a ", "\\", "[a]: b\n", "~~a", "> "]
        {
            let text = sign.repeat(100_000 / sign.len());
            assert!(plain_text(&text).len() <= text.len());
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "(\\PC|[\n*_`\\[\\]()<>!~|&;-]|<!--|-->|\n```\n|\\[a\\]: b\n){0,200}") {
            let plain = plain_text(&text);
            prop_assert!(!plain.contains("  ") && plain.trim() == plain);
        }
    }
}
