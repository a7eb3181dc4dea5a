CREATE OR REPLACE FUNCTION queue_webhook_deliveries(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], internals boolean[],
    times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    listening bigint;
    largest bigint;
    room bigint;
BEGIN
    queued := 0;
    behind := 0;
    -- Most workspaces have no subscriptions.
    SELECT count(*) INTO listening FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL;
    IF listening = 0 THEN
        RETURN;
    END IF;
    largest := listening * cardinality(names);
    IF EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        -- Events are already waiting for room, so these wait behind them.
        room := 0;
    ELSIF largest > 100 AND NOT try_webhook_queue_lock(of_workspace) THEN
        -- Concurrent callers with many deliveries would each count the same room as free. None waits for the lock.
        room := 0;
    ELSIF random() * most < 64 * largest THEN
        room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
                ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    ELSE
        -- Counting takes longer the more deliveries wait. So it is skipped at random: on average, a 64th of the bound is added
        -- between two counts.
        room := most;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, behind FROM queue_matching_deliveries(of_workspace, ids, modules, names, scopes, former_scopes,
            internals, times, room, most);
        RETURN;
    END IF;
    IF cardinality(ids) = 1 AND listening <= room THEN
        -- The usual case: one event, which fits whichever subscriptions match. The lock waits for a concurrent deletion
        -- and then checks again.
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at)
            SELECT of_workspace, uuid_v7(times[1], 1), matching.id, names[1], ids[1], 'pending', 0, times[1], times[1]
            FROM (
                SELECT id FROM webhook_subscriptions
                WHERE workspace_id = of_workspace AND module = modules[1] AND enabled AND deleted_at IS NULL
                    AND events && ARRAY[names[1], '*'] AND NOT internals[1]
                    AND (scope_id IS NULL OR scope_id IN (scopes[1], former_scopes[1]))
                ORDER BY id FOR KEY SHARE
            ) AS matching;
        GET DIAGNOSTICS queued = ROW_COUNT;
        RETURN;
    END IF;
    -- The lock waits for a concurrent deletion and then checks again, so nothing is queued for a deleted subscription.
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
                -- An event with more deliveries than the bound is queued if nothing is waiting.
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
    -- Only this function's work is rolled back. Cancelled statements are not caught, and should not be.
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
    'Queues a delivery of log events for each enabled subscription that matches, or leaves the event in the backlog once "most"
deliveries are waiting. A failure does not roll back the caller''s work.';
REVOKE ALL ON FUNCTION queue_webhook_deliveries FROM PUBLIC;
