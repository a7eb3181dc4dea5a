//! Link requests, up to their e-mails. Each case has its own store, because requests cross workspaces.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use time::Duration;
use uuid::Uuid;

use super::email::subjects;
use super::{StoreUnderTest, TestWorkspace};
use domain::email::link_requests::{
    self, BATCH, LinkRequest, LinkRequestOutcome, QueueBounds, REQUEST_TTL, RETRY_DELAY, RequestedLink,
};
use domain::identity::accounts::{self, Client, PasswordReset, RESET_TTL, ResetEmail, ResetRequestFields, SignInPlace};
use domain::identity::workspaces::Role;
use domain::kernel::input::{EmailAddress, Field};
use domain::limits::AddressGroup;
use domain::ports::{EmailQueue, Job, Ports, Store, StoreError};
use domain::testing::answer_link_requests;
use domain::{Error, LinkRequestId, WorkspaceId};

const OWNER: Uuid = Uuid::from_u128(1);
const ADA: &str = "Ada@example.org";

fn network(address: &str) -> AddressGroup {
    AddressGroup::from(address.parse::<IpAddr>().unwrap()).site()
}

impl TestWorkspace {
    fn request(&self, link: RequestedLink) -> LinkRequest {
        LinkRequest { id: LinkRequestId(self.id()), link, created_at: self.now() }
    }

    fn for_reset(&self, email: &str) -> LinkRequest {
        self.request(RequestedLink::PasswordReset { email: email.to_lowercase() })
    }

    fn for_ticket(&self, reference: &str, email: &str) -> LinkRequest {
        let (reference, email) = (reference.to_owned(), email.to_lowercase());
        self.request(RequestedLink::Ticket { workspace: self.workspace.id, reference, email })
    }

    async fn put(&self, request: &LinkRequest) {
        self.put_from("192.0.2.1", request, &QueueBounds::DEFAULT).await;
    }

    pub(super) async fn put_from(&self, address: &str, request: &LinkRequest, bounds: &QueueBounds) {
        self.ports.directory.put_link_request(request, network(address), bounds).await.unwrap();
    }

    /// Claims the next due request.
    async fn next(&self) -> Option<LinkRequest> {
        let taken = link_requests::take(&self.ports, 1).await.unwrap();
        assert!(taken.len() < 2, "more than requested");
        taken.into_iter().next()
    }

    async fn ends(&self, id: LinkRequestId) -> bool {
        self.commit(move |tx| tx.link_requests().end(id)).await
    }

    /// The reference of a new ticket opened by [`ADA`].
    async fn ticket_of_ada(&self) -> String {
        self.add_ticket(self.ticket(ADA).await).await.reference().to_owned()
    }

    fn reset_for_now(&self) -> PasswordReset {
        PasswordReset { expires_at: self.now() + RESET_TTL, ..self.reset(self.member) }
    }

    async fn emails(&self, queue: &dyn EmailQueue) -> Vec<String> {
        let taken = self.claim_emails(queue, OWNER).await;
        subjects(&taken).into_iter().map(ToOwned::to_owned).collect()
    }
}

/// Requests round-trip, oldest first.
pub async fn requests_are_taken_in_order(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let first = world.for_ticket("  no reference", "É@example.org");
    world.put(&first).await;
    subject.clock.advance(Duration::SECOND);
    let second = world.for_reset("nobody@example.org");
    world.put(&second).await;
    subject.clock.advance(Duration::SECOND);
    // For a workspace that does not exist.
    let unknown = WorkspaceId(world.id());
    let (reference, email) = ("TKT-0000000000".to_owned(), ADA.to_lowercase());
    let third = world.request(RequestedLink::Ticket { workspace: unknown, reference, email });
    world.put(&third).await;
    for expected in [first, second, third] {
        assert_eq!(world.next().await.as_ref(), Some(&expected));
    }
    assert_eq!(world.next().await, None);
}

/// A claimed request is not claimed by others; if the worker dies, it is due again.
pub async fn a_claimed_request_is_due_again_after_its_lease(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let request = world.for_reset(ADA);
    world.put(&request).await;
    assert_eq!(world.next().await.as_ref(), Some(&request));
    subject.clock.advance(RETRY_DELAY - Duration::SECOND);
    assert_eq!(world.next().await, None);
    subject.clock.advance(Duration::SECOND);
    assert_eq!(world.next().await.as_ref(), Some(&request));
    subject.ports.directory.drop_link_request(request.id).await.unwrap();
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(world.next().await, None);
}

