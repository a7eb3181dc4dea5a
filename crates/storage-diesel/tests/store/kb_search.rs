//! The parts of the knowledge-base search that depend on Postgres: stems, stop words, rank, bounds.

use crate::common::kb_fixture::KbFixture;

#[test]
fn words_are_found_in_other_forms_and_shown_verbatim() {
    let base = KbFixture::new("english");
    base.one("Invoices", "She studies the running costs, and how they ran up.");
    base.one("Runner", "A study.");
    for (text, titles) in [
        ("invoice", &["Invoices"][..]),
        ("studying", &["Invoices", "Runner"]),
        ("runs study", &["Invoices"]),
        ("runni", &["Invoices"]),
        ("run", &["Invoices", "Runner"]),
        ("the invoices of the", &["Invoices"]),
        ("how to invoice", &["Invoices"]),
        ("invoicing th", &[]),
        ("inv the study", &[]),
    ] {
        assert_eq!(base.titles(text), titles, "{text}");
    }
    let hit = base.found("running study", 1).remove(0);
    assert_eq!(hit.excerpt, "She <mark>studies</mark> the <mark>running</mark> costs, and how they ran up.");
    assert!(base.titles("the").is_empty());
}

#[test]
fn each_language_has_its_own_forms() {
    let (german, simple) = (KbFixture::new("german"), KbFixture::new("simple"));
    for base in [&german, &simple] {
        base.one("Häuser", "Die Rechnungen der Häuser und eine Straße.");
    }
    for (text, in_german, in_simple) in [
        ("Haus rechnung", true, false),
        ("rechnung", true, true),
        ("Rechnung häuser", true, false),
        ("hauser", true, true),
        ("strasse", true, true),
        ("die", false, true),
    ] {
        assert_eq!(!german.titles(text).is_empty(), in_german, "{text}");
        assert_eq!(!simple.titles(text).is_empty(), in_simple, "{text}");
    }
    let marked = "Die <mark>Rechnungen</mark> der <mark>Häuser</mark> und eine Straße.";
    assert_eq!(german.found("Rechnung haus", 1)[0].excerpt, marked);
}

#[test]
fn a_title_is_found_however_many_newer_articles_have_the_word() {
    let base = KbFixture::new("english");
    base.one("Reset a password", "Old.");
    base.publish(3_000, "'Note ' || number", "'{}'", "'A password in passing, ' || number || ' of them.'");
    for limit in [1, 10, 50] {
        let hits = base.found("password", limit);
        assert_eq!((hits.len(), hits[0].title.as_str()), (limit as usize, "Reset a password"));
    }
    // Articles after the head are found by the index.
    assert_eq!(base.titles("passing 1234"), ["Note 1234"]);
    assert_eq!(base.found("passing 1", 50).len(), 50);
    assert_eq!(base.found("7 passing password", 50)[0].title, "Note 7");
    // Longer prefixes next to other words are looked up if no such word exists.
    assert_eq!(base.found("passing 123", 50).len(), 1);
    assert_eq!(base.found("note pass", 50).len(), 50);
}

#[test]
fn common_words_return_the_newest_articles() {
    let base = KbFixture::new("english");
    let body = "CASE WHEN number % 10 = 0 THEN 'a mark here' ELSE 'none' END";
    base.publish(1_000, "'Note ' || number", "'{}'", body);
    let titles = |limit: u32| base.found("mark", limit).into_iter().map(|hit| hit.title).collect::<Vec<_>>();
    let newest = |count| (0..count).map(|place| format!("Note {}", 1_000 - 10 * place)).collect::<Vec<_>>();
    assert_eq!(titles(5), newest(5));
    assert_eq!(titles(20), newest(20));
    assert_eq!(titles(50).len(), 50);
}

#[test]
fn bodies_with_any_words_are_stored() {
    let base = KbFixture::new("english");
    let words = (0..14_000).map(|number| format!("{number:x}öä-")).collect::<Vec<_>>().concat();
    for body in [words.clone(), words.replace('-', " "), "ж".repeat(100_000), "<a href='x'>".repeat(8_000)] {
        base.one("Large", &body);
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
            base.one(text, "");
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
    base.one("Setting", body);
    for (text, marked) in [
        ("<timeout>", "&lt;<mark>timeout</mark>&gt; in"),
        ("config.yaml", "<mark>config</mark>.<mark>yaml</mark> of"),
        ("v1.2.3", "of <mark>v1.2.3</mark>, see"),
        ("1.2.3", "of v<mark>1.2.3</mark>, see"),
        ("example.com/set", "<mark>example</mark>.<mark>com</mark>/<mark>setup</mark>."),
    ] {
        let shown = base.found(text, 1).remove(0).excerpt;
        assert!(shown.contains(marked) && shown.starts_with("Very common"), "{text}: {shown}");
    }
}
