//! Search across all kinds of records.

use super::{StoreUnderTest, TestWorkspace};
use domain::console::{FoundRecord, MAX_RESULTS_PER_KIND, RecordSearch, WantedNames};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::IssueKind;
use domain::kernel::search::SearchQuery;
use domain::records::{RecordById, RecordKind};
use domain::support::canned_replies::{CannedReply, CannedReplyId};
use domain::support::kb::{Article, ArticleStatus};
use domain::work::issues::Issue;
use domain::work::projects::Project;
use time::Duration;
use uuid::Uuid;

fn search_for(text: &str) -> RecordSearch {
    let words = SearchQuery::parse(text).unwrap().unwrap();
    RecordSearch { words, kinds: RecordKind::ALL.to_vec(), drafts: true, comments: RecordKind::ALL.to_vec() }
}

async fn found_by(world: &TestWorkspace, search_for: RecordSearch) -> Vec<FoundRecord> {
    world.read(move |tx| tx.record_search().search_records(&search_for)).await
}

/// Kind, title and detail of the results.
async fn found(world: &TestWorkspace, search_for: RecordSearch) -> Vec<(RecordKind, String, Option<String>)> {
    let found = found_by(world, search_for).await;
    found.into_iter().map(|record| (record.kind, record.title, record.detail)).collect()
}

async fn add_one_of_each(world: &TestWorkspace, name: &str) {
    let (first_name, last_name) = (Some("Ann".to_owned()), Some(format!("{name}er")));
    let email = "ann@example.org".to_owned();
    world.add(Contact { first_name, last_name, email, ..world.bare_contact() }).await;
    let domain = Some("zephyr.example".to_owned());
    world.add(Company { name: format!("{name} Ltd"), domain, ..world.bare_company() }).await;
    world.add(Deal { title: format!("Pilot of {name}"), ..world.bare_deal() }).await;
    world.add(Project { name: format!("Move {name}"), ..world.bare_project() }).await;
    for kind in IssueKind::ALL.iter().copied() {
        world.add(Issue { title: format!("{name} {kind}"), ..world.bare_issue(kind).await }).await;
    }
    for (status, title) in [(ArticleStatus::Draft, "Draft"), (ArticleStatus::Published, "Article")] {
        let body = Some(format!("About {name}s"));
        world.add(Article { title: title.to_owned(), status, body, ..world.bare_article() }).await;
    }
}

/// Records of the requested kinds are found by the beginnings of their words.
pub async fn records_of_all_kinds_are_found(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    add_one_of_each(&world, "Zephyr").await;
    let all = found(&world, search_for("zeph")).await;
    let kinds: Vec<_> = all.iter().map(|(kind, ..)| *kind).collect();
    let [contact, company, deal, project, _cycle, task, ticket, article, ..] = *RecordKind::ALL else {
        panic!("{kinds:?}")
    };
    assert_eq!(kinds, [contact, company, deal, project, task, ticket, article, article]);
    assert_eq!(all[0], (contact, "Ann Zephyrer".to_owned(), Some("ann@example.org".to_owned())));
    assert_eq!(all[1], (company, "Zephyr Ltd".to_owned(), Some("zephyr.example".to_owned())));
    assert_eq!((all[2].1.as_str(), all[2].2.as_deref()), ("Pilot of Zephyr", Some("discovery")));
    assert!(all[5].2.as_deref().is_some_and(|reference| !reference.is_empty()), "{all:?}");
    let published = found(&world, RecordSearch { drafts: false, ..search_for("zephyrs") }).await;
    assert_eq!(published, [(article, "Article".to_owned(), Some("published".to_owned()))]);
    let some = found(&world, RecordSearch { kinds: vec![ticket, deal], ..search_for("ZEPHYR") }).await;
    assert_eq!(some.iter().map(|(kind, ..)| *kind).collect::<Vec<_>>(), [ticket, deal]);
    for nothing in ["zephyr nobody", "ephyr", "-", "x:*", "'", "\\", "%"] {
        assert_eq!(found(&world, search_for(nothing)).await, [], "{nothing}");
    }
    assert_eq!(found(&other_world, search_for("zephyr")).await, []);
}

