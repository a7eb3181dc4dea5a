CREATE OR REPLACE FUNCTION webhook_queue_lock(of_workspace uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('webhook queue ' || of_workspace, 0)
$$;
COMMENT ON FUNCTION webhook_queue_lock IS 'The key of the advisory lock for queueing many deliveries of a workspace.';
REVOKE ALL ON FUNCTION webhook_queue_lock FROM PUBLIC;
