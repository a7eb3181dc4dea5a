//! Letters to customers whose tickets got an answer.

use serde_json::json;

use super::portal::{ADDRESS, Desk};
use super::{fresh, new, once};
use domain::IssueId;
use domain::identity::access::Permit;
use domain::kernel::idempotency::Outcome;
use domain::kernel::paging::PageRequest;
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{self};

impl Desk {
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
    let desk = Desk::new();
    let mut tokens = Vec::new();
    for body in ["Is it plugged in?", "And now?"] {
        desk.comment(desk.issue, "public", body);
        let mut letters = desk.test.letters();
        assert_eq!(letters.len(), 1, "{letters:?}");
        let letter = letters.remove(0);
        assert_eq!(letter.to(), ADDRESS);
        assert_eq!(letter.subject(), format!("Re: [{}] It does not print", desk.reference));
        assert!(letter.text().starts_with(&format!("{body}\n\n-- \nSuite\n")), "{}", letter.text());
        let workspace = desk.world.workspace.id;
        let again = format!("https://work.example.com/portal#workspace={workspace}&reference={}", desk.reference);
        assert!(letter.text().contains(&format!("\n{again}\n")), "{}", letter.text());
        tokens.push(token_of(letter.text()));
    }
    assert_ne!(tokens[0], tokens[1]);
    for token in &tokens {
        desk.begin(token).unwrap();
        assert!(desk.begin(token).is_err(), "it works once");
    }
}

#[test]
fn nobody_is_mailed_what_is_not_for_them() {
    let desk = Desk::new();
    desk.comment(desk.issue, "internal", "He is angry");
    assert_eq!(desk.test.letters(), [], "it was said inside");
    let (visitor, _) = desk.come_in();
    assert!(matches!(desk.reply(&visitor, None, json!({"body": "It is."})), Ok(Outcome::Fresh(_))));
    assert_eq!(desk.test.letters(), [], "the customer said it");
    let body = json!({"kind": "ticket", "title": "Inside"});
    let inside = fresh(desk.test.block_on(issues::create(&desk.test.ports, &desk.world.permit(), None, new(body)))).id;
    let comment = desk.comment(inside, "public", "To whom?");
    assert_eq!(desk.test.letters(), [], "nobody asked for it from outside");
    assert_eq!(comment.visibility, Visibility::Public);
    let permit = desk.world.permit();
    let page = domain::work::comments::list(&desk.test.ports, &permit, inside, PageRequest::first(9));
    assert_eq!(desk.test.block_on(page).unwrap().items, [comment]);
}

/// What is repeated is neither said nor mailed again.
#[test]
fn an_idempotent_answer_is_mailed_once() {
    let desk = Desk::new();
    let permit = desk.world.permit();
    for _ in 0..2 {
        let fields = new(json!({ "body": "Once", "visibility": "public" }));
        let made = domain::work::comments::create(&desk.test.ports, &permit, Some(once("k", 1)), desk.issue, fields);
        desk.test.block_on(made).unwrap();
    }
    assert_eq!(desk.test.letters().len(), 1);
}
