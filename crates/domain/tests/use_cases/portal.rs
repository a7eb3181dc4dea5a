//! Customers come in with a link, see their ticket and reply to it.

use serde_json::{Value, json};
use time::Duration;

use super::{fresh, new, once, patch, refusal, start};
use domain::identity::access::{PlainToken, TokenKind};
use domain::identity::workspaces::{self, WorkspaceStatus};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::paging::PageRequest;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Clock;
use domain::support::{
    self, CommentSide, PORTAL_SESSION_TTL, PortalLogin, PortalVisitor, PublicComment, TicketReference, TicketView,
};
use domain::work::issues::{self, IssueFilter, IssueStatus, TRACKING_LINK_TTL};
use domain::{Error, IssueId};
use storage_contract::TestWorkspace;
use storage_memory::TestPorts;

pub(super) const ADDRESS: &str = "Ada@example.org";

/// A workspace with one ticket that a customer asked for.
pub(super) struct PortalFixture {
    pub(super) test: TestPorts,
    pub(super) world: TestWorkspace,
    pub(super) reference: String,
    pub(super) issue: IssueId,
}

impl PortalFixture {
    pub(super) fn new() -> Self {
        let (test, world) = start();
        let body = json!({"name": "Ada", "email": ADDRESS, "subject": "It does not print"});
        let permit = world.permit();
        let made = support::open_by_key(&test.ports, &permit, None, new(body));
        let reference = fresh(test.block_on(made)).reference;
        let issue = issue_of(&test, &world, &reference);
        Self { test, world, reference, issue }
    }

    pub(super) fn link(&self) -> Result<String, Error> {
        self.link_to(&self.reference)
    }

    fn link_to(&self, reference: &str) -> Result<String, Error> {
        let (permit, reference) = (self.world.permit(), TicketReference::parse(reference));
        let made = support::create_link(&self.test.ports, &permit, reference);
        self.test.block_on(made).map(|link| link.token.reveal().to_owned())
    }

    pub(super) fn begin(&self, token: &str) -> Result<PortalLogin, Error> {
        self.test.block_on(support::begin_session(&self.test.ports, new(json!({ "token": token }))))
    }

    fn enter(&self, token: &str) -> Result<PortalVisitor, Error> {
        self.test.block_on(support::enter(&self.test.ports, token, None))
    }

    /// A customer who has come in, by a fresh link; and their token.
    pub(super) fn come_in(&self) -> (PortalVisitor, String) {
        let login = self.begin(&self.link().unwrap()).unwrap();
        let token = login.token.reveal().to_owned();
        (self.enter(&token).unwrap(), token)
    }

    fn see(&self, visitor: &PortalVisitor) -> Result<TicketView, Error> {
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
        let changed = issues::update(
            &self.test.ports,
            &permit,
            self.issue,
            ExpectedVersion::Any,
            patch(json!({ "status": status })),
        );
        self.test.block_on(changed).unwrap();
    }

    fn set_workspace(&self, status: WorkspaceStatus) {
        self.test.block_on(workspaces::set_status(&self.test.ports, &self.world.operator(), status)).unwrap();
    }

    /// No use case deletes a ticket; a store may have one that is deleted all the same.
    fn delete(&self) {
        let (id, now) = (self.issue, self.world.now());
        assert!(self.test.block_on(self.world.done(move |tx| tx.issues().delete(id, now))));
    }
}

fn issue_of(test: &TestPorts, world: &TestWorkspace, reference: &str) -> IssueId {
    let (permit, filter) = (world.permit(), IssueFilter::all(IssueKind::Ticket));
    let listed = issues::list(&test.ports, &permit, filter, PageRequest::first(9));
    let found = test.block_on(listed).unwrap().items;
    found.iter().find(|issue| issue.reference.as_deref() == Some(reference)).unwrap().id
}

#[test]
fn links_lead_to_tickets_of_customers_alone() {
    let desk = PortalFixture::new();
    let (permit, reference) = (desk.world.permit(), TicketReference::parse(&desk.reference.to_lowercase()));
    let made = desk.test.block_on(support::create_link(&desk.test.ports, &permit, reference)).unwrap();
    let token = made.token.reveal();
    assert!(token.starts_with("svl_"), "{token}");
    assert_eq!(made.url, format!("https://work.example.com/portal#token={token}"));
    assert_eq!(made.expires_at, desk.test.clock.now() + TRACKING_LINK_TTL);
    assert_eq!(desk.test.emails(), [], "it is the program's to hand on");
    for nothing in ["", "TKT-1", "TKT-0000000000"] {
        assert_eq!(refusal(desk.link_to(nothing)), "not_found", "{nothing}");
    }
    // Nobody asked for this one from outside.
    let body = json!({"kind": "ticket", "title": "Inside"});
    let inside = fresh(desk.test.block_on(issues::create(&desk.test.ports, &desk.world.permit(), None, new(body))));
    assert_eq!(refusal(desk.link_to(&inside.reference.unwrap())), "not_found");
    desk.delete();
    assert_eq!(refusal(desk.link()), "not_found");
}

#[test]
fn a_link_lets_in_once_and_in_time() {
    let desk = PortalFixture::new();
    let (first, second, late) = (desk.link().unwrap(), desk.link().unwrap(), desk.link().unwrap());
    let login = desk.begin(&first).unwrap();
    assert!(login.token.reveal().starts_with("svt_"));
    assert_eq!(login.expires_at, desk.test.clock.now() + PORTAL_SESSION_TTL);
    assert_eq!(refusal(desk.begin(&first)), "capability_consumed");
    // Another link is good beside a used one.
    desk.test.clock.advance(TRACKING_LINK_TTL - Duration::SECOND);
    desk.begin(&second).unwrap();
    desk.test.clock.advance(Duration::SECOND);
    assert!(matches!(desk.begin(&late), Err(Error::LinkExpired)));
    assert_eq!(refusal(desk.begin(&first)), "capability_consumed", "a used one stays so");
}

