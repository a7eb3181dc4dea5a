SET LOCAL lock_timeout = '3s';

DROP INDEX deals_closing;
DROP INDEX issues_to_do;
