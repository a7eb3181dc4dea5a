//! Markdown as the text that a reader sees: what an article is found by, and what its excerpt shows.

use super::inline_marks::{Inline, defined};

/// The text without marks, in one line. Words stay whole and apart where the marks leave that open.
pub fn plain_text(markdown: &str) -> String {
    let mut text = Inline::of(markdown);
    let mut fence: Option<Fence> = None;
    let mut below = markdown.len();
    for line in markdown.split_inclusive('\n') {
        below -= line.len();
        let inside = line.trim();
        let below = below + line.len() - line.trim_end().len();
        if let Some(open) = &fence {
            let inside = open.inside(inside);
            if open.ends_at(inside) {
                fence = None;
            } else {
                text.literal(inside);
            }
            continue;
        }
        let Some(inside) = text.behind_comment(inside) else { continue };
        let shown = without_line_marks(inside);
        fence = Fence::begun_by(shown, inside.trim_start().starts_with('>'));
        if shown.is_empty() || fence.is_some() {
            text.end_paragraph();
        } else if defined(shown).is_none() {
            text.line(shown, below);
        }
    }
    text.into_text()
}

/// Code between two lines of signs.
#[derive(Debug)]
struct Fence {
    sign: char,
    length: usize,
    quoted: bool,
}

impl Fence {
    fn begun_by(line: &str, quoted: bool) -> Option<Self> {
        let sign = line.chars().next().filter(|sign| "`~".contains(*sign))?;
        let info = line.trim_start_matches(sign);
        let length = line.len() - info.len();
        // Behind backticks there are no more of them: that would be code within a line.
        (length >= 3 && (sign == '~' || !info.contains('`'))).then_some(Self { sign, length, quoted })
    }

    fn inside<'l>(&self, line: &'l str) -> &'l str {
        if self.quoted { line.trim_start_matches(['>', ' ']) } else { line }
    }

    fn ends_at(&self, line: &str) -> bool {
        line.len() >= self.length && line.chars().all(|sign| sign == self.sign)
    }
}

/// A line without what marks it as a heading, quotation, item or rule.
fn without_line_marks(mut line: &str) -> &str {
    let is_rule = |line: &str| line.chars().all(|mark| "-*_=|: ".contains(mark));
    loop {
        if is_rule(line) {
            return "";
        }
        let shorter = line.trim_start_matches(['#', '>']).trim_start();
        let shorter =
            ["- ", "* ", "+ ", "[ ] ", "[x] "].iter().find_map(|mark| shorter.strip_prefix(mark)).unwrap_or(shorter);
        let digits = shorter.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &shorter[digits..];
        let shorter = if (1..=9).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")) {
            &rest[2..]
        } else {
            shorter
        };
        if shorter.len() == line.len() {
            return line;
        }
        line = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
    }

    #[test]
    fn marks_go_and_text_stays() {
        for (markdown, expected) in [
            ("# Reset\n\nOpen **Settings** and *click* `Save`.", "Reset Open Settings and click Save."),
            ("> - [x] a\n> 1. b\n2) c", "a b c"),
            ("see [the guide](https://e.x/a_(b)) or ![a map](m.png \"Map\")", "see the guide or a map"),
            ("[a\nlong *link*](<https://e.x/a b>) [](x) ![[a](b)](c)", "a long link a"),
            ("~~old~~ __new__ snake_case __init__.py ***both***", "old new snake_case init.py both"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"),
            ("a < b <b>bold</b> <https://e.x> <!-- x -->", "a < b bold https://e.x"),
            ("Re<b>set</b> one<br>two<td>three <ann@example.com>", "Reset one two three ann@example.com"),
            (r"\*not\* \<b> \[a](b)", "*not* <b> [a](b)"),
            ("2024 was 3.5 times", "2024 was 3.5 times"),
            ("", ""),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn what_is_no_mark_is_text() {
        for text in [
            "a <your-name> b Vec<String> <timeout> </timeout> <b-side> a<b",
            "2*3 * 4 ** x ~/.config a ~ b **open",
            "array[1] m[i][j] [a](see the manual) f[](not this one) ] x [y",
            "an ` and `` open <!-- this [1]: https://e.x",
            "_ __ ___x",
        ] {
            assert_eq!(plain_text(text), text);
        }
    }

    #[test]
    fn code_is_text_to_the_letter() {
        for (markdown, expected) in [
            ("`Vec<b>` ``a `b` *c*`` `[x](y)` `a|b`", "Vec<b> a `b` *c* [x](y) a|b"),
            ("```sh\nls *.rs # <b>all</b>\n---\n[a]: b\n```\n# *end*", "ls *.rs # <b>all</b> --- [a]: b end"),
            ("~~~~\n```\n~~~\n<!-- a\n~~~~\n*b*", "``` ~~~ <!-- a b"),
            ("> ```\n> a <b>\n> ```\n> *c*", "a <b> c"),
            ("- ```\n  *a*\n  ```\n- *b*", "*a* b"),
            ("```inline``` *a*\n```\nnever *closed*", "inline a never *closed*"),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn comments_and_addresses_given_elsewhere_are_not_shown() {
        for (markdown, expected) in [
            ("a <!-- one --> b <!-- two\n\n# three\n```\n--> c <!-- open", "a b c <!-- open"),
            ("[text][Ref] [ref] [ref][] [other][no]\n\n[REF]: https://e.x/secret 'Title'", "text ref ref [other][no]"),
            ("a[^1]\n\n[^1]: a note\n[Note]: this stays", "a[^1] [^1]: a note [Note]: this stays"),
        ] {
            assert_eq!(plain_text(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn signs_that_open_and_never_close_cost_little() {
        for sign in ["[", "](", "[](", "<", "<!--", "`", "`` ` ", "*a ", "**", "[a]", "<a ", "\\", "[a]: b\n", "~~a"] {
            let text = sign.repeat(100_000 / sign.len());
            assert!(plain_text(&text).len() <= text.len());
        }
    }

    proptest! {
        #[test]
        fn no_word_is_lost_or_joined_to_another(text in "([a-h]{1,3}|[é#>| \n+~(){}!:.,;-]|<x>|[*_`\\[\\]] |\\[[a-h]\\] ){0,40}") {
            // Addresses of links and what is said of a fence are not shown, and a mark may end within a word.
            let hides = ["](", "]:", "``", "~~"].iter().any(|mark| text.contains(mark));
            let plain = plain_text(&text);
            prop_assert!(hides || words(&plain) == words(&text), "{plain:?}");
        }

        #[test]
        fn any_text_can_be_read(text in "(\\PC|[\n*_`\\[\\]()<>!~|-]|<!--|-->|\n```\n|\\[a\\]: b\n){0,200}") {
            prop_assert!(plain_text(&text).len() <= text.len());
        }
    }
}
