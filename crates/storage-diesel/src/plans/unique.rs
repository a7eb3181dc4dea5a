//! Records are found by their unique values and keys.

use domain::kernel::UniqueValue;

use super::{BIG, check, check_generic};
use crate::kernel::unique::record_query;

#[test]
fn a_unique_value_is_found_by_its_index() {
    let text = || "x".to_owned();
    for (value, index) in [
        (UniqueValue::ContactEmail(text()), "contacts_email_key"),
        (UniqueValue::ContactExternalId(text()), "contacts_external_id_key"),
        (UniqueValue::CompanyDomain(text()), "companies_domain_key"),
        (UniqueValue::CompanyExternalId(text()), "companies_external_id_key"),
        (UniqueValue::DealExternalId(text()), "deals_external_id_key"),
        (UniqueValue::ProjectExternalId(text()), "projects_external_id_key"),
        (UniqueValue::ArticleSlug("article-7".to_owned()), "kb_articles_slug_key"),
    ] {
        check(record_query(BIG, &value), index, 1);
        check_generic(&record_query(BIG, &value), index);
    }
}
