-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Each index reads its table
-- once, about a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

-- The first create of a month counts the records made in it before, erased ones too: all others are in an index already.
CREATE INDEX contacts_erased ON contacts (workspace_id, created_at) WHERE erased_at IS NOT NULL;
CREATE INDEX companies_erased ON companies (workspace_id, created_at) WHERE erased_at IS NOT NULL;
CREATE INDEX deals_erased ON deals (workspace_id, created_at) WHERE erased_at IS NOT NULL;
