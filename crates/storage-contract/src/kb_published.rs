//! Published articles, as readers of the help centre see them.

use super::{StoreUnderTest, TestWorkspace};
use domain::support::kb::{Article, ArticleStatus, MAX_LISTED_TAGS, PublishedArticle};
use time::Duration;

async fn published(world: &TestWorkspace, slug: &str) -> Option<Article> {
    let slug = slug.to_owned();
    world.look(move |tx| tx.kb_articles().get_published(&slug)).await
}

async fn listed(world: &TestWorkspace, limit: u32) -> Vec<PublishedArticle> {
    world.look(move |tx| tx.kb_articles().list_published(limit)).await
}

/// Drafts, deleted articles and those of others are neither listed nor found.
pub async fn published_articles_are_listed_and_found_by_their_slug(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let tags: Vec<_> = (0..20).map(|number| format!("tag {number}")).collect();
    let tags: Vec<_> = tags.iter().map(String::as_str).collect();
    let older = world.publish("Older", &tags, "A body").await;
    let newer = world.publish("Newer", &["tag"], "Another").await;
    let draft = world.add(Article { status: ArticleStatus::Draft, ..world.bare_article() }).await;
    let deleted = world.publish("Deleted", &[], "Gone").await;
    let (id, now) = (deleted.id, world.now() + Duration::hours(1));
    assert!(world.look(move |tx| tx.kb_articles().delete(id, now)).await);

    assert_eq!(published(&world, &older.slug).await, Some(older.clone()));
    for hidden in [&draft, &deleted] {
        assert_eq!(published(&world, &hidden.slug).await, None);
    }
    assert_eq!(published(&other, &older.slug).await, None);

    let all = listed(&world, 10).await;
    let mut slugs: Vec<_> = all.iter().map(|article| article.slug.clone()).collect();
    slugs.sort();
    let mut expected = [older.slug.clone(), newer.slug.clone()];
    expected.sort();
    assert_eq!(slugs, expected);
    let many = all.iter().find(|article| article.slug == older.slug).unwrap();
    assert_eq!((many.title.as_str(), many.tags.as_slice()), ("Older", &older.tags[..MAX_LISTED_TAGS as usize]));
    assert_eq!(listed(&world, 1).await, all[..1]);
    assert_eq!(listed(&other, 10).await, []);
}
