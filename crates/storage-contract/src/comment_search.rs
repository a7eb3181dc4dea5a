//! Searches that find records by their comments.

use std::collections::BTreeMap;

use time::Duration;
use uuid::Uuid;

use super::paging::{check_walks, newest_first};
use super::records::MADE;
use super::{StoreUnderTest, TestWorkspace};
use domain::console::{FoundRecord, RecordSearch};
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::input::Tag;
use domain::kernel::paging::Paginated;
use domain::kernel::search::SearchQuery;
use domain::records::{MatchedComment, RecordKind};
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{Issue, IssueFilter};
use domain::{CommentId, IssueId};

fn words(text: &str) -> SearchQuery {
    SearchQuery::parse(text).unwrap().unwrap().in_comments(true)
}

fn comment_on(world: &TestWorkspace, issue: IssueId, body: &str) -> Comment {
    Comment { body: body.to_owned(), ..world.comment(issue) }
}

fn note_on(world: &TestWorkspace, record: CrmRecord, body: &str) -> RecordComment {
    let blank = RecordComment::blank(CommentId(world.id()), record, world.key_actor(), world.key_actor(), world.now());
    RecordComment { body: body.to_owned(), ..blank }
}

/// The issues of a kind that a list search finds.
async fn listed(world: &TestWorkspace, kind: IssueKind, search: SearchQuery) -> Vec<Uuid> {
    let filter = IssueFilter { search: Some(search), ..IssueFilter::all(kind) };
    world.ids::<Issue>(filter).await
}

/// The contacts, companies and deals that searches of their lists find.
async fn crm(world: &TestWorkspace, search: SearchQuery) -> Vec<Uuid> {
    let search = || Some(search.clone());
    let contacts = world.ids::<Contact>(ContactFilter { search: search(), ..ContactFilter::default() }).await;
    let companies = world.ids::<Company>(CompanyFilter { search: search(), ..CompanyFilter::default() }).await;
    let deals = world.ids::<Deal>(DealFilter { search: search(), ..DealFilter::default() }).await;
    [contacts, companies, deals].concat()
}

async fn found(world: &TestWorkspace, text: &str, comments: &[RecordKind]) -> Vec<FoundRecord> {
    let search =
        RecordSearch { words: words(text), kinds: RecordKind::ALL.to_vec(), drafts: true, comments: comments.to_vec() };
    world.read(move |tx| tx.record_search().search_records(&search)).await
}

async fn matched(
    world: &TestWorkspace,
    kind: RecordKind,
    records: &[Uuid],
    text: &str,
) -> BTreeMap<Uuid, MatchedComment> {
    let (records, words) = (records.to_vec(), words(text));
    world.read(move |tx| tx.record_search().matched_comments(kind, &records, &words)).await
}

/// A search finds a task or ticket by one comment with all of the words, if comments are searched.
pub async fn issues_are_found_by_one_comment(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    for kind in IssueKind::ALL.iter().copied() {
        let commented = world.add(Issue { title: "Printer".to_owned(), ..world.bare_issue(kind).await }).await.id;
        let other = world.add(world.bare_issue(kind).await).await.id;
        world.add(comment_on(&world, commented, "We refunded the zephyr of O’Brien.")).await;
        let visibility = if kind == IssueKind::Ticket { Visibility::Public } else { Visibility::Internal };
        world.add(Comment { visibility, ..comment_on(&world, commented, "Shipped on Monday") }).await;
        world.add(comment_on(&world, other, "Zephyr")).await;
        for typed in ["refund", "ZEPH refunded", "o'brien", "monday ship", "refund zephyr"] {
            assert_eq!(listed(&world, kind, words(typed)).await, [commented.0], "{kind}: {typed}");
            assert!(listed(&world, kind, words(typed).in_comments(false)).await.is_empty(), "{kind}: {typed}");
        }
        // Both have the word. Each appears once, newest first.
        world.add(comment_on(&world, commented, "zephyr zephyr")).await;
        let both = world.list::<Issue>(IssueFilter::all(kind)).await;
        let both = newest_first(both.iter().map(Paginated::cursor_key).collect());
        let both: Vec<_> = both.into_iter().map(|(_, id)| id).collect();
        assert_eq!(listed(&world, kind, words("zephyr")).await, both);
        // Neither text alone has both words.
        for apart in ["printer zephyr", "monday zephyr", "efunded", "nobody"] {
            assert!(listed(&world, kind, words(apart)).await.is_empty(), "{kind}: {apart}");
        }
        assert_eq!(listed(&world, kind, words("printer")).await, [commented.0], "titles are still searched");
        assert!(listed(&other_world, kind, words("zephyr")).await.is_empty());
    }
}

