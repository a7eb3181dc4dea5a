//! Background indexing of what an earlier release wrote.

use crate::common::{Database, block_on};
use diesel::connection::SimpleConnection;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::ports::Ports;
use domain::support::kb::{Article, ArticleFilter};
use domain::work::issues::{Issue, IssueFilter};
use domain::work::projects::{Project, ProjectFilter};
use storage_contract::{StoreUnderTest, TestWorkspace};

/// Records as the migrations leave them: without the words, tags and labels that were not indexed before.
const AS_BEFORE: &str = "
    UPDATE contacts SET search = '', search_stale = true;
    UPDATE deals SET search = NULL;
    UPDATE projects SET search = NULL;
    UPDATE kb_articles SET search = NULL;
    UPDATE issues SET search = '', search_stale = true";

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
    // What has no tags was indexed by the release before.
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
        .look(move |tx| {
            Ok([
                tx.contacts().list(&contacts, &all)?.len(),
                tx.deals().list(&deals, &all)?.len(),
                tx.projects().list(&projects, &all)?.len(),
                tx.issues().list(&issues, &all)?.len(),
                tx.kb_articles().list(&articles, &all)?.len(),
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

/// Indexes like a worker, until nothing is left. Returns the number of records of each batch.
async fn work(ports: &Ports, limit: u32) -> Vec<u64> {
    let mut batches = Vec::new();
    loop {
        match ports.directory.reindex_records(limit).await.unwrap() {
            0 => return batches,
            count => batches.push(count),
        }
    }
}

#[test]
fn what_an_earlier_release_wrote_is_indexed_in_batches() {
    let database = Database::migrated();
    block_on(async {
        let (ports, one, other) = two_with_records(&database).await;
        assert_eq!(work(&ports, 100).await, [0; 0], "what this release writes needs no second index");
        database.connection().batch_execute(AS_BEFORE).unwrap();
        assert_eq!(found(&one).await, [0; 5]);
        // Another transaction has a deal; it is skipped until that ends.
        let mut blocker = database.connection();
        blocker.batch_execute("BEGIN; SELECT FROM deals ORDER BY id LIMIT 1 FOR UPDATE").unwrap();
        assert_eq!(work(&ports, 5).await, [25, 25, 19]);
        blocker.batch_execute("ROLLBACK").unwrap();
        assert_eq!(work(&ports, 5).await, [1]);
        assert_eq!((found(&one).await, found(&other).await), ([7; 5], [7; 5]));
    });
}

#[test]
fn a_cluster_indexes_workspace_by_workspace() {
    let database = Database::like_a_cluster();
    block_on(async {
        let (ports, one, other) = two_with_records(&database).await;
        database.connection().batch_execute(AS_BEFORE).unwrap();
        // Of each kind at least so many, and all that the last workspace has of them at once.
        assert_eq!(work(&ports, 5).await.iter().sum::<u64>(), 70);
        assert_eq!((found(&one).await, found(&other).await), ([7; 5], [7; 5]));
    });
}
