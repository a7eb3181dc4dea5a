SET LOCAL lock_timeout = '3s';

DROP INDEX workspaces_search;
DROP INDEX workspaces_by_status;
DROP INDEX workspaces_newest;
ALTER TABLE workspaces DROP COLUMN search;
ALTER TABLE workspaces ALTER COLUMN plan DROP DEFAULT;
ALTER TABLE users DROP COLUMN is_operator;
