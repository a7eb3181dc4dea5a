//! The migration derives whose turn it is from the comments on existing tickets.

use domain::identity::access::Actor;
use domain::kernel::IssueKind;
use domain::work::comments::{Comment, Visibility};
use domain::work::issues::{Issue, IssueStatus, Requester, TicketType};
use storage_contract::{StoreUnderTest, TestWorkspace};
use time::Duration;

use crate::common::Database;
use crate::common::jobs::lines;

const UP: &str = include_str!("../../../../migrations/tables/0024_ticket_waiting/up.sql");
const DOWN: &str = include_str!("../../../../migrations/tables/0024_ticket_waiting/down.sql");

/// Who writes a comment.
#[derive(Clone, Copy)]
enum Writer {
    Customer,
    Team,
    Note,
}

use Writer::{Customer, Note, Team};

async fn add(world: &TestWorkspace, title: &str, has_requester: bool, status: IssueStatus, comments: &[(Writer, i64)]) {
    let requester = Requester {
        name: "Ada".to_owned(),
        email: "ada@example.org".to_owned(),
        ticket_type: TicketType::Question,
        contact_id: None,
    };
    let requester = has_requester.then_some(requester);
    let bare = world.bare_issue(status.kind()).await;
    let issue = world.add(Issue { title: title.to_owned(), requester, status, ..bare }).await;
    for (writer, minute) in comments.iter().copied() {
        let visibility = if matches!(writer, Note) { Visibility::Internal } else { Visibility::Public };
        let author = if matches!(writer, Customer) { Actor::CUSTOMER } else { world.member_actor() };
        let created_at = issue.created_at + Duration::minutes(minute);
        world.add(Comment { visibility, author, created_at, ..world.comment(issue.id) }).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turns_follow_from_the_comments_of_earlier_releases() {
    let database = Database::migrated();
    let (ports, clock) = database.ports();
    let world = StoreUnderTest { ports, clock }.world().await;
    let (open, done) = (IssueStatus::Open, IssueStatus::Resolved);
    add(&world, "a asked", true, open, &[]).await;
    add(&world, "b answered", true, IssueStatus::Pending, &[(Team, 2)]).await;
    add(&world, "c asked again", true, open, &[(Team, 2), (Customer, 4), (Customer, 6), (Note, 8)]).await;
    add(&world, "d asked twice", true, IssueStatus::OnHold, &[(Customer, 3), (Note, 4)]).await;
    add(&world, "e of the team", false, open, &[(Note, 1)]).await;
    add(&world, "f written to", false, open, &[(Team, 1), (Team, 5)]).await;
    add(&world, "g finished", true, done, &[(Team, 1), (Customer, 2)]).await;
    add(&world, "h a task", false, IssueStatus::default_of(IssueKind::Task), &[(Note, 1)]).await;
    database.execute(&format!("BEGIN; {DOWN} COMMIT; BEGIN; {UP} COMMIT"));
    // Minutes since the ticket was opened.
    let minutes = |column: &str| format!("coalesce((extract(epoch FROM {column} - created_at) / 60)::int::text, '-')");
    let columns = ["customer_wrote_at", "answered_at", "waiting_since", "last_message_at"].map(minutes).join(", ");
    let sql = format!("SELECT concat_ws(' ', title, {columns}) AS line FROM issues ORDER BY title");
    let expected = [
        "a asked 0 - 0 -",
        "b answered 0 2 - -",
        "c asked again 6 2 4 -",
        "d asked twice 3 - 0 -",
        "e of the team - - - -",
        "f written to - 5 - -",
        "g finished - - - -",
        "h a task - - - -",
    ];
    assert_eq!(lines(&database, &sql), expected);
}
