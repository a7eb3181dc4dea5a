//! The e-mail queue. Each case has its own store, because the queue crosses workspaces.

use time::Duration;
use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};
use domain::WorkspaceId;
use domain::email::{
    ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailMessage, EmailPurpose, EmailVerdict, LEASE, LONGEST_WAIT,
    QueuedEmail,
};
use domain::kernel::input::EmailAddress;
use domain::ports::EmailQueue;

pub(super) const OWNER: Uuid = Uuid::from_u128(1);
pub(super) const OTHER: Uuid = Uuid::from_u128(2);

impl TestWorkspace {
    pub(super) fn queued_email(&self, subject: &str) -> QueuedEmail {
        let to = EmailAddress::parse("Ann@example.com").unwrap();
        let email = EmailMessage::new(&to, subject, "https://work.example.com/x#token=secret\n");
        let source = self.workspace.email_source(EmailPurpose::Answer);
        QueuedEmail::seal(&self.ports, source, &email).unwrap()
    }

    pub(super) async fn post(&self, email: QueuedEmail) {
        self.commit(move |tx| tx.emails().enqueue(&email).map(drop)).await;
    }

    pub(super) fn everything(&self, owner: Uuid) -> EmailClaim {
        EmailClaim { owner, limit: 100, limit_per_workspace: 100, after: None, now: self.now() }
    }

    pub(super) async fn claim_emails(&self, queue: &dyn EmailQueue, owner: Uuid) -> Vec<ClaimedEmail> {
        queue.claim_emails(&self.everything(owner)).await.unwrap()
    }

    pub(super) async fn record_email(
        &self,
        queue: &dyn EmailQueue,
        owner: Uuid,
        email: &ClaimedEmail,
        verdict: EmailVerdict,
    ) -> bool {
        let record = EmailAttemptRecord { owner, workspace: email.workspace, id: email.id, now: self.now(), verdict };
        queue.record_email(&record).await.unwrap()
    }
}

pub(super) fn subjects(claimed: &[ClaimedEmail]) -> Vec<&str> {
    claimed.iter().map(|email| email.subject.as_str()).collect()
}

/// A claim returns the e-mail as it was queued, and each e-mail once.
pub async fn an_email_round_trips(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let queued = world.queued_email("Hello");
    world.post(queued.clone()).await;
    let claimed = world.claim_emails(queue, OWNER).await;
    assert_eq!(claimed.len(), 1);
    let expected = ClaimedEmail {
        id: queued.id,
        workspace: world.workspace.id,
        to: "Ann@example.com".to_owned(),
        subject: "Hello".to_owned(),
        subject_of_many: None,
        text: queued.text.clone(),
        parts: Vec::new(),
        leaves_out: false,
        created_at: world.now(),
        attempts: 0,
    };
    assert_eq!(claimed[0], expected);
    let opened = claimed[0].open(&world.ports.master_keys).unwrap();
    assert_eq!(opened.text(), "https://work.example.com/x#token=secret\n");
    // The sealed text does not open under another id.
    let moved = ClaimedEmail { id: world.queued_email("x").id, ..expected.clone() };
    assert!(moved.open(&world.ports.master_keys).is_err());
    let stolen = ClaimedEmail { workspace: WorkspaceId(world.id()), ..expected };
    assert!(stolen.open(&world.ports.master_keys).is_err());
    assert!(world.claim_emails(queue, OTHER).await.is_empty(), "each once");
}

/// E-mails beyond the limit are dropped without an error; finished ones do not count.
pub async fn queued_emails_are_limited_per_workspace(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, second) = (subject.world().await, subject.world().await);
    for number in 0..4 {
        world.post(QueuedEmail { queue_limit: 3, ..world.queued_email(&number.to_string()) }).await;
    }
    second.post(QueuedEmail { queue_limit: 3, ..second.queued_email("theirs") }).await;
    world.post(QueuedEmail { queue_limit: 4, ..world.queued_email("urgent") }).await;
    let mut claimed = world.claim_emails(queue, OWNER).await;
    claimed.sort_by(|one, other| one.subject.cmp(&other.subject));
    assert_eq!(subjects(&claimed), ["0", "1", "2", "theirs", "urgent"]);
    for email in claimed.iter().take(2) {
        assert!(world.record_email(queue, OWNER, email, EmailVerdict::Sent).await);
    }
    for number in 5..8 {
        world.post(QueuedEmail { queue_limit: 3, ..world.queued_email(&number.to_string()) }).await;
    }
    assert_eq!(subjects(&world.claim_emails(queue, OWNER).await), ["5"], "one of two slots is free");
}

/// Workspaces take turns, each with at most its share.
pub async fn workspaces_take_turns(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let mut worlds = [subject.world().await, subject.world().await, subject.world().await];
    worlds.sort_by_key(|world| world.workspace.id);
    for (world, count) in worlds.iter().zip([5, 1, 2]) {
        for _ in 0..count {
            world.post(world.queued_email("x")).await;
        }
    }
    let indices = |claimed: &[ClaimedEmail]| {
        let index = |email: &ClaimedEmail| worlds.iter().position(|world| world.workspace.id == email.workspace);
        claimed.iter().filter_map(index).collect::<Vec<_>>()
    };
    let all = worlds[0].everything(OWNER);
    let first = queue.claim_emails(&EmailClaim { limit: 3, limit_per_workspace: 2, ..all.clone() }).await.unwrap();
    assert_eq!(indices(&first), [0, 0, 1]);
    let after = Some(worlds[1].workspace.id);
    let second =
        queue.claim_emails(&EmailClaim { limit: 3, limit_per_workspace: 1, after, ..all.clone() }).await.unwrap();
    assert_eq!(indices(&second), [2]);
    let rest = queue.claim_emails(&all).await.unwrap();
    assert_eq!(indices(&rest), [0, 0, 0, 2]);
}

