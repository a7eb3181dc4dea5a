DROP FUNCTION maintain_audit_partitions(timestamptz, interval);
ALTER TABLE audit_log RENAME TO audit_log_months;
CREATE TABLE audit_log (
    LIKE audit_log_months INCLUDING CONSTRAINTS INCLUDING COMMENTS,
    CONSTRAINT audit_log_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
    CONSTRAINT audit_log_pkey PRIMARY KEY (workspace_id, id)
);
INSERT INTO audit_log SELECT * FROM audit_log_months;
DO $$
DECLARE
    granted record;
BEGIN
    FOR granted IN
        SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee
        FROM pg_class CROSS JOIN aclexplode(relacl) WHERE pg_class.oid = 'audit_log_months'::regclass AND grantee <> relowner
    LOOP
        EXECUTE format('GRANT %s ON audit_log TO %s', granted.privilege_type, granted.grantee);
    END LOOP;
    EXECUTE format('ALTER TABLE audit_log ADD CONSTRAINT audit_log_bound CHECK (created_at < %L)', (
        SELECT (date_trunc('month', max(created_at) AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'
        FROM (SELECT now() AS created_at UNION ALL SELECT max(created_at) FROM audit_log) AS newest));
END
$$;
DROP TABLE audit_log_months;
CREATE INDEX audit_log_newest ON audit_log (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at DESC, id DESC)
    WHERE actor_id IS NOT NULL;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
CREATE TRIGGER audit_log_is_erased AFTER DELETE ON audit_log REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased();
CREATE TRIGGER audit_log_entry_stays BEFORE UPDATE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_entry_stays();
COMMENT ON TABLE audit_log IS
    'Administrative acts. Rows are added, never changed but for an erased person, and removed only when their workspace is erased; triggers see to it.';
