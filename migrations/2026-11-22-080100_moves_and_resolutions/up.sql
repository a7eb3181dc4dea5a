-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. Nullable columns
-- without a default rewrite nothing.
SET LOCAL lock_timeout = '3s';

ALTER TABLE issues ADD COLUMN resolved_at timestamptz;
COMMENT ON COLUMN issues.resolved_at IS
    'When a ticket became resolved or closed, unless it was open again since. Unknown, and null, for older ones.';

-- Partitions that are made from here on copy it from the table.
ALTER TABLE events ADD COLUMN former_scope_id uuid;
COMMENT ON COLUMN events.former_scope_id IS
    'The scope that the record left by this change, whose subscriptions get the event as well.';

CREATE FUNCTION enqueue_webhook_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], payloads text[],
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
        SELECT place, uuid_v7(at, place) AS id, at
        FROM unnest(times) WITH ORDINALITY AS event (at, place)
    ), matching AS MATERIALIZED (
        SELECT event.place, event.name, subscription.id AS subscription_id
        FROM unnest(modules, names, scopes, former_scopes) WITH ORDINALITY
            AS event (module, name, scope, former_scope, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope, event.former_scope))
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    ), matched AS MATERIALIZED (
        SELECT place, array_agg(subscription_id) AS subscriptions,
            sum(count(*)) OVER (ORDER BY place) <= room
                -- More than may wait at all are queued where nothing waits.
                OR room = most AND sum(count(*)) OVER (ORDER BY place) = count(*) AS fits
        FROM matching GROUP BY place
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, payload, created_at)
            SELECT of_workspace, incoming.id, event.module, event.name, event.scope, event.former_scope, event.payload,
                incoming.at
            FROM unnest(modules, names, scopes, former_scopes, payloads) WITH ORDINALITY
                AS event (module, name, scope, former_scope, payload, place)
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
            INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, payload, created_at)
                SELECT of_workspace, uuid_v7(at, place), module, name, scope, former_scope, payload, at
                FROM unnest(modules, names, scopes, former_scopes, payloads, times) WITH ORDINALITY
                    AS event (module, name, scope, former_scope, payload, at, place)
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
COMMENT ON FUNCTION enqueue_webhook_events(uuid, text[], text[], uuid[], uuid[], text[], timestamptz[], bigint) IS
    'Stores events that enabled subscriptions ask for, and queues a delivery for each, or leaves the event in the backlog
once most deliveries wait. A failure undoes nothing of the caller''s.';

-- For instances of the release before, while this one is rolled out.
CREATE OR REPLACE FUNCTION enqueue_webhook_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], payloads text[], times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE sql AS $$
    SELECT queued, behind, failure FROM enqueue_webhook_events(of_workspace, modules, names, scopes,
        array_fill(NULL::uuid, ARRAY[cardinality(names)]), payloads, times, most)
$$;

CREATE OR REPLACE FUNCTION queue_webhook_backlog(
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
            SELECT module, event, scope_id, former_scope_id, created_at FROM events
            WHERE workspace_id = of_workspace AND id = head.event_id AND created_at >= since
            OFFSET 0
        ) AS event
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.deleted_at IS NULL AND CASE WHEN head.subscriptions IS NOT NULL
                THEN subscription.id = ANY (head.subscriptions)
                ELSE subscription.module = event.module AND subscription.enabled
                    AND subscription.created_at <= event.created_at
                    AND subscription.events && ARRAY[event.event, '*']
                    AND (subscription.scope_id IS NULL
                        OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
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
