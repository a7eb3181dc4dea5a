//! Customers sign in with a link, read their ticket and reply to it.

use serde_json::{Value, json};
use time::Duration;

use super::{fresh, new, once, patch, refusal, start};
use domain::identity::access::{PlainToken, TokenKind};
use domain::identity::accounts::Client;
use domain::identity::workspaces::{self, SettableStatus};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::support::{
    self, PORTAL_SESSION_TTL, PortalLogin, PortalVisitor, PublicComment, TicketReference, TicketView,
};
use domain::work::issues::{self, Issue, IssueFilter, IssueStatus, TRACKING_LINK_TTL};
use domain::{Error, IssueId};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

pub(super) const ADDRESS: &str = "Ada@example.org";

/// A workspace with one ticket opened from outside.
pub(super) struct PortalFixture {
    pub(super) test: TestPorts,
    pub(super) world: TestWorkspace,
    pub(super) reference: String,
    pub(super) issue: IssueId,
}

impl PortalFixture {
    pub(super) fn new() -> Self {
        Self::of(ADDRESS)
    }

    /// A ticket from a customer with this address.
    pub(super) fn of(address: &str) -> Self {
        let (test, world) = start();
        let body = json!({"name": "Ada", "email": address, "subject": "It does not print"});
        let permit = world.permit();
        let opened = support::open_by_key(&test.ports, &permit, None, new(body));
        let reference = fresh(test.block_on(opened)).reference;
        let issue = issue_of(&test, &world, &reference);
        Self { test, world, reference, issue }
    }

    pub(super) fn link(&self) -> Result<String, Error> {
        self.link_to(&self.reference)
    }

    fn link_to(&self, reference: &str) -> Result<String, Error> {
        let (permit, reference) = (self.world.permit(), TicketReference::parse(reference));
        let created = support::create_link(&self.test.ports, &permit, reference);
        self.test.block_on(created).map(|link| link.token.reveal().to_owned())
    }

    pub(super) fn begin(&self, token: &str) -> Result<PortalLogin, Error> {
        self.test.block_on(support::begin_session(&self.test.ports, new(json!({ "token": token }))))
    }

    fn enter(&self, token: &str) -> Result<PortalVisitor, Error> {
        self.test.block_on(support::enter(&self.test.ports, token, None))
    }

    /// A customer who signed in with a new link, and their token.
    pub(super) fn sign_in(&self) -> (PortalVisitor, String) {
        let login = self.begin(&self.link().unwrap()).unwrap();
        let token = login.token.reveal().to_owned();
        (self.enter(&token).unwrap(), token)
    }

    fn ticket(&self, visitor: &PortalVisitor) -> Result<TicketView, Error> {
        self.test.block_on(support::read_own(&self.test.ports, visitor))
    }

    pub(super) fn reply(
        &self,
        visitor: &PortalVisitor,
        once: Option<IdempotentRequest<PublicComment>>,
        body: Value,
    ) -> Result<IdempotentResult<PublicComment>, Error> {
        self.test.block_on(support::reply(&self.test.ports, visitor, once, new(body)))
    }

    fn status(&self) -> IssueStatus {
        self.test.block_on(issues::read(&self.test.ports, &self.world.permit(), self.issue)).unwrap().status
    }

    fn set_status(&self, status: &str) {
        let permit = self.world.permit();
        let fields = patch(json!({ "status": status }));
        let changed = issues::update(&self.test.ports, &permit, self.issue, ExpectedVersion::Any, fields);
        self.test.block_on(changed).unwrap();
    }

    fn set_workspace(&self, status: SettableStatus) {
        self.test.block_on(workspaces::set_status(&self.test.ports, &self.world.operator(), status)).unwrap();
    }

    /// Marks the ticket as deleted. No use case does that, but a store may contain deleted tickets.
    fn delete(&self) {
        self.test.block_on(self.world.delete::<Issue>(self.issue));
    }
}

fn issue_of(test: &TestPorts, world: &TestWorkspace, reference: &str) -> IssueId {
    let (permit, filter) = (world.permit(), IssueFilter::all(IssueKind::Ticket));
    let listed = issues::list(&test.ports, &permit, filter, PageRequest::first(9));
    let found = test.block_on(listed).unwrap().items;
    found.iter().find(|issue| issue.reference.as_deref() == Some(reference)).unwrap().id
}

#[test]
fn links_are_for_tickets_opened_from_outside_only() {
    let fixture = PortalFixture::new();
    let (permit, reference) = (fixture.world.permit(), TicketReference::parse(&fixture.reference.to_lowercase()));
    let link = fixture.test.block_on(support::create_link(&fixture.test.ports, &permit, reference)).unwrap();
    let token = link.token.reveal();
    assert!(token.starts_with("svl_"), "{token}");
    assert_eq!(link.url, format!("https://work.example.com/portal#token={token}"));
    assert_eq!(link.expires_at, fixture.test.clock.now() + TRACKING_LINK_TTL);
    assert_eq!(fixture.test.emails(), [], "the workspace's backend passes it on");
    for nothing in ["", "TKT-1", "TKT-0000000000"] {
        assert_eq!(refusal(fixture.link_to(nothing)), "not_found", "{nothing}");
    }
    // This ticket has no requester.
    let body = json!({"kind": "ticket", "title": "Inside"});
    let internal =
        fresh(fixture.test.block_on(issues::create(&fixture.test.ports, &fixture.world.permit(), None, new(body))));
    assert_eq!(refusal(fixture.link_to(&internal.reference.unwrap())), "not_found");
    fixture.delete();
    assert_eq!(refusal(fixture.link()), "not_found");
}

