//! E-mails to customers about public comments on their tickets.

use serde_json::json;

use super::portal::{ADDRESS, PortalFixture};
use super::{fresh, new, once};
use domain::IssueId;
use domain::identity::access::Permit;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{self};

impl PortalFixture {
    fn comment(&self, issue: IssueId, visibility: &str, body: &str) -> Comment {
        let permit: Permit<domain::identity::access::CreateComments> = self.world.permit();
        let fields = new(json!({ "body": body, "visibility": visibility }));
        fresh(self.test.block_on(domain::work::comments::create(&self.test.ports, &permit, None, issue, fields)))
    }
}

/// The link token in an e-mail.
fn token_of(text: &str) -> String {
    let (_, rest) = text.split_once("#token=").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_public_answer_is_mailed_with_a_new_link() {
    let fixture = PortalFixture::new();
    let mut tokens = Vec::new();
    for body in ["Is it plugged in?", "And now?"] {
        fixture.comment(fixture.issue, "public", body);
        let mut emails = fixture.test.emails();
        assert_eq!(emails.len(), 1, "{emails:?}");
        let queued_email = emails.remove(0);
        assert_eq!(queued_email.to(), ADDRESS);
        assert_eq!(queued_email.subject(), format!("Re: your ticket {}", fixture.reference));
        assert!(queued_email.text().starts_with(&format!("{body}\n\n-- \nSuite\n")), "{}", queued_email.text());
        let workspace = fixture.world.workspace.id;
        let page = "https://work.example.com/portal#workspace=";
        let link = format!("{page}{workspace}&reference={}&email=Ada%40example.org", fixture.reference);
        assert!(queued_email.text().contains(&format!("\n{link}\n")), "{}", queued_email.text());
        assert!(queued_email.text().contains("Replies to this e-mail do not reach your ticket."));
        tokens.push(token_of(queued_email.text()));
    }
    assert_ne!(tokens[0], tokens[1]);
    for token in &tokens {
        fixture.begin(token).unwrap();
        assert!(fixture.begin(token).is_err(), "it works once");
    }
}

#[test]
fn only_public_comments_by_the_workspace_are_mailed() {
    let fixture = PortalFixture::new();
    fixture.comment(fixture.issue, "internal", "He is angry");
    assert_eq!(fixture.test.emails(), [], "an internal comment");
    let (visitor, _) = fixture.sign_in();
    assert!(matches!(fixture.reply(&visitor, None, json!({"body": "It is."})), Ok(IdempotentResult::Fresh(_))));
    assert_eq!(fixture.test.emails(), [], "the customer's own reply");
    let body = json!({"kind": "ticket", "title": "Inside"});
    let internal =
        fresh(fixture.test.block_on(issues::create(&fixture.test.ports, &fixture.world.permit(), None, new(body)))).id;
    let comment = fixture.comment(internal, "public", "To whom?");
    assert_eq!(fixture.test.emails(), [], "a ticket without a requester");
    assert_eq!(comment.visibility, Visibility::Public);
    let permit = fixture.world.permit();
    let (all, first) = (CreatedFilter::default(), PageRequest::first(9));
    let page = domain::work::comments::list(&fixture.test.ports, &permit, internal, all, first);
    assert_eq!(fixture.test.block_on(page).unwrap().items, [comment]);
}

/// A replay adds no comment and mails nothing.
#[test]
fn an_idempotent_answer_is_mailed_once() {
    let fixture = PortalFixture::new();
    let permit = fixture.world.permit();
    for _ in 0..2 {
        let fields = new(json!({ "body": "Once", "visibility": "public" }));
        let created =
            domain::work::comments::create(&fixture.test.ports, &permit, Some(once("k", 1)), fixture.issue, fields);
        fixture.test.block_on(created).unwrap();
    }
    assert_eq!(fixture.test.emails().len(), 1);
}
