-- How far the search words of records have been brought up to date. The previous release can run on it: it does not read the table,
-- and finds what it indexes as before.
SET LOCAL lock_timeout = '3s';

CREATE TABLE search_walks (
    table_name text PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    pass integer NOT NULL DEFAULT 1 CHECK (pass IN (1, 2)),
    after_workspace uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    after_record uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    checked bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
COMMENT ON TABLE search_walks IS
    'Walks through the records of each table that compare their search words with those of this release, and write them where they
differ. One row per table.';
COMMENT ON COLUMN search_walks.version IS 'Version of the words. A release that makes other words starts the walks again.';
COMMENT ON COLUMN search_walks.pass IS
    'An hour after the first pass, a second one begins: instances of the previous release may have written words meanwhile.';
COMMENT ON COLUMN search_walks.after_workspace IS 'The records up to this workspace and after_record are done.';
COMMENT ON COLUMN search_walks.changed IS 'Of the records checked in this pass, those whose words were written again.';
COMMENT ON COLUMN contacts.search_stale IS 'Not read any more: the walks of search_walks cover what it marked.';
COMMENT ON COLUMN issues.search_stale IS 'Not read any more: the walks of search_walks cover what it marked.';
