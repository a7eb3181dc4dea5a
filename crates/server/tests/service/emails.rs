//! E-mails from the request to the mail server, even if the service crashes in between.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use domain::email::EmailClaim;
use domain::ports::{Abort, Clock, Directory, EmailQueue, Job, Store};
use domain::work::issues::Issue;
use domain::{IssueId, WorkspaceId};
use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
use serde_json::{Value, json};
use storage_diesel::{PgOptions, PgStore};
use system::SystemClock;
use time::Duration;
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::support::{
    Service, body_of, command, create_user, data_dir, eventually, failure, json_of, log_in, log_of, run,
};
use email::testing::{Authority, MailServer, Protection, ScriptedReply};

const PASSWORD: &str = "correct horse battery";
const SMTP_PASSWORD: &str = "hunter2-and-more";

pub(crate) fn start(folder: &Path, server: &MailServer) -> Service {
    start_with(folder, "smtp", server, &[])
}

fn start_with(folder: &Path, scheme: &str, server: &MailServer, extra_settings: &[(&str, &str)]) -> Service {
    let url = format!("{scheme}://ann:{SMTP_PASSWORD}@localhost:{}", server.port);
    let settings = [
        ("SERVICE_SMTP_URL", url.as_str()),
        ("SERVICE_MAIL_FROM", "Work <work@example.com>"),
        // Send answers at once, without waiting for more.
        ("SERVICE_ANSWER_DELAY_SECONDS", "0"),
        ("SERVICE_LOG", "trace"),
    ];
    Service::start_with(folder, &[&settings, extra_settings].concat())
}

/// Signs in a user, who then invites an address.
fn invite(service: &Service, email: &str) {
    let token = log_in(service, "ann@example.com", PASSWORD);
    let invitation = json!({ "email": email, "role": "member" }).to_string();
    body_of(&service.post("/api/settings/members", &token, &invitation), 201);
}

fn join(folder: &Path) -> Cluster {
    let options = ClusterOptions::new(folder, Durability::Full);
    Cluster::join_or_start(&Programs::find_for(&options.data_dir).unwrap(), &options).unwrap()
}

/// Expires the leases that a crash left: claims with a clock that is ahead, then releases.
fn expire_leases(folder: &Path) {
    let cluster = join(folder);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let url = cluster.database_url(DATABASE);
    runtime.block_on(async {
        let store = Arc::new(PgStore::connect(&PgOptions { pool_size: 1, ..PgOptions::new(url) }).unwrap());
        let (owner, now) = (Uuid::max(), SystemClock.now());
        let ahead = now + Duration::hours(1);
        let claim = EmailClaim { owner, limit: 9, limit_per_workspace: 9, after: None, now: ahead };
        assert_eq!(store.claim_emails(&claim).await.unwrap().len(), 1);
        store.release_emails(owner, now).await.unwrap();
    });
    drop(runtime);
    cluster.stop().unwrap();
}

#[test]
fn a_kill_between_queue_and_server_loses_no_email() {
    let folder = data_dir();
    let hanging = MailServer::start(|line| if line == "." { ScriptedReply::Hang } else { ScriptedReply::Take });
    let mut service = start(folder.path(), &hanging);
    assert!(create_user(folder.path(), "demo", "ann@example.com", "owner", PASSWORD).status.success());
    // The response does not wait for the mail server.
    invite(&service, "bob@example.com");
    let first = hanging.next();
    assert_eq!((first.from.as_str(), first.to.as_str()), ("work@example.com", "bob@example.com"));
    assert_eq!(service.signal("KILL"), None);

    // The next server requires TLS, and the operator has configured its CA.
    let authority = Authority::new("An authority");
    let protection = Protection::Wrapped(authority.server("localhost"));
    let server = MailServer::protected(protection, |_| ScriptedReply::Take);
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, authority.pem()).unwrap();
    let mut service = start_with(folder.path(), "smtps", &server, &[("SERVICE_SMTP_CA_FILE", file.to_str().unwrap())]);
    expire_leases(folder.path());
    let second = server.next();
    assert_eq!(second.to, "bob@example.com");
    let id_of = |data: &str| data.lines().find(|line| line.starts_with("Message-ID: ")).unwrap().to_owned();
    assert_eq!(id_of(&second.data), id_of(&first.data));
    assert!(second.data.contains("#token=3Dsvi_"), "{}", second.data);
    let sent = || service.metrics().contains("service_emails_sent_total 1");
    eventually("the e-mail is counted", sent);
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    assert!(!folder.path().join("mails").exists(), "e-mails go only to the server");
    let log = log_of(folder.path());
    assert!(!log.contains(SMTP_PASSWORD) && !log.contains("svi_"), "a secret is in the log");
}

