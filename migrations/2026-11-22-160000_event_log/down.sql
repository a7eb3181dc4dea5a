SET LOCAL lock_timeout = '3s';

DROP FUNCTION queue_webhook_deliveries(uuid, uuid[], text[], text[], uuid[], uuid[], boolean[], timestamptz[], bigint);
DROP FUNCTION append_events(uuid, text[], text[], uuid[], uuid[], text[], uuid[], bigint[], boolean[], text[], uuid[],
    text[], text[], text[], text[], timestamptz[], bigint);
CREATE OR REPLACE FUNCTION maintain_event_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    month timestamp;
    partition text;
    low uuid;
    high uuid;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('event partitions', 0)) THEN
        RETURN true;
    END IF;
    FOR step IN 0..3 LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
        partition := 'events_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
        low := uuid_v7_floor(month AT TIME ZONE 'UTC');
        high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
        -- Attached rather than created as a partition, which would lock the whole table against reads.
        EXECUTE format('CREATE TABLE %I (LIKE events, CONSTRAINT month CHECK (id >= %L AND id < %L))', partition, low, high);
        EXECUTE format('WITH moved AS (DELETE FROM events_default WHERE id >= %L AND id < %L RETURNING *)
            INSERT INTO %I SELECT * FROM moved', low, high, partition);
        EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, low, high);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'Events of a month in UTC.');
    END LOOP;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'events'::regclass AND child.relname ~ '^events_[0-9]{4}_[0-9]{2}$' ORDER BY child.relname
    LOOP
        IF (to_date(substr(partition, 8), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' + keep <= at THEN
            EXECUTE format('DROP TABLE %I', partition);
        END IF;
    END LOOP;
    DELETE FROM events_default WHERE id < uuid_v7_floor(at - keep);
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
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;

DROP FUNCTION event_position_before(uuid, timestamptz);
DROP FUNCTION number_events(uuid, bigint);
DROP FUNCTION event_id_floor(timestamptz);
DROP FUNCTION event_id(timestamptz, bigint);
DROP TABLE event_sequences;
DROP TABLE event_positions;
DROP TABLE events_unnumbered;
DROP INDEX events_record;
ALTER TABLE events
    DROP COLUMN record_type,
    DROP COLUMN record_id,
    DROP COLUMN version,
    DROP COLUMN internal,
    DROP COLUMN actor_type,
    DROP COLUMN actor_id,
    DROP COLUMN actor_name,
    DROP COLUMN request_id,
    DROP COLUMN tool;
