//! Creating an article.

use serde_json::json;

use super::{Article, ArticleFields, slug};
use crate::events::EventBuilder;
use crate::identity::access::{CreateArticles, Permit, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx, transact_idempotent};
use crate::records::{UniqueMembers, name_existing};
use crate::{Error, KbArticleId};

/// Adds a new article, with a slug from its title unless one is wanted. Articles must be locked.
pub(super) fn add(
    tx: &mut dyn Tx,
    article: Article,
    wanted: Option<String>,
    entry: &AuditEntry,
    reporter: &EventBuilder,
) -> Result<Article, Error> {
    let slug = match wanted {
        Some(slug) => slug,
        None => slug::free(tx, &article.title, article.id)?,
    };
    let article = Article { slug, ..article };
    tx.records::<Article>().insert(&article)?;
    tx.audit().append(&entry.with(article.audited()))?;
    tx.emit(&[reporter.happened(&article, "created")])?;
    Ok(article)
}

/// The start of an audit entry about an article.
pub(super) fn entry_of(ports: &Ports, by: &Principal, action: AuditAction, id: KbArticleId) -> AuditEntry {
    AuditEntry::new(ports, by, action, AuditSubject::article(id), json!({}))
}

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
    let entry = entry_of(ports, &permit.principal(), AuditAction::ArticleCreated, article.id);
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        tx.kb_articles().lock()?;
        add(tx, article.clone(), wanted.clone(), &entry, &reporter)
    });
    name_existing(ports, permit, unique, outcome.await).await
}
