//! The parts of the knowledge-base search that depend on Postgres: stems, stop words, rank, bounds.

use crate::common::Database;
use crate::common::jobs::lines;
use crate::common::kb_fixture::KbFixture;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text};
use domain::support::kb::{form, searchable};

#[test]
fn words_are_found_in_other_forms_and_shown_verbatim() {
    let base = KbFixture::new("english");
    base.add("Invoices", "She studies the running costs, and how they ran up.");
    base.add("Runner", "A study.");
    for (text, titles) in [
        ("invoice", &["Invoices"][..]),
        ("studying", &["Invoices", "Runner"]),
        ("runs study", &["Invoices"]),
        ("runni", &["Invoices"]),
        ("run", &["Invoices", "Runner"]),
        ("the invoices of the", &["Invoices"]),
        ("how to invoice", &["Invoices"]),
        ("invoicing th", &["Invoices"]),
        ("inv the study", &[]),
    ] {
        assert_eq!(base.titles(text), titles, "{text}");
    }
    let hit = base.search("running study", 1).remove(0);
    assert_eq!(hit.excerpt, "She <mark>studies</mark> the <mark>running</mark> costs, and how they ran up.");
    assert_eq!(base.titles("the"), ["Invoices"]);
}

#[test]
fn each_language_has_its_own_forms() {
    let (german, simple) = (KbFixture::new("german"), KbFixture::new("simple"));
    for base in [&german, &simple] {
        base.add("Häuser", "Die Rechnungen der Häuser und eine Straße.");
    }
    for (text, in_german, in_simple) in [
        ("Haus rechnung", true, false),
        ("rechnung", true, true),
        ("Rechnung häuser", true, false),
        ("hauser", true, true),
        ("strasse", true, true),
        ("die", true, true),
        ("das", false, false),
    ] {
        assert_eq!(!german.titles(text).is_empty(), in_german, "{text}");
        assert_eq!(!simple.titles(text).is_empty(), in_simple, "{text}");
    }
    let marked = "Die <mark>Rechnungen</mark> der <mark>Häuser</mark> und eine Straße.";
    assert_eq!(german.search("Rechnung haus", 1)[0].excerpt, marked);
}

#[test]
fn a_title_is_found_however_many_newer_articles_have_the_word() {
    let base = KbFixture::new("english");
    base.add("Reset a password", "Old.");
    base.publish(3_000, "'Note ' || number", "'{}'", "'A password in passing, ' || number || ' of them.'");
    for limit in [1, 10, 50] {
        let hits = base.search("password", limit);
        assert_eq!((hits.len(), hits[0].title.as_str()), (limit as usize, "Reset a password"));
    }
    // Articles after the head are found by the index.
    assert_eq!(base.titles("passing 1234"), ["Note 1234"]);
    assert_eq!(base.search("passing 1", 50).len(), 50);
    assert_eq!(base.search("7 passing password", 50)[0].title, "Note 7");
    // Longer prefixes next to other words are looked up if no such word exists.
    assert_eq!(base.search("passing 123", 50).len(), 1);
    assert_eq!(base.search("note pass", 50).len(), 50);
}

#[test]
fn common_words_return_the_newest_articles() {
    let base = KbFixture::new("english");
    let body = "CASE WHEN number % 10 = 0 THEN 'a mark here' ELSE 'none' END";
    base.publish(1_000, "'Note ' || number", "'{}'", body);
    let titles = |limit: u32| base.search("mark", limit).into_iter().map(|hit| hit.title).collect::<Vec<_>>();
    let newest = |count| (0..count).map(|index| format!("Note {}", 1_000 - 10 * index)).collect::<Vec<_>>();
    assert_eq!(titles(5), newest(5));
    assert_eq!(titles(20), newest(20));
    assert_eq!(titles(50).len(), 50);
}

#[test]
fn bodies_with_any_words_are_stored() {
    let base = KbFixture::new("english");
    let words = (0..14_000).map(|number| format!("{number:x}öä-")).collect::<Vec<_>>().concat();
    for body in [words.clone(), words.replace('-', " "), "ж".repeat(100_000), "<a href='x'>".repeat(8_000)] {
        base.add("Large", &body);
    }
    assert_eq!(base.titles("large").len(), 4);
    assert_eq!(base.titles("1aöä").len(), 2);
}

