SET LOCAL lock_timeout = '3s';

DROP TABLE last_backup;
