//! How Postgres reads the knowledge base.

use super::{BIG, LIMIT, PAGE, SMALL, check, check_generic, pages};
use crate::kb::list_query;
use crate::kb_search::{Asked, search_query};
use domain::kb::{ArticleFilter, ArticleStatus};

/// What is ever looked at: the head, and those ranked by title and by all words, each for whole words and beginnings.
const LOOKED_AT: u32 = 400;

#[test]
fn lists_read_the_page() {
    for page in pages() {
        for workspace in [BIG, SMALL] {
            check(list_query(workspace, &ArticleFilter::default(), &page), "kb_articles_newest", PAGE);
        }
        check_generic(&list_query(BIG, &ArticleFilter::default(), &page), "kb_articles_newest");
        for (status, index) in
            [(ArticleStatus::Draft, "kb_articles_by_status"), (ArticleStatus::Published, "kb_articles_published")]
        {
            let filter = ArticleFilter { status: Some(status) };
            check(list_query(BIG, &filter, &page), index, PAGE);
            check_generic(&list_query(BIG, &filter, &page), "kb_articles_by_status");
        }
    }
}

#[test]
fn a_search_ranks_a_bounded_number_and_asks_the_index_for_what_is_rare() {
    for words in [&["rare12345"][..], &["nothing"], &["word777"], &["common", "word777"], &["word777", "c"]] {
        let asked = Asked::for_plan(BIG, words).unwrap();
        for limit in [1, LIMIT] {
            check(search_query(BIG, &asked, limit), "kb_articles_search", LOOKED_AT);
        }
    }
    // What every article has is not collected from the index.
    for words in [&["common"][..], &["c"], &["common", "article"]] {
        let asked = Asked::for_plan(BIG, words).unwrap();
        check(search_query(BIG, &asked, LIMIT), "kb_articles_published", LOOKED_AT);
    }
    check_generic(&search_query(BIG, &Asked::for_plan(BIG, &["rare12345"]).unwrap(), LIMIT), "kb_articles_search");
}

#[test]
fn the_slug_of_a_title_is_looked_up() {
    use diesel::prelude::*;
    let mut connection = super::DATABASE.connection();
    let sql = "EXPLAIN (FORMAT JSON) SELECT slug FROM kb_articles WHERE workspace_id = \
        '00000000-0000-7000-8000-000000000001' AND deleted_at IS NULL AND slug = ANY ('{article-1,article-2}') \
        AND id <> '00000000-0000-7000-8000-000000000001'";
    let plan = diesel::sql_query(sql).load::<super::Shown>(&mut connection).unwrap().remove(0).plan;
    let nodes = super::nodes(&plan);
    assert!(nodes.iter().any(|(_, used, _)| used == "kb_articles_slug_key"), "{nodes:?}");
}
