CREATE OR REPLACE FUNCTION queue_backlog_by_steps(
    of_workspace uuid, at timestamptz, since timestamptz, room bigint, most bigint, batch bigint,
    OUT queued bigint, OUT ended bigint
) LANGUAGE plpgsql AS $$
DECLARE
    first uuid[] := ARRAY(
        SELECT event_id FROM webhook_backlog WHERE workspace_id = of_workspace ORDER BY event_id LIMIT batch);
    places bigint[];
    names text[];
    subscriptions uuid[];
    taken bigint[];
    made uuid[];
    listeners uuid[];
    happened text[];
    events_of uuid[];
    times timestamptz[];
    due timestamptz[];
    ended_events uuid[];
BEGIN
    SELECT array_agg(matching.place), array_agg(matching.name), array_agg(matching.subscription_id)
        INTO places, names, subscriptions
        FROM (
            SELECT head.place, event.event AS name, subscription.id AS subscription_id
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            JOIN webhook_backlog AS waiting ON waiting.workspace_id = of_workspace AND waiting.event_id = head.event_id
                AND waiting.event_id = ANY (first)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id, happened.created_at
                FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = head.event_id AND happened.created_at >= since
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.deleted_at IS NULL AND CASE WHEN waiting.subscriptions IS NOT NULL
                    THEN subscription.id = ANY (waiting.subscriptions)
                    ELSE subscription.module = event.module AND subscription.enabled
                        AND subscription.created_at <= event.created_at
                        AND subscription.events && ARRAY[event.event, '*']
                        AND (subscription.scope_id IS NULL
                            OR subscription.scope_id IN (event.scope_id, event.former_scope_id)) END
            ORDER BY head.place, subscription.id FOR KEY SHARE OF subscription
        ) AS matching;
    taken := ARRAY(
        SELECT counted.place FROM (
            SELECT head.place, count(matching.place) AS many,
                sum(count(matching.place)) OVER (ORDER BY head.place) AS until_here
            FROM unnest(first) WITH ORDINALITY AS head (event_id, place)
            LEFT JOIN unnest(places) AS matching (place) USING (place)
            GROUP BY head.place
        ) AS counted
        WHERE counted.until_here <= room OR room = most AND counted.until_here = counted.many);
    SELECT array_agg(uuid_v7(at, matching.place)), array_agg(matching.subscription_id), array_agg(matching.name),
            array_agg(first[matching.place]), array_agg(at),
            -- All are due now, in their order.
            array_agg(at - (cardinality(first) - matching.place) * interval '1 microsecond')
        INTO made, listeners, happened, events_of, times, due
        FROM unnest(places, names, subscriptions) AS matching (place, name, subscription_id)
        WHERE matching.place = ANY (taken);
    queued := insert_webhook_deliveries(of_workspace, made, listeners, happened, events_of, due, times, NULL);
    ended_events := ARRAY(SELECT first[place] FROM unnest(taken) AS place);
    DELETE FROM webhook_backlog WHERE workspace_id = of_workspace AND event_id = ANY (ended_events);
    GET DIAGNOSTICS ended = ROW_COUNT;
END
$$;
COMMENT ON FUNCTION queue_backlog_by_steps IS 'Does in a cluster what queue_webhook_backlog does, statement by statement.';
REVOKE ALL ON FUNCTION queue_backlog_by_steps FROM PUBLIC;
