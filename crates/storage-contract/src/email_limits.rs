//! Limits of e-mails, and comments that share one. Each case has its own store, because mailboxes cross workspaces.

use domain::email::{
    EmailMessage, EmailPart, EmailPurpose, EmailVerdict, Enqueued, LEASE, MAX_PARTS, MailboxCount, QueuedEmail,
};
use domain::kernel::input::EmailAddress;
use domain::ports::EmailQueue;
use domain::{CommentId, Error, IssueId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::email::{OTHER, OWNER};
use super::{StoreUnderTest, TestWorkspace};

impl TestWorkspace {
    /// An e-mail that counts against the given limits.
    fn email_to(&self, to: &str, purpose: EmailPurpose, per_hour: u64, per_mailbox: u32) -> QueuedEmail {
        let email = EmailMessage::new(&EmailAddress::parse(to).unwrap(), "Hello", "text\n");
        let queued = QueuedEmail::seal(&self.ports, self.workspace.email_source(purpose), &email).unwrap();
        let mailbox = MailboxCount { limit: per_mailbox, ..queued.mailbox };
        QueuedEmail { per_hour: queued.per_hour.map(|_| per_hour), mailbox, ..queued }
    }

    async fn enqueued(&self, emails: Vec<QueuedEmail>) -> Vec<Enqueued> {
        self.done(move |tx| tx.emails().enqueue_all(&emails)).await
    }

    async fn one(&self, email: QueuedEmail) -> Enqueued {
        self.enqueued(vec![email]).await[0]
    }

    /// An e-mail that comments on a ticket can be added to, due in a minute.
    fn open_email(&self, ticket: IssueId) -> QueuedEmail {
        let email = self.email_to("ann@example.com", EmailPurpose::Answer, 100, 100);
        QueuedEmail { batch: Some(ticket), due_at: email.created_at + Duration::MINUTE, ..email }
    }

    /// `number` orders the parts.
    async fn append(&self, ticket: IssueId, number: u128, text: &str) -> bool {
        let id = CommentId(Uuid::from_u128(number));
        let part = EmailPart::seal(&self.ports, self.workspace.id, id, text).unwrap();
        self.done(move |tx| tx.emails().append(ticket, &part)).await
    }

    async fn texts(&self, queue: &dyn EmailQueue, at: OffsetDateTime) -> Vec<String> {
        let claim = domain::email::EmailClaim { now: at, ..self.everything(OWNER) };
        let claimed = queue.claim_emails(&claim).await.unwrap();
        claimed.iter().map(|email| email.open(&self.ports.master_keys).unwrap().text().to_owned()).collect()
    }
}

/// A workspace's e-mails of an hour are limited; the next hour and other workspaces are not affected.
pub async fn emails_per_hour_are_limited(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let to = |world: &TestWorkspace, number: u32| {
        world.email_to(&format!("p{number}@example.com"), EmailPurpose::Answer, 2, 100)
    };
    assert_eq!(world.one(to(&world, 1)).await, Enqueued::Queued);
    assert_eq!(world.one(to(&world, 2)).await, Enqueued::Queued);
    for _ in 0..2 {
        assert_eq!(world.one(to(&world, 3)).await, Enqueued::WorkspaceLimit);
    }
    assert_eq!(other.one(to(&other, 3)).await, Enqueued::Queued);
    let later = QueuedEmail { created_at: world.now() + Duration::HOUR, ..to(&world, 4) };
    assert_eq!(world.one(later).await, Enqueued::Queued);
    assert_eq!(world.one(world.email_to("q@example.com", EmailPurpose::Answer, 0, 1)).await, Enqueued::WorkspaceLimit);
}

/// E-mails to a mailbox are limited over all workspaces and all forms of its address.
pub async fn emails_to_a_mailbox_are_limited(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let to = |world: &TestWorkspace, to: &str| world.email_to(to, EmailPurpose::Answer, 100, 2);
    assert_eq!(world.one(to(&world, "ann@example.com")).await, Enqueued::Queued);
    assert_eq!(other.one(to(&other, "ANN+x@example.com")).await, Enqueued::Queued);
    for world in [&world, &other] {
        assert_eq!(world.one(to(world, "Ann@example.com")).await, Enqueued::MailboxLimit);
    }
    assert_eq!(world.one(to(&world, "bob@example.com")).await, Enqueued::Queued);
    let email = to(&world, "ann@example.com");
    let mailbox = MailboxCount { since: email.mailbox.since + Duration::DAY, ..email.mailbox };
    assert_eq!(world.one(QueuedEmail { mailbox, ..email }).await, Enqueued::Queued, "the next day");
}

/// E-mails for one purpose leave the limits of the others alone; those about an account count for no workspace.
pub async fn each_purpose_has_its_own_limit(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    for purpose in EmailPurpose::ALL {
        assert_eq!(world.one(world.email_to("ann@example.com", *purpose, 3, 1)).await, Enqueued::Queued, "{purpose}");
    }
    for purpose in EmailPurpose::ALL {
        let expected = if purpose.counts_for_workspace() { Enqueued::WorkspaceLimit } else { Enqueued::MailboxLimit };
        assert_eq!(world.one(world.email_to("ann@example.com", *purpose, 3, 1)).await, expected, "{purpose}");
    }
    let account = world.email_to("bob@example.com", EmailPurpose::Account, 0, 1);
    assert_eq!(world.one(account).await, Enqueued::Queued, "although the workspace is at its limit");
}

/// E-mails queued together are counted one by one, in order.
pub async fn several_are_counted_together(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let to = |to: &str| world.email_to(to, EmailPurpose::Answer, 4, 2);
    assert_eq!(world.one(to("ann@example.com")).await, Enqueued::Queued);
    let all = ["ann@example.com", "ann@example.com", "bob@example.com", "cleo@example.com", "dan@example.com"];
    assert_eq!(
        world.enqueued(all.map(to).into()).await,
        // The third to Ann is beyond her limit, and counts for the workspace nevertheless.
        [
            Enqueued::Queued,
            Enqueued::MailboxLimit,
            Enqueued::Queued,
            Enqueued::WorkspaceLimit,
            Enqueued::WorkspaceLimit
        ]
    );
    assert_eq!(world.enqueued(Vec::new()).await, []);
}

/// A rollback returns what was counted.
pub async fn counts_return_with_a_rollback(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let email = world.email_to("ann@example.com", EmailPurpose::Answer, 1, 1);
    let rolled_back = world
        .run(move |tx| {
            assert_eq!(tx.emails().enqueue(&email)?, Enqueued::Queued);
            Err::<(), _>(Error::InvalidLogin)
        })
        .await;
    assert!(matches!(rolled_back, Err(Error::InvalidLogin)));
    let again = world.email_to("ann@example.com", EmailPurpose::Answer, 1, 1);
    assert_eq!(world.one(again).await, Enqueued::Queued);
}

/// Counts are deleted, a bounded number at once; then they start anew.
pub async fn counts_are_pruned(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    for name in ["a", "b", "c"] {
        let email = world.email_to(&format!("{name}@example.com"), EmailPurpose::Answer, 3, 1);
        assert_eq!(world.one(email).await, Enqueued::Queued);
    }
    assert_eq!(queue.prune_email_counts(world.now() - Duration::DAY, 2).await.unwrap(), 0, "recent ones stay");
    for expected in [2, 1, 0] {
        assert_eq!(queue.prune_email_counts(world.now() + Duration::HOUR, 2).await.unwrap(), expected);
    }
    assert_eq!(world.one(world.email_to("a@example.com", EmailPurpose::Answer, 3, 1)).await, Enqueued::Queued);
}

/// Comments are added to the ticket's open e-mail until it is claimed, and are erased with it.
pub async fn comments_are_added_to_the_open_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (ticket, second) = (IssueId(world.id()), IssueId(world.id()));
    assert!(!world.append(ticket, 1, "nowhere").await);
    assert_eq!(world.one(world.open_email(ticket)).await, Enqueued::Queued);
    assert_eq!(world.one(world.open_email(ticket)).await, Enqueued::AlreadyOpen);
    assert_eq!(world.one(world.open_email(second)).await, Enqueued::Queued, "of another ticket");
    for (number, text) in [(2, "Two"), (1, "One")] {
        assert!(world.append(ticket, number, text).await);
    }
    assert!(!other.append(ticket, 3, "stranger").await);
    assert_eq!(world.texts(queue, world.now()).await, [""; 0], "it waits");
    let due = world.now() + Duration::MINUTE;
    let mut texts = world.texts(queue, due).await;
    texts.sort();
    assert_eq!(texts, ["One\n\n* * *\n\nTwotext\n", "text\n"]);
    assert!(!world.append(ticket, 4, "too late").await, "it is claimed");
    assert_eq!(world.one(world.open_email(ticket)).await, Enqueued::Queued, "the next one");
    // After a lease that expired, it has the same parts.
    let claim = domain::email::EmailClaim { now: due + LEASE, ..world.everything(OTHER) };
    let claimed = queue.claim_emails(&claim).await.unwrap();
    let first = claimed.iter().find(|email| !email.parts.is_empty()).unwrap();
    assert_eq!(first.parts.len(), 2);
    assert!(world.recorded(queue, OTHER, first, EmailVerdict::Sent).await);
    let listed = subject.ports.directory.find_email(world.workspace.id, first.id).await.unwrap();
    assert!(listed.is_some());
}

/// Parts are added up to a bound; the e-mail says that others were left out.
pub async fn parts_beyond_the_bound_are_left_out(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let ticket = IssueId(world.id());
    assert_eq!(world.one(world.open_email(ticket)).await, Enqueued::Queued);
    let texts = ["x".repeat(MAX_PARTS - 2), "yy".to_owned(), "zzz".to_owned(), "!".to_owned()];
    for (number, text) in (1..).zip(texts) {
        assert!(world.append(ticket, number, &text).await);
    }
    let texts = world.texts(queue, world.now() + Duration::MINUTE).await;
    let [text] = texts.as_slice() else { panic!("{}", texts.len()) };
    assert!(text.contains("* * *\n\nyy\n\n[Further answers were left out"), "{}", &text[MAX_PARTS - 10..]);
    assert!(!text.contains("zzz") && !text.contains('!') && text.ends_with("text\n"));
}
