CREATE OR REPLACE FUNCTION number_events(of_workspace uuid, most bigint, OUT numbered bigint, OUT last bigint)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    greatest_id uuid;
    beyond uuid;
    ids uuid[];
BEGIN
    numbered := 0;
    IF NOT EXISTS (SELECT FROM events_unnumbered WHERE workspace_id = of_workspace) THEN
        SELECT last_position INTO last FROM event_sequences WHERE workspace_id = of_workspace;
        last := coalesce(last, 0);
        RETURN;
    END IF;
    LOOP
        -- One caller at a time. The next statement sees everything committed before the lock was granted.
        SELECT last_position, latest INTO last, greatest_id FROM event_sequences
            WHERE workspace_id = of_workspace FOR UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO event_sequences (workspace_id, last_position, latest)
            VALUES (of_workspace, 0, '00000000-0000-0000-0000-000000000000') ON CONFLICT (workspace_id) DO NOTHING;
    END LOOP;
    SELECT event_id INTO beyond FROM events_unnumbered
        WHERE workspace_id = of_workspace ORDER BY event_id OFFSET most LIMIT 1;
    WITH taken AS (
        DELETE FROM events_unnumbered
        WHERE workspace_id = of_workspace AND event_id < coalesce(beyond, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        RETURNING event_id
    )
    -- A record's events have ids in the order of its versions, and no version commits before the previous one.
    -- So when an event is visible here, all events of its record with smaller ids are visible too.
    SELECT array_agg(event_id ORDER BY event_id) INTO ids FROM taken;
    IF ids IS NULL THEN
        RETURN;
    END IF;
    numbered := cardinality(ids);
    IF current_setting('citus.version', true) IS NOT NULL THEN
        -- Joining the sequence's row makes Citus run this on the shard's node.
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT sequence.workspace_id, number_events.last + event.place, event.id, greatest(greatest_id, event.id)
            FROM event_sequences AS sequence CROSS JOIN unnest(ids) WITH ORDINALITY AS event (id, place)
            WHERE sequence.workspace_id = of_workspace;
    ELSE
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT of_workspace, last + place, id, greatest(greatest_id, id)
            FROM unnest(ids) WITH ORDINALITY AS event (id, place);
    END IF;
    last := last + numbered;
    UPDATE event_sequences SET last_position = last, latest = greatest(greatest_id, ids[numbered])
        WHERE workspace_id = of_workspace;
    PERFORM pg_notify('events_numbered', of_workspace::text);
END
$$;
COMMENT ON FUNCTION number_events IS
    'Assigns positions to up to "most" committed events without one, and to those committed in between while it runs,
and notifies all instances. Returns the last position.';
REVOKE ALL ON FUNCTION number_events FROM PUBLIC;
