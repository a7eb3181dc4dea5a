//! Background reindexing of articles.

use crate::common::jobs::{count, lines};
use crate::common::kb_fixture::{KbFixture, OPERATOR};
use crate::common::{Database, block_on};
use diesel::connection::SimpleConnection;
use domain::KbArticleId;
use domain::identity::access::{Permit, UpdateArticles};
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records;
use domain::support::kb::{Article, ArticleFields};
use serde_json::json;

/// How many live articles are indexed in another language than their workspace's, or with another index version.
fn stale(database: &Database) -> i64 {
    let articles = "kb_articles JOIN workspaces ON workspaces.id = workspace_id
        WHERE deleted_at IS NULL AND words_by <> '4:' || kb_language";
    count(database, articles)
}

fn speak(database: &Database, language: &str) {
    database.execute(&format!("UPDATE workspaces SET kb_language = '{language}'"));
}

/// Reindexes like a worker, until nothing is left. Returns the number of articles and of steps.
async fn work(ports: &Ports, at_once: u32) -> (u64, u32) {
    let (mut all, mut steps) = (0, 0);
    loop {
        let count = ports.directory.reindex_articles(at_once).await.unwrap();
        assert!(count <= u64::from(at_once));
        if count == 0 {
            return (all, steps);
        }
        (all, steps) = (all + count, steps + 1);
    }
}

#[test]
fn another_language_reaches_all_articles_step_by_step() {
    let base = KbFixture::new("english");
    base.publish(350, "'Nummer ' || number", "'{}'", "'Die Rechnungen der Häuser'");
    assert_eq!(block_on(work(&base.ports, 100)), (350, 4));
    assert!(base.titles("haus rechnung").is_empty());
    speak(&base.database, "german");
    // Whole words are found before, during and after.
    assert_eq!(base.search("Häuser", 50).len(), 50);
    assert_eq!(block_on(base.ports.directory.reindex_articles(100)).unwrap(), 100);
    assert_eq!((stale(&base.database), base.search("Häuser", 50).len()), (250, 50));
    assert_eq!(block_on(work(&base.ports, 100)), (250, 3));
    assert_eq!((stale(&base.database), base.search("haus rechnung", 50).len()), (0, 50));
    assert_eq!(base.titles("haus 123"), ["Nummer 123"]);
}

#[test]
fn two_workers_and_a_writer_do_not_block_each_other() {
    const WRITTEN: u32 = 20;
    let base = KbFixture::new("english");
    base.publish(400, "'Article ' || number", "'{}'", "'Running shoes'");
    let sql = format!("SELECT id::text FROM kb_articles ORDER BY created_at LIMIT {WRITTEN}");
    let ids = lines(&base.database, &sql);
    let permit: Permit<UpdateArticles> = OPERATOR.permit(base.permit().workspace().clone());
    let (first, second) = block_on(async {
        let (other, _) = base.database.ports();
        let write = async {
            for id in &ids {
                let id = KbArticleId(id.parse().unwrap());
                let body = json!({ "body": "Changed meanwhile" });
                let fields = ArticleFields::from_object(body.as_object().unwrap().clone(), InputMode::Patch).unwrap();
                let write = records::update::<Article>(&base.ports, &permit, id, ExpectedVersion::Any, fields);
                assert_eq!(write.await.unwrap().version, 2);
            }
        };
        let (first, second, ()) = tokio::join!(work(&base.ports, 7), work(&other, 7), write);
        (first.0, second.0)
    });
    assert!((400 - u64::from(WRITTEN)..=400).contains(&(first + second)), "{first} {second}");
    assert_eq!(stale(&base.database), 0);
    assert_eq!(base.search("changed", 50).len(), WRITTEN as usize);
    assert_eq!(base.titles("shoe 400"), ["Article 400"]);
}

#[test]
fn claims_of_a_killed_worker_are_taken_over() {
    let base = KbFixture::new("english");
    base.publish(120, "'Article ' || number", "'{}'", "'config.yaml'");
    let mut killed = base.database.connection();
    killed.batch_execute("BEGIN; SELECT FROM kb_articles ORDER BY created_at LIMIT 50 FOR NO KEY UPDATE").unwrap();
    // Others do not wait for it.
    assert_eq!(block_on(work(&base.ports, 100)).0, 70);
    assert_eq!(stale(&base.database), 50);
    killed.batch_execute("ROLLBACK").unwrap();
    assert_eq!(block_on(work(&base.ports, 100)), (50, 1));
    assert_eq!(stale(&base.database), 0);
}

#[test]
fn large_bodies_are_reindexed_a_few_at_a_time() {
    let base = KbFixture::new("english");
    base.publish(8, "'Article ' || number", "'{}'", "repeat('lorem ' || number || ' ', 9000)");
    base.publish(8, "'Small ' || number", "'{}'", "NULL");
    let (all, steps) = block_on(work(&base.ports, 100));
    assert!(all == 16 && (2..=4).contains(&steps), "{all} in {steps}");
    assert_eq!(base.search("lorem 8", 50).len(), 1);
}
