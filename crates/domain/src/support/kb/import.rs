//! Rows of an import of articles.

use super::create::{add, entry_of};
use super::update::change;
use super::{Article, ArticleFields};
use crate::identity::access::Principal;
use crate::identity::audit::AuditAction;
use crate::kernel::RecordKeys;
use crate::kernel::input::{Input, InputMode};
use crate::ports::Tx;
use crate::records::{
    ImportContext, ImportRow, Kind, RecordKind, RowImport, Transferred, UniqueMembers, check_free, id_of, keys_in,
    text_of,
};
use crate::{Error, KbArticleId};
use uuid::Uuid;

impl Transferred for Article {
    fn own_columns(_: RecordKind) -> &'static [&'static str] {
        &["published_at"]
    }

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["slug"]
    }
}

/// An article is found by `id`, as an export has it, then by `slug`. Articles must be locked.
pub(crate) struct ArticleImport<'a> {
    pub(crate) context: &'a ImportContext,
    pub(crate) by: Principal,
}

impl RowImport for ArticleImport<'_> {
    type Stored = Article;
    const NOUN: &'static str = Article::NOUN;

    fn id(stored: &Article) -> Uuid {
        stored.id.0
    }

    fn keys(row: &ImportRow) -> RecordKeys {
        keys_in(row, None, Some("slug"))
    }

    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<Article>, Error> {
        if let Some(id) = id_of(row)
            && let Some(found) = tx.records::<Article>().get_for_update(KbArticleId(id))?
        {
            return Ok(Some(found));
        }
        let Some(slug) = text_of(row, "slug") else { return Ok(None) };
        Ok(match tx.record_with(&Article::unique("slug", slug.to_owned()))? {
            Some(id) => tx.records::<Article>().get_for_update(KbArticleId(id))?,
            None => None,
        })
    }

    fn create(&self, tx: &mut dyn Tx, row: ImportRow) -> Result<Uuid, Error> {
        let ImportContext { ports, actor, now, reporter, .. } = self.context;
        let fields = ArticleFields::from_object(row, InputMode::Create)?;
        check_free(tx, &fields.unique_values(), None)?;
        let wanted = fields.slug.set().map(|slug| slug.as_str().to_owned());
        let mut article = Article::blank(KbArticleId(ports.ids.new_id()), *actor, *now);
        article.apply_at(fields, *now);
        let entry = entry_of(ports, &self.by, AuditAction::ArticleCreated, article.id);
        Ok(add(tx, article, wanted, &entry, reporter)?.id.0)
    }

    fn change(&self, tx: &mut dyn Tx, stored: Article, row: ImportRow) -> Result<bool, Error> {
        let ImportContext { ports, now, reporter, .. } = self.context;
        let fields = ArticleFields::from_object(row, InputMode::Patch)?;
        check_free(tx, &fields.unique_values(), Some(stored.id.0))?;
        let entry = entry_of(ports, &self.by, AuditAction::ArticleUpdated, stored.id);
        Ok(change(tx, &stored, fields, &entry, reporter, *now)? != stored)
    }
}
