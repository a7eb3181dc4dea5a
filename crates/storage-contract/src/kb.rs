//! Search in the knowledge base.

use std::collections::BTreeSet;

use time::Duration;

use super::records::{LINE, LINES, MADE, list};
use super::{StoreUnderTest, TestWorkspace};
use domain::KbArticleId;
use domain::identity::access::Actor;
use domain::kernel::KbLanguage;
use domain::kernel::input::Problems;
use domain::support::kb::{Article, ArticleStatus, KbMatch, KbQuery, excerpt, plain_text};

impl TestWorkspace {
    pub fn bare_article(&self) -> Article {
        let id = KbArticleId(self.id());
        let blank = Article::blank(id, Actor::SYSTEM, self.now());
        Article { title: "An article".to_owned(), slug: format!("article-{}", id.0.simple()), ..blank }
    }

    pub fn full_article(&self) -> Article {
        Article {
            title: LINE.to_owned(),
            body: Some(LINES.to_owned()),
            status: ArticleStatus::Published,
            tags: list(&[LINE, "two"]),
            published_at: Some(MADE + Duration::MICROSECOND),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.member_actor(),
            ..self.bare_article()
        }
    }

    pub async fn publish(&self, title: &str, tags: &[&str], body: &str) -> Article {
        let (title, body) = (title.to_owned(), Some(body.to_owned()));
        let bare = self.bare_article();
        let published_at = Some(bare.created_at);
        let status = ArticleStatus::Published;
        self.add(Article { title, tags: list(tags), body, status, published_at, ..bare }).await
    }

    pub async fn search_kb(&self, text: &str, limit: u32) -> Vec<KbMatch> {
        let mut problems = Problems::default();
        let query = KbQuery::parse("q", Some(text), &mut problems).unwrap();
        self.read(move |tx| tx.kb_articles().search(&query, limit)).await
    }

    async fn search_ids(&self, text: &str) -> BTreeSet<KbArticleId> {
        self.search_kb(text, 50).await.iter().map(|found| found.id).collect()
    }

    async fn save_article(&self, article: &Article) -> Result<(), domain::Error> {
        let article = article.clone();
        self.run(move |tx| {
            tx.kb_articles().lock()?;
            Ok(tx.records::<Article>().save(&article)?)
        })
        .await
    }
}

/// A deleted article is not found, and another workspace finds none.
pub async fn only_live_articles_of_the_workspace_are_found(subject: &StoreUnderTest) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let id = world.publish("Quartz", &[], "").await.id;
    assert_eq!(world.search_ids("quartz").await, [id].into());
    assert!(stranger.search_ids("quartz").await.is_empty());
    world.delete::<Article>(id).await;
    assert!(world.search_ids("quartz").await.is_empty());
}

/// Finds published articles with all the words, in any part and case; the last word may be a prefix.
pub async fn published_articles_are_found_by_their_words(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let reset = world.publish("Reset a password", &["account"], "Open **Settings** and choose _Security_.").await;
    let coffee = world.publish("Office", &["Café"], "Größe of a cup; the Zürich office has two.").await;
    let draft = Article { title: "Password draft".to_owned(), ..world.bare_article() };
    let draft = world.add(draft).await;
    for (text, expected) in [
        ("password", &[reset.id][..]),
        ("PASSWORD reset", &[reset.id]),
        ("account security", &[reset.id]),
        ("passw", &[reset.id]),
        ("settings passw", &[reset.id]),
        ("passw settings", &[]),
        ("password coffee", &[]),
        ("assword", &[]),
        ("cafe", &[coffee.id]),
        ("CAFÉ zurich", &[coffee.id]),
        ("grosse", &[coffee.id]),
        ("o", &[reset.id, coffee.id]),
        ("nothing", &[]),
        ("draft", &[]),
    ] {
        assert_eq!(world.search_ids(text).await, expected.iter().copied().collect(), "{text}");
    }
    assert_eq!(world.search_kb("o", 1).await.len(), 1);
    // Publishing, changing or withdrawing an article takes effect immediately.
    world.save_article(&Article { status: ArticleStatus::Published, ..draft.clone() }).await.unwrap();
    assert_eq!(world.search_ids("password").await, [reset.id, draft.id].into());
    world.save_article(&Article { title: "Key".to_owned(), ..reset.clone() }).await.unwrap();
    world.save_article(&draft).await.unwrap();
    assert!(world.search_ids("password").await.is_empty());
    assert_eq!(world.search_ids("key").await, [reset.id].into());
}

