SET LOCAL lock_timeout = '3s';

CREATE OR REPLACE FUNCTION queue_webhook_deliveries(
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

DROP FUNCTION queue_matching_deliveries;

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

DROP FUNCTION queue_backlog_by_steps;