/// After the clock has gone back, earlier requests are due.
pub async fn a_clock_that_was_ahead_delays_no_link(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    subject.clock.advance(Duration::days(40));
    let (claimed, waiting) = (world.for_reset(ADA), world.for_reset("eve@example.org"));
    world.put(&claimed).await;
    assert_eq!(world.next().await.as_ref(), Some(&claimed));
    world.put(&waiting).await;
    subject.clock.advance(-Duration::days(40));
    let found = [world.next().await, world.next().await, world.next().await].map(|found| found.map(|it| it.id));
    assert!(found.contains(&Some(claimed.id)) && found.contains(&Some(waiting.id)) && found[2].is_none(), "{found:?}");
}

/// Requests beyond the limit are dropped without an error.
pub async fn waiting_requests_are_limited(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    for _ in 0..4 {
        let bounds = QueueBounds { total: 3, ..QueueBounds::DEFAULT };
        world.put_from("192.0.2.1", &world.for_reset(ADA), &bounds).await;
    }
    for waits in [true, true, true, false] {
        assert_eq!(world.next().await.is_some(), waits);
    }
}

/// No network, at any prefix length, takes up the capacity of others.
pub async fn waiting_requests_are_limited_per_network(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let bounds = QueueBounds { total: 100, per_network: [2, 3, 4] };
    for (address, expected) in [
        // Two per address group, three per /24 or /48, four per /16 or /32.
        ("192.0.2.1", true),
        ("192.0.2.1", true),
        ("192.0.2.1", false),
        ("192.0.2.2", true),
        ("192.0.2.3", false),
        ("192.0.255.1", true),
        ("192.0.4.1", false),
        ("192.1.0.0", true),
        ("191.255.255.255", true),
        ("2001:db8:aabb:cc00::1", true),
        ("2001:db8:aabb:ccff::1", true),
        ("2001:db8:aabb:cc77::1", false),
        ("2001:db8:aabb:ffff::1", true),
        ("2001:db8:aabb:dd00::1", false),
        ("2001:db8:ffff:ffff::1", true),
        ("2001:db8:7::1", false),
        ("2001:db9::1", true),
        ("2001:db7:ffff:ffff::1", true),
    ] {
        let request = world.for_reset(ADA);
        world.put_from(address, &request, &bounds).await;
        // Claimed ones count until they are answered.
        let claimed = link_requests::take(&subject.ports, BATCH).await.unwrap();
        assert_eq!(claimed.iter().any(|one| one.id == request.id), expected, "{address}");
    }
}

/// Networks take turns: many requests from one network and a few from others do not delay each other for long.
pub async fn networks_take_turns(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let mut put = Vec::new();
    for _ in 0..4 {
        put.push(world.for_reset(ADA));
        world.put_from("192.0.2.1", put.last().unwrap(), &QueueBounds::DEFAULT).await;
    }
    subject.clock.advance(Duration::milliseconds(500));
    let other = world.for_reset(ADA);
    world.put_from("2001:db8::1", &other, &QueueBounds::DEFAULT).await;
    subject.clock.advance(Duration::seconds(2));
    let late = world.for_reset(ADA);
    world.put_from("198.51.100.1", &late, &QueueBounds::DEFAULT).await;
    let taken = link_requests::take(&subject.ports, 5).await.unwrap();
    let expected = [&put[0], &other, &put[1], &put[2], &late].map(|request| request.id);
    assert_eq!(taken.iter().map(|request| request.id).collect::<Vec<_>>(), expected);
    assert_eq!(world.next().await.as_ref(), put.last());
    assert_eq!(world.next().await, None);
}

