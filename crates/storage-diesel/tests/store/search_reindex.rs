//! Background indexing of records from an earlier release.

use crate::common::Database;
use crate::common::jobs::{count, number};
use diesel::connection::SimpleConnection;
use domain::CommentId;
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::ports::Ports;
use domain::support::kb::{Article, ArticleFilter};
use domain::work::comments::Comment;
use domain::work::issues::{Issue, IssueFilter};
use domain::work::projects::{Project, ProjectFilter};
use storage_contract::{StoreUnderTest, TestWorkspace};

/// Resets records to the state of an earlier release: without walks, and without words, tags and labels that it did not index.
const AS_BEFORE: &str = "
    UPDATE contacts SET search = '';
    UPDATE deals SET search = NULL;
    UPDATE projects SET search = NULL;
    UPDATE kb_articles SET search = NULL;
    UPDATE issues SET search = '';
    DELETE FROM search_walks";
/// Makes waiting walks due, as if an hour had passed.
const MAKE_DUE: &str = "UPDATE search_walks SET due_at = now()";

async fn add_some(world: &TestWorkspace) {
    let tags = || vec!["VIP".to_owned()];
    for number in 0..7 {
        let title = format!("Größe {number}");
        let _ = world.add(Contact { tags: tags(), first_name: Some(title.clone()), ..world.bare_contact() }).await;
        let _ = world.add(Deal { title: title.clone(), tags: tags(), ..world.bare_deal() }).await;
        let _ = world.add(Project { name: title.clone(), ..world.bare_project() }).await;
        let _ = world.add(Article { title: title.clone(), tags: tags(), ..world.bare_article() }).await;
        let _ = world.add(Issue { title, labels: tags(), ..world.bare_issue(IssueKind::Ticket).await }).await;
    }
    let _ = world.add(world.bare_contact()).await;
    let _ = world.add(world.bare_issue(IssueKind::Task).await).await;
}

/// How many contacts, deals, projects, tickets and articles are found by a word and a tag.
async fn found(world: &TestWorkspace) -> [usize; 5] {
    let search = || SearchQuery::parse("grosse").unwrap();
    let tag = || vec!["vip".parse().unwrap()];
    let all = PageRequest::first(100);
    let contacts = ContactFilter { search: search(), tag: tag().into(), ..ContactFilter::default() };
    let deals = DealFilter { search: search(), tag: tag().into(), ..DealFilter::default() };
    let projects = ProjectFilter { search: search(), ..ProjectFilter::default() };
    let issues = IssueFilter { search: search(), label: tag().into(), ..IssueFilter::all(IssueKind::Ticket) };
    let articles = ArticleFilter { search: search(), tag: tag().into(), ..ArticleFilter::default() };
    world
        .read(move |tx| {
            Ok([
                tx.lists::<Contact>().list(&contacts, &all)?.len(),
                tx.lists::<Deal>().list(&deals, &all)?.len(),
                tx.lists::<Project>().list(&projects, &all)?.len(),
                tx.lists::<Issue>().list(&issues, &all)?.len(),
                tx.lists::<Article>().list(&articles, &all)?.len(),
            ])
        })
        .await
}

async fn two_with_records(database: &Database) -> (Ports, TestWorkspace, TestWorkspace) {
    let (ports, clock) = database.ports();
    let subject = StoreUnderTest { ports: ports.clone(), clock };
    let (one, other) = (subject.world().await, subject.world().await);
    add_some(&one).await;
    add_some(&other).await;
    (ports, one, other)
}

/// Reindexes like a worker, until nothing is due. Returns the number of records of each batch.
async fn work(ports: &Ports, limit: u32) -> Vec<u64> {
    let mut batches = Vec::new();
    loop {
        match ports.directory.reindex_records(limit).await.unwrap() {
            0 => return batches,
            count => batches.push(count),
        }
    }
}

