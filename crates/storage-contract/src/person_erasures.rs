//! Erasures of people's data.

use super::kb_vain;
use super::paging::check_walks;
use super::records::fields;
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::comments::{CrmRecord, RecordComment};
use domain::crm::contacts::{Contact, ContactFields};
use domain::identity::access::{Actor, CreateContacts, EraseContacts};
use domain::kernel::IssueKind;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::records;
use domain::support::erasure::{self, ErasureFields, ErasurePhase, ErasureState, ErasureView, PersonErasure};
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{Issue, IssueFilter};
use domain::{CommentId, ErasureId, Error, IssueId};
use serde_json::{Value, json};

impl TestWorkspace {
    async fn erase(&self, body: Value) -> Result<ErasureView, Error> {
        let permit = self.operator::<EraseContacts>();
        erasure::erase(&self.ports, &permit, fields::<ErasureFields>(body)).await
    }

    /// A contact of this person, created with the use case and so with an event.
    async fn add_person(&self, email: &str) -> Contact {
        let body = json!({"email": email, "first_name": "Ada", "last_name": "Lovelace", "notes": "likes tea"});
        let permit = self.permit::<CreateContacts>();
        let new = records::create::<Contact>(&self.ports, &permit, None, fields::<ContactFields>(body)).await.unwrap();
        new.fresh().unwrap()
    }

    async fn event_log(&self) -> String {
        format!("{:?}", self.logged_events().await)
    }

    fn comment_by(&self, issue: IssueId, author: Actor, body: &str) -> Comment {
        let blank = Comment::blank(CommentId(self.id()), issue, author, Actor::SYSTEM, self.now());
        Comment { body: body.to_owned(), visibility: Visibility::Public, ..blank }
    }
}

/// Contact, tickets, comments, links, sessions and events of the person say `erased`; those of others do not change.
pub async fn an_erasure_covers_all_data_of_a_person_and_nothing_else(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let (email, other) = (world.new_email(), world.new_email());
    let (contact, neighbour) = (world.add_person(&email).await, world.add_person(&other).await);
    let foreign = other_workspace.add_person(&email).await;
    let (id, author) = (CommentId(world.id()), world.key_actor());
    let note = RecordComment::blank(id, CrmRecord::Contact(contact.id), author, author, world.now());
    world.add(RecordComment { body: "likes milk".to_owned(), ..note }).await;
    let ticket = world.add_ticket(world.ticket(&email.to_lowercase()).await).await.issue().id;
    let untouched = world.add_ticket(world.ticket(&other).await).await.issue().clone();
    world.add(world.comment_by(ticket, Actor::CUSTOMER, "it sings")).await;
    // Comments with the same time have no defined order.
    let answer = world.comment_by(ticket, world.key_actor(), "Dear ADA Lovelace, it should not");
    world.add(Comment { created_at: answer.created_at + time::Duration::seconds(1), ..answer }).await;
    let session = world.add(world.portal_session(ticket)).await;
    let link = world.add(world.link(ticket)).await;

    for search in ["lovelace toaster ADA", "ada street"] {
        kb_vain::record_miss(&world, search, 0).await;
    }
    kb_vain::record_miss(&other_workspace, "ada lovelace", 0).await;

    let view = world.erase(json!({ "contact_id": contact.id })).await.unwrap();
    assert_eq!((view.state, view.contact_id), (ErasureState::Done, Some(contact.id)));
    assert_eq!((view.erased.contacts, view.erased.tickets, view.erased.comments), (1, 1, 3));
    assert_eq!(kb_vain::misses(&world, 0, 9).await, [("ada street".to_owned(), 1, 0)], "searches without results");
    assert_eq!(kb_vain::misses(&other_workspace, 0, 9).await.len(), 1);
    assert_eq!(world.contacts().await, std::slice::from_ref(&neighbour));
    let erased = world.get::<Issue>(ticket).await.unwrap();
    let requester = erased.requester.unwrap();
    assert_eq!((&*erased.title, &*requester.name, &*requester.email), ("erased", "erased", "erased"));
    assert_eq!(world.get::<Issue>(untouched.id).await, Some(untouched));
    let (ever, page) = (CreatedFilter::default(), PageRequest::first(9));
    let comments = world.read(move |tx| tx.comments().list(ticket, &ever, &page)).await;
    let bodies: Vec<_> = comments.iter().map(|comment| comment.body.as_str()).collect();
    assert_eq!(bodies, ["erased", "Dear erased, it should not"]);
    for (typed, is_found) in [("lovelace", false), ("sings", false), ("dear erased", true)] {
        let search = SearchQuery::parse(typed).unwrap().map(|words| words.in_comments(true));
        let filter = IssueFilter { search, ..IssueFilter::all(IssueKind::Ticket) };
        let found = world.list::<Issue>(filter).await;
        assert_eq!(found.len(), usize::from(is_found), "{typed}");
    }
    assert!(subject.ports.directory.find_portal_session(&session.lookup_id).await.unwrap().is_none());
    assert!(subject.ports.directory.find_tracking_link(&link.lookup_id).await.unwrap().is_none());
    let log = world.event_log().await;
    assert!(!log.contains(&email) && log.contains(&other) && log.contains("contact.deleted"), "{log}");
    assert_eq!(other_workspace.contacts().await, [foreign]);
    assert!(other_workspace.event_log().await.contains(&email), "the other workspace's log is as it was");
    // The address is free, and nothing is left to find.
    for body in [json!({ "contact_id": contact.id }), json!({ "email": email })] {
        assert!(matches!(world.erase(body).await, Err(Error::NotFound(_))));
    }
    let second = world.add_person(&email).await;
    assert_eq!(world.erase(json!({ "email": email.to_uppercase() })).await.unwrap().contact_id, Some(second.id));
}

