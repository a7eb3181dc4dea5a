//! Deleting an article.

use serde_json::json;

use super::Article;
use crate::events::EventBuilder;
use crate::identity::access::{DeleteArticles, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::records::{self, Kind};
use crate::{Error, KbArticleId};

/// Deletes an article softly. Its slug can be used again.
///
/// # Errors
/// [`Error::NotFound`], also for an article deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteArticles>,
    id: KbArticleId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let subject = AuditSubject::article(id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::ArticleDeleted, subject, json!({}));
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        tx.kb_articles().lock()?;
        let mut stored: Article = records::lock(tx, id)?;
        expected.check(stored.version)?;
        tx.records::<Article>().delete(id, now)?;
        tx.audit().append(&entry.with(stored.audited()))?;
        stored.bump_version(now);
        Ok(tx.emit(&[reporter.happened(&stored, "deleted")])?)
    })
    .await
}
