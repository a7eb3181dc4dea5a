-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. An index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

CREATE INDEX contacts_by_type ON contacts (workspace_id, contact_type, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_company ON contacts (workspace_id, company_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND company_id IS NOT NULL;

-- The tags are among the words from now on. Constants write no row; contacts that are there are indexed anew beside the
-- requests, and new ones need not be.
ALTER TABLE contacts ADD COLUMN search_stale boolean NOT NULL DEFAULT true;
ALTER TABLE contacts ALTER COLUMN search_stale SET DEFAULT false;
CREATE INDEX contacts_search_stale ON contacts (workspace_id, id)
    WHERE search_stale AND deleted_at IS NULL AND tags <> '{}';
COMMENT ON COLUMN contacts.search IS
    'The words that search finds, and # with each tag, each after the workspace, so that the index never mixes workspaces.';
COMMENT ON COLUMN contacts.search_stale IS 'Whether search was written before it had tags.';
