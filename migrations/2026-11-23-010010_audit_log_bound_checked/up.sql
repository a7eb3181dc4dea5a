SET LOCAL lock_timeout = '3s';

-- Reads the whole log, while everybody else goes on reading and writing it.
ALTER TABLE audit_log VALIDATE CONSTRAINT audit_log_bound;
