SET LOCAL lock_timeout = '3s';

-- What waits for room is queued, whatever the bound is, since nothing knows of it afterwards.
SELECT queue_webhook_backlog(workspace_id, now(), '-infinity', 9223372036854775807, 9223372036854775807)
    FROM (SELECT DISTINCT workspace_id FROM webhook_backlog) AS behind;
UPDATE webhook_deliveries AS delivery SET event_id = NULL, body = format(
        '{"id":"%s","event":"%s","workspace_id":"%s","created_at":"%s","payload":%s}', delivery.id, events.event,
        delivery.workspace_id, to_char(events.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        events.payload)
    FROM events WHERE events.workspace_id = delivery.workspace_id AND events.id = delivery.event_id;
-- Nothing is left to send of what outlived its event.
DELETE FROM webhook_deliveries WHERE body IS NULL;

DROP FUNCTION queue_webhook_backlog, enqueue_webhook_events, webhook_queue_lock, count_waiting_webhook_deliveries,
    maintain_event_partitions;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_content_check;
ALTER TABLE webhook_deliveries ALTER COLUMN body SET NOT NULL;
ALTER TABLE webhook_deliveries DROP COLUMN event_id;
COMMENT ON COLUMN webhook_deliveries.body IS 'To the byte as it is sent; its id stands first in it.';
COMMENT ON COLUMN webhook_deliveries.created_at IS NULL;
DROP TABLE webhook_backlog;
DROP TABLE events;
DROP FUNCTION uuid_v7_floor, uuid_v7;

CREATE FUNCTION webhook_delivery_id(at timestamptz, place bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send(trunc(extract(epoch FROM at) * 1000)::bigint) FROM 3)
        || int2send((28672 + place % 4096)::smallint) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
$$;
COMMENT ON FUNCTION webhook_delivery_id IS
    'A UUID of version 7 whose twelve bits behind the milliseconds keep the order of events of one statement.';

CREATE FUNCTION enqueue_webhook_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], endings text[], times timestamptz[],
    OUT queued bigint, OUT failure text
) LANGUAGE plpgsql AS $$
BEGIN
    queued := 0;
    -- Most workspaces have none.
    PERFORM FROM webhook_subscriptions
        WHERE workspace_id = of_workspace AND module = ANY (modules) AND enabled AND deleted_at IS NULL LIMIT 1;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- The lock waits for a deletion under way, and looks again then: nothing is queued for what is gone.
    WITH matching AS MATERIALIZED (
        SELECT subscription.id AS subscription_id, event.*, webhook_delivery_id(event.at, event.place) AS id
        FROM unnest(modules, names, scopes, endings, times) WITH ORDINALITY
            AS event (module, name, scope, ending, at, place)
        JOIN webhook_subscriptions AS subscription ON subscription.workspace_id = of_workspace
            AND subscription.module = event.module AND subscription.enabled AND subscription.deleted_at IS NULL
            AND subscription.events && ARRAY[event.name, '*']
            AND (subscription.scope_id IS NULL OR subscription.scope_id = event.scope)
        ORDER BY event.place, subscription.id FOR KEY SHARE OF subscription
    )
    INSERT INTO webhook_deliveries
        (workspace_id, id, subscription_id, event, body, state, attempts, next_attempt_at, created_at)
        SELECT of_workspace, id, subscription_id, name, '{"id":"' || id || '"' || ending, 'pending', 0, at, at
        FROM matching;
    GET DIAGNOSTICS queued = ROW_COUNT;
EXCEPTION WHEN OTHERS THEN
    -- All of it is undone, and nothing else. What a cancelled statement does is not caught, and should not be.
    queued := 0;
    failure := format('%s (%s)', SQLERRM, SQLSTATE);
END
$$;
COMMENT ON FUNCTION enqueue_webhook_events IS
    'Queues a delivery for each enabled subscription that asks for an event. A failure undoes nothing of the caller''s.';
