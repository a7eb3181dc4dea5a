//! Exports of lists: content, permissions, and audit entries.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::start;
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::Company;
use domain::crm::deals::{Deal, DealFilter, DealOrder, DealStage};
use domain::identity::access::{Caller, Credential, ExportRecords, ToolGrants};
use domain::identity::audit::{self, AuditFilter};
use domain::identity::workspaces::Role;
use domain::kernel::input::Several;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::records::{self, MatchedComment};
use domain::testing::caller_with;
use domain::transfer::{
    self, Export, ExportedList, TransferKind, columns_of, export_page, note_export, note_export_end,
};
use domain::{CommentId, Error, SessionId, UserId};
use rust_decimal::Decimal;
use storage_contract::TestWorkspace;
use test_databases::TestPorts;
use uuid::Uuid;

fn session(world: &TestWorkspace, user: UserId, role: Role) -> Caller {
    let credential = Credential::Session { id: SessionId(Uuid::from_u128(8)), user, role };
    caller_with(world.workspace.clone(), credential, "Ann", role.scopes(), ToolGrants::default())
}

fn export_of(list: ExportedList, columns: &[&str]) -> Export {
    let columns: Vec<_> = columns.iter().map(|column| (*column).to_owned()).collect();
    Export::of_list(list, BTreeMap::new(), &columns).unwrap()
}

/// The rows of an export by a user.
fn rows(test: &TestPorts, caller: &Caller, export: &Export) -> Result<Vec<Vec<String>>, Error> {
    let permit = caller.permit::<ExportRecords>()?;
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let page = test.block_on(export_page(&test.ports, &permit, export, after))?;
        rows.extend(page.records.iter().map(|record| export.row(record)));
        match page.next {
            Some(place) => after = Some(place),
            None => return Ok(rows),
        }
    }
}

#[test]
fn an_export_has_the_records_of_the_list_in_its_order() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Viewer);
    test.block_on(async {
        for number in 0..130_i64 {
            let stage = if number % 3 == 0 { DealStage::Proposal } else { DealStage::Discovery };
            let value = (number > 9).then(|| Decimal::new(number, 1));
            let deal = Deal { title: format!("Deal {number}"), stage, value, ..world.bare_deal() };
            world.add(deal).await;
        }
    });
    let filter = |order| DealFilter { stage: Several(vec![DealStage::Proposal]), order, ..DealFilter::default() };
    for order in [None, Some(DealOrder::Value), Some(DealOrder::Updated)] {
        let list = records::list::<Deal>;
        let permit = member.permit().unwrap();
        let page = list(&test.ports, &permit, filter(order), PageRequest::first(100));
        let listed: Vec<_> = test.block_on(page).unwrap().items.into_iter().map(|deal| deal.title).collect();
        let export = export_of(ExportedList::Deals(filter(order)), &["title"]);
        let titles: Vec<_> = rows(&test, &member, &export).unwrap().into_iter().map(|mut row| row.remove(1)).collect();
        assert_eq!((titles.len(), &titles), (44, &listed), "{order:?}");
    }
    assert_eq!(rows(&test, &member, &Export::from(TransferKind::Deals)).unwrap().len(), 130);
}

#[test]
fn lists_show_the_matched_comment_and_exports_do_not() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Viewer);
    let titled = test.block_on(world.add(Deal { title: "Zephyr".to_owned(), ..world.bare_deal() }));
    let commented = test.block_on(world.add(world.bare_deal()));
    let (author, record) = (world.member_actor(), CrmRecord::Deal(commented.id));
    let blank = RecordComment::blank(CommentId(world.id()), record, author, author, world.now());
    let comment = test.block_on(world.add(RecordComment { body: "Zephyrs\nsell".to_owned(), ..blank }));
    let matched = MatchedComment { id: comment.id, excerpt: "Zephyrs sell".to_owned() };
    let filter = |order| DealFilter { search: SearchQuery::parse("zephyr").unwrap(), order, ..DealFilter::default() };
    for order in [None, Some(DealOrder::Value), Some(DealOrder::Updated)] {
        let permit = member.permit().unwrap();
        let page = records::list_or_deleted::<Deal>(&test.ports, &permit, filter(order), PageRequest::first(9));
        let listed = test.block_on(page).unwrap().items.into_iter();
        let listed: BTreeMap<_, _> = listed.map(|listed| (listed.record.id.0, listed.matched_comment)).collect();
        assert_eq!(listed, BTreeMap::from([(titled.id.0, None), (commented.id.0, Some(matched.clone()))]), "{order:?}");
        let page = records::list_or_deleted::<Deal>(&test.ports, &permit, DealFilter::default(), PageRequest::first(9));
        let all = test.block_on(page).unwrap().items;
        assert!(all.len() == 2 && all.iter().all(|listed| listed.matched_comment.is_none()), "{all:?}");
        let permit = member.permit::<ExportRecords>().unwrap();
        let export = export_of(ExportedList::Deals(filter(order)), &["title"]);
        let records = test.block_on(export_page(&test.ports, &permit, export, None)).unwrap().records;
        assert_eq!(records.len(), 2, "{order:?}");
        assert!(records.iter().all(|record| record.get("matched_comment").is_none()), "{records:?}");
    }
}

