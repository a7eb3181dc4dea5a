//! Query plans of the knowledge base.

use std::sync::LazyLock;

use diesel::sql_types::{Json, Uuid as SqlUuid};
use uuid::Uuid;

use super::{
    BIG, LIMIT, PAGE, SMALL, check, check_both, check_both_in, check_generic, check_in, common, filled, orders, pages,
    seed_workspaces,
};
use crate::engine::statement::Statement;
use crate::records::ListedTable;
use crate::support::kb::{by_slug_query, published_query};
use crate::support::kb_reindex::{StaleArticle, Texts, stale_query, words_query};
use crate::support::kb_search::{SearchTerms, search_query};
use domain::support::kb::{Article, ArticleFilter, ArticleOrder, ArticleStatus};

/// Maximum number of rows that a search may read: the head, the next newest articles, and those ranked by title and by all words,
/// each for whole words and for prefixes.
const LOOKED_AT: u32 = 700;

#[test]
fn lists_read_the_page() {
    for page in pages() {
        for workspace in [BIG, SMALL] {
            check_both(Article::list_query(workspace, &ArticleFilter::default(), &page), "kb_articles_newest", PAGE);
        }
        for (status, index) in
            [(ArticleStatus::Draft, "kb_articles_by_status"), (ArticleStatus::Published, "kb_articles_published")]
        {
            let filter = ArticleFilter { status: Some(status), ..ArticleFilter::default() };
            check(Article::list_query(BIG, &filter, &page), index, PAGE);
            check_generic(&Article::list_query(BIG, &filter, &page), "kb_articles_by_status");
        }
    }
    let oldest = ArticleFilter { order: Some(ArticleOrder::Oldest), ..ArticleFilter::default() };
    for page in orders::pages(oldest.sorted_by()) {
        for workspace in [BIG, SMALL] {
            check_both(Article::list_query(workspace, &oldest, &page), "kb_articles_newest", PAGE);
        }
    }
}

#[test]
fn the_help_centre_reads_the_newest_and_one_by_its_slug() {
    for workspace in [BIG, SMALL] {
        check_both(published_query(workspace, 500), "kb_articles_published", 500);
        check_both(by_slug_query(workspace, "article-7"), "kb_articles_slug_key", 1);
    }
}

#[test]
fn a_search_ranks_a_bounded_number_and_uses_the_index_for_rare_words() {
    for words in [&["rare12345"][..], &["nothing"], &["word777"], &["common", "word777"], &["word777", "c"]] {
        let terms = SearchTerms::for_plan(BIG, words).unwrap();
        for limit in [1, LIMIT] {
            check(search_query(BIG, &terms, limit), "kb_articles_search", LOOKED_AT);
        }
    }
    // Matches of a word in every article are not collected from the index.
    for words in [&["common"][..], &["c"], &["common", "article"]] {
        let terms = SearchTerms::for_plan(BIG, words).unwrap();
        check(search_query(BIG, &terms, LIMIT), "kb_articles_published", LOOKED_AT);
    }
    check_generic(
        &search_query(BIG, &SearchTerms::for_plan(BIG, &["rare12345"]).unwrap(), LIMIT),
        "kb_articles_search",
    );
}

#[test]
fn the_slug_of_a_title_is_looked_up() {
    use diesel::prelude::*;
    let mut connection = super::DATABASE.connection();
    let sql = "EXPLAIN (FORMAT JSON) SELECT slug FROM kb_articles WHERE workspace_id = \
        '00000000-0000-7000-8000-000000000001' AND deleted_at IS NULL AND slug = ANY ('{article-1,article-2}') \
        AND id <> '00000000-0000-7000-8000-000000000001'";
    let plan: serde_json::Value = Statement::<Json>::once(sql).get_result(&mut connection).unwrap();
    let nodes = super::nodes(&plan);
    assert!(nodes.iter().any(|(_, used, _)| used == "kb_articles_slug_key"), "{nodes:?}");
}

/// 1,000 workspaces: every tenth has twenty articles, one has 20,000. None is stale until a test makes it so.
const SEED: &str = "
    INSERT INTO kb_articles (workspace_id, id, title, slug, body, status, tags, version, created_at, updated_at,
            created_by_type, words, words_by)
        SELECT workspaces.id, md5(slug || number)::uuid, 'a', number, 'b', 'published', '{}', 1, now(), now(), 'system', 'a:1',
            '4:english'
        FROM workspaces CROSS JOIN LATERAL generate_series(1, CASE slug WHEN '500' THEN 20000 ELSE 20 END) AS number
        WHERE slug LIKE '%0';";
/// Workspaces with articles.
const WORKSPACES_WITH_ARTICLES: u32 = 100;
const SPEAKER: &str = "00000000-0000-7000-8000-000000000500";

static MANY_WORKSPACES: LazyLock<common::Database> = LazyLock::new(|| filled(&(seed_workspaces(1_000) + SEED)));

#[test]
fn a_scan_for_stale_articles_reads_one_entry_per_workspace() {
    // One more step finds that there is no further entry.
    check_both_in(&MANY_WORKSPACES, stale_query(100), "kb_articles_words_by", WORKSPACES_WITH_ARTICLES + 1);
    let set_language = format!("UPDATE workspaces SET kb_language = 'german' WHERE id = '{SPEAKER}'");
    let database = filled(&format!("{}{SEED} {set_language}", seed_workspaces(1_000)));
    check_in(&database, stale_query(100), "kb_articles_words_by", WORKSPACES_WITH_ARTICLES + 1);
}

#[test]
fn reindexing_finds_articles_by_primary_key() {
    use diesel::prelude::*;
    let sql = format!("SELECT id FROM kb_articles WHERE workspace_id = '{SPEAKER}' ORDER BY id LIMIT 100");
    let ids: Vec<Uuid> = Statement::<SqlUuid>::once(sql).load(&mut MANY_WORKSPACES.connection()).unwrap();
    let workspace = SPEAKER.parse().unwrap();
    let stale = |id| StaleArticle { workspace, id, texts: Texts::of("a", &[], "c"), language: "german".to_owned() };
    check_in(&MANY_WORKSPACES, words_query(ids.into_iter().map(stale).collect()), "kb_articles_pkey", 100);
}
