//! The kinds of request that are measured.

use std::sync::Arc;

use anyhow::ensure;
use serde_json::{Value, json};

use test_support::load::http::{Client, TimedResponse};
use test_support::load::tenant::{bulk_update, make_deal, make_task};

pub(super) const DEALS: &str = "/api/v1/crm/deals";
const CONTACTS: &str = "/api/v1/crm/contacts";

/// A kind of request. Its content depends on the connection and on the request's number there.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    GetDeal {
        ids: Arc<Vec<String>>,
    },
    List(List),
    CreateContact,
    CreateDeal,
    CreateTask {
        project: Arc<str>,
    },
    /// Updates the same tasks each time, so it needs a single connection.
    BulkUpdate {
        tasks: Arc<Vec<String>>,
    },
}

/// A page, and the number of records that it must have.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub(super) what: &'static str,
    path: &'static str,
    count: usize,
    /// The service runs only a few of these concurrently, like bulk updates.
    is_heavy: bool,
}

/// The list that pgbench also reads.
pub(super) const FILTERED_LIST: &str = "list 50 deals with a filter";
/// The pages that are read.
pub(super) const LISTS: [List; 4] = [
    List { what: FILTERED_LIST, path: "/api/v1/crm/deals?stage=proposal&limit=50", count: 50, is_heavy: false },
    List {
        what: "list 50 deals with three filters",
        path: "/api/v1/crm/deals?status=open&stage=proposal&value_min=250000&limit=50",
        count: 50,
        is_heavy: false,
    },
    List {
        what: "search contacts for a word of 2 %",
        path: "/api/v1/crm/contacts?search=kaya&limit=50",
        count: 50,
        is_heavy: false,
    },
    List {
        what: "page 1,000 of the contacts by number",
        path: "/api/v1/crm/contacts?page=1000&limit=100",
        count: 100,
        is_heavy: true,
    },
];

impl Kind {
    pub(super) const fn what(&self) -> &'static str {
        match self {
            Self::GetDeal { .. } => "get a deal by id",
            Self::List(list) => list.what,
            Self::CreateContact => "create a contact",
            Self::CreateDeal => "create a deal",
            Self::CreateTask { .. } => "create a task",
            Self::BulkUpdate { .. } => "bulk update of 500 tasks",
        }
    }

    /// Whether it is sent over a single connection: a small machine runs one at a time.
    pub(super) const fn is_heavy(&self) -> bool {
        matches!(self, Self::BulkUpdate { .. } | Self::List(List { is_heavy: true, .. }))
    }

    pub(super) const fn writes(&self) -> bool {
        !matches!(self, Self::GetDeal { .. } | Self::List(_))
    }

    /// Sends a request, given the numbers of the request and of its connection.
    pub(super) async fn send(
        &self,
        client: &mut Client,
        connection: usize,
        number: usize,
    ) -> anyhow::Result<TimedResponse> {
        match self {
            Self::GetDeal { ids } => {
                // A prime step spreads the reads over the whole table.
                let id = &ids[(connection * 31 + number * 7_919) % ids.len()];
                client.send("GET", &format!("{DEALS}/{id}"), &Value::Null, 200).await
            }
            Self::List(list) => client.send("GET", list.path, &Value::Null, 200).await,
            Self::CreateContact => {
                let email = format!("{}@example.com", uuid::Uuid::new_v4().simple());
                let contact = json!({"email": email, "first_name": "Mia", "last_name": "Lark"});
                client.create(CONTACTS, &contact).await
            }
            Self::CreateDeal => make_deal(client).await,
            Self::CreateTask { project } => make_task(client, project).await,
            Self::BulkUpdate { tasks } => {
                // A new value each time, so that every task changes.
                let priority = if number.is_multiple_of(2) { "high" } else { "low" };
                bulk_update(client, tasks, priority).await
            }
        }
    }

    /// Fails unless a list has the right number of records. Checked once: parsing every page would take longer than serving it.
    pub(super) async fn check(&self, client: &mut Client) -> anyhow::Result<()> {
        let Self::List(List { path, count, .. }) = self else { return Ok(()) };
        let response = client.send("GET", path, &Value::Null, 200).await?;
        let listed = response.body["data"].as_array().map_or(0, Vec::len);
        ensure!(listed == *count, "{path}: {listed} records instead of {count}");
        Ok(())
    }
}
