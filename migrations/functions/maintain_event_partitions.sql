CREATE OR REPLACE FUNCTION maintain_event_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    parent text;
    key text;
    month timestamp;
    ended timestamptz;
    partition text;
    old text[] := '{}';
    created boolean := false;
    low uuid;
    high uuid;
    today CONSTANT timestamptz := least(at, retention_clock());
    cutoff CONSTANT timestamptz := retention_cutoff(at, keep);
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN false;
    END IF;
    -- A setting of Citus, without effect elsewhere: create a partition on all nodes, one shard after the other.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions', 'event_chunks'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' WHEN 'event_positions' THEN 'event_id' ELSE 'month' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            IF NOT created THEN
                -- Attaching a partition locks the default partition of its table. These are locked in the order in which readers
                -- lock them, which avoids deadlocks.
                LOCK TABLE ONLY event_positions_default, ONLY events_default, ONLY event_chunks_default IN ACCESS EXCLUSIVE MODE;
                created := true;
            END IF;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached later, because creating it as a partition would block reads of the whole table.
            EXECUTE format('CREATE TABLE %1$I (LIKE %2$I, PRIMARY KEY (%6$s), CONSTRAINT month CHECK (%3$I >= %4$L AND %3$I < %5$L))',
                partition, parent, key, low, high,
                CASE parent WHEN 'events' THEN 'workspace_id, id' WHEN 'event_positions' THEN 'workspace_id, position, event_id'
                    ELSE 'workspace_id, record_id, month, digest' END);
            EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
                INSERT INTO %5$I SELECT * FROM moved', parent || '_default', key, low, high, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, low, high);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
            EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
        END LOOP;
    END LOOP;
    -- Readers lock a table before its partitions. A transaction that has locked the default partitions and then asks for the
    -- tables would deadlock with them.
    IF cutoff IS NULL OR created THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent IN ('events'::regclass, 'event_positions'::regclass, 'event_chunks'::regclass)
            AND child.relname ~ '^(events|event_positions|event_chunks)_[0-9]{4}_[0-9]{2}$'
        ORDER BY right(child.relname, 7), child.relname
    LOOP
        ended := (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC';
        EXIT WHEN ended > cutoff;
        -- Waiting deliveries need their events, so such a month stays, with all later ones. If a dispatcher runs, nothing
        -- waits longer than twice 30 days. If none runs, the 60 days keep months from piling up forever.
        PERFORM FROM webhook_backlog WHERE created_at < ended AND created_at > today - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        PERFORM FROM webhook_deliveries
            WHERE state IN ('pending', 'retrying', 'delivering') AND event_id < uuid_v7_floor(ended)
                AND created_at > today - interval '60 days' LIMIT 1;
        EXIT WHEN FOUND;
        old := old || partition;
    END LOOP;
    IF old <> '{}' THEN
        -- In the order in which readers lock them, which avoids deadlocks.
        LOCK TABLE ONLY event_positions, ONLY events, ONLY event_chunks IN ACCESS EXCLUSIVE MODE;
        FOREACH partition IN ARRAY old LOOP
            EXECUTE format('DROP TABLE %I', partition);
        END LOOP;
    END IF;
    -- Rows in a default partition have a time outside of all months, for example because of a wrong clock.
    DELETE FROM events_default WHERE id < uuid_v7_floor(cutoff);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(cutoff);
    DELETE FROM event_chunks_default AS chunk WHERE chunk.month < uuid_v7_floor(cutoff - interval '31 days');
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nothing should have to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_event_partitions IS
    'Creates partitions for three months ahead. If there was none to create, drops those of months that ended longer ago than keep,
and at least 30 days ago; none if keep is null. Returns false if it must be tried again.';
-- A function that runs with its owner's rights must find only its own tables, whatever the caller's search path.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION maintain_event_partitions FROM PUBLIC;
