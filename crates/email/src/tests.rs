//! The worker with a mail server on loopback.

mod timeouts;
mod tls;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use async_trait::async_trait;
use background::Notifier;
use domain::WorkspaceId;
use domain::email::{
    AbuseContact, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailMessage, EmailPurpose, EmailSource, EmailVerdict,
    LEASE, QueuedEmail,
};
use domain::kernel::input::EmailAddress;
use domain::ports::{Abort, EmailQueue, EmailTransport, StoreError};
use test_databases::TestPorts;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::testing::{MailServer, ScriptedReply};
use crate::{Authorities, EmailSender, EmailSenderOptions, SmtpTransport, SmtpUrl};

const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
const PASSWORD: &str = "hunter2-and-more";
const SENDER: &str = "Work <no-reply@work.example.com>";

/// A queue that reports every recorded attempt.
struct RecordingQueue {
    store: Arc<dyn EmailQueue>,
    recorded: Sender<EmailAttemptRecord>,
}

#[async_trait]
impl EmailQueue for RecordingQueue {
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
        self.store.claim_emails(claim).await
    }

    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError> {
        let result = self.store.record_email(record).await;
        let _ = self.recorded.send(record.clone());
        result
    }

    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.release_emails(owner, now).await
    }

    async fn bring_back_emails(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.store.bring_back_emails(now, limit).await
    }

    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.store.prune_emails(before, limit).await
    }

    async fn prune_email_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.store.prune_email_counts(before, limit).await
    }
}

struct Rig {
    /// Dropped first, which ends it as in a crash.
    sender: Option<EmailSender>,
    test: TestPorts,
    workspace: WorkspaceId,
    queued: Notifier,
    records: Receiver<EmailAttemptRecord>,
    recorded: Sender<EmailAttemptRecord>,
}

impl Rig {
    fn new(server: &MailServer) -> Self {
        Self::with(&format!("smtp://ann:{PASSWORD}@127.0.0.1:{}", server.port), EmailSenderOptions::default())
    }

    fn with(url: &str, options: EmailSenderOptions) -> Self {
        let mut rig = Self::idle();
        rig.begin(url, options);
        rig
    }

    /// A worker whose attempts end after this many seconds.
    fn with_attempt_timeout(server: &MailServer, seconds: u64) -> Self {
        let attempt_timeout = Duration::from_secs(seconds);
        let options = EmailSenderOptions { attempt_timeout, ..EmailSenderOptions::default() };
        Self::with(&format!("smtp://127.0.0.1:{}", server.port), options)
    }

    /// Starts no worker. A worker that crashes might still claim an e-mail queued right after the crash.
    fn idle() -> Self {
        let test = TestPorts::new();
        let (recorded, records) = mpsc::channel();
        let workspace = test.workspace();
        Self { test, workspace, queued: Notifier::default(), sender: None, records, recorded }
    }

    fn begin(&mut self, url: &str, options: EmailSenderOptions) {
        let transport = SmtpTransport::new(&SmtpUrl::parse(url).unwrap(), SENDER, &Authorities::default()).unwrap();
        let transport = transport.of_service("https://work.example.com", None);
        self.begin_with(Arc::new(transport), options);
    }

    fn begin_with(&mut self, transport: Arc<dyn EmailTransport>, options: EmailSenderOptions) {
        let queue = Arc::new(RecordingQueue { store: self.test.store.clone(), recorded: self.recorded.clone() });
        // A previous worker ends as in a crash.
        self.sender = Some(EmailSender::start(&self.test.ports, queue, transport, &self.queued, options).unwrap());
    }

    /// Queues an e-mail as a use case does, and notifies as the store does.
    fn queue_email(&self, to: &str, text: &str) {
        let email = EmailMessage::new(&EmailAddress::parse(to).unwrap(), "Hello", text);
        let source = EmailSource { workspace: self.workspace, per_hour: Some(1_000), purpose: EmailPurpose::Answer };
        let queued = QueuedEmail::seal(&self.test.ports, source, &email).unwrap();
        let job = Box::new(move |tx: &mut dyn domain::ports::Tx| {
            tx.emails().enqueue(&queued).map(drop).map_err(Abort::Store)
        });
        self.test.block_on(self.test.ports.store.run(self.workspace, job)).unwrap();
        self.queued.notify();
    }

    fn advance(&self, time: time::Duration) {
        self.test.clock.advance(time);
        self.queued.notify();
    }

    fn next_verdict(&self) -> EmailVerdict {
        self.records.recv_timeout(WAIT_TIMEOUT).unwrap().verdict
    }