#[test]
fn exports_have_names_next_to_ids() {
    let (test, world) = start();
    let member = session(&world, world.member, Role::Member);
    let company = test.block_on(world.add(Company { name: "Jörg & Co".to_owned(), ..world.bare_company() }));
    let deal = Deal { company_id: Some(company.id), assigned_to: Some(world.member), ..world.bare_deal() };
    let deal = test.block_on(world.add(deal));
    let list = ExportedList::all(TransferKind::Deals);
    let export = export_of(list, &["title", "company_id", "assigned_to"]);
    let expected = ["id", "title", "company_id", "company_name", "assigned_to", "assigned_to_name"];
    assert_eq!(export.columns(), expected);
    let row = rows(&test, &member, &export).unwrap().remove(0);
    let (id, company_id, user) = (deal.id.to_string(), company.id.to_string(), world.member.0.to_string());
    assert_eq!(row[..5], [&*id, &*deal.title, &*company_id, "Jörg & Co", &*user]);
    assert!(!row[5].is_empty(), "{row:?}");
}

#[test]
fn members_export_what_they_may_read_until_they_are_removed() {
    let (test, world) = start();
    let caller = |role| session(&world, world.member, role);
    for role in [Role::Owner, Role::Admin, Role::Member, Role::Viewer] {
        for kind in TransferKind::ALL.iter().copied() {
            let exported = rows(&test, &caller(role), &Export::from(kind));
            assert!(exported.is_ok(), "{role} {kind}: {exported:?}");
        }
    }
    let removed = session(&world, UserId(Uuid::from_u128(99)), Role::Member);
    let refused = rows(&test, &removed, &Export::from(TransferKind::Contacts));
    assert!(matches!(refused, Err(Error::Unauthorized)), "{refused:?}");
}

#[test]
fn exports_are_in_the_audit_log_with_their_row_counts() {
    let (test, world) = start();
    let permit = session(&world, world.member, Role::Member).permit::<ExportRecords>().unwrap();
    let parameters = BTreeMap::from([("stage".to_owned(), vec!["proposal".to_owned()])]);
    let list = ExportedList::all(TransferKind::Deals);
    let export = Export::of_list(list, parameters, &["title".to_owned()]).unwrap();
    test.block_on(async {
        note_export(&test.ports, &permit, &[export]).await.unwrap();
        note_export_end(&test.ports, &permit, TransferKind::Deals, 7, true).await.unwrap();
    });
    let operator = world.operator();
    let entries = audit::list(&test.ports, &operator, AuditFilter::default(), PageRequest::first(2));
    let entries = test.block_on(entries).unwrap().items;
    let logged = |index: usize| (entries[index].action.as_str(), Json::Object(entries[index].details.clone()));
    assert_eq!(logged(0), ("export.finished", json!({"kind": "deals", "rows": 7, "complete": true})));
    let started = json!({"kinds": ["deals"], "filter": {"stage": ["proposal"]}, "columns": ["id", "title"]});
    assert_eq!(logged(1), ("records.exported", started));
    assert!(entries.iter().all(|entry| entry.actor.actor.id == Some(world.member.0)), "{entries:?}");
}

#[test]
fn imports_ignore_name_columns() {
    for kind in TransferKind::ALL.iter().copied() {
        let header: Vec<_> = columns_of(kind).into_iter().map(str::to_owned).chain(["deleted_at".to_owned()]).collect();
        let columns = transfer::Columns::of(kind, &header, &transfer::Mapping::default());
        assert!(columns.is_ok(), "{kind}: {columns:?}");
    }
    // Otherwise, the name would be ignored without notice.
    let header = ["title", "company_name"].map(str::to_owned);
    let refused = transfer::Columns::of(TransferKind::Deals, &header, &transfer::Mapping::default()).unwrap_err();
    assert_eq!(refused.details()[0].code, "unknown_column");
}
