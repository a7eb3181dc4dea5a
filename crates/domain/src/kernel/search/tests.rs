use super::*;
use proptest::prelude::*;

fn words() -> SearchWords {
    let mut words = SearchWords::default();
    words
        .text(Some("Anne-Marie O'Brien"))
        .text(Some("Łukasz Größe"))
        .email("Ann.Lee+x@Example.co.uk")
        .phone(Some("+1 (555) 123-4567"))
        .text(None);
    words
}

fn is_found(text: &str) -> bool {
    SearchQuery::parse(text).unwrap().is_none_or(|query| words().matches(&query))
}

#[test]
fn tokens_match_word_prefixes() {
    for hit in [
        "anne",
        "ANNE-MAR",
        "marie",
        "o'br",
        "brien",
        "ann",
        "ann.lee",
        "ann.lee+x@exa",
        "example",
        "@example.co",
        "lukasz",
        "ŁUK",
        "grosse",
        "größ",
        "15551",
        "+1555",
        "555",
        "(555)",
        "123-4567",
        "555-123",
        "anne brien",
        "  anne   brien ",
        "\"anne\"",
        "anne %",
        "",
    ] {
        assert!(is_found(hit), "{hit}");
    }
    for miss in
        ["nne", "lee", "co.uk", "uk", "anne smith", "4444", "%", "_", "' or 1=1", "-", "- &", "nne %", "x:*", "\\", "ñ"]
    {
        assert!(!is_found(miss), "{miss}");
    }
}

#[test]
fn domains_are_found_in_their_script_and_in_ascii() {
    for stored in ["a@München.example", "a@xn--mnchen-3ya.example", "a@mu\u{308}nchen。example"] {
        let mut words = SearchWords::default();
        words.email(stored);
        for typed in ["a@münchen.example", "MÜNCHEN", "munchen", "a@xn--mnchen-3ya.ex", "xn--mnchen"] {
            assert!(words.matches(&SearchQuery::parse(typed).unwrap().unwrap()), "{stored} {typed}");
        }
    }
}

#[test]
fn queries_are_bounded() {
    assert!(SearchQuery::parse(&"x".repeat(200)).is_ok());
    assert!(SearchQuery::parse(&"x".repeat(201)).is_err());
    assert!(SearchQuery::parse("1 2 3 4 5 6 7 8").is_ok());
    assert!(SearchQuery::parse("1 2 3 4 5 6 7 8 9").is_err());
    assert!(SearchQuery::parse("1 2 3 4 & 5 6 – 7 8").is_ok(), "skipped tokens do not count");
    assert!(SearchQuery::parse("- - - - - - - - -").is_err(), "unless there are no other tokens");
}

/// Whether a typed query finds a text.
fn finds(text: &str, typed: &str) -> bool {
    let mut words = SearchWords::default();
    words.text(Some(text));
    SearchQuery::parse(typed).unwrap().is_none_or(|query| words.matches(&query))
}

#[test]
fn a_name_is_found_by_itself() {
    for name in [
        "Smith & Sons – x",
        "Acme - x",
        "A / B x",
        "Rock | Roll",
        "Ann 😀 Lee",
        "O’Brien ‘quoted’ “too”",
        "北京大学招生 2026年",
        "東京タワー・ホテル",
        "ราคาสินค้า ๑๒",
        "대한민국 정부청사",
        "新款iphone手机壳 wi-fi密码",
        "می\u{200c}خواهم मुझे हिन्दी",
    ] {
        assert!(finds(name, name), "{name}");
        for word in name.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)) {
            assert!(finds(name, &format!("& {word} –")), "{name}: {word}");
        }
    }
    for nothing in ["&", "–", "- / |", "😀", "Smith & Nobody"] {
        assert!(!finds("Smith & Sons – x 😀", nothing), "{nothing}");
    }
    assert!(SearchQuery::parse("\u{200b} \u{ad}").unwrap().is_none(), "an invisible text is blank");
}

#[test]
fn spellings_that_look_alike_find_each_other() {
    for spellings in [
        &["O'Brien", "O’Brien", "O‘Brien", "Oʼbrien", "O´Brien", "O`Brien", "O＇Brien"][..],
        &["co-op", "co–op", "co—op", "co‐op", "co\u{2011}op", "co−op", "co－op"],
        &["2020-2024", "2020–2024"],
        &["softhyphen", "soft\u{ad}hyphen", "soft\u{200b}hyphen", "soft\u{2060}hyphen", "soft\u{feff}hyphen"],
        &["محمد", "محمـــد", "مُحَمَّد"],
        &["п'ять", "п’ять", "пʼять"],
        &["café", "cafe\u{301}", "CAFE"],
        &["שָׁלוֹם", "שלום"],
        &["ガス", "ｶﾞｽ", "カ\u{3099}ス"],
    ] {
        for text in spellings {
            for typed in spellings {
                assert!(finds(text, typed), "{text}: {typed}");
            }
        }
    }
    for (text, other) in [("ガス", "カス"), ("カス", "ガス"), ("イガ", "イカ"), ("हिन्दी", "हनद"), ("กิน", "กน")]
    {
        assert!(!finds(text, other), "{text}: {other}");
    }
}

