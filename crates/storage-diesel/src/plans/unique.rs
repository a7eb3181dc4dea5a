//! Query plans of look-ups by unique values and keys.

use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::Actor;
use domain::kernel::KeySet;
use domain::ports::RowLock;
use domain::records::Kind;
use domain::support::kb::Article;
use domain::work::projects::Project;
use domain::{CompanyId, ContactId, DealId, ProjectId, Reference, UserId};
use time::macros::datetime;
use uuid::Uuid;

use super::{BIG, DATABASE, NEW, check_both, check_generic, check_generic_in, check_in, seeded};
use crate::crm::batch::{BatchTable, many_query, update_query};
use crate::crm::named;
use crate::kernel::references::exist_many_query;
use crate::kernel::unique::record_query;

/// The maximum size of an upsert.
const MANY: u32 = 500;

fn keys() -> KeySet {
    let texts = || (0..MANY).map(|number| format!("x{number}")).collect();
    KeySet { external_ids: texts(), natural: texts(), ..KeySet::default() }
}

#[test]
fn a_unique_value_is_found_by_its_index() {
    let text = || "x".to_owned();
    for (value, index) in [
        (Contact::unique("email", text()), "contacts_email_key"),
        (Contact::unique("external_id", text()), "contacts_external_id_key"),
        (Company::unique("domain", text()), "companies_domain_key"),
        (Company::unique("external_id", text()), "companies_external_id_key"),
        (Deal::unique("external_id", text()), "deals_external_id_key"),
        (Project::unique("external_id", text()), "projects_external_id_key"),
        (Article::unique("slug", "article-7".to_owned()), "kb_articles_slug_key"),
    ] {
        check_both(record_query(BIG, &value), index, 1);
    }
}

#[test]
fn keys_are_found_by_their_indexes() {
    let keys = keys();
    for lock in [RowLock::None, RowLock::ForUpdate] {
        let (contacts, companies) = (Contact::keys_query(BIG, &keys, lock), Company::keys_query(BIG, &keys, lock));
        for index in ["contacts_pkey", "contacts_external_id_key", "contacts_email_key"] {
            check_generic(&contacts, index);
        }
        for index in ["companies_pkey", "companies_external_id_key", "companies_domain_key"] {
            check_generic(&companies, index);
        }
        let deals = Deal::keys_query(BIG, &keys, lock);
        check_generic(&deals, "deals_external_id_key");
        check_generic_in(&NEW, &contacts, "contacts_pkey");
        check_generic_in(&NEW, &companies, "companies_pkey");
        check_generic_in(&NEW, &deals, "deals_external_id_key");
    }
}

#[test]
fn records_are_found_by_the_words_of_their_names() {
    let names: Vec<_> = (0..MANY).map(|number| format!("Company {number}")).collect();
    check_generic(&named::companies_query(BIG, &names), "companies_search");
    check_generic(&named::contacts_query(BIG, &names), "contacts_search");
    check_generic(&named::projects_query(BIG, &names), "projects_search");
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
        check_generic(&query(), index);
        // A workspace has few members, so it may read all of them.
        if index != "members_pkey" {
            check_generic_in(&NEW, &query(), index);
        }
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
    for database in [&DATABASE, &NEW] {
        check_generic_in(database, &update_query(BIG, &contacts), "contacts_pkey");
        let company = [Company::blank(CompanyId(seeded(BIG, 1)), Actor::SYSTEM, at)];
        check_generic_in(database, &update_query(BIG, &company), "companies_pkey");
        let deal = [Deal::blank(DealId(seeded(BIG, 1)), "USD", Actor::SYSTEM, at)];
        check_generic_in(database, &update_query(BIG, &deal), "deals_pkey");
        // In execution, each row is compared with each document at most once.
        check_in(database, update_query(BIG, &contacts), "contacts_pkey", 20 * 20);
    }
}

#[test]
fn many_records_are_read_by_their_primary_key() {
    let ids: Vec<_> = (0..MANY).map(|number| Uuid::from_u128(number.into())).collect();
    for database in [&DATABASE, &NEW] {
        check_generic_in(database, &many_query::<Contact>(BIG, &ids), "contacts_pkey");
        check_generic_in(database, &many_query::<Company>(BIG, &ids), "companies_pkey");
        check_generic_in(database, &many_query::<Deal>(BIG, &ids), "deals_pkey");
    }
}
