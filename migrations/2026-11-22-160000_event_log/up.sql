-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Nullable columns
-- without a default rewrite nothing.
SET LOCAL lock_timeout = '3s';

-- Partitions copy them, those that exist and those that are made from here on.
ALTER TABLE events
    ADD COLUMN record_type text,
    ADD COLUMN record_id uuid,
    ADD COLUMN version bigint,
    ADD COLUMN internal boolean,
    ADD COLUMN actor_type text,
    ADD COLUMN actor_id uuid,
    ADD COLUMN actor_name text,
    ADD COLUMN request_id text,
    ADD COLUMN tool text;
COMMENT ON TABLE events IS 'The event log: every change of a record, once. A partition is a month, and is dropped as a whole.';
COMMENT ON COLUMN events.id IS
    'A UUID of version 7: its time is that of created_at to the microsecond, orders the events of a record, and decides the
partition.';
COMMENT ON COLUMN events.record_type IS 'The noun of the name; null, with record_id, for what other systems report.';
COMMENT ON COLUMN events.version IS 'Of the record; null for what is only on a record, such as comments.';
COMMENT ON COLUMN events.internal IS 'Not told to webhooks. Null, as all columns behind it, before the log was kept.';
COMMENT ON COLUMN events.actor_name IS 'Of that time.';
CREATE INDEX events_record ON events (workspace_id, record_id, id) WHERE record_id IS NOT NULL;

-- Positions.

CREATE TABLE events_unnumbered (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, event_id)
-- It is emptied as fast as it is filled.
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE events_unnumbered IS 'Committed events that have no position yet.';

CREATE TABLE event_positions (
    workspace_id uuid NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    latest uuid NOT NULL,
    -- The event is part of the key since it decides the partition; number_events repeats no position.
    PRIMARY KEY (workspace_id, position, event_id)
) PARTITION BY RANGE (event_id);
CREATE TABLE event_positions_default PARTITION OF event_positions DEFAULT;
COMMENT ON TABLE event_positions IS
    'The order in which followers see events. Partitions are those of events, and are dropped with them.';
COMMENT ON COLUMN event_positions.position IS 'From 1 in each workspace, without gaps.';
COMMENT ON COLUMN event_positions.latest IS 'The greatest event id up to here: it never decreases, so that a time can be found.';
COMMENT ON TABLE event_positions_default IS 'Positions of months that have no partition yet.';

CREATE TABLE event_sequences (
    workspace_id uuid PRIMARY KEY,
    last_position bigint NOT NULL,
    latest uuid NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE event_sequences IS 'The last position of each workspace. Whoever gives positions holds its row.';

CREATE FUNCTION event_id(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM at)::bigint % 1000 * 4)::smallint)
        || int2send((-32768 + place % 16384)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;
COMMENT ON FUNCTION event_id IS
    'A UUID of version 7 with the microseconds behind the milliseconds, and then the place in its statement.';

CREATE FUNCTION event_id_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM greatest(at, 'epoch')) * 1000)::bigint) FROM 3)
        || int2send((28672 + extract(microseconds FROM greatest(at, 'epoch'))::bigint % 1000 * 4)::smallint)
        || '\x0000000000000000'::bytea, 'hex')::uuid
$$;
COMMENT ON FUNCTION event_id_floor IS 'Not greater than the id of any event made at or after the time.';

CREATE FUNCTION number_events(of_workspace uuid, most bigint, OUT numbered bigint, OUT last bigint) LANGUAGE plpgsql AS $$
DECLARE
    greatest_id uuid;
BEGIN
    numbered := 0;
    IF NOT EXISTS (SELECT FROM events_unnumbered WHERE workspace_id = of_workspace) THEN
        SELECT last_position INTO last FROM event_sequences WHERE workspace_id = of_workspace;
        last := coalesce(last, 0);
        RETURN;
    END IF;
    INSERT INTO event_sequences (workspace_id, last_position, latest)
        VALUES (of_workspace, 0, '00000000-0000-0000-0000-000000000000') ON CONFLICT (workspace_id) DO NOTHING;
    -- One at a time. The next statement sees what was committed until the lock was granted.
    SELECT last_position, latest INTO last, greatest_id FROM event_sequences WHERE workspace_id = of_workspace FOR UPDATE;
    WITH taken AS (
        DELETE FROM events_unnumbered
        WHERE workspace_id = of_workspace AND event_id = ANY (ARRAY(
            SELECT event_id FROM events_unnumbered WHERE workspace_id = of_workspace ORDER BY event_id LIMIT most))
        RETURNING event_id
    ), placed AS (
        -- A record's events have ids in the order of its versions, and a version is never committed before the one that it
        -- follows.
        SELECT event_id, last + row_number() OVER (ORDER BY event_id) AS position FROM taken
    ), added AS (
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT of_workspace, position, event_id, greatest(greatest_id, event_id) FROM placed
        RETURNING position, latest
    )
    SELECT count(*), coalesce(max(position), last), coalesce((array_agg(latest ORDER BY position DESC))[1], greatest_id)
        INTO numbered, last, greatest_id FROM added;
    IF numbered > 0 THEN
        UPDATE event_sequences SET last_position = last, latest = greatest_id WHERE workspace_id = of_workspace;
        PERFORM pg_notify('events_numbered', of_workspace::text);
    END IF;