    /// Why the attempt failed, and in how many minutes it is retried.
    fn next_retry(&self) -> (i64, String) {
        match self.next_verdict() {
            EmailVerdict::Retry { at, error } => ((at - self.test.ports.clock.now()).whole_minutes(), error),
            other => panic!("{other:?}"),
        }
    }

    fn stop(&mut self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(self.sender.take().unwrap().stop());
    }

    fn due(&self) -> usize {
        let now = self.test.ports.clock.now();
        let claim = EmailClaim { owner: Uuid::max(), limit: 9, limit_per_workspace: 9, after: None, now };
        self.test.block_on(self.test.store.claim_emails(&claim)).unwrap().len()
    }
}

fn reply(text: &str) -> ScriptedReply {
    ScriptedReply::Say(text.to_owned())
}

#[test]
fn emails_are_sent_as_they_are_queued() {
    let server = MailServer::good();
    let rig = Rig::new(&server);
    for to in ["ann@example.com", "bob@example.com", "cleo@example.com"] {
        rig.queue_email(to, "Dear all,\n.\n.hidden\n\nhttps://work.example.com/x#token=1\n");
        let received = server.next();
        assert_eq!((received.from.as_str(), received.to.as_str()), ("no-reply@work.example.com", to));
        let data = received.data;
        assert!(
            data.contains("\r\n.\r\n.hidden\r\n") && data.contains("\r\nhttps://work.example.com/x#token=1\r\n"),
            "{data}"
        );
        assert!(data.contains("<a href=3D\"https://work.example.com/x#token=3D1\""), "{data}");
        assert!(data.contains("From: Work <no-reply@work.example.com>\r\n"), "{data}");
        assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
    }
    let greeted = server.lines().iter().filter(|line| line.starts_with("EHLO")).count();
    assert_eq!(greeted, 1, "one connection for all");
}

/// The server does not offer SMTPUTF8, and would refuse non-ASCII characters.
#[test]
fn addresses_in_other_scripts_are_sent_in_ascii() {
    let server = MailServer::start(|line| match line {
        line if !line.is_ascii() => reply("501 5.1.3 not ASCII"),
        _ => ScriptedReply::Take,
    });
    let mut rig = Rig::idle();
    let url = SmtpUrl::parse(&format!("smtp://127.0.0.1:{}", server.port)).unwrap();
    let transport = SmtpTransport::new(&url, "Jörg <no-reply@büro.example>", &Authorities::default()).unwrap();
    let contact = AbuseContact::parse("abuse@büro.example");
    let transport = transport.of_service("https://work.example.com", contact);
    rig.begin_with(Arc::new(transport), EmailSenderOptions::default());
    rig.queue_email("a@münchen.example", "text");
    let received = server.next();
    assert_eq!(
        (received.from.as_str(), received.to.as_str()),
        ("no-reply@xn--bro-hoa.example", "a@xn--mnchen-3ya.example")
    );
    let data = received.data;
    for header in [
        "\r\nTo: a@xn--mnchen-3ya.example\r\n",
        " <no-reply@xn--bro-hoa.example>\r\n",
        "@xn--bro-hoa.example>\r\n",
        "\r\nX-Report-Abuse: abuse@xn--bro-hoa.example\r\n",
    ] {
        assert!(data.contains(header), "{header} is not in {data}");
    }
    assert!(data.is_ascii(), "{data}");
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
}

#[test]
fn a_busy_server_gets_the_same_email_again() {
    let tries = AtomicUsize::new(0);
    let server = MailServer::start(move |line| match line {
        "." if tries.fetch_add(1, Ordering::Relaxed) < 2 => reply("451 4.3.0 try again later"),
        _ => ScriptedReply::Take,
    });
    let rig = Rig::new(&server);
    rig.queue_email("ann@example.com", "text");
    let id_of = |data: &str| data.lines().find(|line| line.starts_with("Message-ID: ")).unwrap().to_owned();
    let first = id_of(&server.next().data);
    let (minutes, error) = rig.next_retry();
    assert!(minutes == 1 && error.contains("try again later"), "{minutes} {error}");
    rig.advance(time::Duration::minutes(1));
    assert_eq!(id_of(&server.next().data), first);
    assert_eq!(rig.next_retry().0, 5);
    rig.advance(time::Duration::minutes(5));
    assert_eq!(id_of(&server.next().data), first);
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
}