/// An e-mail is due again after its wait or when its lease expires, and then belongs to the worker that claims it.
pub async fn leases_and_waits_end(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    world.post(world.queued_email("Hello")).await;
    let first = world.claim_emails(queue, OWNER).await.remove(0);
    let at = world.now() + Duration::minutes(1);
    let retry = EmailVerdict::Retry { at, error: "busy\0".to_owned() };
    assert!(world.record_email(queue, OWNER, &first, retry.clone()).await);
    assert!(!world.record_email(queue, OWNER, &first, retry).await, "no worker has claimed it");
    assert!(world.claim_emails(queue, OTHER).await.is_empty());
    subject.clock.advance(Duration::minutes(1));
    let second = world.claim_emails(queue, OWNER).await.remove(0);
    assert_eq!(second, ClaimedEmail { attempts: 1, ..first });
    subject.clock.advance(LEASE - Duration::SECOND);
    assert!(world.claim_emails(queue, OTHER).await.is_empty());
    subject.clock.advance(Duration::SECOND);
    let third = world.claim_emails(queue, OTHER).await;
    assert_eq!(third, std::slice::from_ref(&second));
    assert!(!world.record_email(queue, OWNER, &second, EmailVerdict::Sent).await, "another worker has claimed it");
    assert!(world.record_email(queue, OTHER, &second, EmailVerdict::Sent).await);
    subject.clock.advance(LEASE * 2);
    assert!(world.claim_emails(queue, OWNER).await.is_empty());
}

/// After the clock has gone back, no e-mail is due later than any retry.
pub async fn a_clock_that_was_ahead_delays_no_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    world.post(world.queued_email("retried")).await;
    let retried = world.claim_emails(queue, OWNER).await.remove(0);
    let retry = EmailVerdict::Retry { at: world.now() + LONGEST_WAIT, error: "busy".to_owned() };
    assert!(world.record_email(queue, OWNER, &retried, retry).await);
    subject.clock.advance(Duration::days(40));
    let before = world.claim_emails(queue, OWNER).await;
    assert_eq!(subjects(&before), ["retried"]);
    let retry = EmailVerdict::Retry { at: world.now() + Duration::MINUTE, error: "busy".to_owned() };
    assert!(world.record_email(queue, OWNER, &before[0], retry).await);
    for subject in ["claimed", "waiting"] {
        world.post(world.queued_email(subject)).await;
        if subject == "claimed" {
            assert_eq!(world.claim_emails(queue, OWNER).await.len(), 1);
        }
    }
    subject.clock.advance(-Duration::days(40));
    assert!(world.claim_emails(queue, OTHER).await.is_empty());
    let back = async |limit| queue.bring_back_emails(world.now(), limit).await.unwrap();
    assert_eq!((back(2).await, back(2).await, back(2).await), (2, 1, 0));
    let mut taken =
        subjects(&world.claim_emails(queue, OTHER).await).into_iter().map(str::to_owned).collect::<Vec<_>>();
    taken.sort();
    assert_eq!(taken, ["claimed", "retried", "waiting"]);
}

/// A release affects the worker's own e-mails only.
pub async fn released_items_are_due_immediately(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    world.post(world.queued_email("mine")).await;
    let mine = world.claim_emails(queue, OWNER).await;
    world.post(world.queued_email("theirs")).await;
    assert_eq!(world.claim_emails(queue, OTHER).await.len(), 1);
    queue.release_emails(OWNER, world.now()).await.unwrap();
    assert_eq!(world.claim_emails(queue, Uuid::from_u128(3)).await, mine);
}

/// Finished e-mails are pruned in batches; waiting ones and recently finished ones stay.
pub async fn pruning_is_bounded(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    for _ in 0..5 {
        world.post(world.queued_email("x")).await;
    }
    let claimed = world.claim_emails(queue, OWNER).await;
    assert!(world.record_email(queue, OWNER, &claimed[0], EmailVerdict::Sent).await);
    let failed = EmailVerdict::Failed { error: "no such mailbox".to_owned() };
    assert!(world.record_email(queue, OWNER, &claimed[1], failed).await);
    subject.clock.advance(Duration::SECOND);
    let cut = world.now();
    assert!(world.record_email(queue, OWNER, &claimed[2], EmailVerdict::Sent).await);
    assert_eq!(queue.prune_emails(cut, 1).await.unwrap(), 1);
    assert_eq!(queue.prune_emails(cut, 10).await.unwrap(), 1);
    assert_eq!(queue.prune_emails(cut, 10).await.unwrap(), 0);
    subject.clock.advance(LEASE);
    assert_eq!(world.claim_emails(queue, OWNER).await.len(), 2, "waiting e-mails are not pruned");
    assert_eq!(queue.prune_emails(world.now(), 10).await.unwrap(), 1);
}
