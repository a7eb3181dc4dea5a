CREATE OR REPLACE FUNCTION insert_webhook_deliveries(
    of_workspace uuid, ids uuid[], listeners uuid[], names text[], event_ids uuid[], due timestamptz[], made timestamptz[],
    of_replay uuid
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    inserted bigint := 0;
BEGIN
    IF cardinality(ids) > 0 THEN
        -- Joining the subscription's row makes Citus run this on the shard's node.
        INSERT INTO webhook_deliveries
            (workspace_id, id, subscription_id, event, event_id, state, attempts, next_attempt_at, created_at, replay_id)
            SELECT subscription.workspace_id, added.id, subscription.id, added.name, added.event_id, 'pending', 0, added.due_at,
                added.made_at, of_replay
            FROM webhook_subscriptions AS subscription
            JOIN unnest(ids, listeners, names, event_ids, due, made)
                AS added (id, listener, name, event_id, due_at, made_at) ON added.listener = subscription.id
            WHERE subscription.workspace_id = of_workspace;
        GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;
    RETURN inserted;
END
$$;
COMMENT ON FUNCTION insert_webhook_deliveries IS
    'Inserts deliveries whose ids were made by the caller, because Citus does not let shards make them.';
REVOKE ALL ON FUNCTION insert_webhook_deliveries FROM PUBLIC;
