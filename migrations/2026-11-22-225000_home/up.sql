-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. An index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

-- What waits for somebody: the open tasks of a member by when they are due, and open deals by when they are expected to close.
CREATE INDEX issues_to_do ON issues (workspace_id, assignee_id, due_at, id)
    WHERE deleted_at IS NULL AND kind = 'task' AND status IN ('backlog', 'todo', 'in_progress', 'in_review')
        AND assignee_id IS NOT NULL;
CREATE INDEX deals_closing ON deals (workspace_id, expected_close_date, id)
    WHERE deleted_at IS NULL AND status = 'open' AND expected_close_date IS NOT NULL;
