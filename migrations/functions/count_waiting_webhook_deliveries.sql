CREATE OR REPLACE FUNCTION count_waiting_webhook_deliveries(of_workspace uuid, most bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
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
    'Counts up to "most". Deliveries of disabled subscriptions do not count, so that they do not hold up others.';
REVOKE ALL ON FUNCTION count_waiting_webhook_deliveries FROM PUBLIC;
