-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. An index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

CREATE INDEX projects_by_status ON projects (workspace_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- Filled beside the requests for the projects that are there.
ALTER TABLE projects ADD COLUMN search tsvector;
CREATE INDEX projects_search ON projects USING gin (search) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX projects_search_stale ON projects (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
COMMENT ON COLUMN projects.search IS
    'The words of name and description, each after the workspace, so that the index never mixes workspaces; null until it is indexed.';
