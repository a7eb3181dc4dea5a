SET LOCAL lock_timeout = '3s';
DROP INDEX issues_by_change;
DROP INDEX projects_by_change;
DROP INDEX deals_by_change;
DROP INDEX contacts_by_change;
DROP INDEX companies_by_change;