#[test]
fn every_invalid_link_gets_the_same_error() {
    let fixture = PortalFixture::new();
    let link = fixture.link().unwrap();
    let lookup_id = PlainToken::parse(&link).unwrap().lookup_id().to_owned();
    let forged = PlainToken::forged(TokenKind::TrackingLink, &lookup_id, &*fixture.test.ports.random);
    let (_, session) = fixture.sign_in();
    for bad in ["svl_", "nonsense", forged.reveal(), &session] {
        assert!(matches!(fixture.begin(bad), Err(Error::LinkExpired)), "{bad}");
    }
    fixture.set_workspace(SettableStatus::Suspended);
    assert!(matches!(fixture.begin(&link), Err(Error::LinkExpired)));
    fixture.set_workspace(SettableStatus::Active);
    let other = fixture.link().unwrap();
    fixture.begin(&link).unwrap();
    fixture.delete();
    assert!(matches!(fixture.begin(&other), Err(Error::LinkExpired)));
}

#[test]
fn a_session_ends_after_an_hour_or_with_its_workspace_or_ticket() {
    let fixture = PortalFixture::new();
    let (visitor, token) = fixture.sign_in();
    assert_eq!(visitor.workspace_id(), fixture.world.workspace.id);
    let session = PlainToken::parse(&token).unwrap();
    let forged = PlainToken::forged(TokenKind::PortalSession, session.lookup_id(), &*fixture.test.ports.random);
    let key = PlainToken::generate(TokenKind::ApiKey, &*fixture.test.ports.random);
    for bad in ["", "svt_", forged.reveal(), key.reveal(), &fixture.link().unwrap()] {
        assert!(matches!(fixture.enter(bad), Err(Error::PortalTokenNeeded)), "{bad}");
    }
    fixture.set_workspace(SettableStatus::Suspended);
    assert!(matches!(fixture.enter(&token), Err(Error::PortalTokenNeeded)));
    fixture.set_workspace(SettableStatus::Active);
    fixture.test.clock.advance(PORTAL_SESSION_TTL - Duration::SECOND);
    assert_eq!(fixture.enter(&token).unwrap().session_id(), visitor.session_id());
    fixture.test.clock.advance(Duration::SECOND);
    assert!(matches!(fixture.enter(&token), Err(Error::PortalTokenNeeded)));

    let (visitor, token) = fixture.sign_in();
    assert_eq!(fixture.ticket(&visitor).unwrap().summary.reference, fixture.reference);
    fixture.delete();
    assert!(matches!(fixture.enter(&token), Err(Error::PortalTokenNeeded)));
    // This also ends sessions that were just verified.
    assert!(matches!(fixture.ticket(&visitor), Err(Error::PortalTokenNeeded)));
}

/// An idempotency key belongs to the ticket, so it also works with another link.
#[test]
fn an_idempotent_reply_is_added_once() {
    let fixture = PortalFixture::new();
    let ((first, _), (second, _)) = (fixture.sign_in(), fixture.sign_in());
    let body = json!({"body": "Once"});
    let reply = fresh(fixture.reply(&first, Some(once("k", 1)), body.clone()));
    for visitor in [&first, &second] {
        let repeated = fixture.reply(visitor, Some(once("k", 1)), body.clone()).unwrap();
        let IdempotentResult::Replayed(response) = repeated else { panic!("added twice") };
        assert_eq!(response.body, serde_json::to_string(&reply).unwrap());
    }
    assert_eq!(refusal(fixture.reply(&second, Some(once("k", 2)), json!({"body": "Other"}))), "idempotency_conflict");
    assert_eq!(fixture.ticket(&second).unwrap().comments, [reply]);
    // A replay changes nothing, regardless of what happened since.
    fixture.set_status("closed");
    assert!(matches!(fixture.reply(&second, Some(once("k", 1)), body), Ok(IdempotentResult::Replayed(_))));
    assert_eq!(fixture.status(), IssueStatus::Closed);
}

#[test]
fn closed_and_deleted_tickets_take_no_replies() {
    let fixture = PortalFixture::new();
    let (visitor, _) = fixture.sign_in();
    fixture.set_status("closed");
    let body = json!({"body": "Hello?"});
    assert_eq!(refusal(fixture.reply(&visitor, Some(once("k", 1)), body.clone())), "invalid_state_change");
    assert_eq!(fixture.ticket(&visitor).unwrap().comments, []);
    // Errors are not stored: once the ticket is open again, the same request succeeds.
    fixture.set_status("open");
    fresh(fixture.reply(&visitor, Some(once("k", 1)), body.clone()));
    fixture.delete();
    assert!(matches!(fixture.reply(&visitor, None, body), Err(Error::PortalTokenNeeded)));
}

#[test]
fn requests_by_others_do_not_keep_customers_from_getting_links() {
    let fixture = PortalFixture::new();
    let emails_after_request = |email: &str| {
        let body =
            json!({ "workspace_id": fixture.world.workspace.id, "email": email, "reference": fixture.reference });
        fixture.test.block_on(support::request_magic_link(&fixture.test.ports, &Client::default(), new(body))).unwrap();
        fixture.test.answer_link_requests();
        fixture.test.emails().len()
    };
    let _intake = fixture.test.emails();
    // Others know the reference, but not the address.
    assert_eq!((0..50).map(|_| emails_after_request("eve@example.org")).sum::<usize>(), 0);
    assert_eq!(emails_after_request(ADDRESS), 1);
    // Someone who knows both cannot flood the mailbox, and the recent link works.
    assert_eq!((0..50).map(|_| emails_after_request(ADDRESS)).sum::<usize>(), 0);
    // Links that the workspace's backend creates do not replace a requested link.
    fixture.test.clock.advance(Duration::minutes(5));
    let _made = fixture.link().unwrap();
    assert_eq!(emails_after_request(ADDRESS), 1);
}
