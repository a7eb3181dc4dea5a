CREATE OR REPLACE FUNCTION append_by_steps(
    of_workspace uuid, ids uuid[], modules text[], names text[], scopes uuid[], former_scopes uuid[], record_types text[],
    record_ids uuid[], versions bigint[], internals boolean[], actor_types text[], actor_ids uuid[], actor_names text[],
    request_ids text[], tools text[], payloads text[], times timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(ids) > 4 THEN
        -- Citus gathers these rows first, which takes as long as a few single inserts.
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            SELECT of_workspace, event.* FROM unnest(ids, modules, names, scopes, former_scopes, record_types, record_ids,
                versions, internals, actor_types, actor_ids, actor_names, request_ids, tools, payloads, times) AS event;
        INSERT INTO events_unnumbered (workspace_id, event_id) SELECT of_workspace, id FROM unnest(ids) AS id;
        RETURN;
    END IF;
    FOR place IN 1..cardinality(ids) LOOP
        INSERT INTO events (workspace_id, id, module, event, scope_id, former_scope_id, record_type, record_id, version,
            internal, actor_type, actor_id, actor_name, request_id, tool, payload, created_at)
            VALUES (of_workspace, ids[place], modules[place], names[place], scopes[place], former_scopes[place],
                record_types[place], record_ids[place], versions[place], internals[place], actor_types[place],
                actor_ids[place], actor_names[place], request_ids[place], tools[place], payloads[place], times[place]);
        INSERT INTO events_unnumbered (workspace_id, event_id) VALUES (of_workspace, ids[place]);
    END LOOP;
END
$$;
COMMENT ON FUNCTION append_by_steps IS 'Does in a cluster what append_events does before queueing deliveries.';
REVOKE ALL ON FUNCTION append_by_steps FROM PUBLIC;
