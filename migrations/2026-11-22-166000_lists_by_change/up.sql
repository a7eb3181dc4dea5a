-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- Lists by change: the oldest first, and what changed since a time. Every time is later than '-infinity', so that all live
-- records are in it, but only statements that say so can use it. Of several indexes that begin with the workspace, Postgres
-- takes the smallest where it knows nothing of a table yet, also for look-ups that have an index of their own.
CREATE INDEX companies_by_change ON companies (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity';
CREATE INDEX contacts_by_change ON contacts (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity';
CREATE INDEX deals_by_change ON deals (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity';
CREATE INDEX projects_by_change ON projects (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity';
CREATE INDEX issues_by_change ON issues (workspace_id, kind, updated_at, id)
    WHERE deleted_at IS NULL AND updated_at > '-infinity';
