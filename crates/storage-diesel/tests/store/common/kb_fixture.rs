//! A workspace with a knowledge base, in its own database.

use std::sync::LazyLock;

use super::{Database, block_on};
use domain::WorkspaceId;
use domain::identity::access::{Permit, SearchKb};
use domain::identity::workspaces::Workspace;
use domain::kernel::input::Problems;
use domain::ports::{Operator, Ports};
use domain::support::kb::{self, KbHit, KbQuery};
use domain::testing;

pub(crate) static OPERATOR: LazyLock<Operator> = LazyLock::new(testing::operator);

pub(crate) const WORKSPACE: &str = "00000000-0000-7000-8000-0000000000ab";

pub(crate) struct KbFixture {
    pub(crate) database: Database,
    pub(crate) ports: Ports,
}

impl KbFixture {
    pub(crate) fn new(language: &str) -> Self {
        let database = Database::migrated();
        let sql = format!(
            "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at, kb_language)
                VALUES ('{WORKSPACE}', 'a', 'A', 'starter', 'active', 'USD', now(), now(), '{language}')"
        );
        database.execute(&sql);
        let ports = block_on(async { database.ports().0 });
        Self { database, ports }
    }

    /// Inserts published articles from SQL expressions over `number`: title, tags and body.
    pub(crate) fn publish(&self, numbers: u32, title: &str, tags: &str, body: &str) {
        let sql = format!(
            "INSERT INTO kb_articles (workspace_id, id, title, slug, body, status, tags, version, created_at, updated_at,
                    created_by_type, words)
                SELECT '{WORKSPACE}', made.id, title, made.id, body, 'published', tags, 1, at, at, 'system',
                    kb_words(kb_language, title, tags, body)
                FROM (SELECT gen_random_uuid() AS id, {title} AS title, {tags}::text[] AS tags, {body} AS body,
                    timestamptz '2025-01-01' + number * interval '1 minute' AS at
                    FROM generate_series(1, {numbers}) AS number) AS made, workspaces"
        );
        self.database.execute(&sql);
    }

    /// Inserts a published article and indexes it like the store does.
    pub(crate) fn add(&self, title: &str, body: &str) {
        self.publish(1, &format!("$t${title}$t$"), "'{}'", &format!("$t${body}$t$"));
        while block_on(self.ports.directory.reindex_articles(100)).unwrap() > 0 {}
    }

    pub(crate) fn permit(&self) -> Permit<SearchKb> {
        let find = domain::identity::workspaces::find(&self.ports, &OPERATOR, WORKSPACE);
        let workspace: Workspace = block_on(find).unwrap();
        assert_eq!(workspace.id, WorkspaceId(WORKSPACE.parse().unwrap()));
        OPERATOR.permit(workspace)
    }

    pub(crate) fn search(&self, text: &str, limit: u32) -> Vec<KbHit> {
        let query = KbQuery::parse("q", Some(text), &mut Problems::default()).unwrap();
        block_on(kb::search(&self.ports, &self.permit(), query, limit)).unwrap()
    }

    pub(crate) fn titles(&self, text: &str) -> Vec<String> {
        let mut titles: Vec<_> = self.search(text, 50).into_iter().map(|hit| hit.title).collect();
        titles.sort();
        titles
    }
}
