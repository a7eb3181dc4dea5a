//! Lists of e-mails for operators. Each case has its own store, because operators see all workspaces.

use time::Duration;

use super::email::{OTHER, OWNER};
use super::{StoreUnderTest, TestWorkspace};
use domain::email::{EmailFilter, EmailState, EmailStatus, EmailSummary, EmailVerdict, LEASE, MAX_LISTED};
use domain::ports::{EmailQueue, Operator};
use domain::testing;
use domain::{EmailId, Error, WorkspaceId, email};

const ALL: EmailFilter = EmailFilter { workspace: None, status: None, limit: 100 };

fn operator() -> Operator {
    testing::operator()
}

async fn listed(subject: &StoreUnderTest, filter: EmailFilter) -> Vec<EmailSummary> {
    email::list(&subject.ports, &operator(), filter).await.unwrap()
}

fn subjects(listed: &[EmailSummary]) -> Vec<&str> {
    listed.iter().map(|email| email.subject.as_str()).collect()
}

/// Makes one failed attempt at the due e-mail.
async fn fail(world: &TestWorkspace, queue: &dyn EmailQueue, wait: Duration) {
    let email = world.claim_emails(queue, OWNER).await.remove(0);
    let retry = EmailVerdict::Retry { at: world.now() + wait, error: "busy".to_owned() };
    assert!(world.record_email(queue, OWNER, &email, retry).await);
}

/// Operators see every state from queued to finished, and whether an e-mail is in flight.
pub async fn operators_see_emails_without_their_texts(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let queued = world.queued_email("Hello");
    world.post(queued.clone()).await;
    let (start, id) = (world.now(), queued.id);
    let mut expected = EmailSummary {
        id,
        workspace: world.workspace.id,
        slug: world.workspace.slug.clone(),
        to: "Ann@example.com".to_owned(),
        subject: "Hello".to_owned(),
        created_at: start,
        attempts: 0,
        email_state: EmailState::Waiting { due_at: start, in_flight: false },
        last_error: None,
    };
    let found = async || subject.ports.directory.find_email(world.workspace.id, id).await.unwrap().unwrap();
    assert_eq!(listed(subject, ALL).await, std::slice::from_ref(&expected));
    assert_eq!(found().await, expected);
    let claimed = world.claim_emails(queue, OWNER).await.remove(0);
    expected.email_state = EmailState::Waiting { due_at: start + LEASE, in_flight: true };
    assert_eq!(found().await, expected);
    let at = start + Duration::minutes(1);
    let retry = EmailVerdict::Retry { at, error: "busy".to_owned() };
    assert!(world.record_email(queue, OWNER, &claimed, retry).await);
    expected = EmailSummary {
        attempts: 1,
        email_state: EmailState::Waiting { due_at: at, in_flight: false },
        last_error: Some("busy".to_owned()),
        ..expected
    };
    assert_eq!(found().await, expected);
    subject.clock.advance(Duration::minutes(1));
    let claimed = world.claim_emails(queue, OWNER).await.remove(0);
    assert!(
        world.record_email(queue, OWNER, &claimed, EmailVerdict::Failed { error: "no such mailbox".to_owned() }).await
    );
    expected = EmailSummary {
        attempts: 2,
        email_state: EmailState::Failed { at },
        last_error: Some("no such mailbox".to_owned()),
        ..expected
    };
    assert_eq!(found().await, expected);
    assert_eq!(listed(subject, ALL).await, [expected]);
    let directory = &subject.ports.directory;
    assert_eq!(directory.find_email(world.workspace.id, EmailId(world.id())).await.unwrap(), None);
    assert_eq!(directory.find_email(WorkspaceId(world.id()), id).await.unwrap(), None);
}

