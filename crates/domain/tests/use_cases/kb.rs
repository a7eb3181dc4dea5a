use serde_json::{Value, json};
use time::Duration;

use super::access::{SignedInMember, WorkspaceFixture};
use super::{at_version, new, patch, refusal, refused_body};
use domain::identity::access::{ReadArticles, SearchKb};
use domain::identity::workspaces::Role;
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::records;
use domain::support::kb::{self, Article, ArticleFields, ArticleFilter, ArticleStatus, KbHit, KbQuery};
use domain::{Error, KbArticleId, testing};

fn fixture() -> (WorkspaceFixture, SignedInMember) {
    let fixture = WorkspaceFixture::new();
    let ann = fixture.seat("ann@example.org", Role::Admin);
    (fixture, ann)
}

impl WorkspaceFixture {
    fn write(&self, by: &SignedInMember, body: Value) -> Result<Article, Error> {
        let permit = by.permit();
        let created = records::create::<Article>(&self.test.ports, &permit, None, new(body));
        self.test.block_on(created).map(|outcome| outcome.fresh().unwrap())
    }

    fn change(
        &self,
        by: &SignedInMember,
        id: KbArticleId,
        expected: ExpectedVersion,
        body: Value,
    ) -> Result<Article, Error> {
        self.test.block_on(records::update::<Article>(&self.test.ports, &by.permit(), id, expected, patch(body)))
    }

    fn remove(&self, by: &SignedInMember, id: KbArticleId) -> Result<(), Error> {
        self.test
            .block_on(records::delete::<Article>(&self.test.ports, &by.permit(), id, ExpectedVersion::Any))
            .map(drop)
    }

    fn search(&self, text: &str) -> Vec<KbHit> {
        let caller = testing::caller_in(self.workspace.clone(), &["tickets.read"]);
        let query = KbQuery::parse("q", Some(text), &mut domain::kernel::input::Problems::default()).unwrap();
        let permit = caller.permit::<SearchKb>().unwrap();
        self.test.block_on(kb::search(&self.test.ports, &permit, query, 10)).unwrap()
    }
}

#[test]
fn a_new_article_has_defaults() {
    let (fixture, ann) = fixture();
    let article = fixture.write(&ann, json!({"title": "Größe wählen"})).unwrap();
    let expected = Article {
        id: article.id,
        title: "Größe wählen".to_owned(),
        slug: "grosse-wahlen".to_owned(),
        body: None,
        status: ArticleStatus::Draft,
        tags: Vec::new(),
        published_at: None,
        version: 1,
        created_at: fixture.test.clock.now(),
        updated_at: fixture.test.clock.now(),
        created_by: ann.permit::<ReadArticles>().actor(),
    };
    assert_eq!(article, expected);
    let permit = ann.permit();
    let read = records::read::<Article>(&fixture.test.ports, &permit, article.id);
    assert_eq!(fixture.test.block_on(read).unwrap(), expected);
    let bad = json!({"title": "", "slug": "A b", "body": 1, "status": "live"});
    assert_eq!(refused_body::<ArticleFields>(bad), "invalid_value body:invalid_type status:invalid_value");
    let bad = json!({"title": "", "slug": "a--b", "tags": vec!["x"; 51], "body": "x".repeat(100_001)});
    let broken = "validation_failed title:required slug:invalid_slug body:too_long tags:too_many";
    assert_eq!(refused_body::<ArticleFields>(bad), broken);
}

