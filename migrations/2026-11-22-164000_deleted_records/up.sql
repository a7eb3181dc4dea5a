-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Deleted rows are few:
-- what takes time is one look at each row.
SET LOCAL lock_timeout = '3s';

-- The lists of deleted records. Only statements that say so use them, whatever the planner knows of the tables.
CREATE INDEX contacts_deleted ON contacts (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX companies_deleted ON companies (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX deals_deleted ON deals (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX projects_deleted ON projects (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
-- By project too: its cycles and tasks come back with it.
CREATE INDEX cycles_deleted ON cycles (workspace_id, project_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX issues_deleted ON issues (workspace_id, kind, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX issues_deleted_with_project ON issues (workspace_id, project_id, deleted_at)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;
CREATE INDEX kb_articles_deleted ON kb_articles (workspace_id, created_at DESC, id DESC)
    WHERE deleted_at > '-infinity' AND erased_at IS NULL;

-- Not by workspace: they find what is to be erased next, whosever it is.
CREATE INDEX contacts_erasable ON contacts (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX companies_erasable ON companies (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX deals_erasable ON deals (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX projects_erasable ON projects (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX cycles_erasable ON cycles (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX issues_erasable ON issues (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX kb_articles_erasable ON kb_articles (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
