-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    module text NOT NULL,
    event text NOT NULL,
    scope_id uuid,
    payload text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE events_default PARTITION OF events DEFAULT;
COMMENT ON TABLE events IS
    'What happened, stored once however many webhooks are told of it. A partition is a month, and is dropped as a whole.';
COMMENT ON COLUMN events.id IS 'A UUID of version 7: its time is that of created_at, and decides the partition.';
COMMENT ON COLUMN events.scope_id IS 'The value of the module''s scope column, if the record has one.';
COMMENT ON COLUMN events.payload IS 'JSON, to the byte as webhooks send it.';
COMMENT ON TABLE events_default IS 'Events of months that have no partition yet. Empty, unless nobody made partitions for months.';

CREATE TABLE webhook_backlog (
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    subscriptions uuid[],
    PRIMARY KEY (workspace_id, event_id)
-- It is emptied as fast as it is filled.
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX webhook_backlog_oldest ON webhook_backlog (created_at);
COMMENT ON TABLE webhook_backlog IS
    'Events whose deliveries are to be queued later, in the order of their ids: there was no room, or queueing failed.';
COMMENT ON COLUMN webhook_backlog.created_at IS 'The time of the event.';
COMMENT ON COLUMN webhook_backlog.subscriptions IS
    'Those that matched when it happened; null where queueing failed, so that they are matched later.';

ALTER TABLE webhook_deliveries ADD COLUMN event_id uuid;
ALTER TABLE webhook_deliveries ALTER COLUMN body DROP NOT NULL;
-- Not validated: that would read the whole table under a lock, and all existing rows have a body and no event.
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_content_check
    CHECK (num_nulls(event_id, body) = 1) NOT VALID;
COMMENT ON COLUMN webhook_deliveries.event_id IS
    'Whose payload is sent. No reference: a month of events is dropped as a whole, after all that refer to it.';
COMMENT ON COLUMN webhook_deliveries.body IS
    'To the byte as it is sent, of tests and of deliveries from before events were stored; its id stands first in it.';
COMMENT ON COLUMN webhook_deliveries.created_at IS 'When it was queued; events of the backlog are older.';

CREATE FUNCTION uuid_v7(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + place % 4096)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
$$;
COMMENT ON FUNCTION uuid_v7 IS
    'A UUID of version 7 whose twelve bits behind the milliseconds keep the order of what one statement makes.';

CREATE FUNCTION uuid_v7_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || '\x00000000000000000000'::bytea, 'hex')::uuid
$$;
COMMENT ON FUNCTION uuid_v7_floor IS 'Not greater than any UUID of version 7 made at or after the time.';

-- Partitions.

CREATE FUNCTION maintain_event_partitions(at timestamptz, keep interval) RETURNS boolean
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

-- Queueing.

CREATE FUNCTION count_waiting_webhook_deliveries(of_workspace uuid, most bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT count(*) FROM (
        SELECT FROM webhook_subscriptions AS subscription
        CROSS JOIN LATERAL (
            (SELECT 1 FROM webhook_deliveries
                WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace
                    AND subscription_id = subscription.id
                ORDER BY next_attempt_at LIMIT most)
            UNION ALL
            (SELECT 1 FROM webhook_deliveries
                WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription.id
                ORDER BY lease_until LIMIT most)
        ) AS waiting
        WHERE subscription.workspace_id = of_workspace AND subscription.enabled AND subscription.deleted_at IS NULL
        LIMIT most
    ) AS counted
$$;
COMMENT ON FUNCTION count_waiting_webhook_deliveries IS
    'Stops counting at most. What waits for disabled subscriptions does not count, so that it stops no other.';

CREATE FUNCTION webhook_queue_lock(of_workspace uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('webhook queue ' || of_workspace, 0)
$$;
COMMENT ON FUNCTION webhook_queue_lock IS 'The key of the advisory lock of whoever queues many deliveries of a workspace.';

DROP FUNCTION enqueue_webhook_events(uuid, text[], text[], uuid[], text[], timestamptz[]);
DROP FUNCTION webhook_delivery_id(timestamptz, bigint);

CREATE FUNCTION enqueue_webhook_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], payloads text[], times timestamptz[], most bigint,
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
        SELECT place, uuid_v7(at, place) AS id, at
        FROM unnest(times) WITH ORDINALITY AS event (at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes) WITH ORDINALITY AS event (module, name, scope, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id = event.scope)
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, payload, created_at)
            SELECT of_workspace, incoming.id, event.module, event.name, event.scope, event.payload, incoming.at
            FROM unnest(modules, names, scopes, payloads) WITH ORDINALITY AS event (module, name, scope, payload, place)
            JOIN matched USING (place) JOIN incoming USING (place)
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
        WITH stored AS (
            INSERT INTO events (workspace_id, id, module, event, scope_id, payload, created_at)
                SELECT of_workspace, uuid_v7(at, place), module, name, scope, payload, at
                FROM unnest(modules, names, scopes, payloads, times) WITH ORDINALITY
                    AS event (module, name, scope, payload, at, place)
            RETURNING id, created_at
        )
        INSERT INTO webhook_backlog (workspace_id, event_id, created_at) SELECT of_workspace, id, created_at FROM stored;
        GET DIAGNOSTICS behind = ROW_COUNT;
    EXCEPTION WHEN OTHERS THEN
        behind := 0;
        failure := format('%s; nor could it be kept for later: %s (%s)', failure, SQLERRM, SQLSTATE);
    END;
