SET LOCAL lock_timeout = '3s';

COMMENT ON TABLE audit_log IS 'Administrative acts. Rows are added and never changed or removed; a trigger sees to it.';
DROP TRIGGER audit_log_is_erased ON audit_log;
DROP FUNCTION audit_log_is_erased();
DROP TRIGGER audit_log_stays ON audit_log;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();

DROP INDEX issues_by_epic;
DROP INDEX issues_by_parent;
DROP INDEX workspaces_erasing;
ALTER TABLE workspaces DROP COLUMN erasing, DROP COLUMN erase_at;