/// Labels and filters also apply to records found by comments, and pages return all records in order, once each.
pub async fn filters_and_pages_hold(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (mut cursor_keys, mut with_label) = (Vec::new(), Vec::new());
    for (number, created_at) in world.seven_times().into_iter().enumerate() {
        let labels = if number % 2 == 0 { vec!["VIP".to_owned()] } else { Vec::new() };
        let title = if number % 3 == 0 { "Zephyr".to_owned() } else { "Printer".to_owned() };
        let issue = Issue { title, labels, created_at, ..world.bare_issue(IssueKind::Task).await };
        let issue = world.add(issue).await;
        // Some match in both ways, and some by two comments.
        for _ in 0..=number % 3 {
            world.add(comment_on(&world, issue.id, "the zephyr")).await;
        }
        if number % 2 == 0 {
            with_label.push(issue.cursor_key());
        }
        cursor_keys.push(issue.cursor_key());
    }
    let silent = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    world.add(comment_on(&world, silent, "nothing of it")).await;
    let all = IssueFilter { search: Some(words("zeph")), ..IssueFilter::all(IssueKind::Task) };
    let label: Tag = "vip".parse().unwrap();
    let labelled = IssueFilter { label: vec![label].into(), ..all.clone() };
    for (filter, cursor_keys) in [(all, cursor_keys), (labelled, with_label)] {
        check_walks(&world, &newest_first(cursor_keys), move |tx, page| tx.lists::<Issue>().list(&filter, page)).await;
    }
}

/// An edited comment is found only by its new words, a removed one not at all, and neither are comments of a deleted record.
pub async fn words_follow_their_comment(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let task = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let comment = world.add(comment_on(&world, task, "former words")).await;
    let contact = world.add(world.bare_contact()).await.id;
    let note = world.add(note_on(&world, CrmRecord::Contact(contact), "former note")).await;
    assert_eq!(listed(&world, IssueKind::Task, words("former")).await, [task.0]);
    assert_eq!(crm(&world, words("former")).await, [contact.0]);
    let edited = Comment { body: "later words".to_owned(), version: 2, ..comment };
    let renoted = RecordComment { body: "later note".to_owned(), version: 2, ..note.clone() };
    world.commit(move |tx| tx.comments().save(&edited)).await;
    world.commit(move |tx| tx.record_comments().save(&renoted)).await;
    for (typed, is_found) in [("former", false), ("later", true)] {
        assert_eq!(listed(&world, IssueKind::Task, words(typed)).await.len(), usize::from(is_found), "{typed}");
        assert_eq!(crm(&world, words(typed)).await.len(), usize::from(is_found), "{typed}");
    }
    assert!(world.commit(move |tx| tx.record_comments().delete(note.id)).await);
    assert!(crm(&world, words("later")).await.is_empty());
    world.delete::<Issue>(task).await;
    assert!(listed(&world, IssueKind::Task, words("later")).await.is_empty());
}

pub async fn records_of_the_crm_are_found_by_comments(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let contact = world.add(world.bare_contact()).await.id;
    let company = world.add(world.bare_company()).await.id;
    let deal = world.add(Deal { title: "Zephyr".to_owned(), ..world.bare_deal() }).await.id;
    world.add(world.bare_contact()).await;
    for (record, body) in [
        (CrmRecord::Contact(contact), "prefers the phone"),
        (CrmRecord::Company(company), "prefers letters"),
        (CrmRecord::Deal(deal), "prefers the zephyr"),
    ] {
        world.add(note_on(&world, record, body)).await;
    }
    assert_eq!(crm(&world, words("prefers")).await, [contact.0, company.0, deal.0]);
    assert_eq!(crm(&world, words("prefers letter")).await, [company.0]);
    assert_eq!(crm(&world, words("zephyr")).await, [deal.0]);
    assert!(crm(&world, words("prefers").in_comments(false)).await.is_empty());
}

