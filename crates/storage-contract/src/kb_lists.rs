//! What the list of articles is filtered by.

use super::{StoreUnderTest, TestWorkspace};
use domain::KbArticleId;
use domain::kernel::input::Tag;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::support::kb::{Article, ArticleFilter, ArticleStatus};
use time::Duration;

async fn found(world: &TestWorkspace, filter: ArticleFilter) -> Vec<KbArticleId> {
    let rows = world.look(move |tx| tx.kb_articles().list(&filter, &PageRequest::first(9))).await;
    rows.into_iter().map(|article| article.id).collect()
}

fn tags(tags: &[&str]) -> Vec<Tag> {
    tags.iter().map(|tag| tag.parse().unwrap()).collect()
}

/// Words of title and tags begin as the query says, tags are whole and without case; filters combine, also over deleted ones.
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
    for (wanted, expected) in [
        (&["BILLING"][..], &[draft.id, refund.id][..]),
        (&["how-to"], &[refund.id]),
        (&["how", "nothing"], &[]),
        (&["nothing", "how-to"], &[refund.id]),
    ] {
        let filter = ArticleFilter { tag: tags(wanted).into(), ..none() };
        assert_eq!(found(&world, filter).await, expected, "{wanted:?}");
    }
    let both = || ArticleFilter {
        search: SearchQuery::parse("orders").unwrap(),
        tag: tags(&["billing"]).into(),
        status: Some(ArticleStatus::Draft),
        ..none()
    };
    assert_eq!(found(&world, both()).await, [draft.id]);
    let renamed = Article { title: "Returns".to_owned(), tags: Vec::new(), version: 2, ..draft.clone() };
    world.done(move |tx| tx.kb_articles().save(&renamed)).await;
    assert_eq!(found(&world, both()).await, []);
    let (id, at) = (refund.id, world.now());
    assert!(world.done(move |tx| tx.kb_articles().delete(id, at)).await);
    let filter = ArticleFilter { tag: tags(&["how-to"]).into(), ..none() };
    assert_eq!(found(&world, filter.clone()).await, []);
    let since = at - Duration::DAY;
    let deleted = world.look(move |tx| tx.kb_articles().list_deleted(&filter, since, &PageRequest::first(9))).await;
    assert_eq!(deleted.into_iter().map(|deleted| deleted.record.id).collect::<Vec<_>>(), [id]);
}