#[test]
fn copied_text_is_found_with_any_punctuation() {
    for language in ["english", "german", "simple"] {
        let base = KbFixture::new(language);
        for text in [
            "https://docs.example.com/setup/printers?page=2#top",
            "/etc/app.conf",
            "~/.config/app.d/10-main.conf",
            r"C:\Temp\file.txt",
            "config.yaml",
            "node.js",
            "ann.lee+list@example.org",
            "<timeout>",
            "Vec<String>",
            "&nbsp;widget",
            "foo&bar",
            "C++",
            "C#",
            "v1.2.3",
            "v1.2-beta",
            "python3.11",
            "Ubuntu22.04lts",
            "192.168.0.1:8080",
            "10.0.0.0/24",
            "3.5",
            "-3.5mm",
            "6.02e23",
            "1.5e-3",
            "2024-01-02",
            "550e8400-e29b-41d4-a716-446655440000",
            "TKT-7Q2M0XKD4V",
            "utf-8",
            "wi-fi",
            "--dry-run=client",
            "SERVICE_LOG",
            "O'Brien",
            "100%",
            "§5.2.",
        ] {
            base.add(text, "");
            assert!(base.titles(text).contains(&text.to_owned()), "{language}: {text}");
            // Not as a prefix.
            assert!(base.titles(&format!("{text} {text}")).contains(&text.to_owned()), "{language}: {text} twice");
        }
        for (part, whole) in [
            ("setup", "https://docs.example.com/setup/printers?page=2#top"),
            ("docs.example.com", "https://docs.example.com/setup/printers?page=2#top"),
            ("conf", "/etc/app.conf"),
            ("yaml", "config.yaml"),
            ("example.org", "ann.lee+list@example.org"),
            ("1.2.3", "v1.2.3"),
            ("v1.2", "v1.2.3"),
            ("python 3.11", "python3.11"),
            ("python3", "python3.11"),
            ("22.04", "Ubuntu22.04lts"),
            ("192.168", "192.168.0.1:8080"),
            ("7q2m", "TKT-7Q2M0XKD4V"),
            ("dry-run", "--dry-run=client"),
            ("8", "utf-8"),
        ] {
            assert!(base.titles(part).contains(&whole.to_owned()), "{language}: {part}");
        }
        assert!(base.titles("3.4").is_empty() && base.titles("node.py").is_empty());
    }
}

#[test]
fn matches_with_punctuation_are_marked() {
    let base = KbFixture::new("english");
    let body = "Very common: set <timeout> in config.yaml of v1.2.3, see https://docs.example.com/setup.";
    base.add("Setting", body);
    for (text, marked) in [
        ("<timeout>", "&lt;<mark>timeout</mark>&gt; in"),
        ("config.yaml", "<mark>config</mark>.<mark>yaml</mark> of"),
        ("v1.2.3", "of <mark>v1.2.3</mark>, see"),
        ("1.2.3", "of v<mark>1.2.3</mark>, see"),
        ("example.com/set", "<mark>example</mark>.<mark>com</mark>/<mark>setup</mark>."),
    ] {
        let shown = base.search(text, 1).remove(0).excerpt;
        assert!(shown.contains(marked) && shown.starts_with("Very common"), "{text}: {shown}");
    }
}

#[test]
fn stop_words_alone_are_looked_up_as_they_are() {
    let base = KbFixture::new("english");
    base.add("Glossary", "The IT department explains how to call AT&T, and who The Who are. To be or not to be.");
    base.add("Other", "Nothing of all that.");
    for text in ["IT", "AT&T", "how to", "the who", "to be or not to be", "who", "who the", "the"] {
        assert_eq!(base.titles(text), ["Glossary"], "{text}");
    }
    assert_eq!(base.titles("how to nothing"), ["Other"], "they are ignored next to other words");
    assert!(base.titles("between us").is_empty());
    let hit = base.search("AT&T", 1).remove(0);
    assert!(hit.excerpt.contains("<mark>AT</mark>&amp;<mark>T</mark>"), "{}", hit.excerpt);
    let vain = "SELECT string_agg(term, '|') FROM kb_vain_searches";
    assert_eq!(lines(&base.database, vain), ["between us"], "searches with results are not counted");
    for (language, body, found) in [
        ("german", "Über uns: die Leute, die das machen.", &["über uns", "die", "Über", "das"][..]),
        ("french", "À propos de nous, le site.", &["le", "de nous", "à"]),
    ] {
        let base = KbFixture::new(language);
        base.add("Page", body);
        for text in found {
            assert_eq!(base.titles(text), ["Page"], "{language}: {text}");
        }
    }
}

#[derive(QueryableByName)]
struct Value {
    #[diesel(sql_type = Text)]
    text: String,
}