/// A search across all kinds shows the comment that matched, for the kinds whose comments are searched.
pub async fn a_search_over_all_kinds_shows_the_comment(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add(Issue { title: "Printer".to_owned(), ..world.bare_issue(IssueKind::Ticket).await }).await;
    let titled = world.add(Issue { title: "Zephyr".to_owned(), ..world.bare_issue(IssueKind::Ticket).await }).await;
    let company = world.add(world.bare_company()).await;
    let at = |minutes: i64| MADE + Duration::minutes(minutes);
    world.add(Comment { created_at: at(1), ..comment_on(&world, ticket.id, "an earlier zephyr") }).await;
    let latest =
        world.add(Comment { created_at: at(2), ..comment_on(&world, ticket.id, "We sent\n<b>zephyrs</b> back") }).await;
    world.add(Comment { created_at: at(3), ..comment_on(&world, ticket.id, "thanks") }).await;
    world.add(comment_on(&world, titled.id, "zephyr too")).await;
    let note = world.add(note_on(&world, CrmRecord::Company(company.id), "zephyr wanted")).await;
    let all = found(&world, "zephyr", RecordKind::ALL).await;
    let ids: Vec<_> = all.iter().map(|record| (record.kind, record.id)).collect();
    let (company, ticket) = ((RecordKind::Company, company.id.0), (RecordKind::Ticket, ticket.id.0));
    assert_eq!(ids, [company, (RecordKind::Ticket, titled.id.0), ticket], "records with the words come first");
    assert_eq!(all[1].comment, None);
    let comment = |record: &FoundRecord| {
        let comment = record.comment.clone().unwrap();
        let parts = comment
            .excerpt
            .iter()
            .map(|part| if part.is_match { format!("[{}]", part.text) } else { part.text.clone() });
        (comment.id, parts.collect::<String>())
    };
    assert_eq!(comment(&all[0]), (note.id, "[zephyr] wanted".to_owned()));
    assert_eq!(comment(&all[2]), (latest.id, "We sent <b>[zephyrs]</b> back".to_owned()), "the latest match");
    assert_eq!(all[2].comment.as_ref().unwrap().created_at, at(2));
    let some = found(&world, "zephyr", &[RecordKind::Company, RecordKind::Task]).await;
    let ids: Vec<_> = some.iter().map(|record| (record.kind, record.id)).collect();
    assert_eq!(ids, [company, (RecordKind::Ticket, titled.id.0)], "comments that are not searched do not count");
    assert!(found(&world, "printer zephyr", RecordKind::ALL).await.is_empty());
}

/// For each kind, the records with the latest comments are found.
pub async fn the_latest_comments_come_first(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut expected = Vec::new();
    for minute in 0..7 {
        // The latest comment is on the oldest task.
        let created_at = MADE - Duration::minutes(minute);
        let task = world.add(Issue { created_at, ..world.bare_issue(IssueKind::Task).await }).await.id;
        let created_at = MADE + Duration::minutes(minute);
        world.add(Comment { created_at, ..comment_on(&world, task, "zephyr") }).await;
        expected.insert(0, task.0);
    }
    expected.truncate(5);
    let found: Vec<_> = found(&world, "zephyr", RecordKind::ALL).await.into_iter().map(|record| record.id).collect();
    assert_eq!(found, expected);
}

/// Each record of a page that lacks the words comes with its latest comment that has them, cut to the words' surroundings.
pub async fn records_without_the_words_have_the_latest_comment(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let at = |minutes: i64| MADE + Duration::minutes(minutes);
    for kind in IssueKind::ALL.iter().copied() {
        let commented = world.add(Issue { title: "Printer".to_owned(), ..world.bare_issue(kind).await }).await.id;
        let titled = world.add(Issue { title: "Zephyr".to_owned(), ..world.bare_issue(kind).await }).await.id;
        let silent = world.add(world.bare_issue(kind).await).await.id;
        world.add(Comment { created_at: at(1), ..comment_on(&world, commented, "an earlier zephyr") }).await;
        let latest = Comment { created_at: at(2), ..comment_on(&world, commented, "We sent\n<b>zephyrs</b> back") };
        let latest = world.add(latest).await.id;
        world.add(Comment { created_at: at(3), ..comment_on(&world, commented, "thanks") }).await;
        world.add(comment_on(&world, titled, "zephyr too")).await;
        let (kind, all) = (RecordKind::from(kind), [commented.0, titled.0, silent.0]);
        let found = matched(&world, kind, &all, "zephyr").await;
        let comment = MatchedComment { id: latest, excerpt: "We sent <b>zephyrs</b> back".to_owned() };
        assert_eq!(found, BTreeMap::from([(commented.0, comment)]), "{kind}");
        for (records, text) in [(&all[1..], "zephyr"), (&all[..], "printer zephyr"), (&all[..], "printer")] {
            assert!(matched(&world, kind, records, text).await.is_empty(), "{kind}: {text}");
        }
        assert!(matched(&other_world, kind, &all, "zephyr").await.is_empty(), "{kind}");
    }
    let contact = world.add(world.bare_contact()).await.id;
    let company = world.add(world.bare_company()).await.id;
    let deal = world.add(world.bare_deal()).await.id;
    let long = format!("{}prefers the phone{}", "blank ".repeat(500), " blank".repeat(500));
    for record in [CrmRecord::Contact(contact), CrmRecord::Company(company), CrmRecord::Deal(deal)] {
        let kind = record.kind();
        let note = world.add(note_on(&world, record, &long)).await.id;
        let found = matched(&world, kind, &[record.id()], "prefer phone").await;
        let comment = &found[&record.id()];
        let excerpt = &comment.excerpt;
        assert_eq!((found.len(), comment.id), (1, note), "{kind}");
        assert!(excerpt.contains("prefers the phone") && excerpt.chars().count() < 250, "{kind}: {excerpt}");
    }
    assert!(matched(&world, RecordKind::Project, &[deal.0], "prefers").await.is_empty());
}
