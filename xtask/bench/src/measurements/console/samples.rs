//! The records whose pages are opened.

use std::collections::HashMap;
use std::net::SocketAddr;

use anyhow::Context;
use serde_json::{Value, json};

use test_support::load::http::{Client, text};
use test_support::load::tenant::{BULK, Tenant};

const ISSUES: &str = "/api/v1/issues";
/// Comments of the ticket and of the deal whose pages are opened.
const COMMENTS: usize = 30;
/// Bulk changes of 500 tasks, each of which queues 500 deliveries.
const CHANGES: usize = 8;

/// Ids by the parameter names of the routes.
#[derive(Debug)]
pub(super) struct Samples(HashMap<&'static str, Vec<String>>);

impl Samples {
    pub(super) async fn make(tenant: &Tenant, service: SocketAddr) -> anyhow::Result<Self> {
        let mut key = tenant.client(service).await?;
        let mut owner = tenant.owner(service).await?;
        let mut samples = Self(HashMap::from([
            ("kind", vec!["contact".to_owned(), "company".to_owned()]),
            ("records", vec!["contacts".to_owned(), "tasks".to_owned()]),
            ("workspace_id", vec![tenant.id.clone()]),
            ("workspace", vec![tenant.slug.clone()]),
        ]));
        for (name, list) in [
            ("contact_id", "/api/v1/crm/contacts?limit=50"),
            ("company_id", "/api/v1/crm/companies?limit=50"),
            ("deal_id", "/api/v1/crm/deals?limit=50"),
            ("issue_id", "/api/v1/issues?kind=task&limit=50"),
            ("ticket_id", "/api/v1/issues?kind=ticket&limit=50"),
        ] {
            samples.add(name, ids(&mut key, list).await?);
        }
        for (name, list) in [
            ("article_id", "/api/settings/kb/articles?limit=50"),
            ("member_id", "/api/settings/members"),
            ("key_id", "/api/settings/api-keys"),
        ] {
            samples.add(name, ids(&mut owner, list).await?);
        }
        let articles =
            owner.send("GET", "/api/settings/kb/articles?status=published&limit=50", &Value::Null, 200).await?;
        let slugs = articles.body["data"].as_array().into_iter().flatten().filter_map(|one| one["slug"].as_str());
        samples.add("slug", slugs.map(str::to_owned).collect());
        let entry = json!({"member_id": samples.one("member_id", 0)?, "date": "2026-01-05", "seconds": 5400});
        let entry = key.create("/api/v1/time/entries", &entry).await?.id()?;
        samples.add("entry_id", vec![entry]);
        samples.create_comments(&mut key).await?;
        samples.create_cycle(&mut key).await?;
        samples.create_deliveries(tenant, service, &mut owner).await?;
        let contacts = key.send("GET", "/api/v1/crm/contacts?limit=1&page=60", &Value::Null, 200).await?;
        let erased = json!({"email": text(&contacts.body, "/data/0/email")?});
        let erasure = owner.post("/api/settings/erasures", &erased).await?.id()?;
        samples.add("erasure_id", vec![erasure]);
        Ok(samples)
    }

    fn add(&mut self, name: &'static str, ids: Vec<String>) {
        self.0.insert(name, ids);
    }

    /// One of the ids with this name.
    fn one(&self, name: &str, index: usize) -> anyhow::Result<&str> {
        let ids =
            self.0.get(name).filter(|ids| !ids.is_empty()).with_context(|| format!("no sample for {{{name}}}"))?;
        Ok(&ids[index % ids.len()])
    }

    /// The address with ids in place of the parameters.
    pub(super) fn path_of(&self, address: &str, index: usize) -> anyhow::Result<String> {
        let mut path = String::new();
        let mut rest = address;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, remainder) = after.split_once('}').context("a name in an address has no end")?;
            path.push_str(before);
            path.push_str(self.one(name, index)?);
            rest = remainder;
        }
        path.push_str(rest);
        Ok(path)
    }

    /// The newest records of the samples have comments.
    async fn create_comments(&mut self, key: &mut Client) -> anyhow::Result<()> {
        for path in [
            format!("/api/v1/issues/{}/comments", self.one("ticket_id", 0)?),
            format!("/api/v1/crm/deals/{}/comments", self.one("deal_id", 0)?),
        ] {
            for number in 0..COMMENTS {
                let body = format!("They asked again, for the {number}th time. **We** owe them an answer.");
                let _ = key.create(&path, &json!({ "body": body })).await?;
            }
        }
        // These ids are repeated, so that most requests open a page with comments.
        for name in ["ticket_id", "deal_id"] {
            let talked_about = self.one(name, 0)?.to_owned();
            let ids = self.0.entry(name).or_default();
            *ids = ids.iter().flat_map(|id| [id.clone(), talked_about.clone()]).collect();
        }
        Ok(())
    }

    /// Finds the project with the most tasks, and creates a cycle with 500 of them.
    async fn create_cycle(&mut self, key: &mut Client) -> anyhow::Result<()> {
        let page = key.send("GET", "/api/v1/issues?kind=task&limit=100", &Value::Null, 200).await?;
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for project in page.body["data"].as_array().into_iter().flatten().filter_map(|task| task["project_id"].as_str())
        {
            *uses.entry(project).or_default() += 1;
        }
        let largest = uses.into_iter().max_by_key(|(id, uses)| (*uses, *id)).context("no task has a project")?;
        let project = largest.0.to_owned();
        let dates = json!({"name": "Sprint", "start_date": "2026-01-05", "end_date": "2026-01-18"});
        let cycle = key.create(&format!("/api/v1/projects/{project}/cycles"), &dates).await?.id()?;
        let mut tasks = Vec::new();
        for page in 1..=BULK / 100 {
            tasks.extend(ids(key, &format!("{ISSUES}?kind=task&project_id={project}&limit=100&page={page}")).await?);
        }
        let change = json!({"issueIds": tasks, "patch": {"cycle_id": cycle}});
        let _ = key.send("POST", &format!("{ISSUES}/bulk-update"), &change, 200).await?;
        self.add("project_id", vec![project]);
        self.add("cycle_id", vec![cycle]);
        Ok(())
    }

    /// Creates a webhook with pending deliveries: nothing is sent.
    async fn create_deliveries(
        &mut self,
        tenant: &Tenant,
        service: SocketAddr,
        owner: &mut Client,
    ) -> anyhow::Result<()> {
        let webhook = json!({"module": "projects", "url": "http://127.0.0.1:9/", "events": ["*"]});
        let webhook = owner.create("/api/settings/webhooks", &webhook).await?.id()?;
        let tasks = tenant.tasks_for_bulk(service).await?;
        tenant.change(service, &tasks, CHANGES).await?;
        let path = format!("/api/settings/webhooks/{webhook}");
        self.add("delivery_id", ids(owner, &format!("{path}/deliveries?limit=50")).await?);
        let replay = owner.post(&format!("{path}/replay"), &json!({"since": "2026-01-01T00:00:00Z"})).await?.id()?;
        self.add("replay_id", vec![replay]);
        self.add("webhook_id", vec![webhook]);
        Ok(())
    }
}

/// The ids of the records on a page.
async fn ids(client: &mut Client, path: &str) -> anyhow::Result<Vec<String>> {
    let page = client.send("GET", path, &Value::Null, 200).await?;
    let records = page.body["data"].as_array().with_context(|| format!("{path} is not a list"))?;
    records.iter().map(|record| Ok(text(record, "/id")?.to_owned())).collect()
}
