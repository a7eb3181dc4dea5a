-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Only functions change.
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION retention_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() $$;
COMMENT ON FUNCTION retention_clock IS
    'The time by which months are judged old, whatever time a caller passes. Only the owner can replace it, as tests do.';

CREATE FUNCTION retention_cutoff(at timestamptz, keep interval) RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
    SELECT least(least(at, retention_clock()) - keep, retention_clock() - interval '30 days')
$$;
COMMENT ON FUNCTION retention_cutoff IS
    'What ended before this may be dropped. No argument shortens the retention below 30 days; null if there is no retention.';

CREATE OR REPLACE FUNCTION maintain_event_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    parent text;
    key text;
    month timestamp;
    ended timestamptz;
    partition text;
    old text[] := '{}';
    low uuid;
    high uuid;
    today CONSTANT timestamptz := least(at, retention_clock());
    cutoff CONSTANT timestamptz := retention_cutoff(at, keep);
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Of Citus, and without it nobody's: a partition is made on all nodes, one shard after the other.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' ELSE 'event_id' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached rather than created as a partition, which would lock the whole table against reads.
            EXECUTE format('CREATE TABLE %1$I (LIKE %2$I, PRIMARY KEY (%6$s), CONSTRAINT month CHECK (%3$I >= %4$L AND %3$I < %5$L))',
                partition, parent, key, low, high,
                CASE parent WHEN 'events' THEN 'workspace_id, id' ELSE 'workspace_id, position, event_id' END);
            EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
                INSERT INTO %5$I SELECT * FROM moved', parent || '_default', key, low, high, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, low, high);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
            EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
        END LOOP;
    END LOOP;
    IF cutoff IS NULL THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent IN ('events'::regclass, 'event_positions'::regclass)
            AND child.relname ~ '^(events|event_positions)_[0-9]{4}_[0-9]{2}$'
        ORDER BY right(child.relname, 7), child.relname
    LOOP
        ended := (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC';
        EXIT WHEN ended > cutoff;
        -- What waits to be sent is composed from its event: such a month stays, with all later ones. Nothing waits longer
        -- than twice 30 days where a dispatcher runs, and where none does, months do not pile up for ever.
        PERFORM FROM webhook_backlog WHERE created_at < ended AND created_at > today - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        PERFORM FROM webhook_deliveries
            WHERE state IN ('pending', 'retrying', 'delivering') AND event_id < uuid_v7_floor(ended)
                AND created_at > today - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        old := old || partition;
    END LOOP;
    IF old <> '{}' THEN
        -- In the order in which readers lock them: neither waits for the other then.
        LOCK TABLE ONLY event_positions, ONLY events IN ACCESS EXCLUSIVE MODE;
        FOREACH partition IN ARRAY old LOOP
            EXECUTE format('DROP TABLE %I', partition);
        END LOOP;
    END IF;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM events_default WHERE id < uuid_v7_floor(cutoff);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(cutoff);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_event_partitions IS
    'Makes partitions for three months ahead, and drops those of months that ended longer ago than keep, but at least 30 days ago.
False: try again.';

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
    cutoff CONSTANT timestamptz := retention_cutoff(at, keep);
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('audit partitions', 0)) THEN
        RETURN false;
    END IF;
    -- Of Citus, and without it nobody's: a partition is made on all nodes, one shard after the other, with the triggers of its table.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.enable_unsafe_triggers', 'on', true);
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
    IF cutoff IS NULL THEN
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
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM audit_log_default WHERE created_at < cutoff;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_audit_partitions IS
    'Makes partitions for three months ahead, and drops those of months that ended longer ago than keep, but at least 30 days ago;
null: none. False: try again.';

-- Replacing a function forgets its settings.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %1$I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION maintain_audit_partitions SET search_path = %1$I, pg_temp', current_schema());
END
$$;

-- A function that acts with the rights of its owner is not for everybody. The service sees to it again after every migration and
-- restore (privileges.rs).
DO $$
DECLARE
    definer record;
    grantee text;
BEGIN
    FOR definer IN
        SELECT pg_proc.oid::regprocedure AS name FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
        WHERE prosecdef AND nspname = current_schema() AND pg_has_role(proowner, 'USAGE')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
    LOOP
        -- A role that serves without owning the schema had the right as a member of PUBLIC.
        FOR grantee IN
            SELECT rolname FROM pg_proc CROSS JOIN LATERAL aclexplode(proacl) AS acl JOIN pg_roles ON pg_roles.oid = acl.grantee
            WHERE pg_proc.oid = 'maintain_event_partitions'::regproc AND acl.grantee <> proowner
        LOOP
            EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %I', definer.name, grantee);
        END LOOP;
        EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', definer.name);
    END LOOP;
END
$$;
