//! Tickets opened from outside, and the customers' tokens.

use time::Duration;

use super::paging::{check_walks_of_ranges, newest_first};
use super::records::LINE;
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::contacts::Contact;
use domain::identity::access::{Actor, HashedSecret};
use domain::kernel::IssueKind;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::support::{PortalSession, Ticket, TicketFilter};
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{Issue, IssueStatus, Requester, TicketType, TrackingLink};
use domain::{ContactId, IssueId, PortalSessionId};

impl TestWorkspace {
    pub(super) async fn ticket(&self, email: &str) -> Issue {
        let requester = Requester {
            name: LINE.to_owned(),
            email: email.to_owned(),
            ticket_type: TicketType::Question,
            contact_id: None,
        };
        Issue { requester: Some(requester), ..self.bare_issue(IssueKind::Ticket).await }
    }

    pub(super) async fn add_ticket(&self, ticket: Issue) -> Ticket {
        Ticket::of(self.add(ticket).await).unwrap()
    }

    async fn tickets(&self, filter: TicketFilter) -> Vec<Ticket> {
        self.read(move |tx| tx.tickets().list(&filter, &PageRequest::first(100))).await
    }

    pub(super) fn link(&self, issue_id: IssueId) -> TrackingLink {
        TrackingLink {
            issue_id,
            lookup_id: self.id().simple().to_string(),
            secret: HashedSecret::from_bytes([7; 32]),
            expires_at: self.now() + Duration::MINUTE,
            used_at: None,
            is_requested: false,
        }
    }

    pub(super) fn portal_session(&self, issue_id: IssueId) -> PortalSession {
        PortalSession {
            id: PortalSessionId(self.id()),
            issue_id,
            lookup_id: self.id().simple().to_string(),
            secret: HashedSecret::from_bytes([9; 32]),
            created_at: self.now(),
            expires_at: self.now() + Duration::HOUR,
        }
    }
}

/// All fields round-trip, and the ticket is an issue like any other.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.full_company()).await;
    let contact = world.add(world.full_contact(company.id)).await;
    let requester = Requester {
        name: LINE.to_owned(),
        email: "Ada@Example.org".to_owned(),
        ticket_type: TicketType::Incident,
        contact_id: Some(contact.id),
    };
    let full = Issue { requester: Some(requester), ..world.full_issue(IssueKind::Ticket).await };
    let bare = world.ticket("bob@example.org").await;
    for ticket in [full, bare] {
        let ticket = world.add_ticket(ticket).await;
        let (id, reference) = (ticket.issue().id, ticket.reference().to_owned());
        let found = world.read(move |tx| tx.tickets().find(&reference)).await;
        assert_eq!(found.as_ref(), Some(&ticket));
        assert_eq!(world.get::<Issue>(id).await.as_ref(), Some(ticket.issue()));
    }
    // Tickets that the workspace opened have no requester and are not found.
    let internal = world.add(world.bare_issue(IssueKind::Ticket).await).await;
    let reference = internal.reference.unwrap();
    assert_eq!(world.read(move |tx| tx.tickets().find(&reference)).await, None);
    assert_eq!(world.read(|tx| tx.tickets().find("TKT-0000000000")).await, None);
}

pub async fn a_save_keeps_the_requester(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await;
    let changed = Issue { status: IssueStatus::Pending, ..ticket.issue().clone() };
    world.save_issues(&[changed]).await;
    let stored = world.get::<Issue>(ticket.issue().id).await.unwrap();
    assert_eq!(stored.requester.as_ref(), Some(ticket.requester()));
}

pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut ada = world.ticket("Ada@Example.org").await;
    ada.requester.as_mut().unwrap().ticket_type = TicketType::Problem;
    let ada = world.add_ticket(ada).await;
    let mut bob = world.ticket("bob@example.org").await;
    bob.status = IssueStatus::Resolved;
    bob.created_at += Duration::SECOND;
    let bob = world.add_ticket(bob).await;
    world.add(world.bare_issue(IssueKind::Ticket).await).await;
    let status = |status| TicketFilter { status: Some(status), ..TicketFilter::default() };
    let email = |key: &str| TicketFilter { email_key: Some(key.to_owned()), ..TicketFilter::default() };
    let of_type = |wanted| TicketFilter { ticket_type: Some(wanted), ..TicketFilter::default() };
    let all = TicketFilter { status: Some(IssueStatus::Open), ..email("ada@example.org") };
    for (filter, expected) in [
        (TicketFilter::default(), vec![&bob, &ada]),
        (status(IssueStatus::Open), vec![&ada]),
        (status(IssueStatus::Resolved), vec![&bob]),
        (status(IssueStatus::Closed), vec![]),
        (email("ada@example.org"), vec![&ada]),
        (email("Ada@Example.org"), vec![]),
        (of_type(TicketType::Question), vec![&bob]),
        (TicketFilter { ticket_type: Some(TicketType::Problem), ..all.clone() }, vec![&ada]),
        (TicketFilter { ticket_type: Some(TicketType::Question), ..all }, vec![]),
    ] {
        assert_eq!(world.tickets(filter.clone()).await.iter().collect::<Vec<_>>(), expected, "{filter:?}");
    }
}

pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut cursor_keys = Vec::new();
    for created_at in world.seven_times() {
        let mut ticket = world.ticket("ada@example.org").await;
        ticket.created_at = created_at;
        cursor_keys.push(world.add_ticket(ticket).await.cursor_key());
    }
    check_walks_of_ranges(&world, &newest_first(cursor_keys), |tx, created, page| {
        let filter = TicketFilter { created: *created, ..TicketFilter::default() };
        tx.tickets().list(&filter, page)
    })
    .await;
}

