//! The benchmark workspace, with limits that are never reached.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::http::{Client, text};
use crate::receiver::Receiver;
use crate::service::Program;

const PASSWORD: &str = "correct horse battery";
const NO_LIMIT: &str = "2147483647";
const WEBHOOKS: &str = "/api/settings/webhooks";
const ISSUES: &str = "/api/v1/issues";
/// Maximum records of one bulk update.
pub(crate) const BULK: usize = 500;

/// A workspace with a key and an owner.
#[derive(Debug)]
pub(crate) struct Tenant {
    slug: String,
    key: String,
}

impl Tenant {
    /// Creates one while the service is running.
    pub(crate) fn make(program: &Program, slug: &str) -> anyhow::Result<Self> {
        program.operate(&["workspace", "create", "--name", slug, "--slug", slug, "--plan", "enterprise"], "")?;
        for name in ["requests_per_minute", "public_kb_searches_per_minute"] {
            let limit = format!("{name}={NO_LIMIT}");
            program.operate(&["workspace", "update", "--workspace", slug, "--limit", &limit], "")?;
        }
        let user = ["user", "create", "--workspace", slug, "--email", &email(slug), "--name", slug, "--role", "owner"];
        program.operate(&[&user[..], &["--password-stdin"]].concat(), &format!("{PASSWORD}\n"))?;
        let key = ["key", "create", "--workspace", slug, "--name", "bench", "--preset", "full_access"];
        let key = program.operate(&key, "")?;
        Ok(Self { slug: slug.to_owned(), key: text(&key, "/key")?.to_owned() })
    }

    /// A connection authenticated with the key.
    pub(crate) async fn client(&self, service: SocketAddr) -> anyhow::Result<Client> {
        Client::connect(service, Some(&self.key)).await
    }

    /// Subscribes a receiver to a task event. Returns the subscription id.
    pub(crate) async fn subscribe(
        &self,
        service: SocketAddr,
        receiver: &Receiver,
        event: &str,
    ) -> anyhow::Result<String> {
        let body = json!({"module": "projects", "url": receiver.url, "events": [event]});
        let made = self.owner(service).await?.create(WEBHOOKS, &body).await?;
        Ok(text(&made.body, "/data/id")?.to_owned())
    }

    /// Deletes a subscription.
    pub(crate) async fn unsubscribe(&self, service: SocketAddr, id: &str) -> anyhow::Result<()> {
        self.owner(service).await?.send("DELETE", &format!("{WEBHOOKS}/{id}"), &Value::Null, 200).await?;
        Ok(())
    }

    pub(crate) async fn owner(&self, service: SocketAddr) -> anyhow::Result<Client> {
        let login = json!({"email": email(&self.slug), "password": PASSWORD, "workspace": self.slug});
        let mut anonymous = Client::connect(service, None).await?;
        let login = anonymous.send("POST", "/api/auth/login", &login, 200).await?;
        Client::connect(service, Some(text(&login.body, "/data/access_token")?)).await
    }

    /// Creates as many tasks as fit into one bulk update.
    pub(crate) async fn tasks_for_bulk(&self, service: SocketAddr) -> anyhow::Result<Vec<String>> {
        let mut client = self.client(service).await?;
        let project = make_project(&mut client).await?;
        let mut tasks = Vec::with_capacity(BULK);
        for _ in 0..BULK {
            let made = client.create(ISSUES, &task(&project)).await?;
            tasks.push(text(&made.body, "/data/id")?.to_owned());
        }
        Ok(tasks)
    }

    /// Changes all these tasks `times` times, in one request each: every change of a task is an event.
    pub(crate) async fn change(&self, service: SocketAddr, tasks: &[String], times: usize) -> anyhow::Result<()> {
        let mut client = self.client(service).await?;
        for priority in ["high", "low"].into_iter().cycle().take(times) {
            bulk_update(&mut client, tasks, priority).await?;
        }
        Ok(())
    }
}

fn email(slug: &str) -> String {
    format!("{slug}@example.com")
}

/// Changes all these tasks in one request.
pub(crate) async fn bulk_update(
    client: &mut Client,
    tasks: &[String],
    priority: &str,
) -> anyhow::Result<crate::http::TimedResponse> {
    let body = json!({"issueIds": tasks, "patch": {"priority": priority}});
    client.send("POST", &format!("{ISSUES}/bulk-update"), &body, 200).await
}

/// Creates a project. Returns its id.
pub(crate) async fn make_project(client: &mut Client) -> anyhow::Result<String> {
    let made = client.create("/api/v1/projects", &json!({"name": "Bench"})).await?;
    Ok(text(&made.body, "/data/id")?.to_owned())
}

/// A typical task.
fn task(project: &str) -> Value {
    json!({
        "kind": "task", "title": "Call the supplier about the delay", "project_id": project,
        "description": "They promised an answer by the end of the week.",
    })
}

/// Creates a task.
pub(crate) async fn make_task(client: &mut Client, project: &str) -> anyhow::Result<crate::http::TimedResponse> {
    client.create(ISSUES, &task(project)).await
}