#[test]
fn what_is_no_link_is_refused_alike() {
    let desk = PortalFixture::new();
    let link = desk.link().unwrap();
    let lookup_id = PlainToken::parse(&link).unwrap().lookup_id().to_owned();
    let forged = PlainToken::forged(TokenKind::TrackingLink, &lookup_id, &*desk.test.ports.random);
    let (_, session) = desk.come_in();
    for bad in ["svl_", "nonsense", forged.reveal(), &session] {
        assert!(matches!(desk.begin(bad), Err(Error::LinkExpired)), "{bad}");
    }
    desk.set_workspace(WorkspaceStatus::Suspended);
    assert!(matches!(desk.begin(&link), Err(Error::LinkExpired)));
    desk.set_workspace(WorkspaceStatus::Active);
    let other = desk.link().unwrap();
    desk.begin(&link).unwrap();
    desk.delete();
    assert!(matches!(desk.begin(&other), Err(Error::LinkExpired)));
}

#[test]
fn a_session_ends_with_its_hour_its_workspace_or_its_ticket() {
    let desk = PortalFixture::new();
    let (visitor, token) = desk.come_in();
    assert_eq!(visitor.workspace_id(), desk.world.workspace.id);
    let session = PlainToken::parse(&token).unwrap();
    let forged = PlainToken::forged(TokenKind::PortalSession, session.lookup_id(), &*desk.test.ports.random);
    let key = PlainToken::generate(TokenKind::ApiKey, &*desk.test.ports.random);
    for bad in ["", "svt_", forged.reveal(), key.reveal(), &desk.link().unwrap()] {
        assert!(matches!(desk.enter(bad), Err(Error::PortalTokenNeeded)), "{bad}");
    }
    desk.set_workspace(WorkspaceStatus::Suspended);
    assert!(matches!(desk.enter(&token), Err(Error::PortalTokenNeeded)));
    desk.set_workspace(WorkspaceStatus::Active);
    desk.test.clock.advance(PORTAL_SESSION_TTL - Duration::SECOND);
    assert_eq!(desk.enter(&token).unwrap().session_id(), visitor.session_id());
    desk.test.clock.advance(Duration::SECOND);
    assert!(matches!(desk.enter(&token), Err(Error::PortalTokenNeeded)));

    let (visitor, token) = desk.come_in();
    assert_eq!(desk.see(&visitor).unwrap().summary.reference, desk.reference);
    desk.delete();
    assert!(matches!(desk.enter(&token), Err(Error::PortalTokenNeeded)));
    // Who came in just before feels it too.
    assert!(matches!(desk.see(&visitor), Err(Error::PortalTokenNeeded)));
}

#[test]
fn a_reply_is_public_and_opens_what_waits() {
    let desk = PortalFixture::new();
    let (visitor, _) = desk.come_in();
    desk.set_status("pending");
    let said = fresh(desk.reply(&visitor, None, json!({"body": "It still does not."})));
    assert_eq!((said.body.as_str(), said.author), ("It still does not.", CommentSide::Customer));
    assert_eq!(desk.status(), IssueStatus::Open);
    desk.set_status("resolved");
    fresh(desk.reply(&visitor, None, json!({"body": "Not yet."})));
    assert_eq!(desk.status(), IssueStatus::Open);
    let view = desk.see(&visitor).unwrap();
    assert_eq!(view.comments.iter().map(|it| it.body.as_str()).collect::<Vec<_>>(), ["It still does not.", "Not yet."]);
    assert_eq!(desk.test.emails(), [], "nobody is mailed what they said");
}

/// Also with another link: the key belongs to the ticket.
#[test]
fn a_reply_is_made_once() {
    let desk = PortalFixture::new();
    let ((first, _), (second, _)) = (desk.come_in(), desk.come_in());
    let body = json!({"body": "Once"});
    let said = fresh(desk.reply(&first, Some(once("k", 1)), body.clone()));
    for visitor in [&first, &second] {
        let again = desk.reply(visitor, Some(once("k", 1)), body.clone()).unwrap();
        let IdempotentResult::Replayed(answer) = again else { panic!("said twice") };
        assert_eq!(answer.body, serde_json::to_string(&said).unwrap());
    }
    assert_eq!(refusal(desk.reply(&second, Some(once("k", 2)), json!({"body": "Other"}))), "idempotency_conflict");
    assert_eq!(desk.see(&second).unwrap().comments, [said]);
    // A repeated one changes nothing, whatever happened since.
    desk.set_status("closed");
    assert!(matches!(desk.reply(&second, Some(once("k", 1)), body), Ok(IdempotentResult::Replayed(_))));
    assert_eq!(desk.status(), IssueStatus::Closed);
}

#[test]
fn closed_and_deleted_tickets_take_no_replies() {
    let desk = PortalFixture::new();
    let (visitor, _) = desk.come_in();
    desk.set_status("closed");
    let body = json!({"body": "Hello?"});
    assert_eq!(refusal(desk.reply(&visitor, Some(once("k", 1)), body.clone())), "invalid_state_change");
    assert_eq!(desk.see(&visitor).unwrap().comments, []);
    // A refusal is not kept: once the ticket is open again, the same request is made.
    desk.set_status("open");
    fresh(desk.reply(&visitor, Some(once("k", 1)), body.clone()));
    desk.delete();
    assert!(matches!(desk.reply(&visitor, None, body), Err(Error::PortalTokenNeeded)));
}
