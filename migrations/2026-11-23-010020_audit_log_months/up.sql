SET LOCAL lock_timeout = '3s';

-- The log so far becomes the first partition. Its check, which was validated before, spares it from being read here.
ALTER TABLE audit_log RENAME TO audit_log_first;
ALTER INDEX audit_log_pkey RENAME TO audit_log_first_pkey;
ALTER INDEX audit_log_newest RENAME TO audit_log_first_newest;
ALTER INDEX audit_log_by_action RENAME TO audit_log_first_by_action;
ALTER INDEX audit_log_by_actor RENAME TO audit_log_first_by_actor;

-- Without a primary key: it would have to contain created_at. Each partition has its own.
CREATE TABLE audit_log (LIKE audit_log_first INCLUDING CONSTRAINTS INCLUDING COMMENTS, CONSTRAINT audit_log_workspace_fkey
    FOREIGN KEY (workspace_id) REFERENCES workspaces (id))
    PARTITION BY RANGE (created_at);
ALTER TABLE audit_log DROP CONSTRAINT audit_log_bound;
COMMENT ON TABLE audit_log IS
    'Administrative acts. Rows are added, never changed but for an erased person, and removed only when their workspace is erased
or their month is over for as long as the operator keeps it; triggers see to it. A partition is a month.';
CREATE INDEX audit_log_newest ON audit_log (workspace_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_action ON audit_log (workspace_id, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (workspace_id, actor_id, created_at DESC, id DESC) WHERE actor_id IS NOT NULL;

-- Partitions have it from the table.
DROP TRIGGER audit_log_entry_stays ON audit_log_first;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
CREATE TRIGGER audit_log_is_erased AFTER DELETE ON audit_log REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased();
CREATE TRIGGER audit_log_entry_stays BEFORE UPDATE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_entry_stays();

DO $$
DECLARE
    granted record;
    bound CONSTANT timestamptz := (SELECT substring(pg_get_constraintdef(oid) FROM '''(.+)''')::timestamptz
        FROM pg_constraint WHERE conrelid = 'audit_log_first'::regclass AND conname = 'audit_log_bound');
BEGIN
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION audit_log_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    -- Rights stay with the renamed table: a service with a role of its own needs them here.
    FOR granted IN
        SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee
        FROM pg_class CROSS JOIN aclexplode(relacl) WHERE pg_class.oid = 'audit_log_first'::regclass AND grantee <> relowner
    LOOP
        EXECUTE format('GRANT %s ON audit_log TO %s', granted.privilege_type, granted.grantee);
    END LOOP;
END
$$;
ALTER TABLE audit_log_first DROP CONSTRAINT audit_log_bound;
COMMENT ON TABLE audit_log_first IS 'All months before the log had a partition for each.';

CREATE TABLE audit_log_default PARTITION OF audit_log (PRIMARY KEY (workspace_id, id)) DEFAULT;
COMMENT ON TABLE audit_log_default IS 'Months that have no partition yet.';

CREATE FUNCTION maintain_audit_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    month timestamp;
    begins timestamptz;
    ends timestamptz;
    partition text;
    first_ends CONSTANT timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')::timestamptz
        FROM pg_class WHERE oid = to_regclass('audit_log_first'));
    old text[] := '{}';
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('audit partitions', 0)) THEN
        RETURN false;
    END IF;
    FOR step IN 0..3 LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
        begins := month AT TIME ZONE 'UTC';
        ends := (month + interval '1 month') AT TIME ZONE 'UTC';
        partition := 'audit_log_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN begins < first_ends OR to_regclass(quote_ident(partition)) IS NOT NULL;
        -- Attached rather than created as a partition, which would lock the whole table against reads.
        EXECUTE format('CREATE TABLE %1$I (LIKE audit_log INCLUDING CONSTRAINTS, PRIMARY KEY (workspace_id, id),
            CONSTRAINT month CHECK (created_at >= %2$L AND created_at < %3$L))', partition, begins, ends);
        EXECUTE format('WITH moved AS (DELETE FROM audit_log_default WHERE created_at >= %1$L AND created_at < %2$L RETURNING *)
            INSERT INTO %3$I SELECT * FROM moved', begins, ends, partition);
        EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, begins, ends);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
        EXECUTE format('CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays()', partition);
        EXECUTE format('CREATE TRIGGER audit_log_is_erased AFTER DELETE ON %I REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased()', partition);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
    END LOOP;
    IF keep IS NULL THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'audit_log'::regclass AND child.relname ~ '^audit_log_(first|[0-9]{4}_[0-9]{2})$'
        ORDER BY child.relname <> 'audit_log_first', child.relname
    LOOP
        EXIT WHEN keep + CASE partition WHEN 'audit_log_first' THEN first_ends
            ELSE (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' END > at;
        old := old || partition;
    END LOOP;
    FOREACH partition IN ARRAY old LOOP
        EXECUTE format('DROP TABLE %I', partition);
    END LOOP;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM audit_log_default WHERE created_at < at - keep;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_audit_partitions IS
    'Makes partitions for three months ahead, and drops those of months that ended longer ago than keep; null: none. False: try
again.';
REVOKE ALL ON FUNCTION maintain_audit_partitions FROM PUBLIC;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_audit_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
