use super::*;
use crate::issues::IssueStatus;
use crate::support::TicketType;
use crate::testing::suite::Subject;
use crate::testing::{self, TestPorts};

fn requester(email: &str) -> Requester {
    Requester { name: "Ada".to_owned(), email: email.to_owned(), ticket_type: TicketType::Question, contact_id: None }
}

/// Intake takes no such address; a store may have one all the same, and an answer to its ticket must stand.
#[test]
fn a_stored_address_that_is_none_gets_no_letter_and_stops_nothing() {
    let test = TestPorts::new();
    let subject = Subject { ports: test.ports.clone(), clock: test.clock.clone() };
    let world = test.block_on(subject.world());
    let (workspace, issue) = (world.workspace.clone(), testing::issue(IssueKind::Ticket, IssueStatus::Open));
    let letter = |email: &str| answer(&workspace, &issue, &requester(email), "Hello", ["https://a", "https://b"]);
    for bad in ["", "ada", "ada@example.org\r\nBcc: eve@example.org", "a@example.org, b@example.org"] {
        assert_eq!(letter(bad), None, "{bad:?}");
    }
    let good = letter("ada@example.org");
    for (mail, count) in [(None, 0), (good, 1)] {
        let (ports, workspace) = (test.ports.clone(), world.workspace.clone());
        test.block_on(world.run(move |tx| queue(&ports, &workspace, tx, mail.as_ref()))).unwrap();
        assert_eq!(test.letters().len(), count);
    }
}
