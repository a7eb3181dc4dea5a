CREATE OR REPLACE FUNCTION append_events(
    of_workspace uuid, modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[],
    record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[],
    request_ids text[], tools text[], payloads text[], times timestamptz[], most bigint,
    OUT queued bigint, OUT behind bigint, OUT failure text
) LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[];
BEGIN
    -- Errors here fail the caller.
    IF current_setting('citus.version', true) IS NOT NULL THEN
        ids := ARRAY(SELECT event_id(at, place) FROM unnest(times) WITH ORDINALITY AS event (at, place) ORDER BY place);
        PERFORM append_by_steps(of_workspace, ids, modules, names, scopes, former_scopes, record_types, record_ids, versions,
            internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times);
        SELECT * INTO queued, behind, failure
            FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
        RETURN;
    END IF;
    WITH incoming AS MATERIALIZED (
        SELECT *, event_id(at, place) AS id FROM unnest(modules, names, scopes, former_scopes, record_types, record_ids,
            versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) WITH ORDINALITY
            AS event (module, name, scope, former_scope, record_type, record_id, version, internal, actor_type, actor_id,
                actor_name, request_id, tool, payload, at, place)
    ), stored AS (
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, id, module, name, scope, former_scope, record_type, record_id, version, internal,
                actor_type, actor_id, actor_name, request_id, tool, payload, at
            FROM incoming
    ), unnumbered AS (
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM incoming
    )
    SELECT array_agg(id ORDER BY place) INTO ids FROM incoming;
    SELECT * INTO queued, behind, failure
        FROM queue_webhook_deliveries(of_workspace, ids, modules, names, scopes, former_scopes, internals, times, most);
END
$$;
COMMENT ON FUNCTION append_events IS 'Appends events to the log, and queues a delivery for each enabled subscription that matches.';
REVOKE ALL ON FUNCTION append_events FROM PUBLIC;
