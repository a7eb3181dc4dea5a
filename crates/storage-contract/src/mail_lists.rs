//! Letters as operators see them. Each case has a store of its own: operators see those of all workspaces.

use time::Duration;

use super::mails::{OTHER, OWNER};
use super::{Subject, World};
use domain::email::{LEASE, ListedMail, MAX_LISTED, MailFilter, MailStanding, MailStatus, MailVerdict};
use domain::ports::{MailQueue, Operator};
use domain::testing;
use domain::{Error, MailId, WorkspaceId, email};

const ALL: MailFilter = MailFilter { workspace: None, status: None, limit: 100 };

fn operator() -> Operator {
    testing::operator()
}

async fn listed(subject: &Subject, filter: MailFilter) -> Vec<ListedMail> {
    email::list(&subject.ports, &operator(), filter).await.unwrap()
}

fn subjects(listed: &[ListedMail]) -> Vec<&str> {
    listed.iter().map(|mail| mail.subject.as_str()).collect()
}

/// Tries the one letter that is due, in vain.
async fn fail(world: &World, queue: &dyn MailQueue, wait: Duration) {
    let mail = world.taken(queue, OWNER).await.remove(0);
    let retry = MailVerdict::Retry { at: world.now() + wait, error: "busy".to_owned() };
    assert!(world.recorded(queue, OWNER, &mail, retry).await);
}

/// From being queued until it is over, and in whose hand.
pub async fn operators_see_letters_without_their_texts(subject: &Subject, queue: &dyn MailQueue) {
    let world = subject.world().await;
    let queued = world.letter("Hello");
    world.post(queued.clone()).await;
    let (start, id) = (world.now(), queued.id);
    let mut expected = ListedMail {
        id,
        workspace: world.workspace.id,
        slug: world.workspace.slug.clone(),
        to: "Ann@example.com".to_owned(),
        subject: "Hello".to_owned(),
        created_at: start,
        attempts: 0,
        standing: MailStanding::Waiting { due_at: start, in_hand: false },
        last_error: None,
    };
    let found = async || subject.ports.directory.find_mail(world.workspace.id, id).await.unwrap().unwrap();
    assert_eq!(listed(subject, ALL).await, std::slice::from_ref(&expected));
    assert_eq!(found().await, expected);
    let claimed = world.taken(queue, OWNER).await.remove(0);
    expected.standing = MailStanding::Waiting { due_at: start + LEASE, in_hand: true };
    assert_eq!(found().await, expected);
    let at = start + Duration::minutes(1);
    let retry = MailVerdict::Retry { at, error: "busy".to_owned() };
    assert!(world.recorded(queue, OWNER, &claimed, retry).await);
    expected = ListedMail {
        attempts: 1,
        standing: MailStanding::Waiting { due_at: at, in_hand: false },
        last_error: Some("busy".to_owned()),
        ..expected
    };
    assert_eq!(found().await, expected);
    subject.clock.advance(Duration::minutes(1));
    let claimed = world.taken(queue, OWNER).await.remove(0);
    assert!(world.recorded(queue, OWNER, &claimed, MailVerdict::Failed { error: "no such mailbox".to_owned() }).await);
    expected = ListedMail {
        attempts: 2,
        standing: MailStanding::Failed { at },
        last_error: Some("no such mailbox".to_owned()),
        ..expected
    };
    assert_eq!(found().await, expected);
    assert_eq!(listed(subject, ALL).await, [expected]);
    let directory = &subject.ports.directory;
    assert_eq!(directory.find_mail(world.workspace.id, MailId(world.id())).await.unwrap(), None);
    assert_eq!(directory.find_mail(WorkspaceId(world.id()), id).await.unwrap(), None);
}

