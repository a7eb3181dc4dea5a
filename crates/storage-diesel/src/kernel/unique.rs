//! Records by their unique values.

use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::kernel::UniqueValue;
use uuid::Uuid;

use crate::statement::{Statement, sql};

macro_rules! record_with {
    ($table:literal, $column:literal) => {
        sql!(
            "SELECT id FROM {table} WHERE workspace_id = $1 AND {column} = $2 AND deleted_at IS NULL",
            table = $table,
            column = $column
        )
    };
}

/// The id of the live record that has the value.
pub(crate) fn record_query(workspace: Uuid, value: &UniqueValue) -> Statement<SqlUuid> {
    let (sql, value) = match value {
        UniqueValue::ContactEmail(key) => (record_with!("contacts", "email_key"), key),
        UniqueValue::ContactExternalId(id) => (record_with!("contacts", "external_id"), id),
        UniqueValue::CompanyDomain(name) => (record_with!("companies", "domain"), name),
        UniqueValue::CompanyExternalId(id) => (record_with!("companies", "external_id"), id),
        UniqueValue::DealExternalId(id) => (record_with!("deals", "external_id"), id),
        UniqueValue::ProjectExternalId(id) => (record_with!("projects", "external_id"), id),
        UniqueValue::ArticleSlug(slug) => (record_with!("kb_articles", "slug"), slug),
    };
    sql.returns().bind::<SqlUuid, _>(workspace).bind::<Text, _>(value.clone())
}