/// The newest records of each kind are found; deleted ones are not.
pub async fn the_newest_of_a_kind_are_found(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut ids = Vec::new();
    for minute in 0..7 {
        let created_at = world.now() + Duration::minutes(minute);
        let deal = Deal { title: "Zephyr".to_owned(), created_at, ..world.bare_deal() };
        ids.push(world.add(deal).await.id);
    }
    let deleted = ids[6];
    world.delete::<Deal>(deleted).await;
    let found: Vec<_> = found_by(&world, search_for("zephyr")).await.into_iter().map(|record| record.id).collect();
    let newest: Vec<_> = ids[1..6].iter().rev().map(|id| id.0).collect();
    assert_eq!(found, newest);
    assert_eq!(found.len(), MAX_RESULTS_PER_KIND as usize);
}

/// Records and people are named by their ids, only in their own workspace and with the right kind.
pub async fn records_and_people_have_names(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    add_one_of_each(&world, "Zephyr").await;
    let found = found_by(&world, search_for("zephyr")).await;
    let member = world.new_member().await.0;
    let of_kinds: Vec<_> = found.iter().map(|record| (record.kind, record.id)).collect();
    let request = WantedNames { people: vec![member, Uuid::from_u128(7)], records: of_kinds.clone() };
    let same_request = request.clone();
    let named = world.read(move |tx| tx.record_search().names_of(&request)).await;
    for record in &found {
        assert_eq!(named.records.get(&(record.kind, record.id)), Some(&record.title), "{}", record.kind);
    }
    assert_eq!((named.records.len(), named.people.len()), (found.len(), 1));
    let foreign = other_world.read(move |tx| tx.record_search().names_of(&same_request)).await;
    assert_eq!((foreign.records.len(), foreign.people.len()), (0, 0));
    let wrong_kinds = of_kinds
        .iter()
        .map(|(kind, id)| (if *kind == RecordKind::Task { RecordKind::Ticket } else { RecordKind::Task }, *id));
    let wrong_kinds = WantedNames { people: Vec::new(), records: wrong_kinds.collect() };
    assert_eq!(world.read(move |tx| tx.record_search().names_of(&wrong_kinds)).await.records.len(), 0);
}

/// A title is shown only if everybody who may read the kind sees the record.
pub async fn private_records_have_no_names(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let reply = |shared, title: &str| {
        let blank = CannedReply::blank(CannedReplyId(world.id()), world.member_actor(), world.now());
        CannedReply { title: title.to_owned(), shared, ..blank }
    };
    let (private, shared) = (world.add(reply(false, "Own")).await.id, world.add(reply(true, "Shared")).await.id);
    let records = [private, shared].map(|id| (RecordKind::CannedReply, id.0)).to_vec();
    let request = WantedNames { records, ..WantedNames::default() };
    let named = world.read(move |tx| tx.record_search().names_of(&request)).await;
    let named: Vec<_> = named.records.into_values().collect();
    assert_eq!(named, ["Shared"]);
}

/// A record is found by its id with its kind, and with its time of deletion for as long as it can be restored.
pub async fn a_record_of_any_kind_is_found_by_its_id(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    add_one_of_each(&world, "Zephyr").await;
    let (now, long_ago) = (world.now(), world.now() - Duration::days(30));
    let found = found_by(&world, search_for("zephyr")).await;
    assert_eq!(found.len(), 8);
    for record in &found {
        let id = record.id;
        let by_id = world.read(move |tx| tx.record_search().find_by_id(id, now)).await;
        assert_eq!(by_id, Some(RecordById { kind: record.kind, deleted_at: None }));
        assert_eq!(other_world.read(move |tx| tx.record_search().find_by_id(id, long_ago)).await, None);
    }
    let deal = world.add(world.bare_deal()).await.id;
    world.delete::<Deal>(deal).await;
    let deleted = world.read(move |tx| tx.record_search().find_by_id(deal.0, long_ago)).await;
    assert_eq!(deleted, Some(RecordById { kind: RecordKind::Deal, deleted_at: Some(now) }));
    assert_eq!(world.read(move |tx| tx.record_search().find_by_id(deal.0, now)).await, None, "deleted too long ago");
    assert_eq!(world.read(move |tx| tx.record_search().find_by_id(Uuid::from_u128(7), long_ago)).await, None);
}
