SET LOCAL lock_timeout = '3s';

DROP INDEX projects_search_stale;
DROP INDEX projects_search;
ALTER TABLE projects DROP COLUMN search;
DROP INDEX projects_by_status;
