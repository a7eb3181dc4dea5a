CREATE OR REPLACE FUNCTION count_waiting_in_cluster(of_workspace uuid, most bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    counted bigint;
BEGIN
    SELECT count(*) INTO counted FROM (
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
    ) AS counting;
    RETURN counted;
END
$$;
COMMENT ON FUNCTION count_waiting_in_cluster IS
    'Does in a cluster what count_waiting_webhook_deliveries does, because Citus cannot plan queries with parameters
in SQL functions.';
REVOKE ALL ON FUNCTION count_waiting_in_cluster FROM PUBLIC;
