//! Records are found by their unique values and keys.

use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::Actor;
use domain::kernel::{KeySet, UniqueValue};
use domain::ports::RowLock;
use domain::{CompanyId, ContactId, DealId, ProjectId, Reference, UserId};
use time::macros::datetime;
use uuid::Uuid;

use super::{BIG, LazyLock, SMALL, check, check_generic, check_generic_in, check_in, common, seeded};
use crate::crm::batch::{BatchTable, update_query};
use crate::kernel::references::exist_many_query;
use crate::kernel::unique::record_query;

/// As many as an upsert has.
const MANY: u32 = 500;

/// A database whose tables were never analysed: what a new service has when it is filled.
static NEW: LazyLock<common::Database> = LazyLock::new(common::Database::migrated);

fn keys(text: impl Fn(u32) -> String) -> KeySet {
    KeySet {
        external_ids: (0..MANY).map(|number| format!("x{number}")).collect(),
        natural: (0..MANY).map(text).collect(),
    }
}

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

#[test]
fn keys_are_found_by_their_indexes() {
    let emails = keys(|number| format!("{}@e.x", seeded_text(number)));
    let domains = keys(|number| format!("d{number}.example"));
    for lock in [RowLock::None, RowLock::ForUpdate] {
        for workspace in [BIG, SMALL] {
            for index in ["contacts_pkey", "contacts_external_id_key", "contacts_email_key"] {
                check(Contact::keys_query(workspace, &emails, lock), index, 2 * MANY);
            }
            check(Company::keys_query(workspace, &domains, lock), "companies_domain_key", 2 * MANY);
            check(Company::keys_query(workspace, &domains, lock), "companies_external_id_key", 2 * MANY);
            check(Deal::keys_query(workspace, &domains, lock), "deals_external_id_key", MANY);
        }
        for index in ["contacts_pkey", "contacts_external_id_key", "contacts_email_key"] {
            check_generic(&Contact::keys_query(BIG, &emails, lock), index);
            check_generic_in(&NEW, &Contact::keys_query(BIG, &emails, lock), index);
        }
        for index in ["companies_pkey", "companies_external_id_key", "companies_domain_key"] {
            check_generic(&Company::keys_query(BIG, &domains, lock), index);
            check_generic_in(&NEW, &Company::keys_query(BIG, &domains, lock), index);
        }
        check_generic(&Deal::keys_query(BIG, &domains, lock), "deals_external_id_key");
        check_generic_in(&NEW, &Deal::keys_query(BIG, &domains, lock), "deals_external_id_key");
    }
}

/// The seed's addresses begin with the ids of the first contacts.
fn seeded_text(number: u32) -> Uuid {
    use std::collections::HashMap;
    use std::sync::Mutex;
    static KNOWN: LazyLock<Mutex<HashMap<u32, Uuid>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap();
    *known.entry(number % 20 + 1).or_insert_with(|| seeded(BIG, number % 20 + 1))
}

#[test]
fn many_references_are_checked_by_primary_keys() {
    let references: Vec<_> = (0..MANY)
        .flat_map(|number| {
            let id = Uuid::from_u128(number.into());
            [
                Reference::Company(CompanyId(id)),
                Reference::Contact(ContactId(id)),
                Reference::Deal(DealId(id)),
                Reference::Project(ProjectId(id)),
                Reference::Member(UserId(id)),
            ]
        })
        .collect();
    let query = || exist_many_query(BIG, &references);
    for index in ["companies_pkey", "contacts_pkey", "deals_pkey", "projects_pkey", "members_pkey"] {
        check(query(), index, MANY);
        check_generic(&query(), index);
        check_generic_in(&NEW, &query(), index);
    }
}

#[test]
fn many_records_are_changed_by_their_primary_key() {
    let at = datetime!(2025-01-01 00:00 UTC);
    let contacts: Vec<_> = (1..=20)
        .map(|number| {
            let contact = Contact::blank(ContactId(seeded(BIG, number)), Actor::SYSTEM, at);
            Contact { email: format!("{number}@batch.example"), ..contact }
        })
        .collect();
    check(update_query(BIG, &contacts), "contacts_pkey", 100);
    check_generic(&update_query(BIG, &contacts), "contacts_pkey");
    check_in(&NEW, update_query(BIG, &contacts), "contacts_pkey", 100);
    check_generic_in(&NEW, &update_query(BIG, &contacts), "contacts_pkey");
    let company = [Company::blank(CompanyId(seeded(BIG, 1)), Actor::SYSTEM, at)];
    check(update_query(BIG, &company), "companies_pkey", 100);
    let deal = [Deal::blank(DealId(seeded(BIG, 1)), "USD", Actor::SYSTEM, at)];
    check(update_query(BIG, &deal), "deals_pkey", 100);
}
