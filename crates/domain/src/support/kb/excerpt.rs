//! The excerpt of an article that shows its matches.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::words::{form, is_of_word};
use crate::kernel::html;

/// The length of an excerpt, in characters.
const LENGTH: usize = 200;
/// How far an end may move to fall between words.
const SLACK: usize = 30;

/// About 200 characters of an article's text around its matches, as HTML: the article's own characters are
/// escaped, and `<mark>` around matches is the only tag.
pub fn excerpt(text: &str, forms: &[String]) -> String {
    let text: Vec<char> = text.chars().collect();
    let hits = hits(&text, forms);
    let shown = window(&text, &best(&hits));
    let mut html = String::with_capacity(2 * LENGTH);
    if shown.start > 0 {
        html.push('…');
    }
    let mut place = shown.start;
    for (hit, _) in hits.iter().filter(|(hit, _)| shown.start <= hit.start && hit.end <= shown.end) {
        escape(&text[place..hit.start], &mut html);
        html.push_str("<mark>");
        escape(&text[hit.clone()], &mut html);
        html.push_str("</mark>");
        place = hit.end;
    }
    escape(&text[place..shown.end], &mut html);
    if shown.end < text.len() {
        html.push('…');
    }
    html
}

/// The matches in the text, each with the index of its form.
fn hits(text: &[char], forms: &[String]) -> Vec<(Range<usize>, usize)> {
    let numbers: BTreeMap<&str, usize> = forms.iter().map(String::as_str).zip(0..).collect();
    // The first letter rules most words out before they are folded.
    let letters: BTreeSet<char> = forms.iter().filter_map(|form| form.chars().next()).collect();
    let may_begin = |letter: char| !letter.is_ascii() || letters.contains(&letter.to_ascii_lowercase());
    let known = |place: Range<usize>| {
        let may_be = !place.is_empty() && place.len() <= LENGTH && may_begin(text[place.start]);
        let word: String = may_be.then(|| text[place.clone()].iter().collect())?;
        numbers.get(form(&word).as_str()).map(|which| (place, *which))
    };
    let mut hits = Vec::new();
    let mut start = 0;
    while start < text.len() {
        if !is_of_word(text[start]) {
            start += 1;
            continue;
        }
        let word = word_at(text, start);
        match known(word.clone()) {
            Some(hit) => hits.push(hit),
            None => hits.extend(pieces(text, word.clone()).into_iter().filter_map(known)),
        }
        start = word.end;
    }
    hits
}

/// A word; a dot between digits belongs to it, as in `v1.2.3`.
fn word_at(text: &[char], start: usize) -> Range<usize> {
    let is_digit = |place: usize| text.get(place).is_some_and(char::is_ascii_digit);
    let is_inside =
        |place: &usize| is_of_word(text[*place]) || (text[*place] == '.' && is_digit(place - 1) && is_digit(place + 1));
    start..(start + 1..text.len()).find(|place| !is_inside(place)).unwrap_or(text.len())
}

/// The parts of a word with a number: letters, the number with its dots, and the rest; empty for other words.
fn pieces(text: &[char], word: Range<usize>) -> Vec<Range<usize>> {
    if !text[word.clone()].contains(&'.') {
        return Vec::new();
    }
    let of_number = |place: &usize| text[*place] == '.' || text[*place].is_ascii_digit();
    let number = word.clone().find(of_number).unwrap_or(word.end);
    let rest = (number..word.end).find(|place| !of_number(place)).unwrap_or(word.end);
    vec![word.start..number, number..rest, rest..word.end]
}

/// The range of hits that fits the length with the most different forms, then the most hits, then the earliest.
fn best(hits: &[(Range<usize>, usize)]) -> Range<usize> {
    let mut best = (0, 0, 0..0);
    // How often each form occurs within the range, which slides over the text.
    let mut within: BTreeMap<usize, usize> = BTreeMap::new();
    let mut first = 0;
    for (last, (hit, which)) in hits.iter().enumerate() {
        *within.entry(*which).or_default() += 1;
        while first < last && hit.end - hits[first].0.start > LENGTH {
            let left = hits[first].1;
            if within.get(&left) == Some(&1) {
                within.remove(&left);
            } else {
                within.entry(left).and_modify(|count| *count -= 1);
            }
            first += 1;
        }
        let found = (within.len(), last - first + 1);
        if found > (best.0, best.1) {
            best = (found.0, found.1, hits[first].0.start..hit.end);
        }
    }
    best.2
}

/// The shown range: `stretch` in the middle, with ends between words.
fn window(text: &[char], stretch: &Range<usize>) -> Range<usize> {
    if text.len() <= LENGTH + SLACK {
        return 0..text.len();
    }
    let lead = LENGTH.saturating_sub(stretch.len()) / 2;
    let start = stretch.start.saturating_sub(lead).min(text.len() - LENGTH);
    let end = (start + LENGTH).max(stretch.end).min(text.len());
    let is_space = |place: &usize| text[*place] == ' ';
    let start = match start {
        0 => 0,
        _ => (start..(start + SLACK).min(stretch.start.max(start))).find(is_space).map_or(start, |space| space + 1),
    };
    let end = match end {
        end if end == text.len() => end,
        _ => (end.saturating_sub(SLACK).max(stretch.end)..=end).rev().find(is_space).unwrap_or(end),
    };
    start..end
}