#[test]
fn scripts_without_spaces_are_found_by_any_part() {
    for language in ["english", "simple"] {
        let base = KbFixture::new(language);
        base.add("如何重置密码", "点击设置，然后选择重置密码。上海的用户也可以打电话。");
        base.add("東京タワー", "ﾀﾜｰの営業時間と料金。WiFiのパスワード。");
        base.add("ราคาสินค้า", "วิธีเปลี่ยนรหัสผ่าน");
        base.add("대한민국정부", "비밀번호재설정");
        for (text, title) in [
            ("密码", "如何重置密码"),
            ("重置", "如何重置密码"),
            ("设置", "如何重置密码"),
            ("上海", "如何重置密码"),
            ("海", "如何重置密码"),
            ("码", "如何重置密码"),
            ("码 设", "如何重置密码"),
            ("如何重置密码", "如何重置密码"),
            ("重置 上海", "如何重置密码"),
            ("タワー", "東京タワー"),
            ("wifi", "東京タワー"),
            ("パスワード", "東京タワー"),
            ("東京wifi", "東京タワー"),
            ("สินค้า", "ราคาสินค้า"),
            ("รหัส", "ราคาสินค้า"),
            ("민국", "대한민국정부"),
            ("재설정", "대한민국정부"),
        ] {
            assert_eq!(base.titles(text), [title], "{language}: {text}");
        }
        for text in ["大阪", "置重", "码重", "ター", "バスワード", "정대", "สคา"] {
            assert!(base.titles(text).is_empty(), "{language}: {text}");
        }
        let hit = base.search("重置密码", 1).remove(0);
        assert_eq!(hit.excerpt, "点击设置，然后选择<mark>重置密码</mark>。上海的用户也可以打电话。");
        assert!(base.search("タワー", 1)[0].excerpt.starts_with("<mark>ﾀﾜｰ</mark>の"));
    }
}

#[test]
fn spellings_that_look_alike_find_each_other() {
    let base = KbFixture::new("english");
    for (title, spellings) in [
        (
            "Hyphen",
            &["co-operative", "co\u{2011}operative", "co‐operative", "co–operative", "co−operative", "co operative"][..],
        ),
        ("Apostrophe", &["qur'an", "qur’an", "qurʼan", "qur‘an", "qurʾan", "qur´an", "qur`an"]),
        (
            "Invisible",
            &["softhyphen", "soft\u{ad}hyphen", "soft\u{200b}hyphen", "soft\u{2060}hyphen", "soft\u{200d}hyphen"],
        ),
        ("Arabic", &["محمد", "محمـــد", "مُحَمَّد"]),
        ("Hebrew", &["שלום", "שָׁלוֹם"]),
        ("Ukrainian", &["п'ять", "п’ять", "пʼять"]),
        ("Width", &["ガス", "ｶﾞｽ", "カ\u{3099}ス"]),
    ] {
        for (number, spelling) in spellings.iter().enumerate() {
            base.add(&format!("{title} {number}"), &format!("It is {spelling} here."));
        }
        let all: Vec<_> = (0..spellings.len()).map(|number| format!("{title} {number}")).collect();
        for spelling in spellings {
            assert_eq!(base.titles(spelling), all, "{spelling}");
            assert_eq!(base.titles(&format!("{spelling} here")), all, "{spelling}, not as a prefix");
        }
    }
    for other in ["カス", "wifi"] {
        assert!(base.titles(other).is_empty(), "{other}");
    }
}

#[test]
fn the_database_folds_words_as_the_domain_does() {
    let database = Database::migrated();
    // Letters from newer Unicode versions are left out, because this Postgres may not know them.
    let known = (0xa0..=0xa7bf_u32).chain(0xa800..=0xffff).chain(0x0001_d400..=0x0001_d7ff);
    let characters = known.filter_map(char::from_u32);
    let words: Vec<String> =
        characters.map(|character| searchable(&format!("a{character}b"))).filter(|word| !word.contains(' ')).collect();
    let sql = "SELECT kb_fold(word) AS text FROM unnest($1) WITH ORDINALITY AS given (word, place) ORDER BY place";
    let query = diesel::sql_query(sql).bind::<Array<Text>, _>(&words);
    let folded: Vec<Value> = query.load(&mut database.connection()).unwrap();
    // A database without a locale keeps capital letters that appear only after decomposition.
    let differ =
        |(word, folded): &(&String, &Value)| folded.text != form(word) && !folded.text.contains(char::is_uppercase);
    let differing: Vec<_> =
        words.iter().zip(&folded).filter(differ).map(|(word, folded)| (word, &folded.text)).collect();
    assert!(differing.is_empty(), "{differing:?}");
}