/// Shows the newest public comments on the ticket, oldest first.
pub async fn the_newest_public_comments_are_shown(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await.issue().id;
    let other = world.add_ticket(world.ticket("bob@example.org").await).await.issue().id;
    let public = |issue| Comment { visibility: Visibility::Public, ..world.comment(issue) };
    world.add(public(other)).await;
    world.add(world.comment(ticket)).await;
    let mut comments = Vec::new();
    for created_at in world.seven_times() {
        comments.push(world.add(Comment { created_at, author: Actor::CUSTOMER, ..public(ticket) }).await);
    }
    comments.sort_by_key(Comment::cursor_key);
    let newest = async |limit| world.read(move |tx| tx.tickets().public_comments(ticket, limit)).await;
    assert_eq!(newest(100).await, comments);
    assert_eq!(newest(3).await, comments[4..]);
}

/// Finds live contacts by their address in lower case.
pub async fn contacts_are_found_by_their_address(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let company = world.add(world.full_company()).await;
    let contact = world.add(world.full_contact(company.id)).await;
    let find = async |world: &TestWorkspace| -> Option<ContactId> {
        let key = contact.email_key();
        world.commit(move |tx| tx.tickets().contact_with(&key)).await
    };
    assert_eq!(find(&world).await, Some(contact.id));
    assert_eq!(find(&subject.world().await).await, None);
    world.delete::<Contact>(contact.id).await;
    assert_eq!(find(&world).await, None);
}

/// Only an unused, requested link to this ticket that expires late enough can replace a new one.
pub async fn a_requested_link_is_found_while_it_is_unused(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await.issue().id;
    let other = world.add_ticket(world.ticket("bob@example.org").await).await.issue().id;
    let has = async |world: &TestWorkspace, issue, after| {
        world.read(move |tx| tx.tickets().has_requested_link(issue, after)).await
    };
    let _made_by_a_key = world.add(world.link(ticket)).await;
    let now = world.now();
    assert!(!has(&world, ticket, now).await);
    let link = world.add(TrackingLink { is_requested: true, ..world.link(ticket) }).await;
    let found = subject.ports.directory.find_tracking_link(&link.lookup_id).await.unwrap().unwrap();
    assert_eq!(found.link, link);
    assert!(has(&world, ticket, link.expires_at - Duration::MICROSECOND).await);
    assert!(!has(&world, ticket, link.expires_at).await);
    assert!(!has(&world, other, now).await && !has(&other_world, ticket, now).await);
    let lookup_id = link.lookup_id.clone();
    assert!(world.commit(move |tx| tx.tickets().use_link(&lookup_id, now)).await);
    assert!(!has(&world, ticket, now).await);
}

/// A link is found in every state and used once.
pub async fn a_link_is_used_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await;
    let link = world.add(world.link(ticket.issue().id)).await;
    let other = world.add(world.link(ticket.issue().id)).await;
    let found = subject.ports.directory.find_tracking_link(&link.lookup_id).await.unwrap().unwrap();
    assert_eq!((&found.link, found.workspace.id), (&link, world.workspace.id));
    let (now, lookup_id) = (world.now(), link.lookup_id.clone());
    for first in [true, false] {
        let lookup_id = lookup_id.clone();
        assert_eq!(world.commit(move |tx| tx.tickets().use_link(&lookup_id, now)).await, first);
    }
    assert!(!world.commit(move |tx| tx.tickets().use_link("nope", now)).await);
    let used = subject.ports.directory.find_tracking_link(&link.lookup_id).await.unwrap().unwrap();
    assert_eq!(used.link, TrackingLink { used_at: Some(now), ..link });
    let unused = subject.ports.directory.find_tracking_link(&other.lookup_id).await.unwrap().unwrap();
    assert_eq!(unused.link, other);
    assert!(subject.ports.directory.find_tracking_link("nope").await.unwrap().is_none());
}

pub async fn a_session_is_found_with_its_workspace(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await;
    let session = world.add(world.portal_session(ticket.issue().id)).await;
    let found = subject.ports.directory.find_portal_session(&session.lookup_id).await.unwrap().unwrap();
    assert_eq!((found.session, found.workspace.id), (session, world.workspace.id));
    assert!(subject.ports.directory.find_portal_session("nope").await.unwrap().is_none());
}

pub async fn a_deleted_ticket_ends_its_links_and_sessions(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.add_ticket(world.ticket("ada@example.org").await).await.issue().id;
    let (link, session) = (world.add(world.link(id)).await, world.add(world.portal_session(id)).await);
    world.delete::<Issue>(id).await;
    assert!(subject.ports.directory.find_tracking_link(&link.lookup_id).await.unwrap().is_none());
    assert!(subject.ports.directory.find_portal_session(&session.lookup_id).await.unwrap().is_none());
    assert!(world.tickets(TicketFilter::default()).await.is_empty());
}

/// Other workspaces' tickets and tokens are neither found nor used.
pub async fn records_are_per_workspace(subject: &StoreUnderTest) {
    let (world, stranger) = (subject.world().await, subject.world().await);
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await;
    let (id, reference) = (ticket.issue().id, ticket.reference().to_owned());
    world.add(Comment { visibility: Visibility::Public, ..world.comment(id) }).await;
    let (link, now) = (world.add(world.link(id)).await, world.now());
    stranger
        .commit(move |tx| {
            assert_eq!(tx.tickets().find(&reference)?, None);
            assert_eq!(tx.tickets().public_comments(id, 9)?, []);
            assert!(!tx.tickets().use_link(&link.lookup_id, now)?);
            Ok(())
        })
        .await;
    assert!(stranger.tickets(TicketFilter::default()).await.is_empty());
}
