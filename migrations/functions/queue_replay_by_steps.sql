CREATE OR REPLACE FUNCTION queue_replay_by_steps(
    of_workspace uuid, of_subscription uuid, of_replay uuid, since timestamptz, until timestamptz, wanted text[], candidates uuid[],
    at timestamptz, room bigint,
    OUT deliveries bigint, OUT matches bigint, OUT reached uuid
) LANGUAGE plpgsql AS $$
DECLARE
    matching uuid[];
    names text[];
BEGIN
    SELECT array_agg(found.event_id ORDER BY found.place), array_agg(found.name ORDER BY found.place) INTO matching, names
        FROM (
            SELECT candidate.event_id, event.event AS name, candidate.place
            FROM unnest(candidates) WITH ORDINALITY AS candidate (event_id, place)
            CROSS JOIN LATERAL (
                SELECT happened.module, happened.event, happened.scope_id, happened.former_scope_id FROM events AS happened
                WHERE happened.workspace_id = of_workspace AND happened.id = candidate.event_id
                    AND happened.internal IS NOT TRUE AND happened.created_at >= since
                    AND (until IS NULL OR happened.created_at < until)
                    AND (wanted IS NULL OR happened.event = ANY (wanted))
                OFFSET 0
            ) AS event
            JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
                AND subscription.id = of_subscription AND subscription.module = event.module
                AND subscription.events && ARRAY[event.event, '*']
                AND (subscription.scope_id IS NULL OR subscription.scope_id IN (event.scope_id, event.former_scope_id))
        ) AS found;
    matches := coalesce(cardinality(matching), 0);
    reached := matching[room];
    SELECT insert_webhook_deliveries(of_workspace, array_agg(uuid_v7(at, place)), array_agg(of_subscription),
            array_agg(names[place]), array_agg(matching[place]),
            -- All are due now, in the order of the log.
            array_agg(at - (room - place) * interval '1 microsecond'), array_agg(at), of_replay)
        INTO deliveries
        FROM generate_series(1, least(matches, room)) AS place;
END
$$;
COMMENT ON FUNCTION queue_replay_by_steps IS 'Does in a cluster what queue_webhook_replay does, statement by statement.';
REVOKE ALL ON FUNCTION queue_replay_by_steps FROM PUBLIC;