/// All fields round-trip; unfinished erasures are found, oldest first, until they are done.
pub async fn unfinished_erasures_are_found_in_order_and_all_are_listed(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (contact, actor) = (world.add(world.bare_contact()).await.id, world.key_actor());
    let erasure_due = |seconds: i64| PersonErasure {
        id: ErasureId(world.id()),
        contact_id: Some(contact),
        phase: ErasurePhase::Events,
        behind: Some("a\nb".to_owned()),
        emails: vec![world.new_email()],
        names: vec!["Ada Lovelace".to_owned()],
        erased: domain::support::erasure::ErasedCounts {
            contacts: 1,
            tickets: 2,
            comments: 3,
            events: 4,
            deliveries: 5,
            emails: 6,
            answers: 7,
            audit_entries: 8,
        },
        created_by: actor,
        created_by_name: "suite".to_owned(),
        created_at: world.now(),
        finished_at: None,
        turn_at: world.now() + time::Duration::seconds(seconds),
    };
    let (second, first) = (erasure_due(2), erasure_due(1));
    for erasure in [&second, &first] {
        world.add(erasure.clone()).await;
    }
    assert_eq!(world.commit(|tx| tx.erasures().unfinished()).await, 2);
    let mut listed = vec![second.cursor_key(), first.cursor_key()];
    listed.sort_unstable_by(|one, other| other.cmp(one));
    check_walks(&world, &listed, |tx, page| tx.erasures().list(page)).await;
    let all = world.read(|tx| tx.erasures().list(&PageRequest::first(9))).await;
    assert!(all.contains(&first) && all.contains(&second), "{all:?}");
    let other = subject.world().await;
    assert_eq!(other.read(|tx| tx.erasures().list(&PageRequest::first(9))).await, []);
    assert!(subject.ports.directory.workspaces_with_erasures(1_000).await.unwrap().contains(&world.workspace.id));
    for erasure in [first, second] {
        let id = erasure.id;
        assert_eq!(world.commit(move |tx| tx.erasures().get(id)).await, Some(erasure.clone()));
        assert_eq!(world.commit(|tx| tx.erasures().next()).await, Some(erasure.clone()));
        let finished = PersonErasure {
            phase: ErasurePhase::Done,
            behind: None,
            emails: Vec::new(),
            names: Vec::new(),
            finished_at: Some(world.now()),
            ..erasure
        };
        let saved = finished.clone();
        world.commit(move |tx| tx.erasures().save(&saved)).await;
        assert_eq!(world.commit(move |tx| tx.erasures().get(id)).await, Some(finished));
    }
    assert_eq!(world.commit(|tx| tx.erasures().next()).await, None);
    assert!(!subject.ports.directory.workspaces_with_erasures(1_000).await.unwrap().contains(&world.workspace.id));
}
