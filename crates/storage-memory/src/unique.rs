//! Records by their unique values.

use uuid::Uuid;

use super::state::Records;
use domain::kernel::UniqueValue;

/// The live record that has the value.
pub(super) fn record_with(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    let Records { companies, contacts, deals, projects, kb_articles, .. } = records;
    let is = |stored: &Option<String>, wanted: &str| stored.as_deref() == Some(wanted);
    match value {
        UniqueValue::ContactEmail(key) => contacts.live().find(|it| it.email_key() == *key).map(|it| it.id.0),
        UniqueValue::ContactExternalId(id) => contacts.live().find(|it| is(&it.external_id, id)).map(|it| it.id.0),
        UniqueValue::CompanyDomain(name) => companies.live().find(|it| is(&it.domain, name)).map(|it| it.id.0),
        UniqueValue::CompanyExternalId(id) => companies.live().find(|it| is(&it.external_id, id)).map(|it| it.id.0),
        UniqueValue::DealExternalId(id) => deals.live().find(|it| is(&it.external_id, id)).map(|it| it.id.0),
        UniqueValue::ProjectExternalId(id) => projects.live().find(|it| is(&it.external_id, id)).map(|it| it.id.0),
        UniqueValue::ArticleSlug(slug) => kb_articles.live().find(|it| it.slug == *slug).map(|it| it.id.0),
    }
}
