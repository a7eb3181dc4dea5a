-- Imports count the companies that they create because rows name them. A constant default rewrites no row, and the previous release,
-- which does not name the column, runs on it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE imports ADD COLUMN companies bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN imports.companies IS
    'Companies that were created because rows of contacts or deals name them. They are no rows.';
