SET LOCAL lock_timeout = '3s';

DROP INDEX deals_erased;
DROP INDEX companies_erased;
DROP INDEX contacts_erased;
