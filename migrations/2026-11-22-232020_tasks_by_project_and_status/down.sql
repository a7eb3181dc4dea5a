SET LOCAL lock_timeout = '3s';

DROP INDEX issues_by_project_and_status;
