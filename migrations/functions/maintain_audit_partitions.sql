CREATE OR REPLACE FUNCTION maintain_audit_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    month timestamp;
    begins timestamptz;
    ends timestamptz;
    partition text;
    first_ends CONSTANT timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')::timestamptz
        FROM pg_class WHERE oid = to_regclass('audit_log_first'));
    old text[] := '{}';
    created boolean := false;
    cutoff CONSTANT timestamptz := retention_cutoff(at, keep);
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('audit partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Settings of Citus, without effect elsewhere: create a partition on all nodes, one shard after the other, with its triggers.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.enable_unsafe_triggers', 'on', true);
    FOR step IN 0..3 LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
        begins := month AT TIME ZONE 'UTC';
        ends := (month + interval '1 month') AT TIME ZONE 'UTC';
        partition := 'audit_log_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN begins < first_ends OR to_regclass(quote_ident(partition)) IS NOT NULL;
        created := true;
        -- Attached later, because creating it as a partition would block reads of the whole table.
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
    -- Readers lock the table before its partitions. A transaction that has locked the default partition to attach another and
    -- then asks for the table would deadlock with them.
    IF cutoff IS NULL OR created THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'audit_log'::regclass AND child.relname ~ '^audit_log_(first|[0-9]{4}_[0-9]{2})$'
        ORDER BY child.relname <> 'audit_log_first', child.relname
    LOOP
        EXIT WHEN CASE partition WHEN 'audit_log_first' THEN first_ends
            ELSE (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' END > cutoff;
        old := old || partition;
    END LOOP;
    FOREACH partition IN ARRAY old LOOP
        EXECUTE format('DROP TABLE %I', partition);
    END LOOP;
    -- Rows in a default partition have a time outside of all months, for example because of a wrong clock.
    DELETE FROM audit_log_default WHERE created_at < cutoff;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nothing should have to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_audit_partitions IS
    'Creates partitions for three months ahead. If there was none to create, drops those of months that ended longer ago than keep,
and at least 30 days ago; none if keep is null. Returns false if it must be tried again.';
-- A function that runs with its owner's rights must find only its own tables, whatever the caller's search path.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_audit_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION maintain_audit_partitions FROM PUBLIC;
