SET LOCAL lock_timeout = '3s';

DROP INDEX canned_replies_shared;
DROP INDEX canned_replies_own;
