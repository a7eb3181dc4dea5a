//! Lists of articles, including those for readers of the help centre.

use super::{StoreUnderTest, TestWorkspace};
use domain::KbArticleId;
use domain::kernel::input::Tag;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::support::kb::{Article, ArticleFilter, ArticleStatus, MAX_LISTED_TAGS, PublishedArticle};
use time::Duration;

async fn found(world: &TestWorkspace, filter: ArticleFilter) -> Vec<KbArticleId> {
    let rows = world.list::<Article>(filter).await;
    rows.into_iter().map(|article| article.id).collect()
}

fn tags(tags: &[&str]) -> Vec<Tag> {
    tags.iter().map(|tag| tag.parse().unwrap()).collect()
}

/// A query matches beginnings of words in title and tags, a tag filter whole tags in any case; filters combine, for deleted ones too.
pub async fn articles_are_found_by_words_status_and_tags(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let refund = world.publish("Refunds for orders", &["Billing", "How-to"], "Ask us.").await;
    let bare = world.bare_article();
    let created_at = bare.created_at + Duration::SECOND;
    let title = "Größere orders".to_owned();
    let draft = world.add(Article { title, tags: vec!["billing".to_owned()], created_at, ..bare }).await;
    let _ = other.publish("Refunds for orders", &["billing"], "").await;
    let none = ArticleFilter::default;
    for (text, expected) in [
        ("ref", &[refund.id][..]),
        ("grossere ORD", &[draft.id]),
        ("orders", &[draft.id, refund.id]),
        ("bill", &[draft.id, refund.id]),
        ("how-to", &[refund.id]),
        ("efund", &[]),
        ("ask", &[]),
        ("%", &[]),
    ] {
        let search = SearchQuery::parse(text).unwrap();
        assert_eq!(found(&world, ArticleFilter { search, ..none() }).await, expected, "{text}");
    }
    for (names, expected) in [
        (&["BILLING"][..], &[draft.id, refund.id][..]),
        (&["how-to"], &[refund.id]),
        (&["how", "nothing"], &[]),
        (&["nothing", "how-to"], &[refund.id]),
    ] {
        let filter = ArticleFilter { tag: tags(names).into(), ..none() };
        assert_eq!(found(&world, filter).await, expected, "{names:?}");
    }
    let both = || ArticleFilter {
        search: SearchQuery::parse("orders").unwrap(),
        tag: tags(&["billing"]).into(),
        status: Some(ArticleStatus::Draft),
        ..none()
    };
    assert_eq!(found(&world, both()).await, [draft.id]);
    let renamed = Article { title: "Returns".to_owned(), tags: Vec::new(), version: 2, ..draft.clone() };
    world.commit(move |tx| tx.records::<Article>().save(&renamed)).await;
    assert_eq!(found(&world, both()).await, []);
    let (id, at) = (refund.id, world.now());
    assert!(world.commit(move |tx| tx.records::<Article>().delete(id, at)).await);
    let filter = ArticleFilter { tag: tags(&["how-to"]).into(), ..none() };
    assert_eq!(found(&world, filter.clone()).await, []);
    let since = at - Duration::DAY;
    let deleted =
        world.read(move |tx| tx.records::<Article>().list_deleted(&filter, since, &PageRequest::first(9))).await;
    assert_eq!(deleted.into_iter().map(|deleted| deleted.record.id).collect::<Vec<_>>(), [id]);
}

/// A slug is taken if another live article of the workspace has it.
pub async fn slugs_of_other_live_articles_are_taken(subject: &StoreUnderTest) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let with = |slug: &str| Article { slug: slug.to_owned(), ..world.bare_article() };
    let (first, own) = (world.add(with("a")).await.id, world.add(with("b")).await.id);
    let taken = async |world: &TestWorkspace| {
        let slugs = ["a", "b", "c"].map(str::to_owned);
        world.read(move |tx| tx.kb_articles().taken_slugs(&slugs, own)).await
    };
    assert_eq!((taken(&world).await, taken(&stranger).await), (vec!["a".to_owned()], vec![]));
    world.delete::<Article>(first).await;
    assert_eq!(taken(&world).await, [""; 0]);
}

async fn published(world: &TestWorkspace, slug: &str) -> Option<Article> {
    let slug = slug.to_owned();
    world.read(move |tx| tx.kb_articles().get_published(&slug)).await
}

async fn listed(world: &TestWorkspace, limit: u32) -> Vec<PublishedArticle> {
    world.read(move |tx| tx.kb_articles().list_published(limit)).await
}

/// Drafts, deleted articles and articles of other workspaces are neither listed nor found.
pub async fn published_articles_are_listed_and_found_by_their_slug(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let tags: Vec<_> = (0..20).map(|number| format!("tag {number}")).collect();
    let tags: Vec<_> = tags.iter().map(String::as_str).collect();
    let older = world.publish("Older", &tags, "A body").await;
    let newer = world.publish("Newer", &["tag"], "Another").await;
    let draft = world.add(Article { status: ArticleStatus::Draft, ..world.bare_article() }).await;
    let deleted = world.publish("Deleted", &[], "Gone").await;
    let (id, now) = (deleted.id, world.now() + Duration::hours(1));
    assert!(world.read(move |tx| tx.records::<Article>().delete(id, now)).await);

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
