-- Months are kept as long as somebody needs them, and dropped without deadlocks with readers.
SET LOCAL lock_timeout = '3s';

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
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN false;
    END IF;
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' ELSE 'event_id' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached rather than created as a partition, which would lock the whole table against reads.
            EXECUTE format('CREATE TABLE %1$I (LIKE %2$I, CONSTRAINT month CHECK (%3$I >= %4$L AND %3$I < %5$L))',
                partition, parent, key, low, high);
            EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
                INSERT INTO %5$I SELECT * FROM moved', parent || '_default', key, low, high, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition, low, high);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
            EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
        END LOOP;
    END LOOP;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent IN ('events'::regclass, 'event_positions'::regclass)
            AND child.relname ~ '^(events|event_positions)_[0-9]{4}_[0-9]{2}$'
        ORDER BY right(child.relname, 7), child.relname
    LOOP
        ended := (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC';
        EXIT WHEN ended + keep > at;
        -- What waits to be sent is composed from its event: such a month stays, with all later ones. Nothing waits longer
        -- than twice 30 days where a dispatcher runs, and where none does, months do not pile up for ever.
        EXIT WHEN EXISTS (SELECT FROM webhook_backlog WHERE created_at < ended AND created_at > at - interval '60 days')
            OR EXISTS (SELECT FROM webhook_deliveries
                       WHERE state IN ('pending', 'retrying', 'delivering') AND event_id < uuid_v7_floor(ended)
                           AND created_at > at - interval '60 days');
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
    DELETE FROM events_default WHERE id < uuid_v7_floor(at - keep);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(at - keep);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_event_partitions IS
    'Makes partitions for three months ahead and drops those of months that ended longer ago than that. False: try again.';
DO $$
BEGIN
    -- Replacing the function forgets it.
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
