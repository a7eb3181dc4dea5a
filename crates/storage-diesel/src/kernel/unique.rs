//! Records by their unique values.

use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::UniqueValue;
use domain::support::kb::Article;
use domain::work::projects::Project;
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

/// The condition of an UPDATE that no other live record has the value, which may be NULL. A write that is refused by it is no error,
/// unlike a violated index, which is left to transactions at the same time.
macro_rules! is_free {
    ($table:literal, $column:literal, $workspace:expr, $id:expr, $value:expr) => {
        diesel::dsl::sql::<diesel::sql_types::Bool>(concat!(
            "NOT EXISTS (SELECT FROM ",
            $table,
            " AS other WHERE other.deleted_at IS NULL AND other.workspace_id = "
        ))
        .bind::<diesel::sql_types::Uuid, _>($workspace)
        .sql(concat!(" AND other.", $column, " = "))
        .bind::<diesel::sql_types::Nullable<diesel::sql_types::Text>, _>($value)
        .sql(" AND other.id <> ")
        .bind::<diesel::sql_types::Uuid, _>($id)
        .sql(")")
    };
}
pub(crate) use is_free;

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

// Their order is the one in which the unique indexes were made, which is that of their checks.

pub(crate) fn values_of_company(company: &Company) -> Vec<UniqueValue> {
    let domain = company.domain.clone().map(UniqueValue::CompanyDomain);
    domain.into_iter().chain(company.external_id.clone().map(UniqueValue::CompanyExternalId)).collect()
}

pub(crate) fn values_of_contact(contact: &Contact) -> Vec<UniqueValue> {
    let email = UniqueValue::ContactEmail(contact.email_key());
    [email].into_iter().chain(contact.external_id.clone().map(UniqueValue::ContactExternalId)).collect()
}

pub(crate) fn values_of_deal(deal: &Deal) -> Vec<UniqueValue> {
    deal.external_id.clone().map(UniqueValue::DealExternalId).into_iter().collect()
}

pub(crate) fn values_of_project(project: &Project) -> Vec<UniqueValue> {
    project.external_id.clone().map(UniqueValue::ProjectExternalId).into_iter().collect()
}

pub(crate) fn values_of_article(article: &Article) -> Vec<UniqueValue> {
    vec![UniqueValue::ArticleSlug(article.slug.clone())]
}
