-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. An index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

-- Nobody is the nil id, so that the unassigned ones are found like those of a member.
CREATE INDEX issues_by_assignee ON issues
    (workspace_id, kind, (coalesce(assignee_id, '00000000-0000-0000-0000-000000000000')), created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
-- The planner takes no statistics from the expression of a partial index.
CREATE STATISTICS issues_assignee ON (coalesce(assignee_id, '00000000-0000-0000-0000-000000000000')) FROM issues;
CREATE INDEX issues_by_priority ON issues (workspace_id, kind, priority, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX issues_of_cycle ON issues (workspace_id, cycle_id, kind, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND cycle_id IS NOT NULL;
CREATE INDEX issues_by_due ON issues (workspace_id, kind, due_at) WHERE deleted_at IS NULL AND due_at IS NOT NULL;
CREATE INDEX issues_by_requester_contact ON issues (workspace_id, requester_contact_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND requester_contact_id IS NOT NULL;

-- The labels are among the words from now on. Constants write no row; issues that are there are indexed anew beside the
-- requests, and new ones need not be.
ALTER TABLE issues ADD COLUMN search_stale boolean NOT NULL DEFAULT true;
ALTER TABLE issues ALTER COLUMN search_stale SET DEFAULT false;
CREATE INDEX issues_search_stale ON issues (workspace_id, id)
    WHERE search_stale AND deleted_at IS NULL AND labels <> '{}';
COMMENT ON COLUMN issues.search IS
    'The words of title and description, and # with each label, each after workspace and kind, so that the index never mixes them.';
COMMENT ON COLUMN issues.search_stale IS 'Whether search was written before it had labels.';