#[test]
fn an_invalid_server_or_sender_fails_the_start_and_shows_no_password() {
    for (name, value) in [
        ("SERVICE_SMTP_URL", "http://ann:hunter2@x"),
        ("SERVICE_MAIL_FROM", "nobody"),
        ("SERVICE_SMTP_CA_FILE", "/nowhere.pem"),
    ] {
        let folder = data_dir();
        let output = command(folder.path())
            .env("SERVICE_SMTP_URL", "smtp://ann:hunter2@mail.example.com")
            .env(name, value)
            .output()
            .unwrap();
        let message_text = failure(&output);
        assert!(message_text.contains(name) && !message_text.contains("hunter2"), "{message_text}");
    }
    let folder = data_dir();
    let help = command(folder.path())
        .env("SERVICE_SMTP_URL", "smtp://ann:hunter2@x")
        .args(["serve", "--help"])
        .output()
        .unwrap();
    let message_text = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(message_text.contains("--mail-from") && !message_text.contains("hunter2"), "{message_text}");
}

#[test]
fn operators_list_and_retry_emails() {
    let fixed = Arc::new(AtomicBool::new(false));
    let is_fixed = Arc::clone(&fixed);
    let server = MailServer::start(move |line| match line {
        "RCPT TO:<nobody@example.com>" => ScriptedReply::Say("550 5.1.1 no such mailbox".to_owned()),
        "RCPT TO:<bob@example.com>" if !is_fixed.load(Ordering::SeqCst) => {
            ScriptedReply::Say("451 4.3.0 busy".to_owned())
        }
        _ => ScriptedReply::Take,
    });
    let folder = data_dir();
    let mut service = start(folder.path(), &server);
    assert!(create_user(folder.path(), "demo", "ann@example.com", "owner", PASSWORD).status.success());
    let email = |arguments: &[&str]| run(folder.path(), &[&["mail"], arguments].concat());
    let list = |arguments: &[&str]| json_of(&email(&[&["list", "--json"], arguments].concat()));
    assert_eq!(list(&[]), json!([]));
    for address in ["cleo@example.com", "nobody@example.com", "bob@example.com"] {
        invite(&service, address);
    }
    let email_with_status = |status: &str| {
        let listed = list(&["--workspace", "demo", "--status", status]);
        listed.as_array().filter(|all| all.len() == 1).map(|all| all[0].clone())
    };
    eventually("one is sent", || email_with_status("sent").is_some());
    eventually("one fails permanently", || email_with_status("failed").is_some());
    eventually("one is waiting for its retry", || {
        email_with_status("waiting").is_some_and(|email| email["attempts"] == 1)
    });
    let (sent, failed, waiting) = (
        email_with_status("sent").unwrap(),
        email_with_status("failed").unwrap(),
        email_with_status("waiting").unwrap(),
    );
    assert_eq!((&sent["to"], &sent["workspace"]), (&json!("cleo@example.com"), &json!("demo")));
    assert!(sent["sent_at"].is_string() && sent["last_error"].is_null() && sent["next_attempt_at"].is_null(), "{sent}");
    assert_eq!((&failed["to"], &failed["attempts"]), (&json!("nobody@example.com"), &json!(1)));
    assert!(failed["failed_at"].is_string() && failed["last_error"].as_str().unwrap().contains("no such mailbox"));
    assert_eq!((&waiting["to"], &waiting["in_hand"]), (&json!("bob@example.com"), &json!(false)));
    assert!(waiting["next_attempt_at"].is_string() && waiting["last_error"].as_str().unwrap().contains("busy"));
    let newest = list(&["--limit", "2"]);
    assert_eq!((newest.as_array().unwrap().len(), &newest[0]["to"]), (2, &json!("bob@example.com")));
    let prose = String::from_utf8(email(&["list"]).stdout).unwrap();
    assert!(prose.contains("(failed 2") && prose.contains("1 attempt: ") && prose.lines().count() == 3, "{prose}");
    assert!(!prose.contains("svi_") && !newest.to_string().contains("svi_"), "no body is shown");

    fixed.store(true, Ordering::SeqCst);
    let retry_arguments =
        |email: &Value| ["retry", "--workspace", "demo", "--id", email["id"].as_str().unwrap()].map(str::to_owned);
    for (message, part) in [(&failed, "text was erased"), (&sent, "was sent at")] {
        let message_text = failure(&email(&retry_arguments(message).each_ref().map(String::as_str)));
        assert!(message_text.contains(part), "{message_text}");
    }
    assert!(email(&retry_arguments(&waiting).each_ref().map(String::as_str)).status.success());
    eventually("the e-mail is sent", || server.all().iter().any(|email| email.to == "bob@example.com"));
    assert_eq!(json_of(&email(&["retry", "--all-waiting", "--json"])), json!({ "due": 0 }));
    for bad in [
        &["retry"][..],
        &["retry", "--workspace", "demo"],
        &["retry", "--id", waiting["id"].as_str().unwrap()],
        &["retry", "--all-waiting", "--workspace", "nope"],
        &["list", "--limit", "0"],
        &["list", "--limit", "1001"],
        &["list", "--status", "nope"],
    ] {
        assert!(!email(bad).status.success(), "{bad:?}");
    }
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
}

