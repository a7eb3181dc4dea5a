SET LOCAL lock_timeout = '3s';

DROP TABLE audit_counts;
DROP TABLE audit_log;
