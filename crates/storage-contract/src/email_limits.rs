//! Limits on e-mails, and comments that share an e-mail. Each case has its own store, because mailboxes cross workspaces.

use domain::email::{
    ClaimedEmail, EmailBatch, EmailClaim, EmailMessage, EmailPart, EmailPurpose, EmailVerdict, Enqueued, LEASE,
    MAX_PARTS, MailboxCount, QueuedEmail,
};
use domain::kernel::input::EmailAddress;
use domain::ports::{EmailQueue, StoreError};
use domain::{EmailPartId, Error, IssueId, UserId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::email::{OTHER, OWNER};
use super::{StoreUnderTest, TestWorkspace};

impl TestWorkspace {
    /// An e-mail that counts against the given limits.
    pub(super) fn email_to(&self, to: &str, purpose: EmailPurpose, per_hour: u64, per_mailbox: u32) -> QueuedEmail {
        let email = EmailMessage::new(&EmailAddress::parse(to).unwrap(), "Hello", "text\n");
        let queued = QueuedEmail::seal(&self.ports, self.workspace.email_source(purpose), &email).unwrap();
        let mailbox = MailboxCount { limit: per_mailbox, ..queued.mailbox };
        QueuedEmail { per_hour: queued.per_hour.map(|_| per_hour), mailbox, ..queued }
    }

    async fn enqueue_all(&self, emails: Vec<QueuedEmail>) -> Vec<Enqueued> {
        self.commit(move |tx| tx.emails().enqueue_all(&emails)).await
    }

    async fn enqueue(&self, email: QueuedEmail) -> Enqueued {
        self.enqueue_all(vec![email]).await[0]
    }

    /// An open e-mail for comments on a ticket, due in a minute.
    fn open_email(&self, ticket: IssueId) -> QueuedEmail {
        let email = self.email_to("ann@example.com", EmailPurpose::Answer, 100, 100);
        QueuedEmail { batch: Some(EmailBatch::Ticket(ticket)), due_at: email.created_at + Duration::MINUTE, ..email }
    }

    /// `number` orders the parts.
    fn part(&self, ticket: IssueId, number: u128, text: &str) -> EmailPart {
        let (batch, id) = (EmailBatch::Ticket(ticket), EmailPartId(Uuid::from_u128(number)));
        EmailPart::seal(&self.ports, self.workspace.id, batch, id, text).unwrap()
    }

    async fn append(&self, ticket: IssueId, number: u128, text: &str) -> bool {
        let part = self.part(ticket, number, text);
        self.commit(move |tx| tx.emails().append_all(std::slice::from_ref(&part))).await == [true]
    }

    async fn claim_at(&self, queue: &dyn EmailQueue, owner: Uuid, at: OffsetDateTime) -> Vec<ClaimedEmail> {
        queue.claim_emails(&EmailClaim { now: at, ..self.everything(owner) }).await.unwrap()
    }

    /// The texts of the claimed e-mails, sorted.
    async fn texts(&self, queue: &dyn EmailQueue, at: OffsetDateTime) -> Vec<String> {
        let claimed = self.claim_at(queue, OWNER, at).await;
        let open = |email: &ClaimedEmail| email.open(&self.ports.master_keys).unwrap().text().to_owned();
        let mut texts: Vec<_> = claimed.iter().map(open).collect();
        texts.sort();
        texts
    }
}

/// A workspace's e-mails of an hour are limited; the next hour and other workspaces are not affected.
pub async fn emails_per_hour_are_limited(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let to = |world: &TestWorkspace, number: u32| {
        world.email_to(&format!("p{number}@example.com"), EmailPurpose::Answer, 2, 100)
    };
    assert_eq!(world.enqueue(to(&world, 1)).await, Enqueued::Queued);
    assert_eq!(world.enqueue(to(&world, 2)).await, Enqueued::Queued);
    for _ in 0..2 {
        assert_eq!(world.enqueue(to(&world, 3)).await, Enqueued::WorkspaceLimit);
    }
    assert_eq!(other.enqueue(to(&other, 3)).await, Enqueued::Queued);
    let later = QueuedEmail { created_at: world.now() + Duration::HOUR, ..to(&world, 4) };
    assert_eq!(world.enqueue(later).await, Enqueued::Queued);
    assert_eq!(
        world.enqueue(world.email_to("q@example.com", EmailPurpose::Answer, 0, 1)).await,
        Enqueued::WorkspaceLimit
    );
}

/// E-mails to a mailbox are limited across all workspaces and all forms of its address.
pub async fn emails_to_a_mailbox_are_limited(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let to = |world: &TestWorkspace, to: &str| world.email_to(to, EmailPurpose::Answer, 100, 2);
    assert_eq!(world.enqueue(to(&world, "ann@example.com")).await, Enqueued::Queued);
    assert_eq!(other.enqueue(to(&other, "ANN+x@example.com")).await, Enqueued::Queued);
    for world in [&world, &other] {
        assert_eq!(world.enqueue(to(world, "Ann@example.com")).await, Enqueued::MailboxLimit);
    }
    assert_eq!(world.enqueue(to(&world, "bob@example.com")).await, Enqueued::Queued);
    let email = to(&world, "ann@example.com");
    let mailbox = MailboxCount { since: email.mailbox.since + Duration::DAY, ..email.mailbox };
    assert_eq!(world.enqueue(QueuedEmail { mailbox, ..email }).await, Enqueued::Queued, "the next day");
}

/// E-mails for one purpose do not count against the limits of others; those about an account count for no workspace.
pub async fn each_purpose_has_its_own_limit(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let counted = EmailPurpose::ALL.iter().filter(|purpose| purpose.counts_for_workspace()).count() as u64;
    for purpose in EmailPurpose::ALL {
        let queued = world.enqueue(world.email_to("ann@example.com", *purpose, counted, 1)).await;
        assert_eq!(queued, Enqueued::Queued, "{purpose}");
    }
    for purpose in EmailPurpose::ALL {
        let expected = if purpose.counts_for_workspace() { Enqueued::WorkspaceLimit } else { Enqueued::MailboxLimit };
        assert_eq!(world.enqueue(world.email_to("ann@example.com", *purpose, counted, 1)).await, expected, "{purpose}");
    }
    let account = world.email_to("bob@example.com", EmailPurpose::Account, 0, 1);
    assert_eq!(world.enqueue(account).await, Enqueued::Queued, "the workspace limit does not apply");
}

/// E-mails queued together are counted one by one, in order.
pub async fn several_are_counted_together(subject: &StoreUnderTest, _: &dyn EmailQueue) {
    let world = subject.world().await;
    let to = |to: &str| world.email_to(to, EmailPurpose::Answer, 4, 2);
    assert_eq!(world.enqueue(to("ann@example.com")).await, Enqueued::Queued);
    let all = ["ann@example.com", "ann@example.com", "bob@example.com", "cleo@example.com", "dan@example.com"];
    assert_eq!(
        world.enqueue_all(all.map(to).into()).await,
        // The third to Ann exceeds her limit, but still counts for the workspace.
        [
            Enqueued::Queued,
            Enqueued::MailboxLimit,
            Enqueued::Queued,
            Enqueued::WorkspaceLimit,
            Enqueued::WorkspaceLimit
        ]
    );
    assert_eq!(world.enqueue_all(Vec::new()).await, []);
}

/// Counts are deleted in batches; then they start from zero.
pub async fn counts_are_pruned(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    for name in ["a", "b", "c"] {
        let email = world.email_to(&format!("{name}@example.com"), EmailPurpose::Answer, 3, 1);
        assert_eq!(world.enqueue(email).await, Enqueued::Queued);
    }
    assert_eq!(queue.prune_email_counts(world.now() - Duration::DAY, 2).await.unwrap(), 0, "recent ones stay");
    for expected in [2, 1, 0] {
        assert_eq!(queue.prune_email_counts(world.now() + Duration::HOUR, 2).await.unwrap(), expected);
    }
    assert_eq!(world.enqueue(world.email_to("a@example.com", EmailPurpose::Answer, 3, 1)).await, Enqueued::Queued);
}

/// Comments are added to the ticket's open e-mail until it is claimed, and are erased with it.
pub async fn comments_are_added_to_the_open_email(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (ticket, second) = (IssueId(world.id()), IssueId(world.id()));
    assert!(!world.append(ticket, 1, "nowhere").await);
    assert_eq!(world.enqueue(world.open_email(ticket)).await, Enqueued::Queued);
    assert_eq!(world.enqueue(world.open_email(ticket)).await, Enqueued::AlreadyOpen);
    assert_eq!(world.enqueue(world.open_email(second)).await, Enqueued::Queued, "for another ticket");
    for (number, text) in [(2, "Two"), (1, "One")] {
        assert!(world.append(ticket, number, text).await);
    }
    let foreign = other.queued_email("Hello");
    let refused = world.run(move |tx| Ok(tx.emails().enqueue(&foreign)?)).await;
    assert!(matches!(refused, Err(Error::Store(StoreError::Internal(_)))), "sealed for another workspace: {refused:?}");
    assert!(!other.append(ticket, 3, "stranger").await);
    assert_eq!(world.texts(queue, world.now()).await, [""; 0], "it waits");
    let due = world.now() + Duration::MINUTE;
    assert_eq!(world.texts(queue, due).await, ["One\n\n* * *\n\nTwotext\n", "text\n"]);
    assert!(!world.append(ticket, 4, "too late").await, "it is claimed");
    assert_eq!(world.enqueue(world.open_email(ticket)).await, Enqueued::Queued, "the next one");
    // After its lease expired, it has the same parts.
    let claimed = world.claim_at(queue, OTHER, due + LEASE).await;
    let first = claimed.iter().find(|email| !email.parts.is_empty()).unwrap();
    assert_eq!(first.parts.len(), 2);
    assert!(world.record_email(queue, OTHER, first, EmailVerdict::Sent).await);
}

/// Parts are added up to a bound; the e-mail says that others were left out.
pub async fn parts_beyond_the_bound_are_left_out(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    let ticket = IssueId(world.id());
    assert_eq!(world.enqueue(world.open_email(ticket)).await, Enqueued::Queued);
    let texts = ["x".repeat(MAX_PARTS - 2), "yy".to_owned(), "zzz".to_owned(), "!".to_owned()];
    for (number, text) in (1..).zip(texts) {
        assert!(world.append(ticket, number, &text).await);
    }
    let texts = world.texts(queue, world.now() + Duration::MINUTE).await;
    let [text] = texts.as_slice() else { panic!("{}", texts.len()) };
    assert!(text.contains("* * *\n\nyy\n\n[The rest was left out"), "{}", &text[MAX_PARTS - 10..]);
    assert!(!text.contains("zzz") && !text.contains('!') && text.ends_with("text\n"));
}

/// Parts of several e-mails are added together, each once.
pub async fn parts_of_several_emails_are_added_together(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let tickets = [IssueId(world.id()), IssueId(world.id()), IssueId(world.id())];
    for ticket in &tickets[..2] {
        assert_eq!(world.enqueue(world.open_email(*ticket)).await, Enqueued::Queued);
    }
    let parts: Vec<_> = [(2, 1, "nowhere"), (1, 4, "Four"), (0, 3, "Three"), (0, 2, "Two"), (0, 3, "Again")]
        .map(|(ticket, number, text)| world.part(tickets[ticket], number, text))
        .into();
    let appended = parts.clone();
    let added = world.commit(move |tx| tx.emails().append_all(&appended)).await;
    assert_eq!(added, [false, true, true, true, true]);
    assert!(world.append(tickets[0], 2, "Again").await, "it is in the e-mail already");
    assert_eq!(world.commit(|tx| tx.emails().append_all(&[])).await, Vec::<bool>::new());
    let refused = other.run(move |tx| Ok(tx.emails().append_all(&parts)?)).await;
    assert!(refused.is_err(), "sealed for another workspace");
    assert_eq!(world.texts(queue, world.now() + Duration::MINUTE).await, ["Fourtext\n", "Two\n\n* * *\n\nThreetext\n"]);
}

/// A part can be withdrawn until the e-mail is claimed; the e-mail is deleted with its last part.
pub async fn parts_are_withdrawn(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let tickets = [IssueId(world.id()), IssueId(world.id()), IssueId(world.id())];
    for ticket in tickets {
        assert_eq!(world.enqueue(world.open_email(ticket)).await, Enqueued::Queued);
        assert!(world.append(ticket, 1, "One").await);
    }
    assert!(world.append(tickets[0], 2, "Two").await);
    let part_ids = |tickets: &[IssueId], number: u128| -> Vec<_> {
        let part_id = |ticket: &IssueId| (EmailBatch::Ticket(*ticket), EmailPartId(Uuid::from_u128(number)));
        tickets.iter().map(part_id).collect()
    };
    let (all, ours, unknown) = (part_ids(&tickets, 1), part_ids(&tickets[..2], 1), part_ids(&tickets[2..], 7));
    other.commit(move |tx| tx.emails().withdraw(&all)).await;
    world.commit(move |tx| tx.emails().withdraw(&ours)).await;
    world.commit(move |tx| tx.emails().withdraw(&unknown)).await;
    world.commit(|tx| tx.emails().withdraw(&[])).await;
    let due = world.now() + Duration::MINUTE;
    assert_eq!(world.texts(queue, due).await, ["Onetext\n", "Twotext\n"]);
    let late = part_ids(&tickets, 2);
    world.commit(move |tx| tx.emails().withdraw(&late)).await;
    assert_eq!(world.claim_at(queue, OTHER, due + LEASE).await.len(), 2, "claimed e-mails stay");
}

/// The open e-mail of a batch is deleted as a whole; others are not affected.
pub async fn an_open_email_is_discarded(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let (world, other) = (subject.world().await, subject.world().await);
    let batches = [EmailBatch::Member(UserId(world.id())), EmailBatch::Member(UserId(world.id()))];
    for batch in batches {
        let email = QueuedEmail { batch: Some(batch), ..world.open_email(IssueId(world.id())) };
        assert_eq!(world.enqueue(QueuedEmail { subject: batch.id().to_string(), ..email }).await, Enqueued::Queued);
        let part = EmailPart { batch, ..world.part(IssueId(world.id()), 1, "One") };
        assert_eq!(world.commit(move |tx| tx.emails().append_all(std::slice::from_ref(&part))).await, [true]);
    }
    other.commit(move |tx| tx.emails().discard(batches[1])).await;
    world.commit(move |tx| tx.emails().discard(batches[0])).await;
    let claimed = world.claim_at(queue, OWNER, world.now() + Duration::MINUTE).await;
    assert_eq!(super::email::subjects(&claimed), [batches[1].id().to_string()]);
}

/// An e-mail with several parts has the plural subject, if there is one.
pub async fn the_subject_depends_on_the_number_of_parts(subject: &StoreUnderTest, queue: &dyn EmailQueue) {
    let world = subject.world().await;
    for (parts, of_many) in [(1, true), (2, true), (2, false)] {
        let ticket = IssueId(world.id());
        let subject_of_many = of_many.then(|| "Many".to_owned());
        let email = QueuedEmail { subject: "One".to_owned(), subject_of_many, ..world.open_email(ticket) };
        assert_eq!(world.enqueue(email).await, Enqueued::Queued);
        for number in 0..parts {
            assert!(world.append(ticket, number, "text").await);
        }
    }
    let claimed = world.claim_at(queue, OWNER, world.now() + Duration::MINUTE).await;
    let opened = claimed.iter().map(|email| email.open(&world.ports.master_keys).unwrap().subject().to_owned());
    let mut subjects: Vec<_> = opened.collect();
    subjects.sort();
    assert_eq!(subjects, ["Many", "One", "One"]);
}