/// Of one workspace or of all, by where they stand, and no more than were asked for.
pub async fn lists_are_of_the_newest(subject: &Subject, queue: &dyn MailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    for number in 1..=6 {
        let world = if number % 2 == 0 { &second } else { &world };
        subject.clock.advance(Duration::SECOND);
        world.post(world.letter(&number.to_string())).await;
    }
    for mail in world.taken(queue, OWNER).await {
        let verdict = match mail.subject.as_str() {
            "1" | "2" => MailVerdict::Sent,
            "3" => MailVerdict::Failed { error: "no such mailbox".to_owned() },
            _ => continue,
        };
        assert!(world.recorded(queue, OWNER, &mail, verdict).await);
    }
    let of = Some(world.workspace.id);
    for (workspace, status, limit, expected) in [
        (None, None, 100, &["6", "5", "4", "3", "2", "1"][..]),
        (None, None, 4, &["6", "5", "4", "3"]),
        (of, None, 100, &["5", "3", "1"]),
        (of, None, 2, &["5", "3"]),
        (None, Some(MailStatus::Waiting), 100, &["6", "5", "4"]),
        (None, Some(MailStatus::Waiting), 1, &["6"]),
        (None, Some(MailStatus::Sent), 100, &["2", "1"]),
        (None, Some(MailStatus::Failed), 100, &["3"]),
        (of, Some(MailStatus::Waiting), 100, &["5"]),
        (of, Some(MailStatus::Sent), 100, &["1"]),
        (Some(second.workspace.id), Some(MailStatus::Failed), 100, &[]),
        (Some(WorkspaceId(world.id())), None, 100, &[]),
    ] {
        let filter = MailFilter { workspace, status, limit };
        assert_eq!(subjects(&listed(subject, filter).await), expected, "{filter:?}");
    }
    for limit in [0, MAX_LISTED + 1] {
        let refused = email::list(&subject.ports, &operator(), MailFilter { limit, ..ALL }).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{limit}");
    }
}

/// One that waits for later is due; one in hand stays, and one that is over is told apart.
pub async fn a_letter_that_waits_is_made_due(subject: &Subject, queue: &dyn MailQueue) {
    let world = subject.world().await;
    let queued = world.letter("Hello");
    world.post(queued.clone()).await;
    fail(&world, queue, Duration::hours(2)).await;
    let (workspace, id) = (world.workspace.id, queued.id);
    let retry = async |workspace, id| email::retry(&subject.ports, &operator(), workspace, id).await;
    assert!(matches!(retry(workspace, MailId(world.id())).await, Err(Error::NotFound(_))));
    assert!(matches!(retry(WorkspaceId(world.id()), id).await, Err(Error::NotFound(_))));
    assert!(world.taken(queue, OWNER).await.is_empty());
    retry(workspace, id).await.unwrap();
    retry(workspace, id).await.unwrap();
    let claimed = world.taken(queue, OWNER).await.remove(0);
    assert_eq!((claimed.id, claimed.attempts), (id, 1));
    retry(workspace, id).await.unwrap();
    assert!(world.taken(queue, OTHER).await.is_empty(), "it is being sent");
    assert!(world.recorded(queue, OWNER, &claimed, MailVerdict::Sent).await);
    let sent = retry(workspace, id).await.unwrap_err();
    assert!(matches!(&sent, Error::InvalidStateChange(why) if why.contains("was sent at")), "{sent}");
    let queued = world.letter("Hello");
    world.post(queued.clone()).await;
    let claimed = world.taken(queue, OWNER).await.remove(0);
    assert!(world.recorded(queue, OWNER, &claimed, MailVerdict::Failed { error: "no".to_owned() }).await);
    let failed = retry(workspace, queued.id).await.unwrap_err();
    assert!(matches!(&failed, Error::InvalidStateChange(why) if why.contains("text was erased")), "{failed}");
}

/// Those of one workspace, or of all.
pub async fn all_that_wait_are_made_due(subject: &Subject, queue: &dyn MailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    for (world, text) in [(&world, "first"), (&world, "second"), (&second, "theirs")] {
        world.post(world.letter(text)).await;
        fail(world, queue, Duration::hours(2)).await;
    }
    world.post(world.letter("in hand")).await;
    assert_eq!(world.taken(queue, OTHER).await.len(), 1);
    let retry = async |workspace| email::retry_all(&subject.ports, &operator(), workspace).await.unwrap();
    let due = async || {
        let mut due: Vec<_> = world.taken(queue, OWNER).await.into_iter().map(|mail| mail.subject).collect();
        due.sort();
        queue.release_mails(OWNER, world.now() + Duration::hours(2)).await.unwrap();
        due
    };
    assert_eq!(retry(Some(second.workspace.id)).await, 1);
    assert_eq!(due().await, ["theirs"]);
    assert_eq!(retry(None).await, 3);
    assert_eq!(retry(None).await, 0, "they are due already");
    assert_eq!(due().await, ["first", "second", "theirs"]);
    let some = subject.ports.directory.retry_mails(world.workspace.id, world.now(), 1).await.unwrap();
    assert_eq!((some, due().await.len()), (1, 1));
}
