SET LOCAL lock_timeout = '3s';

DROP INDEX issues_search_stale;
ALTER TABLE issues DROP COLUMN search_stale;
DROP INDEX issues_by_requester_contact;
DROP INDEX issues_by_due;
DROP INDEX issues_of_cycle;
DROP INDEX issues_by_priority;
DROP STATISTICS issues_assignee;
DROP INDEX issues_by_assignee;
COMMENT ON COLUMN issues.search IS
    'The words of title and description, each after workspace and kind, so that the index never mixes them.';
