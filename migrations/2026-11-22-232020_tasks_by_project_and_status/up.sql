-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

-- The columns of a project's board, and how many of its tasks are in which status, which the index alone answers.
CREATE INDEX issues_by_project_and_status ON issues (workspace_id, project_id, kind, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND project_id IS NOT NULL;
