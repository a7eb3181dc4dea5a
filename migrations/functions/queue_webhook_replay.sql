CREATE OR REPLACE FUNCTION queue_webhook_replay(
    of_workspace uuid, of_subscription uuid, at timestamptz, most bigint, most_due bigint, batch bigint,
    OUT deliveries bigint, OUT examined bigint
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    replay webhook_replays;
    room bigint;
    candidates uuid[];
    matches bigint;
    reached uuid;
    is_over boolean;
BEGIN
    deliveries := 0;
    examined := 0;
    -- Locks the subscription first, as everywhere. The lock waits for a concurrent deletion, which cancels the replay.
    PERFORM FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND id = of_subscription AND enabled AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT * INTO replay FROM webhook_replays
        WHERE workspace_id = of_workspace AND subscription_id = of_subscription AND state = 'running'
        FOR UPDATE SKIP LOCKED;
    -- New events go first: while any of them wait for room, the replay waits.
    IF NOT FOUND OR EXISTS (SELECT FROM webhook_backlog WHERE workspace_id = of_workspace) THEN
        RETURN;
    END IF;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    -- Half of the room is left to new events, and few deliveries are due before those of a new event.
    most := greatest(most / 2, 1);
    most_due := least(most_due, most);
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    room := least(room, most_due - (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries
        WHERE state IN ('pending', 'retrying') AND workspace_id = of_workspace AND subscription_id = of_subscription
            AND next_attempt_at <= at
        ORDER BY next_attempt_at LIMIT most_due) AS due));
    -- Prefers few large steps to many small ones.
    IF room <= 0 OR room < most_due / 2 THEN
        RETURN;
    END IF;
    IF replay.only_failed THEN
        candidates := ARRAY(
            SELECT event_id FROM webhook_deliveries
            WHERE workspace_id = of_workspace AND subscription_id = of_subscription
                AND event_id > replay.examined_to AND event_id <= replay.last_event_id
                AND (state = 'failed' OR replay_id IS NOT NULL)
            GROUP BY event_id HAVING (array_agg(state ORDER BY created_at DESC, id DESC))[1] = 'failed'
            ORDER BY event_id LIMIT batch);
    ELSE
        candidates := ARRAY(
            SELECT id FROM events
            WHERE workspace_id = of_workspace AND id > replay.examined_to AND id <= replay.last_event_id
            ORDER BY id LIMIT batch);
    END IF;
    IF is_cluster THEN
        SELECT * INTO deliveries, matches, reached
            FROM queue_replay_by_steps(of_workspace, of_subscription, replay.id, replay.since, replay.until, replay.events, candidates,
                at, room);
    ELSE
        WITH matching AS MATERIALIZED (
            SELECT candidate.event_id, event.event AS name, row_number() OVER (ORDER BY candidate.place) AS place
            FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
            CROSS JOIN LATERAL (
                SELECT module, event, scope_id, former_scope_id FROM events
                WHERE workspace_id = of_workspace AND id = candidate.event_id AND internal IS NOT TRUE
                    AND created_at >= replay.since AND (replay.until IS NULL OR created_at < replay.until)
                    AND (replay.events IS NULL OR event = ANY (replay.events))
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.id = of_subscription AND subscription.module = event.module
                AND subscription.events && ARRAY[event.event, '*']
                AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
        ), added AS (
            INSERT INTO webhook_deliveries
                (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
                -- All are due now, in the order of the log.
                SELECT of_workspace, uuid_v7(at, place), of_subscription, name, event_id, 'pending', 0,
                    at - (room - place) * interval '1 microsecond', at, replay.id
                FROM matching WHERE place <= room
            RETURNING id
        )
        SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM matching),
            (SELECT event_id FROM matching WHERE place = room) INTO deliveries, matches, reached;
    END IF;
    examined := cardinality(candidates);
    is_over := examined < batch AND matches <= room;
    IF matches <= room THEN
        reached := candidates[examined];
    END IF;
    UPDATE webhook_replays SET examined_to = coalesce(reached, examined_to), queued = replay.queued + deliveries,
        state = CASE WHEN is_over THEN 'completed' ELSE 'running' END, finished_at = CASE WHEN is_over THEN at END
        WHERE workspace_id = of_workspace AND id = replay.id;
    IF is_over THEN
        -- Counts as a step even if it found nothing.
        examined := examined + 1;
    END IF;
END
$$;
COMMENT ON FUNCTION queue_webhook_replay IS
    'Queues the next deliveries of a subscription''s replay, while there is room. One caller at a time; the others do not wait.';
REVOKE ALL ON FUNCTION queue_webhook_replay FROM PUBLIC;