END
$$;
COMMENT ON FUNCTION enqueue_webhook_events IS
    'Stores events that enabled subscriptions ask for, and queues a delivery for each, or leaves the event in the backlog
once most deliveries wait. A failure undoes nothing of the caller''s.';

CREATE FUNCTION queue_webhook_backlog(
    of_workspace uuid, at timestamptz, since timestamptz, most bigint, batch bigint, OUT queued bigint, OUT ended bigint
) LANGUAGE plpgsql AS $$
DECLARE
    room bigint;
BEGIN
    queued := 0;
    ended := 0;
    IF NOT pg_try_advisory_xact_lock(webhook_queue_lock(of_workspace)) THEN
        RETURN;
    END IF;
    room := most - count_waiting_webhook_deliveries(of_workspace, most);
    IF room <= 0 THEN
        RETURN;
    END IF;
    WITH head AS MATERIALIZED (
        SELECT event_id, subscriptions, row_number() OVER (ORDER BY event_id) AS place
        FROM (SELECT event_id, subscriptions FROM webhook_backlog
            WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch) AS first
    ), matching AS MATERIALIZED (
        SELECT head.place, head.event_id, event.event AS name, subscription.id AS subscription_id
        FROM head
        CROSS JOIN LATERAL (
            SELECT module, event, scope_id, created_at FROM events
            WHERE workspace_id = of_workspace AND id = head.event_id AND created_at >= since
            OFFSET 0
        ) AS event
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.deleted_at IS NULL AND CASE WHEN head.subscriptions IS NOT NULL
                THEN subscription.id = ANY (head.subscriptions)
                ELSE subscription.module = event.module AND subscription.enabled
                    AND subscription.created_at <= event.created_at
                    AND subscription.events && ARRAY[event.event, '*']
                    AND (subscription.scope_id IS NULL OR subscription.scope_id = event.scope_id) END
        ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
    ), taken AS MATERIALIZED (
        SELECT place, event_id FROM (
            SELECT head.place, head.event_id,
                sum(count(matching.place)) OVER (ORDER BY head.place) <= room
                    OR room = most AND sum(count(matching.place)) OVER (ORDER BY head.place) = count(matching.place)
                    AS fits
            FROM head LEFT JOIN matching USING (place) GROUP BY head.place, head.event_id
        ) AS counted WHERE fits
    ), added AS (
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            -- Due in their order, and all of them now.
            SELECT of_workspace, uuid_v7(at, place), matching.subscription_id, matching.name, matching.event_id,
                'pending', 0, at - ((SELECT count(*) FROM head) - place) * interval '1 microsecond', at
            FROM matching JOIN taken USING (place)
        RETURNING id
    ), gone AS (
        DELETE FROM webhook_backlog
        WHERE workspace_id = of_workspace AND event_id = ANY (ARRAY(SELECT event_id FROM taken))
        RETURNING event_id
    )
    SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM gone) INTO queued, ended;
END
$$;
COMMENT ON FUNCTION queue_webhook_backlog IS
    'Queues what waits for room, in order, as far as there is room. One at a time for a workspace; the others do nothing.
Events from before since have no deliveries any more.';

-- Nobody but the owner, and those whom the owner lets, makes or drops partitions.
REVOKE ALL ON FUNCTION maintain_event_partitions FROM PUBLIC;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_event_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;
SELECT maintain_event_partitions(now(), interval '60 days');
