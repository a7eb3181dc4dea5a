CREATE OR REPLACE FUNCTION record_history(
    of_workspace uuid, of_record uuid, nouns text[], with_comments boolean, since uuid, before uuid, most bigint, skipped bigint, room bigint
) RETURNS TABLE (
    id uuid, module text, event text, record_type text, record_id uuid, version bigint, internal boolean, actor_type text,
    actor_id uuid, actor_name text, request_id text, tool text, payload text, created_at timestamptz
) LANGUAGE plpgsql STABLE ROWS 50
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    bytes bigint := 0;
    found bigint := 0;
BEGIN
    FOR id, module, event, record_type, record_id, version, internal, actor_type, actor_id, actor_name, request_id, tool,
        payload, created_at
    IN
        SELECT log.id, log.module, log.event, log.record_type, log.record_id, log.version, log.internal, log.actor_type,
            log.actor_id, log.actor_name, log.request_id, log.tool, log.payload, log.created_at
        FROM events AS log
        WHERE log.workspace_id = of_workspace AND log.record_id = of_record AND log.id < before AND log.id >= since
            AND log.record_type = ANY (nouns) AND (with_comments OR log.version IS NOT NULL)
        ORDER BY log.id DESC LIMIT most OFFSET skipped
    LOOP
        found := found + 1;
        RETURN NEXT;
        bytes := bytes + event_bytes(payload);
        EXIT WHEN found > 1 AND bytes > room;
    END LOOP;
END
$$;
COMMENT ON FUNCTION record_history IS
    'The events of a record with ids from since up to, but not including, before, newest first. Ends with the event whose payload
makes the total exceed room, but not before the second.';
REVOKE ALL ON FUNCTION record_history FROM PUBLIC;
