ALTER TABLE audit_log DROP CONSTRAINT audit_log_bound;
