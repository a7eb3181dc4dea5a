//! The search of the knowledge base, as far as it is Postgres' own: stems, stop words, rank, bounds.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use common::kb_fixture::KbFixture;

#[test]
fn words_are_found_in_other_forms_and_shown_as_they_stand() {
    let desk = KbFixture::new("english");
    desk.one("Invoices", "She studies the running costs, and how they ran up.");
    desk.one("Runner", "A study.");
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
        assert_eq!(desk.titles(text), titles, "{text}");
    }
    let hit = desk.found("running study", 1).remove(0);
    assert_eq!(hit.excerpt, "She <mark>studies</mark> the <mark>running</mark> costs, and how they ran up.");
    assert!(desk.titles("the").is_empty());
}

#[test]
fn each_language_has_its_own_forms() {
    let (german, simple) = (KbFixture::new("german"), KbFixture::new("simple"));
    for desk in [&german, &simple] {
        desk.one("Häuser", "Die Rechnungen der Häuser und eine Straße.");
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
    let desk = KbFixture::new("english");
    desk.one("Reset a password", "Old.");
    desk.publish(3_000, "'Note ' || number", "'{}'", "'A password in passing, ' || number || ' of them.'");
    for limit in [1, 10, 50] {
        let hits = desk.found("password", limit);
        assert_eq!((hits.len(), hits[0].title.as_str()), (limit as usize, "Reset a password"));
    }
    // What stands behind the head is found by the index.
    assert_eq!(desk.titles("passing 1234"), ["Note 1234"]);
    assert_eq!(desk.found("passing 1", 50).len(), 50);
    assert_eq!(desk.found("7 passing password", 50)[0].title, "Note 7");
    // Longer beginnings beside other words are asked for where there is no such word.
    assert_eq!(desk.found("passing 123", 50).len(), 1);
    assert_eq!(desk.found("note pass", 50).len(), 50);
}

#[test]
fn of_what_is_common_the_newest_are_enough() {
    let desk = KbFixture::new("english");
    let body = "CASE WHEN number % 10 = 0 THEN 'a mark here' ELSE 'none' END";
    desk.publish(1_000, "'Note ' || number", "'{}'", body);
    let titles = |limit: u32| desk.found("mark", limit).into_iter().map(|hit| hit.title).collect::<Vec<_>>();
    let newest = |count| (0..count).map(|place| format!("Note {}", 1_000 - 10 * place)).collect::<Vec<_>>();
    assert_eq!(titles(5), newest(5));
    assert_eq!(titles(20), newest(20));
    assert_eq!(titles(50).len(), 50);
}

#[test]
fn bodies_of_any_words_are_kept() {
    let desk = KbFixture::new("english");
    let words = (0..14_000).map(|number| format!("{number:x}öä-")).collect::<Vec<_>>().concat();
    for body in [words.clone(), words.replace('-', " "), "ж".repeat(100_000), "<a href='x'>".repeat(8_000)] {
        desk.one("Large", &body);
    }
    assert_eq!(desk.titles("large").len(), 4);
    assert_eq!(desk.titles("1aöä").len(), 2);
}

#[test]
fn what_a_reader_copies_is_found_whatever_signs_it_has() {
    for language in ["english", "german", "simple"] {
        let desk = KbFixture::new(language);
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
            desk.one(text, "");
            assert!(desk.titles(text).contains(&text.to_owned()), "{language}: {text}");
            // Not as the beginning of a word.
            assert!(desk.titles(&format!("{text} {text}")).contains(&text.to_owned()), "{language}: {text} twice");
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
            assert!(desk.titles(part).contains(&whole.to_owned()), "{language}: {part}");
        }
        assert!(desk.titles("3.4").is_empty() && desk.titles("node.py").is_empty());
    }
}

#[test]
fn what_is_found_by_signs_is_marked() {
    let desk = KbFixture::new("english");
    let body = "Very common: set <timeout> in config.yaml of v1.2.3, see https://docs.example.com/setup.";
    desk.one("Setting", body);
    for (text, marked) in [
        ("<timeout>", "&lt;<mark>timeout</mark>&gt; in"),
        ("config.yaml", "<mark>config</mark>.<mark>yaml</mark> of"),
        ("v1.2.3", "of <mark>v1.2.3</mark>, see"),
        ("1.2.3", "of v<mark>1.2.3</mark>, see"),
        ("example.com/set", "<mark>example</mark>.<mark>com</mark>/<mark>setup</mark>."),
    ] {
        let shown = desk.found(text, 1).remove(0).excerpt;
        assert!(shown.contains(marked) && shown.starts_with("Very common"), "{text}: {shown}");
    }
}
