SET LOCAL lock_timeout = '3s';

DROP INDEX issues_in_order_of_priority;
DROP INDEX issues_in_order_of_due;
DROP INDEX projects_in_order_of_end;
DROP INDEX projects_by_name;
DROP INDEX deals_in_order_of_close;
DROP INDEX contacts_by_name;
DROP INDEX companies_by_name;
