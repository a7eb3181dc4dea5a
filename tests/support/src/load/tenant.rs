//! Workspaces to measure and attack.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::http::{Client, TimedResponse, text};
use crate::Receiver;
use crate::program::{PASSWORD, Program};

const NO_LIMIT: &str = "2147483647";
/// Plan limits that measurements could reach.
const LIMITS: [&str; 3] = ["requests_per_minute", "public_kb_searches_per_minute", "public_tickets_per_hour"];
const WEBHOOKS: &str = "/api/settings/webhooks";
const ISSUES: &str = "/api/v1/issues";
const DEALS: &str = "/api/v1/crm/deals";
/// The event of a new task, with its module.
pub const TASK_CREATED: (&str, &str) = ("projects", "task.created");
/// The event of a changed task, with its module.
pub const TASK_UPDATED: (&str, &str) = ("projects", "task.updated");
/// The event of a new deal, with its module.
pub const DEAL_CREATED: (&str, &str) = ("crm", "deal.created");
/// Maximum records of one bulk update.
pub const BULK: usize = 500;

/// A workspace with a key and an owner.
#[derive(Debug)]
pub struct Tenant {
    pub slug: String,
    pub id: String,
    pub key: String,
}

impl Tenant {
    /// Creates a workspace with a plan while the service is running.
    pub fn on_plan(program: &Program, slug: &str, plan: &str) -> anyhow::Result<Self> {
        let id = program.create_workspace(slug, plan)?;
        program.create_user(slug, &email(slug), "owner", &[])?;
        Ok(Self { slug: slug.to_owned(), id, key: program.create_key(slug)? })
    }

    /// Creates a workspace whose limits no measurement reaches.
    pub fn make(program: &Program, slug: &str) -> anyhow::Result<Self> {
        let tenant = Self::on_plan(program, slug, "enterprise")?;
        tenant.lift_limits(program)?;
        Ok(tenant)
    }

    /// Lifts the workspace's plan limits.
    pub fn lift_limits(&self, program: &Program) -> anyhow::Result<()> {
        let limits = LIMITS.map(|name| format!("{name}={NO_LIMIT}"));
        program.set_limits(&self.slug, &limits.each_ref().map(String::as_str))
    }

    /// Adds a member with this role. Returns the address.
    pub fn add_member(&self, program: &Program, name: &str, role: &str) -> anyhow::Result<String> {
        let email = format!("{name}@{}.example.com", self.slug);
        program.create_user(&self.slug, &email, role, &[])?;
        Ok(email)
    }

    pub fn email(&self) -> String {
        email(&self.slug)
    }

    /// A connection authenticated with the key.
    pub async fn client(&self, service: SocketAddr) -> anyhow::Result<Client> {
        Client::connect(service, Some(&self.key)).await
    }

    /// Subscribes a receiver to an event of a module. Returns the subscription id.
    pub async fn subscribe(
        &self,
        service: SocketAddr,
        receiver: &Receiver,
        (module, event): (&str, &str),
    ) -> anyhow::Result<String> {
        let body = json!({"module": module, "url": receiver.url, "events": [event]});
        self.owner(service).await?.create(WEBHOOKS, &body).await?.id()
    }

    pub async fn unsubscribe(&self, service: SocketAddr, id: &str) -> anyhow::Result<()> {
        self.owner(service).await?.send("DELETE", &format!("{WEBHOOKS}/{id}"), &Value::Null, 200).await?;
        Ok(())
    }

    /// Signs the owner in from a client. Returns the access token.
    pub async fn log_in(&self, client: &mut Client) -> anyhow::Result<String> {
        let login = json!({"email": self.email(), "password": PASSWORD, "workspace": self.slug});
        let login = client.send("POST", "/api/auth/login", &login, 200).await?;
        Ok(text(&login.body, "/data/access_token")?.to_owned())
    }

    pub async fn owner(&self, service: SocketAddr) -> anyhow::Result<Client> {
        let token = self.log_in(&mut Client::new(service)).await?;
        Client::connect(service, Some(&token)).await
    }

    /// Creates as many tasks as fit into one bulk update.
    pub async fn tasks_for_bulk(&self, service: SocketAddr) -> anyhow::Result<Vec<String>> {
        let mut client = self.client(service).await?;
        let project = make_project(&mut client).await?;
        let mut tasks = Vec::with_capacity(BULK);
        for _ in 0..BULK {
            tasks.push(client.create(ISSUES, &task(&project)).await?.id()?);
        }
        Ok(tasks)
    }

    /// Changes all these tasks `times` times, with one request each time. Every change of a task is an event.
    pub async fn change(&self, service: SocketAddr, tasks: &[String], times: usize) -> anyhow::Result<()> {
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
pub async fn bulk_update(client: &mut Client, tasks: &[String], priority: &str) -> anyhow::Result<TimedResponse> {
    let body = json!({"issueIds": tasks, "patch": {"priority": priority}});
    client.send("POST", &format!("{ISSUES}/bulk-update"), &body, 200).await
}

pub async fn make_project(client: &mut Client) -> anyhow::Result<String> {
    client.create("/api/v1/projects", &json!({"name": "Bench"})).await?.id()
}

fn task(project: &str) -> Value {
    json!({
        "kind": "task", "title": "Call the supplier about the delay", "project_id": project,
        "description": "They promised an answer by the end of the week.",
    })
}

pub async fn make_deal(client: &mut Client) -> anyhow::Result<TimedResponse> {
    client.create(DEALS, &json!({"title": "Pilot", "value": 12_500.5})).await
}

pub async fn make_task(client: &mut Client, project: &str) -> anyhow::Result<TimedResponse> {
    client.create(ISSUES, &task(project)).await
}
