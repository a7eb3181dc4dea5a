//! Letters to customers whose tickets got an answer.

use serde_json::json;

use super::portal::{ADDRESS, PortalFixture};
use super::{fresh, new, once};
use domain::IssueId;
use domain::identity::access::Permit;
use domain::kernel::idempotency::IdempotentResult;
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

/// The link of a letter.
fn token_of(text: &str) -> String {
    let (_, rest) = text.split_once("#token=").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_public_answer_is_mailed_with_a_fresh_link() {
    let desk = PortalFixture::new();
    let mut tokens = Vec::new();
    for body in ["Is it plugged in?", "And now?"] {
        desk.comment(desk.issue, "public", body);
        let mut emails = desk.test.emails();
        assert_eq!(emails.len(), 1, "{emails:?}");
        let queued_email = emails.remove(0);
        assert_eq!(queued_email.to(), ADDRESS);
        assert_eq!(queued_email.subject(), format!("Re: [{}] It does not print", desk.reference));
        assert!(queued_email.text().starts_with(&format!("{body}\n\n-- \nSuite\n")), "{}", queued_email.text());
        let workspace = desk.world.workspace.id;
        let again = format!("https://work.example.com/portal#workspace={workspace}&reference={}", desk.reference);
        assert!(queued_email.text().contains(&format!("\n{again}\n")), "{}", queued_email.text());
        tokens.push(token_of(queued_email.text()));
    }
    assert_ne!(tokens[0], tokens[1]);
    for token in &tokens {
        desk.begin(token).unwrap();
        assert!(desk.begin(token).is_err(), "it works once");
    }
}

#[test]
fn nobody_is_mailed_what_is_not_for_them() {
    let desk = PortalFixture::new();
    desk.comment(desk.issue, "internal", "He is angry");
    assert_eq!(desk.test.emails(), [], "it was said inside");
    let (visitor, _) = desk.come_in();
    assert!(matches!(desk.reply(&visitor, None, json!({"body": "It is."})), Ok(IdempotentResult::Fresh(_))));
    assert_eq!(desk.test.emails(), [], "the customer said it");
    let body = json!({"kind": "ticket", "title": "Inside"});
    let inside = fresh(desk.test.block_on(issues::create(&desk.test.ports, &desk.world.permit(), None, new(body)))).id;
    let comment = desk.comment(inside, "public", "To whom?");
    assert_eq!(desk.test.emails(), [], "nobody asked for it from outside");
    assert_eq!(comment.visibility, Visibility::Public);
    let permit = desk.world.permit();
    let page = domain::work::comments::list(&desk.test.ports, &permit, inside, PageRequest::first(9));
    assert_eq!(desk.test.block_on(page).unwrap().items, [comment]);
}

/// What is repeated is neither said nor mailed again.
#[test]
fn an_idempotent_answer_is_mailed_once() {
    let desk = PortalFixture::new();
    let permit = desk.world.permit();
    for _ in 0..2 {
        let fields = new(json!({ "body": "Once", "visibility": "public" }));
        let made = domain::work::comments::create(&desk.test.ports, &permit, Some(once("k", 1)), desk.issue, fields);
        desk.test.block_on(made).unwrap();
    }
    assert_eq!(desk.test.emails().len(), 1);
}