#[test]
fn texts_without_blanks_are_found_by_any_part() {
    for (text, parts, others) in [
        (
            "北京大学招生",
            &["大学", "学招", "招生", "京", "生", "北京大学", "北京 招生"][..],
            &["大招", "生北", "上海"][..],
        ),
        ("東京タワー", &["タワー", "タ", "京タ", "ワー"], &["ター", "大阪"]),
        ("ราคาสินค้า", &["สินค้า", "สิน", "คา", "ราคา"], &["สคา", "รคา"]),
        ("대한민국정부", &["민국", "국정", "부", "정부", "한"], &["대국", "서울"]),
        ("新款iphone手机壳", &["iphone", "手机", "iphone手机", "款iphone", "壳"], &["手壳", "phone"]),
        ("如何重置WiFi密码？", &["密码", "wifi", "重置wifi"], &["何密"]),
    ] {
        for part in parts {
            assert!(finds(text, part), "{text}: {part}");
        }
        for other in others {
            assert!(!finds(text, other), "{text}: {other}");
        }
    }
}

/// Records that are not reindexed yet are found by the words that an earlier release stored.
#[test]
fn words_of_an_earlier_release_still_match() {
    for (words, typed) in [
        (&["o’brien", "brien"][..], "O’Brien"),
        (&["co–op", "op"], "co–op"),
        (&["soft\u{ad}hyphen"], "soft\u{ad}hy"),
        (&["北京大学招生"], "北京大学"),
        (&["محمـــد"], "محمـــد"),
        (&["пʼять"], "пʼять"),
    ] {
        let words = SearchWords::of(words.iter().map(ToString::to_string).collect());
        assert!(words.matches(&SearchQuery::parse(typed).unwrap().unwrap()), "{typed}");
    }
}

/// Whether a record with these words is found by a name.
fn is_found_by_name(words: &[String], name: &str) -> bool {
    SearchWords::of_name(name).iter().any(|all| all.iter().all(|word| words.contains(word)))
}

#[test]
fn names_are_found_by_their_words_before_and_after_the_reindexing() {
    for name in [
        "Lantern Coffee",
        "O’Brien Ltd.",
        "L’Oréal",
        "co–op",
        "北京大学",
        "محمـــد",
        "soft\u{ad}hyphen",
        "हिन्दी",
        "ΟΔΟΣ",
    ] {
        assert!(is_found_by_name(&SearchWords::in_text(name), name), "{name}");
        let former: Vec<_> = SearchWords::former(name).into_iter().collect();
        assert!(is_found_by_name(&former, name), "{name}: {former:?}");
        assert!(!is_found_by_name(&SearchWords::in_text("Other"), name), "{name}");
    }
    // Written with another apostrophe by an earlier release.
    let former: Vec<_> = SearchWords::former("O’Brien Ltd.").into_iter().collect();
    assert!(is_found_by_name(&former, "O'BRIEN LTD."));
    for nothing in ["&", "---", ""] {
        assert!(SearchWords::of_name(nothing).is_empty(), "{nothing}");
    }
}

proptest! {
    #[test]
    fn names_with_the_same_key_have_the_same_words(
        name in "([a-dß]|Σ|σ|ς|é|e\u{301}|’|'|–|ﬁ|Ａ|\u{200b}|\u{a0}| ){0,12}",
    ) {
        let key = name_key(&name);
        prop_assert_eq!(name_key(&key), key.clone());
        prop_assert_eq!(name_key(&name.to_uppercase()), key.clone());
        prop_assert_eq!(SearchWords::in_text(&key), SearchWords::in_text(&name));
    }

    #[test]
    fn a_run_is_found_by_any_part(text in "[北京大学が重ー한국สิค้]{1,80}", from in 0usize..80, length in 1usize..60) {
        let folded = fold(&text);
        let runs = parts(&folded);
        let Some(Part::Run(run)) = runs.first() else { return Ok(()) };
        let part: String = run.iter().skip(from % run.len()).take(length).copied().collect();
        prop_assert!(finds(&text, &part), "{}", part);
    }

    #[test]
    fn an_address_with_one_spelling_has_the_words_of_all_spellings(address in "[A-Za-z.'`-]{1,8}(@[A-Za-z0-9.-]{0,12}){0,2}|[a-z]{1,4}@(xn--)?[a-z0-9-]{1,9}\\.example\\.?") {
        let all = [address.clone(), EmailKey::of(&address).into(), in_own_script(&address)];
        let folded: std::collections::BTreeSet<_> = all.iter().map(|spelling| fold(spelling)).collect();
        prop_assert!(!has_one_spelling(&address) || folded.len() == 1, "{:?}", folded);
    }

    #[test]
    fn a_word_of_a_text_is_found_by_every_prefix(word in "[a-zé]{1,20}", rest in "[a-z ]{0,20}", cut in 1usize..20) {
        let mut words = SearchWords::default();
        words.text(Some(&format!("{rest} {word}")));
        let prefix: String = word.chars().take(cut).collect();
        prop_assert!(words.matches(&SearchQuery::parse(&prefix).unwrap().unwrap()));
    }
}