#[test]
fn derived_slugs_avoid_conflicts_and_sent_ones_do_not() {
    let (fixture, ann) = fixture();
    let slug = |body| fixture.write(&ann, body).map(|article| article.slug);
    assert_eq!(slug(json!({"title": "Reset"})).unwrap(), "reset");
    assert_eq!(slug(json!({"title": "Reset!"})).unwrap(), "reset-2");
    assert_eq!(slug(json!({"title": "Reset", "slug": null})).unwrap(), "reset-3");
    assert_eq!(slug(json!({"title": "!"})).unwrap(), "article");
    assert_eq!(refusal(slug(json!({"title": "R", "slug": "reset-2"}))), "duplicate slug:duplicate");
    for number in 4..=25 {
        assert_eq!(slug(json!({"title": "Reset"})).unwrap(), format!("reset-{number}"));
    }
    let other = fixture.write(&ann, json!({"title": "Other", "slug": "mine"})).unwrap();
    let change = |body| fixture.change(&ann, other.id, ExpectedVersion::Any, body);
    assert_eq!(refusal(change(json!({"slug": "reset"}))), "duplicate slug:duplicate");
    assert_eq!(change(json!({"title": "Reset"})).unwrap().slug, "mine");
    let derived = change(json!({"slug": null})).unwrap();
    assert_eq!((derived.slug.as_str(), derived.version), ("reset-26", 3));
    assert_eq!(change(json!({"slug": null})).unwrap(), derived, "its own slug is not a conflict");
    fixture.remove(&ann, other.id).unwrap();
    assert_eq!(refusal(fixture.remove(&ann, other.id)), "not_found");
    assert_eq!(slug(json!({"title": "Reset"})).unwrap(), "reset-26");
}

#[test]
fn a_change_increments_the_version_once_and_publishing_sets_the_time() {
    let (fixture, ann) = fixture();
    let article = fixture.write(&ann, json!({"title": "T", "tags": ["a"]})).unwrap();
    let change = |expected, body| fixture.change(&ann, article.id, expected, body);
    fixture.test.clock.advance(Duration::MINUTE);
    let same = json!({"title": "T", "tags": ["a"], "status": null, "body": null});
    assert_eq!(change(ExpectedVersion::Any, same).unwrap(), article);
    assert!(matches!(change(at_version(2), json!({"title": "U"})), Err(Error::ConcurrentUpdate { current: 1 })));
    let at = fixture.test.clock.now();
    let published = change(at_version(1), json!({"status": "published"})).unwrap();
    assert_eq!((published.version, published.published_at, published.updated_at), (2, Some(at), at));
    fixture.test.clock.advance(Duration::MINUTE);
    assert_eq!(change(ExpectedVersion::Any, json!({"body": "b"})).unwrap().published_at, Some(at));
    assert_eq!(change(ExpectedVersion::Any, json!({"status": null})).unwrap().published_at, None);
    let acts = ["kb_article.updated", "kb_article.updated", "kb_article.updated", "kb_article.created"];
    assert_eq!(fixture.audit_actions()[..4], acts);
    let by_status = |status| {
        let permit = ann.permit();
        let filter = ArticleFilter { status, ..ArticleFilter::default() };
        let listed = records::list::<Article>(&fixture.test.ports, &permit, filter, PageRequest::first(9));
        fixture.test.block_on(listed).unwrap().items.len()
    };
    let counts = [None, Some(ArticleStatus::Draft), Some(ArticleStatus::Published)].map(by_status);
    assert_eq!(counts, [1, 1, 0]);
    fixture.remove(&ann, article.id).unwrap();
    assert_eq!(fixture.audit_actions()[0], "kb_article.deleted");
    assert_eq!(refusal(change(ExpectedVersion::Any, json!({"title": "U"}))), "not_found");
}

#[test]
fn searches_without_results_are_counted_for_administrators() {
    let (fixture, ann) = fixture();
    fixture.write(&ann, json!({ "title": "Invoices", "body": "How to pay", "status": "published" })).unwrap();
    for (text, hits) in [("invoices", 1), ("Reset  password", 0), ("reset password", 0), ("bob@example.org", 0)] {
        assert_eq!(fixture.search(text).len(), hits, "{text}");
    }
    let test = &fixture.test;
    let found = test.block_on(kb::missed_searches(&test.ports, &ann.permit())).unwrap();
    let terms: Vec<_> = found.into_iter().map(|it| (it.term, it.searches)).collect();
    assert_eq!(terms, [("reset password".to_owned(), 2)]);
    test.clock.advance(kb::SHOWN_MISSED_FOR + Duration::SECOND);
    let new_session = fixture.sign_in("ann@example.org", super::access::PASSWORD).unwrap();
    assert_eq!(test.block_on(kb::missed_searches(&test.ports, &new_session.permit())).unwrap(), []);
}
