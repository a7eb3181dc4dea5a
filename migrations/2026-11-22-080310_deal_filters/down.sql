SET LOCAL lock_timeout = '3s';

DROP INDEX deals_search_stale;
DROP INDEX deals_search;
ALTER TABLE deals DROP COLUMN search;
DROP STATISTICS deals_value;
DROP INDEX deals_by_value;
CREATE INDEX deals_by_value ON deals (workspace_id, value) WHERE deleted_at IS NULL AND value IS NOT NULL;
DROP INDEX deals_by_currency;