fn of_walks(database: &Database, expression: &str) -> i64 {
    number(database, &format!("SELECT coalesce({expression}, 0)::bigint FROM search_walks"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_from_an_earlier_release_are_indexed_in_batches() {
    let database = Database::migrated();
    let change = |sql: &str| database.execute(sql);
    let (ports, one, other) = two_with_records(&database).await;
    let batches = work(&ports, 5).await;
    assert!(batches.iter().all(|count| *count <= 5) && batches.iter().sum::<u64>() > 74, "{batches:?}");
    assert_eq!(of_walks(&database, "sum(changed)"), 0, "records of this release are current");
    change(AS_BEFORE);
    assert_eq!(found(&one).await, [0; 5]);
    // Another transaction has locked a deal. The walk stops before it, and the other tables are finished.
    let mut blocker = database.connection();
    let seventh = "SELECT id FROM deals ORDER BY workspace_id, id OFFSET 6 LIMIT 1";
    blocker.batch_execute(&format!("BEGIN; SELECT FROM deals WHERE id = ({seventh}) FOR UPDATE")).unwrap();
    work(&ports, 5).await;
    assert_eq!(of_walks(&database, "sum(checked) FILTER (WHERE table_name = 'deals')"), 6);
    let [contacts, _, projects, issues, articles] = found(&one).await;
    assert_eq!([contacts, projects, issues, articles], [7; 4]);
    blocker.batch_execute("ROLLBACK").unwrap();
    change(MAKE_DUE);
    work(&ports, 5).await;
    assert_eq!((found(&one).await, found(&other).await), ([7; 5], [7; 5]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_pass_covers_writes_by_the_previous_release() {
    let database = Database::migrated();
    let change = |sql: &str| database.execute(sql);
    let forget = "UPDATE contacts SET search = ''";
    let (ports, one, _) = two_with_records(&database).await;
    work(&ports, 100).await;
    change(forget);
    assert_eq!((work(&ports, 100).await, found(&one).await[0]), (vec![], 0), "not yet");
    change(MAKE_DUE);
    work(&ports, 100).await;
    assert_eq!(found(&one).await[0], 7);
    change(&format!("{forget}; {MAKE_DUE}"));
    assert_eq!((work(&ports, 100).await, found(&one).await[0]), (vec![], 0), "two passes are enough");
    assert_eq!(of_walks(&database, "count(finished_at)"), 10);
}

/// Before search version 1, some texts had other words. Records are found by those until they are reindexed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_the_previous_release_are_found_until_they_are_replaced() {
    let database = Database::migrated();
    let name = |text: &str| Some(text.to_owned());
    let (ports, clock) = database.ports();
    let world = StoreUnderTest { ports: ports.clone(), clock }.world().await;
    let first_name = name("O’Brien co\u{2011}op 北京大学招生");
    let contact = world.add(Contact { first_name, ..world.bare_contact() }).await;
    let deleted = world.add(Contact { first_name: name("O’Brien"), ..world.bare_contact() }).await;
    world.delete::<Contact>(deleted.id).await;
    // A lexeme begins with 22 characters for the workspace. Pairs and single characters are new; the compatibility form of
    // the hyphen is U+2010.
    let former = "UPDATE contacts SET search = array_to_tsvector(ARRAY(
        SELECT replace(replace(lexeme, '''', '’'), 'co-op', 'co\u{2010}op') FROM unnest(search)
        WHERE char_length(lexeme) > 24 OR lexeme ~ '[a-z]$')); DELETE FROM search_walks";
    database.execute(former);
    let finds = async |typed: &str| {
        let filter = ContactFilter { search: SearchQuery::parse(typed).unwrap(), ..ContactFilter::default() };
        let found = world.list::<Contact>(filter).await;
        found.iter().any(|it| it.id == contact.id)
    };
    for typed in ["O’Brien", "o’br", "brien", "co\u{2011}op", "北京", "北京大学"] {
        assert!(finds(typed).await, "{typed}");
    }
    for typed in ["O'Brien", "co-op", "大学"] {
        assert!(!finds(typed).await, "{typed}");
    }
    work(&ports, 100).await;
    for typed in ["O’Brien", "O'Brien", "co\u{2011}op", "co-op", "北京大学", "大学", "招生"] {
        assert!(finds(typed).await, "{typed}");
    }
    let former = count(&database, "contacts WHERE search::text LIKE '%’%'");
    assert_eq!(former, 0, "also in the deleted contact, which may be restored");
}

/// A release before migration 0017 wrote comments without words.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn comments_of_the_previous_release_are_indexed() {
    let database = Database::migrated();
    let (ports, clock) = database.ports();
    let world = StoreUnderTest { ports: ports.clone(), clock }.world().await;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let comment = Comment { body: "Refunded the Größe".to_owned(), ..world.comment(ticket) };
    let comment = world.add(comment).await;
    let deal = world.add(world.bare_deal()).await.id;
    let author = world.key_actor();
    let note = RecordComment::blank(CommentId(world.id()), CrmRecord::Deal(deal), author, author, world.now());
    let _ = world.add(RecordComment { body: "Grosse refund".to_owned(), ..note }).await;
    let former = "UPDATE comments SET search = NULL; UPDATE record_comments SET search = NULL;
        DELETE FROM search_walks";
    database.execute(former);
    let finds = async |typed: &str| {
        let search = || SearchQuery::parse(typed).unwrap().map(|words| words.in_comments(true));
        let issues = IssueFilter { search: search(), ..IssueFilter::all(IssueKind::Ticket) };
        let deals = DealFilter { search: search(), ..DealFilter::default() };
        let all = PageRequest::first(9);
        world
            .read(move |tx| {
                Ok((tx.lists::<Issue>().list(&issues, &all)?.len(), tx.lists::<Deal>().list(&deals, &all)?.len()))
            })
            .await
    };
    assert_eq!(finds("refund grosse").await, (0, 0), "not yet");
    work(&ports, 5).await;
    assert_eq!(finds("refund grosse").await, (1, 1));
    // The previous release edits a comment: its words stay outdated until the second pass.
    database.execute(&format!("UPDATE comments SET body = 'Replaced' WHERE id = '{}'; {MAKE_DUE}", comment.id));
    work(&ports, 5).await;
    assert_eq!((finds("refund").await, finds("replaced").await), ((0, 1), (1, 0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_indexes_records_too() {
    let database = Database::like_a_cluster();
    let (ports, one, other) = two_with_records(&database).await;
    database.execute(AS_BEFORE);
    work(&ports, 5).await;
    assert_eq!((found(&one).await, found(&other).await), ([7; 5], [7; 5]));
}
