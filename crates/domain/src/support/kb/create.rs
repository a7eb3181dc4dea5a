//! Creating an article.

use serde_json::json;

use super::{Article, ArticleFields, slug};
use crate::events::EventBuilder;
use crate::identity::access::{CreateArticles, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::records::{UniqueMembers, name_existing};
use crate::{Error, KbArticleId};

/// Creates an article.
///
/// # Errors
/// [`Error::Duplicate`] of `slug`.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateArticles>,
    once: Option<IdempotentRequest<Article>>,
    fields: ArticleFields,
) -> Result<IdempotentResult<Article>, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let wanted = fields.slug.set().map(|slug| slug.as_str().to_owned());
    let mut article = Article::blank(KbArticleId(ports.ids.new_id()), permit.actor(), now);
    article.apply_at(fields, now);
    let subject = AuditSubject::article(article.id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::ArticleCreated, subject, json!({}));
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        tx.kb_articles().lock()?;
        let slug = match &wanted {
            Some(slug) => slug.clone(),
            None => slug::free(tx, &article.title, article.id)?,
        };
        let article = Article { slug, ..article.clone() };
        tx.kb_articles().insert(&article)?;
        tx.audit().append(&entry.with(article.audited()))?;
        tx.emit(&[reporter.happened(&article, "created")])?;
        Ok(article)
    });
    name_existing(ports, permit, unique, outcome.await).await
}
