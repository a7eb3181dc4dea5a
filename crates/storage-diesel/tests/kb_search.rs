//! The search of the knowledge base, as far as it is Postgres' own: stems, stop words, rank, bounds.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::sync::LazyLock;
use std::time::Instant;

use common::{Database, block_on};
use diesel::connection::SimpleConnection;
use domain::WorkspaceId;
use domain::access::{Permit, ReadArticles, SearchKb};
use domain::input::Problems;
use domain::kb::{self, KbHit, KbQuery};
use domain::ports::{Operator, Ports};
use domain::workspaces::Workspace;

const WORKSPACE: &str = "00000000-0000-7000-8000-0000000000ab";

/// A workspace in a database of its own.
struct Desk {
    database: Database,
    ports: Ports,
}

impl Desk {
    fn new(language: &str) -> Self {
        let database = Database::migrated();
        let sql = format!(
            "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at, kb_language)
                VALUES ('{WORKSPACE}', 'a', 'A', 'starter', 'active', 'USD', now(), now(), '{language}')"
        );
        database.connection().batch_execute(&sql).unwrap();
        let ports = block_on(async { database.ports().0 });
        Self { database, ports }
    }

    /// Published articles that a query makes of `number`: title, tags and body.
    fn publish(&self, numbers: u32, title: &str, tags: &str, body: &str) {
        let sql = format!(
            "INSERT INTO kb_articles (workspace_id, id, title, slug, body, status, tags, version, created_at, updated_at,
                    created_by_type, words)
                SELECT '{WORKSPACE}', made.id, title, made.id, body, 'published', tags, 1, at, at, 'system',
                    kb_words(kb_language, title, tags, body)
                FROM (SELECT gen_random_uuid() AS id, {title} AS title, {tags}::text[] AS tags, {body} AS body,
                    timestamptz '2025-01-01' + number * interval '1 minute' AS at
                    FROM generate_series(1, {numbers}) AS number) AS made, workspaces"
        );
        self.database.connection().batch_execute(&sql).unwrap();
    }

    fn one(&self, title: &str, body: &str) {
        self.publish(1, &format!("$t${title}$t$"), "'{}'", &format!("$t${body}$t$"));
    }

    fn permit(&self) -> Permit<SearchKb> {
        let find = domain::workspaces::find(&self.ports, &OPERATOR, WORKSPACE);
        let workspace: Workspace = block_on(find).unwrap();
        assert_eq!(workspace.id, WorkspaceId(WORKSPACE.parse().unwrap()));
        OPERATOR.permit(workspace)
    }

    fn found(&self, text: &str, limit: u32) -> Vec<KbHit> {
        let query = KbQuery::parse("q", Some(text), &mut Problems::default()).unwrap();
        block_on(kb::search(&self.ports, &self.permit(), query, limit)).unwrap()
    }

    fn titles(&self, text: &str) -> Vec<String> {
        let mut titles: Vec<_> = self.found(text, 50).into_iter().map(|hit| hit.title).collect();
        titles.sort();
        titles
    }
}

static OPERATOR: LazyLock<Operator> = LazyLock::new(Operator::of_this_process);

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
