SET LOCAL lock_timeout = '3s';

DROP INDEX members_joined;
