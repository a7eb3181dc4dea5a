SET LOCAL lock_timeout = '3s';

ALTER TABLE imports DROP COLUMN companies;