/// Requests that get no e-mail are dropped together; of the others, those from known networks are kept first.
pub async fn requests_that_match_nothing_are_dropped_together(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    let reference = world.ticket_of_ada().await;
    let bob = world.new_user(Some("a good password"), Role::Member).await;
    let invited = world.new_user(None, Role::Member).await;
    let known = "2001:db8:1:cc05::1";
    let (id, now) = (bob.id, world.now());
    let place = SignInPlace { network: network(known), device: "curl".to_owned() };
    world.commit(move |tx| tx.sessions().note_sign_in(id, &place, 50, now).map(drop)).await;
    let (ticket, reset) = (world.for_ticket(&reference, ADA), world.for_reset(&bob.email));
    for (address, request) in [
        ("192.0.2.1", &ticket),
        ("192.0.2.2", &world.for_ticket(&reference, ADA)),
        ("192.0.2.3", &world.for_reset(&bob.email)),
        ("192.0.2.4", &world.for_reset("nobody@example.org")),
        ("192.0.2.5", &world.for_reset(&invited.email)),
        ("192.0.2.6", &world.for_ticket(&reference, "bob@example.org")),
        ("192.0.2.7", &world.for_ticket("TKT-0000000000", ADA)),
        ("192.0.2.8", &second.for_ticket(&reference, ADA)),
        (known, &reset),
    ] {
        let request = LinkRequest { created_at: world.now(), ..request.clone() };
        world.put_from(address, &request, &QueueBounds::DEFAULT).await;
        subject.clock.advance(Duration::MILLISECOND);
    }
    let batch = domain::support::take_link_requests(&subject.ports).await.unwrap().unwrap();
    let ids = |requests: &[LinkRequest]| requests.iter().map(|request| request.id).collect::<Vec<_>>();
    assert_eq!(ids(&batch), [reset.id, ticket.id], "one of several equal requests is kept");
    subject.clock.advance(RETRY_DELAY);
    let left = link_requests::take(&subject.ports, BATCH).await.unwrap();
    assert_eq!(ids(&left).into_iter().collect::<BTreeSet<_>>(), [reset.id, ticket.id].into());
}

/// However often a link is requested, and from any network, one e-mail costs one transaction.
pub async fn a_recent_link_answers_repeated_requests(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let reference = world.ticket_of_ada().await;
    let user = world.new_user(Some("a good password"), Role::Member).await;
    for expected in [2, 0] {
        for number in 0..5 {
            let address = format!("192.0.2.{number}");
            world.put_from(&address, &world.for_reset(&user.email), &QueueBounds::DEFAULT).await;
            world.put_from(&address, &world.for_ticket(&reference, ADA), &QueueBounds::DEFAULT).await;
        }
        let batch = domain::support::take_link_requests(&subject.ports).await.unwrap().unwrap();
        assert_eq!(batch.len(), expected, "{batch:?}");
        for request in batch {
            domain::support::answer_link_request(&subject.ports, &request).await.unwrap();
        }
    }
    let mut emails = world.emails(queue).await;
    emails.sort();
    assert_eq!(emails, ["Your new password".to_owned(), format!("Your ticket {reference}")]);
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(world.next().await, None);
}

/// A request is completed once, together with its result, and only by its own workspace.
pub async fn a_request_completes_with_its_result(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    let (request, reset) = (world.for_ticket("x", ADA), world.for_reset(ADA));
    let id = request.id;
    world.put(&request).await;
    world.put(&reset).await;
    let rolled_back = world
        .run(move |tx| {
            assert!(tx.link_requests().end(id)?);
            Err::<(), _>(Error::InvalidLogin)
        })
        .await;
    assert!(matches!(rolled_back, Err(Error::InvalidLogin)));
    assert!(!second.ends(id).await, "another workspace's");
    assert!(!world.ends(reset.id).await, "no workspace's");
    assert!(world.ends(id).await);
    assert!(!world.ends(id).await, "once");
    assert_eq!(world.next().await, Some(reset));
    assert_eq!(world.next().await, None);
}

/// Reset, e-mail and completion of the request are committed together or not at all.
pub async fn a_reset_is_stored_with_its_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let directory = &subject.ports.directory;
    let (first, second) = (world.for_reset(ADA), world.for_reset(ADA));
    world.put(&first).await;
    world.put(&second).await;
    let answer = |request: &LinkRequest, subject: &str| ResetEmail {
        request: request.id,
        queued_email: world.queued_email(subject),
    };
    let (reset, before) = (world.reset_for_now(), world.now());
    assert!(directory.put_password_reset(&reset, before, Some(&answer(&first, "first"))).await.unwrap());
    let late = world.now() + RESET_TTL;
    let repeated = directory.put_password_reset(&world.reset_for_now(), late, Some(&answer(&first, "again"))).await;
    assert!(!repeated.unwrap(), "it was completed before");
    let refused = directory.put_password_reset(&world.reset_for_now(), before, Some(&answer(&second, "second"))).await;
    assert!(!refused.unwrap(), "the earlier one stays");
    assert_eq!(directory.find_password_reset(&reset.lookup_id).await.unwrap().unwrap().0, reset);
    assert_eq!(world.emails(queue).await, ["first"]);
    assert_eq!(world.next().await, None, "both are finished");
}

