SET LOCAL lock_timeout = '3s';

DROP INDEX deals_by_expected_close;
DROP INDEX deals_by_close;
