-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. A function alone is new.
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION webhook_is_held_by_another(
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
    'Whether another dispatcher holds leases on deliveries of a subscription. Volatile: it sees those committed while the calling statement ran.';