/// A request is handled once, even if several workers have claimed it.
pub async fn a_ticket_gets_one_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let reference = world.ticket_of_ada().await;
    let request = world.for_ticket(&format!(" {} ", reference.to_lowercase()), "aDA@EXAMPLE.org");
    world.put(&request).await;
    assert_eq!(world.next().await.as_ref(), Some(&request));
    for _ in 0..2 {
        let outcome = domain::support::answer_link_request(&subject.ports, &request).await.unwrap();
        assert_eq!(outcome, LinkRequestOutcome::Answered);
    }
    assert_eq!(world.emails(queue).await, [format!("Your ticket {reference}")]);
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(world.next().await, None);
}

/// A recent unused link answers any number of further requests; other tickets have their own links.
pub async fn emails_per_ticket_are_limited(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let (reference, other) = (world.ticket_of_ada().await, world.ticket_of_ada().await);
    // From both rounds: the e-mails of the first are still queued in the second.
    for expected in [(1, 1), (2, 2)] {
        for _ in 0..13 {
            world.put(&world.for_ticket(&reference, ADA)).await;
        }
        world.put(&world.for_ticket(&other, ADA)).await;
        assert_eq!(answer_link_requests(&subject.ports).await, Vec::<String>::new());
        let emails = world.emails(queue).await;
        let about = |reference: &str| emails.iter().filter(|subject| subject.ends_with(reference)).count();
        assert_eq!((about(&reference), about(&other)), expected);
        subject.clock.advance(Duration::minutes(5));
    }
}

/// A request without a match is completed like any other.
pub async fn a_request_that_matches_nothing_sends_no_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    let reference = world.ticket_of_ada().await;
    let unknown = RequestedLink::Ticket {
        workspace: WorkspaceId(world.id()),
        reference: reference.clone(),
        email: ADA.to_lowercase(),
    };
    for request in [
        second.for_ticket(&reference, ADA),
        world.for_ticket(&reference, "bob@example.org"),
        world.for_ticket("TKT-0000000000", ADA),
        world.for_ticket("nope", ADA),
        world.request(unknown),
        world.for_reset(ADA),
    ] {
        world.put(&request).await;
    }
    assert_eq!(answer_link_requests(&subject.ports).await, Vec::<String>::new());
    assert_eq!(world.emails(queue).await, Vec::<String>::new());
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(world.next().await, None);
}

/// A request is too old to be worth an e-mail.
pub async fn an_expired_request_sends_no_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let request = world.for_ticket(&world.ticket_of_ada().await, ADA);
    world.put(&request).await;
    subject.clock.advance(REQUEST_TTL);
    let taken = world.next().await.unwrap();
    let outcome = domain::support::answer_link_request(&subject.ports, &taken).await.unwrap();
    assert_eq!(outcome, LinkRequestOutcome::TooLate);
    assert_eq!(world.emails(queue).await, Vec::<String>::new());
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(world.next().await, None);
}

/// A store that always fails.
struct BrokenStore;

#[async_trait]
impl Store for BrokenStore {
    async fn run(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("on purpose".to_owned()))
    }

    async fn statement(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("on purpose".to_owned()))
    }
}

/// A request that fails is due again after the waiting ones, and handled once its cause is gone.
pub async fn a_failing_request_does_not_block_others(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let reference = world.ticket_of_ada().await;
    let broken = Ports { store: Arc::new(BrokenStore), ..subject.ports.clone() };
    world.put(&world.for_ticket(&reference, ADA)).await;
    subject.clock.advance(Duration::SECOND);
    let user = world.new_user(Some("a good password"), Role::Member).await;
    let email = Field::Set(EmailAddress::parse(&user.email).unwrap());
    accounts::request_password_reset(&subject.ports, &Client::default(), ResetRequestFields { email }).await.unwrap();
    assert_eq!(answer_link_requests(&broken).await.len(), 1);
    assert_eq!(world.emails(queue).await, ["Your new password"]);
    assert_eq!(world.next().await, None);
    subject.clock.advance(RETRY_DELAY);
    assert_eq!(answer_link_requests(&subject.ports).await, Vec::<String>::new());
    assert_eq!(world.emails(queue).await, [format!("Your ticket {reference}")]);
}
