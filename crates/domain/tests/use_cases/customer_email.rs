//! E-mails to customers about their tickets.

use domain::kernel::IssueKind;
use domain::work::comments::{self, CommentFields};
use domain::work::issues::{Issue, IssueStatus, Requester, TicketType};
use domain::{IssueId, testing};
use serde_json::json;
use uuid::Uuid;

use super::{fresh, new, start};

fn requester(email: &str) -> Requester {
    Requester { name: "Ada".to_owned(), email: email.to_owned(), ticket_type: TicketType::Question, contact_id: None }
}

/// Intake refuses invalid addresses. If one is stored anyway, replies to its ticket must still work.
#[test]
fn an_invalid_stored_address_gets_no_email_and_blocks_nothing() {
    let (test, world) = start();
    let permit = world.caller.permit().unwrap();
    let addresses =
        ["", "ada", "ada@example.org\r\nBcc: eve@example.org", "a@example.org, b@example.org", "ada@example.org"];
    for (number, email) in (1_u8..).zip(addresses) {
        let id = IssueId(Uuid::from_u128(0xA00 + u128::from(number)));
        let issue = testing::issue(IssueKind::Ticket, IssueStatus::Open);
        let reference = Some(format!("TKT-000000000{number}"));
        let issue = Issue { id, number: number.into(), reference, requester: Some(requester(email)), ..issue };
        test.block_on(world.run(move |tx| Ok(tx.records::<Issue>().insert(&issue)?))).unwrap();
        let fields: CommentFields = new(json!({"body": "Hello", "visibility": "public"}));
        fresh(test.block_on(comments::create(&test.ports, &permit, None, id, fields)));
        assert_eq!(test.emails().len(), usize::from(email == "ada@example.org"), "{email:?}");
    }
}
