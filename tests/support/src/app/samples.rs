//! A workspace with a record of every kind, for tests that open every page.

use std::collections::BTreeMap;

use domain::identity::workspaces::Role;
use serde_json::{Value, json};

use super::{Client, Tenant, simple_kinds};

/// The ids of a workspace's records by the parameter names of the routes.
#[derive(Debug)]
pub struct Samples(BTreeMap<&'static str, String>);

impl Samples {
    /// Creates the records.
    ///
    /// # Panics
    /// If one is refused.
    pub async fn make(tenant: &Tenant) -> Self {
        let key = tenant.full_access().await;
        let owner = tenant.user(Role::Owner).await;
        let mut samples = Self(BTreeMap::from([
            ("member_id", owner.id.0.to_string()),
            ("kind", "company".to_owned()),
            ("records", "contacts".to_owned()),
            ("workspace", tenant.workspace.slug.clone()),
            ("workspace_id", tenant.workspace.id.0.to_string()),
            ("slug", "brewing".to_owned()),
            // No link has this token: its page says so.
            ("token", "none".to_owned()),
        ]));
        samples.make_crm(&key).await;
        samples.make_work(&key).await;
        samples.make_settings(&owner.client).await;
        samples
    }

    async fn make_crm(&mut self, key: &Client) {
        self.add("company_id", key, "/api/v1/crm/companies", json!({"name": "Acme", "domain": "acme.example"})).await;
        let contact = json!({"email": "ann@acme.example", "first_name": "Ann", "company_id": self.id("company_id")});
        self.add("contact_id", key, "/api/v1/crm/contacts", contact).await;
        // The contact whose data is erased.
        let _ = key.post("/api/v1/crm/contacts", json!({"email": "ben@acme.example"})).await.expect(201);
        let (company, contact) = (self.id("company_id"), self.id("contact_id"));
        let deal = json!({"title": "Beans", "value": 1200, "company_id": company, "contact_id": contact});
        self.add("deal_id", key, "/api/v1/crm/deals", deal).await;
        let comments = format!("/api/v1/crm/deals/{}/comments", self.id("deal_id"));
        self.add("comment_id", key, &comments, json!({"body": "They like it"})).await;
    }

    async fn make_work(&mut self, key: &Client) {
        self.add("project_id", key, "/api/v1/projects", json!({"name": "Shop"})).await;
        let project = format!("/api/v1/projects/{}", self.id("project_id"));
        let cycle = json!({"name": "First", "start_date": "2026-01-05", "end_date": "2026-01-18"});
        self.add("cycle_id", key, &format!("{project}/cycles"), cycle).await;
        let (project_id, cycle_id) = (self.id("project_id"), self.id("cycle_id"));
        let task = json!({"kind": "task", "title": "Roast", "project_id": project_id, "cycle_id": cycle_id});
        self.add("issue_id", key, "/api/v1/issues", task).await;
        self.0.insert("task_id", self.id("issue_id").to_owned());
        let (task, member) = (self.id("issue_id"), self.id("member_id"));
        let entry =
            json!({"member_id": member, "task_id": task, "date": "2026-01-05", "seconds": 5400, "note": "Cleaning"});
        self.add("entry_id", key, "/api/v1/time/entries", entry).await;
        let ticket = json!({"name": "Ann", "email": "ann@acme.example", "subject": "Late"});
        let ticket = key.post("/api/public/tickets", ticket).await.expect(201);
        let reference = ticket.data()["reference"].as_str().unwrap_or_default().to_owned();
        let tickets = key.get(&format!("/api/v1/issues?kind=ticket&reference={reference}")).await.expect(200);
        self.0.insert("ticket_id", tickets.ids().remove(0));
    }

    async fn make_settings(&mut self, owner: &Client) {
        let article = json!({"title": "Brewing", "slug": self.id("slug"), "body": "# Water", "status": "published"});
        self.add("article_id", owner, "/api/settings/kb/articles", article).await;
        for kind in simple_kinds() {
            self.add(kind.id, owner, kind.path, (kind.body)(1)).await;
        }
        let key = json!({"name": "Program", "preset": "read_only"});
        self.add("key_id", owner, "/api/settings/api-keys", key).await;
        let webhook = json!({"module": "crm", "url": "https://hooks.invalid/", "events": ["*"]});
        self.add("webhook_id", owner, "/api/settings/webhooks", webhook).await;
        let webhook = format!("/api/settings/webhooks/{}", self.id("webhook_id"));
        let _ = owner.post(&format!("{webhook}/test"), json!({})).await;
        let deliveries = owner.get(&format!("{webhook}/deliveries")).await.expect(200);
        self.0.extend(deliveries.ids().into_iter().next().map(|id| ("delivery_id", id)));
        self.add("replay_id", owner, &format!("{webhook}/replay"), json!({"since": "2026-01-01T00:00:00Z"})).await;
        self.add("erasure_id", owner, "/api/settings/erasures", json!({"email": "ben@acme.example"})).await;
        let sessions = owner.get("/api/account/sessions").await.expect(200);
        self.0.extend(sessions.ids().into_iter().next().map(|id| ("session_id", id)));
    }

    async fn add(&mut self, name: &'static str, client: &Client, path: &str, body: Value) {
        let created = client.post(path, body).await;
        assert!((200..300).contains(&created.status), "{path}: {}", created.text);
        self.0.insert(name, created.id());
    }

    /// The id of a kind.
    ///
    /// # Panics
    /// If there is none: add it to [`Samples::make`].
    pub fn id(&self, name: &str) -> &str {
        self.0.get(name).unwrap_or_else(|| panic!("there is no sample for {{{name}}}"))
    }

    /// The path of a pattern such as `/deals/{deal_id}`, filled with the samples.
    ///
    /// # Panics
    /// If the samples lack a kind.
    pub fn path_of(&self, pattern: &str) -> String {
        let segments = pattern.split('/').map(|segment| {
            let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            match name {
                Some("issue_id") if pattern.starts_with("/tickets/") => self.id("ticket_id"),
                name => name.map_or(segment, |name| self.id(name)),
            }
        });
        segments.collect::<Vec<_>>().join("/")
    }
}
