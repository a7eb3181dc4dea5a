//! Restoring an article.

use time::OffsetDateTime;
use uuid::Uuid;

use super::Article;
use crate::events::{Event, EventBuilder};
use crate::identity::access::{DeleteArticles, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Ports, Tx};
use crate::records::{Deletable, restore_in};
use crate::{Error, KbArticleId};

impl Deletable for Article {
    type Delete = DeleteArticles;

    /// Articles have writers one at a time, and an audit trail.
    fn restore_any(
        tx: &mut dyn Tx,
        ports: &Ports,
        permit: &Permit<DeleteArticles>,
        id: Uuid,
        now: OffsetDateTime,
    ) -> Result<Self, Error> {
        tx.kb_articles().lock()?;
        let article: Self = restore_in(tx, permit, id, now)?;
        let subject = AuditSubject::article(KbArticleId(id));
        let entry =
            AuditEntry::new(ports, &permit.principal(), AuditAction::ArticleRestored, subject, article.audited());
        tx.audit().append(&entry)?;
        Ok(article)
    }

    fn restored_event(&self, deleted: &Self, reporter: &EventBuilder, _: OffsetDateTime) -> Event {
        reporter.restored(deleted, self)
    }
}
