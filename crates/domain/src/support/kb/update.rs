//! Changing an article.

use time::OffsetDateTime;

use super::create::entry_of;
use super::{Article, ArticleFields, slug};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateArticles};
use crate::identity::audit::{AuditAction, AuditEntry};
use crate::kernel::input::Field;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{self, ChangeOutcome, Kind, RecordChange, UniqueMembers, name_existing};
use crate::{Error, KbArticleId};

/// Changes an article that is locked, as all are.
pub(super) fn change(
    tx: &mut dyn Tx,
    stored: &Article,
    fields: ArticleFields,
    entry: &AuditEntry,
    reporter: &EventBuilder,
    now: OffsetDateTime,
) -> Result<Article, Error> {
    let mut article = stored.clone();
    let slug = fields.slug.clone();
    article.apply_at(fields, now);
    match slug {
        Field::Absent => {}
        Field::Null => article.slug = slug::free(tx, &article.title, stored.id)?,
        Field::Set(slug) => slug.as_str().clone_into(&mut article.slug),
    }
    if article != *stored {
        article.bump_version(now);
        tx.records::<Article>().save(&article)?;
        tx.emit(&reporter.updated(stored, &article))?;
        tx.audit().append(&entry.with(article.audited()))?;
    }
    Ok(article)
}

/// Changes an article. Values equal to the stored ones change nothing, not even the version. The slug stays when the
/// title changes, so that addresses do not break; `null` derives it from the title again.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], a duplicate of `slug`.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateArticles>,
    id: KbArticleId,
    expected: ExpectedVersion,
    fields: ArticleFields,
) -> Result<Article, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let entry = entry_of(ports, &permit.principal(), AuditAction::ArticleUpdated, id);
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        tx.kb_articles().lock()?;
        let stored: Article = records::lock(tx, id)?;
        expected.check(stored.version)?;
        change(tx, &stored, fields.clone(), &entry, &reporter, now)
    });
    name_existing(ports, permit, unique, outcome.await).await
}

/// Changes several articles, each like [`update`], in transactions of a few each.
///
/// # Errors
/// Those of the store.
pub async fn update_each(
    ports: &Ports,
    permit: &Permit<UpdateArticles>,
    changes: Vec<RecordChange<ArticleFields>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let now = ports.clock.now();
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    records::change_each(ports, permit, changes, move |tx, batch| {
        tx.kb_articles().lock()?;
        records::one_by_one(tx, batch, |tx, one| {
            let stored: Article = records::lock(tx, one.id.into())?;
            one.expected.check(stored.version)?;
            let entry = entry_of(&outside, &acting.principal(), AuditAction::ArticleUpdated, stored.id);
            let article = change(tx, &stored, one.fields.clone(), &entry, &reporter, now)?;
            Ok((stored, article))
        })
    })
    .await
}