END
$$;
COMMENT ON FUNCTION number_events IS
    'Gives positions to at most so many committed events that have none, and tells all instances. Returns the last position.';

CREATE FUNCTION event_position_before(of_workspace uuid, since timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    wanted CONSTANT uuid := event_id_floor(since);
    low bigint;
    high bigint;
    middle bigint;
    found bigint;
    seen uuid;
BEGIN
    SELECT position INTO low FROM event_positions WHERE workspace_id = of_workspace ORDER BY position LIMIT 1;
    SELECT last_position INTO high FROM event_sequences WHERE workspace_id = of_workspace;
    IF low IS NULL OR high IS NULL THEN
        RETURN coalesce(high, 0);
    END IF;
    -- The first position whose latest is wanted or greater lies in low..high + 1, and all that is wanted lies from there.
    high := high + 1;
    WHILE low < high LOOP
        middle := (low + high) / 2;
        SELECT position, latest INTO found, seen FROM event_positions
            WHERE workspace_id = of_workspace AND position >= middle ORDER BY position LIMIT 1;
        IF found IS NULL OR seen >= wanted THEN
            high := middle;
        ELSE
            low := found + 1;
        END IF;
    END LOOP;
    RETURN low - 1;
END
$$;
COMMENT ON FUNCTION event_position_before IS 'A position behind which all events made at or after the time are.';

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
SELECT maintain_event_partitions(now(), interval '13 months');

-- Appending.

CREATE FUNCTION append_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[],
    record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[],
    request_ids text[], tools text[], payloads text[], times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    -- What fails here fails the caller.
    WITH incoming AS MATERIALIZED (
        SELECT *, event_id(at, place) AS id FROM unnest(modules, names, scopes, former_scopes, record_types, record_ids,
            versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) WITH ORDINALITY
            AS event (module, name, scope, former_scope, record_type, record_id, version, internal, actor_type, actor_id,
                actor_name, request_id, tool, payload, at, place)
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, id, module, name, scope, former_scope, record_type, record_id, version, internal,
                actor_type, actor_id, actor_name, request_id, tool, payload, at
            FROM incoming
    ), unnumbered AS (
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM incoming
    )
    SELECT array_agg(id ORDER BY place) INTO ids FROM incoming;
    SELECT * INTO queued, behind, failure
        FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
END
$$;
COMMENT ON FUNCTION append_events IS
    'Appends to the log, and queues a delivery for each enabled subscription that matches.';

CREATE FUNCTION queue_webhook_deliveries(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[],
    times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    listening bigint;
    largest bigint;
    room bigint;
BEGIN
    queued := 0;
    behind := 0;
    -- Most workspaces have none.
    SELECT count(*) INTO listening FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL;
    IF listening = 0 THEN
        RETURN;
    END IF;
    largest := listening * cardinality(names);
    IF EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        -- Who comes after others that wait for room waits behind them.
        room := 0;
    ELSIF largest > 100 AND NOT pg_try_advisory_xact_lock(webhook_queue_lock(of_workspace)) THEN
        -- Several who queue many at once would each find the room that the others take. Nobody waits for the lock.
        room := 0;
    ELSIF random() * most < 64 * largest THEN
        room := most - count_waiting_webhook_deliveries(of_workspace, most);
    ELSE
        -- Counting takes as long as many wait, so few deliveries are added after some count, rather than after each:
        -- on average a 64th of the bound.
        room := most;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH incoming AS MATERIALIZED (
        SELECT place, id, at FROM unnest(ids, times) WITH ORDINALITY AS event (id, at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes, former_scopes, internals) WITH ORDINALITY
            AS event (module, name, scope, former_scope, internal, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*'] AND NOT event.internal
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), waiting AS (
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at, subscriptions)
            SELECT of_workspace, incoming.id, incoming.at, matched.subscriptions
            FROM matched JOIN incoming USING (place) WHERE NOT matched.fits
        RETURNING event_id
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(incoming.at, place), matching.subscription_id, matching.name, incoming.id,
                'pending', 0, incoming.at, incoming.at
            FROM matching JOIN matched USING (place) JOIN incoming USING (place) WHERE matched.fits
        RETURNING id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM waiting) INTO queued, behind;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
    BEGIN
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at)
            SELECT of_workspace, id, at FROM unnest(ids, times, internals) AS event (id, at, internal) WHERE NOT internal;
        GET DIAGNOSTICS behind = ROW_COUNT;
    EXCEPTION WHEN OTHERS THEN
        behind := 0;
        failure := format('%s; nor could it be kept for later: %s (%s)', failure, SQLERRM, SQLSTATE);
    END;
END
$$;
COMMENT ON FUNCTION queue_webhook_deliveries IS
    'Queues a delivery of events of the log for each enabled subscription that matches, or leaves the event in the backlog
once most deliveries wait. A failure undoes nothing of the caller''s.';