/// Keeps a ticket locked, so that no link to it can be stored.
struct TicketLock {
    release: Sender<()>,
    store: Arc<PgStore>,
    runtime: Runtime,
    cluster: Cluster,
}

impl TicketLock {
    fn of(folder: &Path, workspace: WorkspaceId, ticket: IssueId) -> Self {
        let cluster = join(folder);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let options = PgOptions { statement_timeout_ms: 120_000, ..PgOptions::new(cluster.database_url(DATABASE)) };
        let store = Arc::new(PgStore::connect(&options).unwrap());
        let ((locked, is_locked), (release, released)) = (channel(), channel::<()>());
        let hold: Job = Box::new(move |tx| {
            assert!(tx.records::<Issue>().delete(ticket, SystemClock.now()).map_err(Abort::Store)?);
            locked.send(()).unwrap();
            // Wait until the other end is dropped. Nothing was deleted.
            let _ = released.recv();
            Err(Abort::Rule)
        });
        let holder = Arc::clone(&store);
        runtime.spawn(async move { holder.run(workspace, hold).await });
        is_locked.recv().unwrap();
        Self { release, store, runtime, cluster }
    }

    /// Releases the lock and expires the leases of the killed worker, so that its work is due again.
    fn end(self) {
        drop(self.release);
        let now = SystemClock.now();
        // Only now does Postgres notice that its client is gone.
        eventually("the request waits", || {
            let ahead = self.store.take_link_requests(now + Duration::minutes(1), now, 1);
            !self.runtime.block_on(ahead).unwrap().is_empty()
        });
        drop((self.store, self.runtime));
        self.cluster.stop().unwrap();
    }
}

#[test]
fn a_kill_between_a_link_request_and_its_email_loses_no_link() {
    let folder = data_dir();
    let server = MailServer::good();
    let mut service = start(folder.path(), &server);
    let key = service.key.clone().unwrap();
    assert!(create_user(folder.path(), "demo", "ann@example.com", "owner", PASSWORD).status.success());
    let login = json!({ "email": "ann@example.com", "password": PASSWORD }).to_string();
    let signed_in = body_of(&service.post("/api/auth/login", "none", &login), 200);
    let workspace = signed_in["data"]["workspace"]["id"].as_str().unwrap().to_owned();
    // The demo sends no e-mails by itself.
    let token = signed_in["data"]["access_token"].as_str().unwrap();
    body_of(&service.patch("/api/settings/workspace", token, r#"{"notify_requesters":true}"#), 200);
    let ticket = json!({ "name": "Bob", "email": "bob@example.com", "subject": "It does not print" }).to_string();
    let opened = body_of(&service.post("/api/public/tickets", &key, &ticket), 201);
    let acknowledgement = server.next();
    assert!(acknowledgement.data.contains("Auto-Submitted: auto-generated"), "{}", acknowledgement.data);
    eventually("the request is recorded", || {
        json_of(&run(folder.path(), &["mail", "list", "--status", "waiting", "--json"])) == json!([])
    });
    let issues = body_of(&service.get("/api/v1/issues?kind=ticket", &key), 200);
    let issue = issues["data"][0]["id"].as_str().unwrap().parse().unwrap();
    let hold = TicketLock::of(folder.path(), WorkspaceId(workspace.parse().unwrap()), IssueId(issue));
    let reference = &opened["data"]["reference"];
    let link = json!({ "workspace_id": workspace, "email": "bob@example.com", "reference": reference }).to_string();
    body_of(&service.post("/api/portal/magic-links", "none", &link), 202);
    assert_eq!(service.signal("KILL"), None);
    hold.end();

    let mut service = start(folder.path(), &server);
    let message = server.next();
    assert_eq!(message.to, "bob@example.com");
    assert!(message.data.contains("#token=3Dsvl_"), "{}", message.data);
    eventually("the e-mail is counted", || service.metrics().contains("service_emails_sent_total 1"));
    assert_eq!((service.signal("TERM"), server.rest()), (Some(0), 0), "{}", log_of(folder.path()));
}
