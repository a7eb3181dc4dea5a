SET LOCAL lock_timeout = '3s';

DROP INDEX contacts_search_stale;
ALTER TABLE contacts DROP COLUMN search_stale;
DROP INDEX contacts_by_company;
DROP INDEX contacts_by_type;
COMMENT ON COLUMN contacts.search IS
    'The words that search finds, each after the workspace, so that the index never mixes workspaces.';