#[test]
fn a_rejected_email_fails_permanently_without_blocking_others() {
    let server = MailServer::start(|line| match line {
        "RCPT TO:<nobody@example.com>" => reply("550 5.1.1 no such mailbox"),
        _ => ScriptedReply::Take,
    });
    let rig = Rig::new(&server);
    rig.queue_email("nobody@example.com", "text");
    let EmailVerdict::Failed { error } = rig.next_verdict() else { panic!("not failed") };
    assert!(error.contains("no such mailbox"), "{error}");
    rig.queue_email("ann@example.com", "text");
    assert_eq!(server.next().to, "ann@example.com");
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
}

/// The operator can fix the password, so no e-mail is lost. A reply that echoes the password is redacted.
#[test]
fn a_bad_password_loses_no_email_and_is_not_shown() {
    let server = MailServer::start(|line| match line {
        line if line.starts_with("AUTH") => reply(&format!("535 5.7.8 not you: {line} {PASSWORD}")),
        _ => ScriptedReply::Take,
    });
    let rig = Rig::new(&server);
    rig.queue_email("ann@example.com", "text");
    let (_, error) = rig.next_retry();
    assert!(error.contains("not you"), "{error}");
    let auth = server.lines().into_iter().find(|line| line.starts_with("AUTH")).unwrap();
    let encoded = auth.rsplit(' ').next().unwrap();
    assert!(!error.contains(PASSWORD) && !error.contains(encoded), "{error}");
    assert_eq!(server.rest(), 0);
}

#[test]
fn an_unavailable_server_is_retried() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let rig = Rig::with(&format!("smtp://127.0.0.1:{port}"), EmailSenderOptions::default());
    rig.queue_email("ann@example.com", "text");
    assert_eq!(rig.next_retry().0, 1);
}

#[test]
fn a_hanging_server_does_not_block_other_emails() {
    let server = MailServer::start(|line| match line {
        "RCPT TO:<slow@example.com>" => ScriptedReply::Hang,
        _ => ScriptedReply::Take,
    });
    let rig = Rig::with_attempt_timeout(&server, 2);
    rig.queue_email("slow@example.com", "text");
    rig.queue_email("ann@example.com", "text");
    assert_eq!(server.next().to, "ann@example.com");
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
    let (minutes, error) = rig.next_retry();
    assert!(minutes == 1 && error.contains("within 2 seconds"), "{minutes} {error}");
}

#[test]
fn shutdown_releases_emails_in_flight() {
    let server = MailServer::start(|line| if line == "." { ScriptedReply::Hang } else { ScriptedReply::Take });
    let options = EmailSenderOptions { drain_timeout: Duration::ZERO, ..EmailSenderOptions::default() };
    let mut rig = Rig::with(&format!("smtp://127.0.0.1:{}", server.port), options);
    rig.queue_email("ann@example.com", "text");
    server.next();
    assert_eq!(rig.due(), 0, "the e-mail is in flight");
    rig.stop();
    assert_eq!(rig.due(), 1);
}

#[test]
fn shutdown_finishes_quick_sends() {
    let server = MailServer::good();
    let mut rig = Rig::new(&server);
    rig.queue_email("ann@example.com", "text");
    server.next();
    rig.stop();
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
}

#[test]
fn a_crash_loses_no_email() {
    let hanging = MailServer::start(|line| if line == "." { ScriptedReply::Hang } else { ScriptedReply::Take });
    let mut rig = Rig::new(&hanging);
    rig.queue_email("ann@example.com", "text");
    hanging.next();
    let server = MailServer::good();
    rig.begin(&format!("smtp://127.0.0.1:{}", server.port), EmailSenderOptions::default());
    rig.advance(LEASE);
    assert_eq!(server.next().to, "ann@example.com");
    assert_eq!(rig.next_verdict(), EmailVerdict::Sent);
}

/// A remote server receives nothing before TLS, and a server without TLS receives no e-mail.
#[test]
fn nothing_leaves_the_machine_without_tls() {
    let server = MailServer::good();
    let mut rig = Rig::idle();
    let url = SmtpUrl::parse(&format!("smtp://ann:{PASSWORD}@127.0.0.1:{}", server.port)).unwrap().treated_as_remote();
    let transport = SmtpTransport::new(&url, "no-reply@example.com", &Authorities::default()).unwrap();
    rig.begin_with(Arc::new(transport), EmailSenderOptions::default());
    rig.queue_email("ann@example.com", "text");
    rig.next_retry();
    let lines: Vec<_> =
        server.lines().into_iter().filter(|line| !line.is_empty() && !line.starts_with("EHLO")).collect();
    assert!(lines.iter().all(|line| line == "QUIT"), "{lines:?}");
    assert_eq!(server.rest(), 0);
}
