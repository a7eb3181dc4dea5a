//! Articles as event sources.

use time::OffsetDateTime;

use super::{Article, ArticleStatus};
use crate::KbArticleId;
use crate::events::example::{self, ADA, CHANGED, MADE};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Support,
    verbs: &[
        ("created", "A knowledge-base article was created."),
        ("updated", "Fields of an article changed, such as its status when it was published."),
    ],
    cascade: None,
    data: DataType::of::<Article>(),
    examples: || {
        example::life::<Article>(
            example,
            &[|it| {
                it.status = ArticleStatus::Published;
                it.published_at = Some(CHANGED);
            }],
        )
    },
};

impl EventSource for Article {
    event_source!(Article);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Article {
    Article {
        title: "How do I import contacts?".to_owned(),
        slug: "how-do-i-import-contacts".to_owned(),
        body: Some("Open **Settings**, then *Import*.".to_owned()),
        tags: vec!["import".to_owned()],
        version,
        updated_at,
        ..Article::blank(KbArticleId(example::id(13)), ADA, MADE)
    }
}
