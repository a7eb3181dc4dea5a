-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. An index is built in about
-- a second per million rows, during which the table can be read, but not written.
SET LOCAL lock_timeout = '3s';

CREATE INDEX deals_by_currency ON deals (workspace_id, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- Ranges of values, and the order by value, in which deals without one come last: no value is less than 0.
DROP INDEX deals_by_value;
CREATE INDEX deals_by_value ON deals (workspace_id, (coalesce(value, -1)) DESC, id DESC) WHERE deleted_at IS NULL;
-- The planner takes no statistics from the expression of a partial index.
CREATE STATISTICS deals_value ON (coalesce(value, -1)) FROM deals;

-- Filled beside the requests for the deals that are there.
ALTER TABLE deals ADD COLUMN search tsvector;
CREATE INDEX deals_search ON deals USING gin (search) WITH (fastupdate = off)
    WHERE deleted_at IS NULL AND search IS NOT NULL;
CREATE INDEX deals_search_stale ON deals (workspace_id, id) WHERE search IS NULL AND deleted_at IS NULL;
COMMENT ON COLUMN deals.search IS
    'The words of title and description, and # with each tag, each after the workspace, so that the index never mixes workspaces; null until it is indexed.';