/// Lists cover one workspace or all, filter by state, and have at most `limit` entries.
pub async fn lists_are_newest_first(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    for number in 1..=6 {
        let world = if number % 2 == 0 { &second } else { &world };
        subject.clock.advance(Duration::SECOND);
        world.post(world.queued_email(&number.to_string())).await;
    }
    for email in world.claim_emails(queue, OWNER).await {
        let verdict = match email.subject.as_str() {
            "1" | "2" => EmailVerdict::Sent,
            "3" => EmailVerdict::Failed { error: "no such mailbox".to_owned() },
            _ => continue,
        };
        assert!(world.record_email(queue, OWNER, &email, verdict).await);
    }
    let first = Some(world.workspace.id);
    for (workspace, status, limit, expected) in [
        (None, None, 100, &["6", "5", "4", "3", "2", "1"][..]),
        (None, None, 4, &["6", "5", "4", "3"]),
        (first, None, 100, &["5", "3", "1"]),
        (first, None, 2, &["5", "3"]),
        (None, Some(EmailStatus::Waiting), 100, &["6", "5", "4"]),
        (None, Some(EmailStatus::Waiting), 1, &["6"]),
        (None, Some(EmailStatus::Sent), 100, &["2", "1"]),
        (None, Some(EmailStatus::Failed), 100, &["3"]),
        (first, Some(EmailStatus::Waiting), 100, &["5"]),
        (first, Some(EmailStatus::Sent), 100, &["1"]),
        (Some(second.workspace.id), Some(EmailStatus::Failed), 100, &[]),
        (Some(WorkspaceId(world.id())), None, 100, &[]),
    ] {
        let filter = EmailFilter { workspace, status, limit };
        assert_eq!(subjects(&listed(subject, filter).await), expected, "{filter:?}");
    }
    for limit in [0, MAX_LISTED + 1] {
        let refused = email::list(&subject.ports, &operator(), EmailFilter { limit, ..ALL }).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{limit}");
    }
}

/// A waiting e-mail becomes due; e-mails in flight and finished ones do not change.
pub async fn a_waiting_email_is_made_due(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let queued = world.queued_email("Hello");
    world.post(queued.clone()).await;
    fail(&world, queue, Duration::hours(2)).await;
    let (workspace, id) = (world.workspace.id, queued.id);
    let retry = async |workspace, id| email::retry(&subject.ports, &operator(), workspace, id).await;
    assert!(matches!(retry(workspace, EmailId(world.id())).await, Err(Error::NotFound(_))));
    assert!(matches!(retry(WorkspaceId(world.id()), id).await, Err(Error::NotFound(_))));
    assert!(world.claim_emails(queue, OWNER).await.is_empty());
    retry(workspace, id).await.unwrap();
    retry(workspace, id).await.unwrap();
    let claimed = world.claim_emails(queue, OWNER).await.remove(0);
    assert_eq!((claimed.id, claimed.attempts), (id, 1));
    retry(workspace, id).await.unwrap();
    assert!(world.claim_emails(queue, OTHER).await.is_empty(), "it is being sent");
    assert!(world.record_email(queue, OWNER, &claimed, EmailVerdict::Sent).await);
    let sent = retry(workspace, id).await.unwrap_err();
    assert!(matches!(&sent, Error::InvalidStateChange(why) if why.contains("was sent at")), "{sent}");
    let queued = world.queued_email("Hello");
    world.post(queued.clone()).await;
    let claimed = world.claim_emails(queue, OWNER).await.remove(0);
    assert!(world.record_email(queue, OWNER, &claimed, EmailVerdict::Failed { error: "no".to_owned() }).await);
    let failed = retry(workspace, queued.id).await.unwrap_err();
    assert!(matches!(&failed, Error::InvalidStateChange(why) if why.contains("text was erased")), "{failed}");
}

/// A retry covers one workspace or all of them.
pub async fn all_waiting_emails_are_made_due(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    for (world, text) in [(&world, "first"), (&world, "second"), (&second, "theirs")] {
        world.post(world.queued_email(text)).await;
        fail(world, queue, Duration::hours(2)).await;
    }
    world.post(world.queued_email("in flight")).await;
    assert_eq!(world.claim_emails(queue, OTHER).await.len(), 1);
    let retry = async |workspace| email::retry_all(&subject.ports, &operator(), workspace).await.unwrap();
    let due = async || {
        let mut due: Vec<_> = world.claim_emails(queue, OWNER).await.into_iter().map(|email| email.subject).collect();
        due.sort();
        queue.release_emails(OWNER, world.now() + Duration::hours(2)).await.unwrap();
        due
    };
    assert_eq!(retry(Some(second.workspace.id)).await, 1);
    assert_eq!(due().await, ["theirs"]);
    assert_eq!(retry(None).await, 3);
    assert_eq!(retry(None).await, 0, "they are due already");
    assert_eq!(due().await, ["first", "second", "theirs"]);
    let some = subject.ports.directory.retry_emails(world.workspace.id, world.now(), 1).await.unwrap();
    assert_eq!((some, due().await.len()), (1, 1));
}
