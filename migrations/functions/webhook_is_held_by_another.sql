CREATE OR REPLACE FUNCTION webhook_is_held_by_another(
    of_workspace uuid, subscription uuid, claimer uuid, at timestamptz
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM webhook_deliveries
        WHERE state = 'delivering' AND workspace_id = of_workspace AND subscription_id = subscription
            AND lease_owner <> claimer AND lease_until >= at
        OFFSET 0
    );
END
$$;
COMMENT ON FUNCTION webhook_is_held_by_another IS
    'Whether another dispatcher holds leases on deliveries of a subscription. Volatile, so that it sees leases
committed while the calling statement runs.';
REVOKE ALL ON FUNCTION webhook_is_held_by_another FROM PUBLIC;
