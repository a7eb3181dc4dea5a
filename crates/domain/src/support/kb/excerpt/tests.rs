use super::*;
use crate::support::kb::plain_text;
use proptest::prelude::*;

fn html(markdown: &str, forms: &[&str]) -> String {
    excerpt(&plain_text(markdown), &forms.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// The excerpt as a reader sees it, without HTML.
fn visible_text(html: &str) -> String {
    let text = html.replace("<mark>", "").replace("</mark>", "");
    assert!(!text.contains(['<', '>', '"', '\'']), "{html}");
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

#[test]
fn matches_are_marked_and_everything_else_is_escaped() {
    assert_eq!(
        html("Reset your **Café** pass.", &["cafe", "reset"]),
        "<mark>Reset</mark> your <mark>Café</mark> pass."
    );
    assert_eq!(
        html(r#"a < b & "c" \<mark>x\</mark> 'mark'"#, &["mark"]),
        "a &lt; b &amp; &quot;c&quot; &lt;<mark>mark</mark>&gt;x&lt;/<mark>mark</mark>&gt; &#39;<mark>mark</mark>&#39;"
    );
    assert_eq!(html("<script>alert(1)</script> &lt;mark&gt;", &[]), "alert(1) &amp;lt;mark&amp;gt;");
    assert_eq!(html("", &["a"]), "");
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
        assert_eq!(html(markdown, &[form]), shown);
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
        assert_eq!(html(text, forms), shown);
    }
}

#[test]
fn whole_words_are_marked_in_any_script() {
    for (text, form, shown) in [
        ("cafe\u{301}s here", "cafes", "<mark>cafe\u{301}s</mark> here"),
        ("हिन्दी भाषा", "हिन्दी", "<mark>हिन्दी</mark> भाषा"),
        ("“Москва”", "москва", "“<mark>Москва</mark>”"),
        ("the user’s pass\u{ad}word", "password", "the user’s <mark>pass\u{ad}word</mark>"),
        ("the user’s password", "user", "the <mark>user</mark>’s password"),
        ("пʼять", "ять", "пʼ<mark>ять</mark>"),
        ("zero\u{200b}width", "zerowidth", "<mark>zero\u{200b}width</mark>"),
        ("مُحَمَّد هنا", "محمد", "<mark>مُحَمَّد</mark> هنا"),
    ] {
        assert_eq!(html(text, &[form]), shown);
    }
}

#[test]
fn matches_within_runs_are_marked() {
    for (text, forms, shown) in [
        ("点击设置，然后选择重置密码。", &["重置", "置密", "密码"][..], "点击设置，然后选择<mark>重置密码</mark>。"),
        ("点击设置，选择", &["设置", "择"], "点击<mark>设置</mark>，选<mark>择</mark>"),
        ("请重置WiFi密码", &["wifi", "密码"], "请重置<mark>WiFi</mark><mark>密码</mark>"),
        ("東京ﾀﾜｰ", &["タワ", "ワー"], "東京<mark>ﾀﾜｰ</mark>"),
        ("ราคาสินค้า", &["สิน", "นค", "คา"], "รา<mark>คาสินค้า</mark>"),
        ("대한민국", &["민국"], "대한<mark>민국</mark>"),
    ] {
        assert_eq!(html(text, forms), shown);
    }
    let long = html(&"哈".repeat(600), &["哈哈"]);
    assert!(long.starts_with("<mark>哈"), "{long}");
}

/// The excerpt of a search of records, with brackets around matches.
fn searched(text: &str, typed: &str) -> String {
    let parts = excerpt_of_search(text, &SearchQuery::parse(typed).unwrap().unwrap());
    parts
        .iter()
        .map(|ExcerptPart { text, is_match }| if *is_match { format!("[{text}]") } else { text.clone() })
        .collect()
}

#[test]
fn words_that_begin_with_a_searched_prefix_are_marked() {
    for (text, typed, shown) in [
        (
            "We refunded\n\nthe *Größe* on <b>Monday</b>.",
            "refund GROSS",
            "We [refunded] the *[Größe]* on <b>Monday</b>.",
        ),
        ("Anne-Marie called", "anne-mar", "[Anne]-[Marie] called"),
        ("see v1.2.3 and 1.2", "1.2.3", "see v1.2.3 and 1.2"),
        ("O’Brien’s order", "o'brien", "[O]’[Brien]’s order"),
        ("请重置密码。", "重置密码", "请[重置密码]。"),
        ("nothing here", "zephyr", "nothing here"),
        ("", "zephyr", ""),
    ] {
        assert_eq!(searched(text, typed), shown, "{typed}");
    }
    let filler = "lorem ipsum dolor ".repeat(200);
    let long = searched(&format!("{filler} the refund was sent {filler}"), "refund sent");
    assert!(long.contains("the [refund] was [sent]") && long.starts_with('…') && long.ends_with('…'), "{long}");
    assert!(long.chars().count() <= 244, "{long}");
}

#[test]
fn the_best_part_is_shown() {
    let filler = "lorem ipsum dolor ".repeat(40);
    let text = format!("key {filler} the key opens the door {filler}");
    let excerpt = html(&text, &["key", "door"]);
    assert!(excerpt.contains("<mark>key</mark> opens the <mark>door</mark>"), "{excerpt}");
    assert!(excerpt.starts_with('…') && excerpt.ends_with('…'), "{excerpt}");
    let without = html(&text, &[]);
    assert!(without.starts_with("key lorem") && without.ends_with('…'), "{without}");
    for excerpt in [excerpt, without] {
        assert!((160..=240).contains(&visible_text(&excerpt).chars().count()), "{excerpt}");
    }
    assert!(html(&format!("{filler} key"), &["key"]).ends_with("<mark>key</mark>"));
}

proptest! {
    #[test]
    fn text_never_becomes_html(
        text in "([a<>&\"'/ *\\[\\]()`_mrk\n\\\\.1!-]|<b>|<br/>|<mark>|</mark>|<!--|-->|```|<a://b>){0,400}", form in "[amrk1]{1,4}"
    ) {
        let excerpt = html(&text, &[&form]);
        prop_assert!(visible_text(&excerpt).chars().count() <= 240);
        prop_assert_eq!(excerpt.matches("<mark>").count(), excerpt.matches("</mark>").count());
    }

    #[test]
    fn any_text_has_an_excerpt(text in "\\PC{0,600}|[重置密码a。]{0,600}") {
        prop_assert!(visible_text(&html(&text, &["a", "重置", "置重", "码"])).chars().count() <= 240);
    }
}
