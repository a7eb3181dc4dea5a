//! The search of the knowledge base, as far as it is Postgres' own: stems, stop words, rank, bounds.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::time::Instant;

use common::block_on;
use common::desk::{Desk, OPERATOR};
use diesel::connection::SimpleConnection;
use domain::access::{Permit, ReadArticles, SearchKb};
use domain::input::Problems;
use domain::kb::{self, KbQuery};

#[test]
fn words_are_found_in_other_forms_and_shown_as_they_stand() {
    let desk = Desk::new("english");
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
    let (german, simple) = (Desk::new("german"), Desk::new("simple"));
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
    let desk = Desk::new("english");
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
}

/// Run alone, in release: `cargo test --release -p storage-diesel --test kb_search -- --ignored --nocapture`. It makes
/// 100,000 articles of 150 to 400 words, as unevenly used as words are, which takes minutes, and tells how long searches
/// take beside the reading of one record by its id, both by the use cases.
#[test]
#[ignore = "a measurement, which takes minutes"]
fn how_long_searches_take() {
    let desk = Desk::new("english");
    // The word of rank r comes up about once in r: exp(u * ln n) of an even u.
    let words = |count: &str| {
        format!(
            "(SELECT string_agg(CASE WHEN random() < 0.35 THEN 'the' ELSE translate((7919 * floor(exp(random() * ln(40000)))
                ::bigint)::text, '0123456789', 'abdegiklmo') || 's' END, ' ') FROM generate_series(1, {count}) WHERE number > 0)"
        )
    };
    let tags = "ARRAY['tag' || number % 100]";
    desk.database.connection().batch_execute("DROP INDEX kb_articles_search").unwrap();
    desk.publish(100_000, &words("6"), tags, &words("150 + (250 * random())::int"));
    // As the migration has it: an index over what is there is made sooner than it grows.
    let migration = include_str!("../migrations/2026-11-21-080000_knowledge_base/up.sql");
    let index = migration.split_inclusive(';').find(|sql| sql.contains("INDEX kb_articles_search")).unwrap();
    desk.database.connection().batch_execute(index).unwrap();
    desk.database.connection().batch_execute("VACUUM ANALYZE kb_articles").unwrap();
    let word = |rank: u32| {
        let letters = |digit: char| char::from(b"abdegiklmo"[digit.to_digit(10).unwrap() as usize]);
        (7_919 * rank).to_string().chars().map(letters).chain("s".chars()).collect::<String>()
    };
    let (first, tenth, rare) = (word(1), word(10), word(30_000));
    let start = |text: &str, length: usize| text[..length].to_owned();
    let two = [first.clone(), tenth.clone()].join(" ");
    let uneven = [first.clone(), rare.clone()].join(" ");
    let one = [word(300), word(900)].join(" ");
    let id = desk.found(&rare, 1)[0].id;
    let reader = OPERATOR.permit(desk.permit().workspace().clone());
    block_on(async {
        let (ports, _) = desk.database.ports();
        let single = timed(async || drop(kb::read(&ports, &reader, id).await.unwrap())).await;
        println!("read by id: {single}");
        let permit = desk_permit(&reader);
        for (name, text) in [
            ("most common", first.clone()),
            ("10th", tenth),
            ("100th", word(100)),
            ("1,000th", word(1_000)),
            ("30,000th", rare.clone()),
            ("two common", two),
            ("common and rare", uneven),
            ("two middling", one),
            ("one letter", start(&first, 1)),
            ("rare and one letter", format!("{rare} k")),
            ("three letters", start(&word(100), 3)),
        ] {
            for limit in [10, 50] {
                let search = async || {
                    let query = KbQuery::parse("q", Some(&text), &mut Problems::default()).unwrap();
                    drop(kb::search(&ports, &permit, query, limit).await.unwrap());
                };
                println!("{name} ({limit}): {}", timed(search).await);
            }
        }
    });
}

fn desk_permit(reader: &Permit<ReadArticles>) -> Permit<SearchKb> {
    OPERATOR.permit(reader.workspace().clone())
}

/// The median and the 99th percentile of many runs.
async fn timed(run: impl AsyncFn()) -> String {
    let mut times = Vec::new();
    for _ in 0..600 {
        let start = Instant::now();
        run().await;
        times.push(start.elapsed());
    }
    let mut times = times.split_off(100);
    times.sort_unstable();
    format!("p50 {:?}, p99 {:?}", times[times.len() / 2], times[times.len() * 99 / 100])
}

#[test]
fn bodies_of_any_words_are_kept() {
    let desk = Desk::new("english");
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
        let desk = Desk::new(language);
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
    let desk = Desk::new("english");
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
