CREATE OR REPLACE FUNCTION queue_webhook_backlog(
    of_workspace uuid, at timestamptz, since timestamptz, most bigint, batch bigint, OUT queued bigint, OUT ended bigint
) LANGUAGE plpgsql AS $$
DECLARE
    is_cluster CONSTANT boolean := current_setting('citus.version', true) IS NOT NULL;
    room bigint;
BEGIN
    queued := 0;
    ended := 0;
    IF NOT try_webhook_queue_lock(of_workspace) THEN
        RETURN;
    END IF;
    room := most - CASE WHEN is_cluster THEN count_waiting_in_cluster(of_workspace, most)
        ELSE count_waiting_webhook_deliveries(of_workspace, most) END;
    IF room <= 0 THEN
        RETURN;
    END IF;
    IF is_cluster THEN
        SELECT * INTO queued, ended FROM queue_backlog_by_steps(of_workspace, at, since, room, most, batch);
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
            -- All are due now, in their order.
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
    'Queues deliveries for the events in the backlog, in order, while there is room. One caller per workspace at a time;
the others do nothing. Events from before since no longer get deliveries.';
REVOKE ALL ON FUNCTION queue_webhook_backlog FROM PUBLIC;
