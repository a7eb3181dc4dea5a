CREATE OR REPLACE FUNCTION try_webhook_queue_lock(of_workspace uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    lock CONSTANT bigint := webhook_queue_lock(of_workspace);
    is_held boolean;
BEGIN
    IF current_setting('citus.version', true) IS NULL THEN
        RETURN pg_try_advisory_xact_lock(lock);
    END IF;
    -- The lock is held on the node that has the rows, whichever node a caller is connected to.
    SELECT pg_try_advisory_xact_lock(lock) INTO is_held
        FROM (SELECT count(*) FROM webhook_subscriptions WHERE workspace_id = of_workspace) AS here;
    RETURN is_held;
END
$$;
COMMENT ON FUNCTION try_webhook_queue_lock IS
    'Takes the lock for queueing many deliveries of a workspace. Returns false at once if it is already held.';
REVOKE ALL ON FUNCTION try_webhook_queue_lock FROM PUBLIC;
