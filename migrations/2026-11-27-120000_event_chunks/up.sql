-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Nothing that is there is rewritten.
-- The previous release cannot read events that this one appends.
SET LOCAL lock_timeout = '3s';

CREATE TABLE event_chunks (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    month uuid NOT NULL,
    digest text COLLATE "C" NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (workspace_id, record_id, month, digest)
) PARTITION BY RANGE (month);
CREATE TABLE event_chunks_default PARTITION OF event_chunks DEFAULT;
COMMENT ON TABLE event_chunks IS
    'Parts of long values in the payloads of events, once per record and month. Partitions are those of events, and are dropped with them.';
COMMENT ON COLUMN event_chunks.record_id IS 'The record whose events refer to it.';
COMMENT ON COLUMN event_chunks.month IS 'uuid_v7_floor of the month of these events: the first id of their partition.';
COMMENT ON COLUMN event_chunks.digest IS 'SHA-256 of the content in Base64, as payloads refer to it.';
COMMENT ON TABLE event_chunks_default IS 'Chunks of months that have no partition yet.';
COMMENT ON COLUMN events.payload IS
    'JSON, to the byte as webhooks send it. If it begins with U+001A: the length in bytes, U+001A, and the JSON with references to
event_chunks in the place of long values, each U+001A and a digest.';

CREATE FUNCTION event_bytes(payload text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- The head alone, so that what is stored out of line is not read.
    SELECT CASE WHEN left(payload, 1) = E'\x1a' THEN split_part(left(payload, 24), E'\x1a', 2)::bigint ELSE octet_length(payload) END
$$;
COMMENT ON FUNCTION event_bytes IS 'The length of the payload of an event as clients see it.';

CREATE FUNCTION event_skeleton(payload text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(payload, E'^\x1a[0-9]+\x1a|\x1a[A-Za-z0-9_-]{43}', '', 'g')::json
$$;
COMMENT ON FUNCTION event_skeleton IS 'The payload of an event with long values left empty.';

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
    FOREACH parent IN ARRAY ARRAY['events', 'event_positions', 'event_chunks'] LOOP
        key := CASE parent WHEN 'events' THEN 'id' WHEN 'event_positions' THEN 'event_id' ELSE 'month' END;
        FOR step IN 0..3 LOOP
            month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
            partition := parent || '_' || to_char(month, 'YYYY_MM');
            CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
            low := uuid_v7_floor(month AT TIME ZONE 'UTC');
            high := uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC');
            -- Attached rather than created as a partition, which would lock the whole table against reads.
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
    IF cutoff IS NULL THEN
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
        LOCK TABLE ONLY event_positions, ONLY events, ONLY event_chunks IN ACCESS EXCLUSIVE MODE;
        FOREACH partition IN ARRAY old LOOP
            EXECUTE format('DROP TABLE %I', partition);
        END LOOP;
    END IF;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM events_default WHERE id < uuid_v7_floor(cutoff);
    DELETE FROM event_positions_default WHERE event_id < uuid_v7_floor(cutoff);
    DELETE FROM event_chunks_default AS chunk WHERE chunk.month < uuid_v7_floor(cutoff - interval '31 days');
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
COMMENT ON FUNCTION maintain_event_partitions IS
    'Makes partitions for three months ahead, and drops those of months that ended longer ago than keep, but at least 30 days ago.
False: try again.';
DO $$
BEGIN
    -- Replacing the function forgets it.
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
SELECT maintain_event_partitions(now(), interval '13 months');

-- As before, but for how bytes are counted.
CREATE OR REPLACE FUNCTION record_history(
    of_workspace uuid, of_record uuid, nouns text[], with_comments boolean, since uuid, before uuid, most bigint, skipped bigint, room bigint
) RETURNS TABLE (
    id uuid, module text, event text, record_type text, record_id uuid, version bigint, internal boolean, actor_type text,
    actor_id uuid, actor_name text, request_id text, tool text, payload text, created_at timestamptz
) LANGUAGE plpgsql STABLE ROWS 50
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    bytes bigint := 0;
    found bigint := 0;
BEGIN
    FOR id, module, event, record_type, record_id, version, internal, actor_type, actor_id, actor_name, request_id, tool,
        payload, created_at
    IN
        SELECT log.id, log.module, log.event, log.record_type, log.record_id, log.version, log.internal, log.actor_type,
            log.actor_id, log.actor_name, log.request_id, log.tool, log.payload, log.created_at
        FROM events AS log
        WHERE log.workspace_id = of_workspace AND log.record_id = of_record AND log.id < before AND log.id >= since
            AND log.record_type = ANY (nouns) AND (with_comments OR log.version IS NOT NULL)
        ORDER BY log.id DESC LIMIT most OFFSET skipped
    LOOP
        found := found + 1;
        RETURN NEXT;
        bytes := bytes + event_bytes(payload);
        EXIT WHEN found > 1 AND bytes > room;
    END LOOP;
END
$$;
COMMENT ON FUNCTION record_history IS
    'The events of a record from one on and before another, newest first; it ends with the event, the second or a later one,
with which payloads exceed room.';