fn escape(text: &[char], html: &mut String) {
    html::escape(&text.iter().collect::<String>(), html);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::kb::plain_text;
    use proptest::prelude::*;

    fn of(markdown: &str, forms: &[&str]) -> String {
        excerpt(&plain_text(markdown), &forms.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// The excerpt as a reader sees it.
    fn seen(html: &str) -> String {
        let text = html.replace("<mark>", "").replace("</mark>", "");
        assert!(!text.contains(['<', '>', '"', '\'']), "{html}");
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        text.replace("&amp;", "&")
    }

    #[test]
    fn matches_are_marked_and_everything_else_is_escaped() {
        assert_eq!(
            of("Reset your **Café** pass.", &["cafe", "reset"]),
            "<mark>Reset</mark> your <mark>Café</mark> pass."
        );
        assert_eq!(
            of(r#"a < b & "c" \<mark>x\</mark> 'mark'"#, &["mark"]),
            "a &lt; b &amp; &quot;c&quot; &lt;<mark>mark</mark>&gt;x&lt;/<mark>mark</mark>&gt; &#39;<mark>mark</mark>&#39;"
        );
        assert_eq!(of("<script>alert(1)</script> &lt;mark&gt;", &[]), "alert(1) &amp;lt;mark&amp;gt;");
        assert_eq!(of("", &["a"]), "");
    }

    #[test]
    fn text_in_angle_brackets_is_kept_unless_it_is_a_tag() {
        for (markdown, form, shown) in [
            ("set <timeout> here", "timeout", "set &lt;<mark>timeout</mark>&gt; here"),
            ("Vec<String>", "string", "Vec&lt;<mark>String</mark>&gt;"),
            ("`<mark>` <mark>x</mark>", "mark", "&lt;<mark>mark</mark>&gt; x"),
            ("<https://e.x/setup>", "setup", "https://e.x/<mark>setup</mark>"),
            ("[here](https://e.x/setup) <!-- setup -->", "setup", "here"),
        ] {
            assert_eq!(of(markdown, &[form]), shown);
        }
    }

    #[test]
    fn numbers_are_marked_with_their_dots() {
        for (text, forms, shown) in [
            ("3.5 mm", &["3.5"][..], "<mark>3.5</mark> mm"),
            ("3.5mm", &["3.5", "mm"], "<mark>3.5</mark><mark>mm</mark>"),
            ("v1.2.3.", &["v1.2.3", "1.2.3"], "<mark>v1.2.3</mark>."),
            ("v1.2.3", &["1.2.3", "2"], "v<mark>1.2.3</mark>"),
            ("node.js 2.x", &["node", "js", "2"], "<mark>node</mark>.<mark>js</mark> <mark>2</mark>.x"),
            ("13.5", &["3.5", "13", "5"], "13.5"),
        ] {
            assert_eq!(of(text, forms), shown);
        }
    }

    #[test]
    fn letters_of_any_script_are_marked_whole() {
        for (text, form, shown) in [
            ("cafe\u{301}s here", "cafes", "<mark>cafe\u{301}s</mark> here"),
            ("हिन्दी भाषा", "हिन्दी", "<mark>हिन्दी</mark> भाषा"),
            ("“Москва”", "москва", "“<mark>Москва</mark>”"),
            ("the user’s pass\u{ad}word", "password", "the user’s <mark>pass\u{ad}word</mark>"),
            ("the user’s password", "user", "the <mark>user</mark>’s password"),
        ] {
            assert_eq!(of(text, &[form]), shown);
        }
    }

    #[test]
    fn the_best_part_is_shown() {
        let filler = "lorem ipsum dolor ".repeat(40);
        let text = format!("key {filler} the key opens the door {filler}");
        let shown = of(&text, &["key", "door"]);
        assert!(shown.contains("<mark>key</mark> opens the <mark>door</mark>"), "{shown}");
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        let without = of(&text, &[]);
        assert!(without.starts_with("key lorem") && without.ends_with('…'), "{without}");
        for shown in [shown, without] {
            assert!((160..=240).contains(&seen(&shown).chars().count()), "{shown}");
        }
        assert!(of(&format!("{filler} key"), &["key"]).ends_with("<mark>key</mark>"));
    }

    proptest! {
        #[test]
        fn no_text_gets_through_as_html(
            text in "([a<>&\"'/ *\\[\\]()`_mrk\n\\\\.1!-]|<b>|<br/>|<mark>|</mark>|<!--|-->|```|<a://b>){0,400}", form in "[amrk1]{1,4}"
        ) {
            let shown = of(&text, &[&form]);
            prop_assert!(seen(&shown).chars().count() <= 240);
            prop_assert_eq!(shown.matches("<mark>").count(), shown.matches("</mark>").count());
        }

        #[test]
        fn any_text_has_an_excerpt(text in "\\PC{0,600}") {
            prop_assert!(seen(&of(&text, &["a"])).chars().count() <= 240);
        }
    }
}
