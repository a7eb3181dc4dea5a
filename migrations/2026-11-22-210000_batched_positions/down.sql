SET LOCAL lock_timeout = '3s';

CREATE OR REPLACE FUNCTION number_events(of_workspace uuid, most bigint, OUT numbered bigint, OUT last bigint) LANGUAGE plpgsql AS $$
DECLARE
    greatest_id uuid;
BEGIN
    numbered := 0;
    IF NOT EXISTS (SELECT FROM events_unnumbered WHERE workspace_id = of_workspace) THEN
        SELECT last_position INTO last FROM event_sequences WHERE workspace_id = of_workspace;
        last := coalesce(last, 0);
        RETURN;
    END IF;
    INSERT INTO event_sequences (workspace_id, last_position, latest)
        VALUES (of_workspace, 0, '00000000-0000-0000-0000-000000000000') ON CONFLICT (workspace_id) DO NOTHING;
    -- One at a time. The next statement sees what was committed until the lock was granted.
    SELECT last_position, latest INTO last, greatest_id FROM event_sequences WHERE workspace_id = of_workspace FOR UPDATE;
    WITH taken AS (
        DELETE FROM events_unnumbered
        WHERE workspace_id = of_workspace AND event_id = ANY (ARRAY(
            SELECT event_id FROM events_unnumbered WHERE workspace_id = of_workspace ORDER BY event_id LIMIT most))
        RETURNING event_id
    ), placed AS (
        -- A record's events have ids in the order of its versions, and a version is never committed before the one that it
        -- follows.
        SELECT event_id, last + row_number() OVER (ORDER BY event_id) AS position FROM taken
    ), added AS (
        INSERT INTO event_positions (workspace_id, position, event_id, latest)
            SELECT of_workspace, position, event_id, greatest(greatest_id, event_id) FROM placed
        RETURNING position, latest
    )
    SELECT count(*), coalesce(max(position), last), coalesce((array_agg(latest ORDER BY position DESC))[1], greatest_id)
        INTO numbered, last, greatest_id FROM added;
    IF numbered > 0 THEN
        UPDATE event_sequences SET last_position = last, latest = greatest_id WHERE workspace_id = of_workspace;
        PERFORM pg_notify('events_numbered', of_workspace::text);
    END IF;
END
$$;
COMMENT ON FUNCTION number_events IS
    'Gives positions to at most so many committed events that have none, and tells all instances. Returns the last position.';
