//! A service with data, and checks that none of it was lost.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use ring::hmac;
use serde_json::json;
use tempfile::TempDir;
use test_support::Receiver;
use tokio::runtime::Runtime;

use crate::support::{Service, body_of, command, create_user, data_dir, log_in, psql, succeed, text};

const PASSPHRASE: &str = "a long passphrase";
const PASSWORD: &str = "correct horse battery";
/// Each contact gets a different address.
static CONTACTS: AtomicU32 = AtomicU32::new(0);
/// Webhooks of the tests go to this machine.
pub(crate) const HOOKS: [(&str, &str); 2] =
    [("SERVICE_WEBHOOK_ALLOW_HTTP", "true"), ("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true")];

pub(crate) fn with_passphrase(data_dir: &Path, arguments: &[&str]) -> Command {
    let mut command = command(data_dir);
    command.env("SERVICE_BACKUP_PASSPHRASE", PASSPHRASE).args(arguments).stdin(Stdio::null());
    command
}

/// Runs SQL in the cluster of a running service.
pub(crate) fn sql(data_dir: &Path, statement: &str) -> String {
    let socket_dir = data_dir.join("postgres.socket").display().to_string().replace('/', "%2F");
    psql(&format!("postgres://postgres@{socket_dir}/postgres"), statement)
}

/// A service with data: a deal, and a webhook whose receiver listens.
pub(crate) struct Used {
    folder: TempDir,
    pub(crate) key: String,
    webhook: Webhook,
}

/// A webhook for new contacts, whose receiver listens.
pub(crate) struct Webhook {
    secret: String,
    receiver: Receiver,
    runtime: Runtime,
}

impl Used {
    pub(crate) fn new() -> (Self, Service) {
        let folder = data_dir();
        let service = Service::start_with(folder.path(), &HOOKS);
        let key = service.key.clone().unwrap();
        assert!(create_user(folder.path(), "demo", "ann@example.com", "owner", PASSWORD).status.success());
        let webhook = Webhook::of(&service, "ann@example.com", PASSWORD);
        body_of(&service.post("/api/v1/crm/deals", &key, r#"{"title": "kept"}"#), 201);
        (Self { folder, key, webhook }, service)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a backup while the service runs.
    pub(crate) fn back_up(&self) -> PathBuf {
        let file = self.path().join("work.backup");
        succeed(&with_passphrase(self.path(), &["backup", file.to_str().unwrap()]).output().unwrap());
        file
    }

    /// Checks that the records are readable and that the webhook is signed with the same secret.
    pub(crate) fn assert_served_by(&self, service: &Service) {
        assert!(service.get("/api/v1/crm/deals", &self.key).contains(r#""title":"kept""#));
        self.webhook.assert_delivery(service, &self.key);
    }
}

impl Webhook {
    /// Creates the webhook as a user, who is an owner.
    pub(crate) fn of(service: &Service, email: &str, password: &str) -> Self {
        let session = log_in(service, email, password);
        let runtime = Runtime::new().unwrap();
        let receiver = runtime.block_on(Receiver::start());
        let webhook = json!({"module": "crm", "url": receiver.url, "events": ["contact.created"]}).to_string();
        let created = body_of(&service.post("/api/settings/webhooks", &session, &webhook), 201);
        Self { secret: text(&created["data"]["secret"]), receiver, runtime }
    }

    /// Checks that a new contact is delivered with a signature.
    pub(crate) fn assert_delivery(&self, service: &Service, key: &str) {
        let before = self.receiver.arrivals().len();
        let email = format!("bob{}@example.com", CONTACTS.fetch_add(1, Ordering::Relaxed));
        let contact = json!({"first_name": "Bob", "last_name": "Lee", "email": email}).to_string();
        body_of(&service.post("/api/v1/crm/contacts", key, &contact), 201);
        let received = self.runtime.block_on(self.receiver.wait_for(before + 1)).swap_remove(before);
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.secret.as_bytes());
        let signed = format!("{}.{}", received.header("x-service-timestamp"), received.text);
        let expected = format!("sha256={}", hex::encode(hmac::sign(&key, signed.as_bytes())));
        assert!(
            received.headers.values().any(|value| value.contains(&expected)),
            "not signed with the secret: {received:?}"
        );
    }
}