/// Text copied from the rendered article finds it; markup and hidden text find nothing.
pub async fn an_article_is_found_by_what_its_reader_sees(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let body = "Set <timeout> of `Vec<String>` in /etc/app.conf or config.yaml by node.js and foo&bar, see \
        <https://docs.example.com/setup/printers>; mail ann.lee+x@example.org <b>twice</b>.\n\n```\n<id> v1.2.3\n```\n\
        [Manual](https://e.x/hidden) <!-- unseen --> it is 3.5 mm, C++ &nbsp;near.";
    let article = world.publish("Wi-Fi", &["utf-8"], body).await;
    for text in [
        "<timeout>",
        "timeout",
        "Vec<String>",
        "string",
        "/etc/app.conf",
        "app",
        "conf",
        "config.yaml",
        "yaml",
        "node.js",
        "foo&bar",
        "bar",
        "https://docs.example.com/setup/printers",
        "setup",
        "printers",
        "docs.example.com",
        "ann.lee+x@example.org",
        "<id>",
        "v1.2.3",
        "3.5",
        "c++",
        "near",
        "wi-fi",
        "utf-8",
        "twice",
        "manual",
    ] {
        assert_eq!(world.search_ids(text).await, [article.id].into(), "{text}");
        let both = format!("{text} seen");
        assert!(world.search_ids(&both).await.is_empty(), "{both}");
    }
    for text in ["hidden", "unseen", "3.6", "config.toml", "<limit>"] {
        assert!(world.search_ids(text).await.is_empty(), "{text}");
    }
}

/// Title before tags before body, then newest; each hit has its matched forms.
pub async fn the_best_come_first(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let body = world.publish("One", &[], "Some words about a printer, and more of them.").await;
    let tags = world.publish("Two", &["printer"], "Some words about a thing, and more of them.").await;
    let title = world.publish("Printer", &[], "Some words about a thing, and more of them.").await;
    subject.clock.advance(Duration::SECOND);
    let newer = world.publish("Printer", &[], "Some words about a thing, and more of them.").await;
    let found = world.search_kb("printer", 10).await;
    let ids: Vec<_> = found.iter().map(|found| found.id).collect();
    assert_eq!(ids, [newer.id, title.id, tags.id, body.id]);
    assert!(found.iter().all(|found| found.score > 0.0 && found.score <= 1.0 && found.forms == ["printer"]));
    assert!(found.is_sorted_by(|one, next| one.score >= next.score));
    assert_eq!((found[3].title.as_str(), &found[3].slug, &found[3].text), ("One", &body.slug, &body.body.unwrap()));
}

/// Covers non-ASCII capitals, symbols next to words, and combining characters, in any locale of the store.
pub async fn words_of_any_script_are_found(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for (body, query) in [
        ("Open “Settings” now", "settings"),
        ("„Einstellungen“ öffnen", "einstellungen"),
        ("Wi‑Fi—printer", "printer"),
        ("price€five", "five"),
        ("✅done", "done"),
        ("zz。yy", "yy"),
        ("Москва и ЁЛКА", "москва елка"),
        ("Ελλάδα", "ΕΛΛΆΔΑ"),
        ("Öffnungszeiten", "öffnungszeiten"),
        ("cafe\u{301}s here", "cafés"),
        ("Vie\u{323}\u{302}t Nam", "việt"),
        ("हिन्दी भाषा", "हिन्दी"),
        ("the user’s choice", "user's"),
        ("a pass\u{ad}word", "password"),
        ("a zero\u{200b}width", "zerowidth"),
        ("a co\u{2011}operative", "co-operative"),
        ("Qurʼan", "qur'an"),
        ("محمـــد", "محمد"),
        ("点击设置，然后", "设置"),
        ("東京タワー", "タワー"),
        ("ราคาสินค้า", "สินค้า"),
        ("대한민국정부", "민국"),
    ] {
        let article = world.publish(body, &[], body).await;
        assert_eq!(world.search_ids(query).await, [article.id].into(), "{body}: {query}");
        let found = world.search_kb(query, 10).await.remove(0);
        assert!(excerpt(&found.text, &found.forms).contains("<mark>"), "{body}: {:?}", found.forms);
    }
}

/// The text is so long that its plain text is stored as well.
pub async fn long_articles_are_shown_without_marks(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let body = format!("{}\n\nand a **needle** <!-- {} -->", "# Hay\n\n".repeat(1_000), "hidden ".repeat(1_000));
    let article = world.publish("Long", &[], &body).await;
    let found = world.search_kb("needle", 1).await.remove(0);
    assert_eq!((found.id, found.text), (article.id, plain_text(&body)));
}

/// Any text only matches its words and is never interpreted.
pub async fn hostile_texts_do_no_harm(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let article = world.publish(LINE, &[LINE], LINES).await;
    for text in ["'", "\\", "a' | 'b", ":*", "!x", "& |", "<->", "(", "ünï'", "%_", "$1", "\u{0}", "' ; --", "😀"] {
        assert!(world.search_kb("single", 1).await.len() == 1 && world.search_kb(text, 50).await.len() <= 1, "{text}");
    }
    assert_eq!(world.search_ids("'single' \"double\"").await, [article.id].into());
    assert_eq!(world.search_ids(&"word ".repeat(40)).await, BTreeSet::new());
}

/// Articles follow the language of the workspace.
pub async fn a_language_can_change(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let article = world.publish("Password", &[], "Häuser").await;
    for language in KbLanguage::ALL.iter().copied() {
        world.change_workspace(move |workspace| workspace.kb_language = language).await;
        // Whole words are found throughout.
        for _ in 0..2 {
            for text in ["password", "PASSWO", "häuser", "hauser"] {
                assert_eq!(world.search_ids(text).await, [article.id].into(), "{language} {text}");
            }
            while subject.ports.directory.reindex_articles(9).await.unwrap() > 0 {}
        }
    }
}
