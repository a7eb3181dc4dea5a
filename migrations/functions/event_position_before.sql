CREATE OR REPLACE FUNCTION event_position_before(of_workspace uuid, since timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    wanted CONSTANT uuid := event_id_floor(since);
    low bigint;
    high bigint;
    middle bigint;
    found bigint;
    seen uuid;
BEGIN
    SELECT position INTO low FROM event_positions WHERE workspace_id = of_workspace ORDER BY position LIMIT 1;
    SELECT last_position INTO high FROM event_sequences WHERE workspace_id = of_workspace;
    IF low IS NULL OR high IS NULL THEN
        RETURN coalesce(high, 0);
    END IF;
    -- The first position whose latest is wanted or greater lies in low..high + 1. All wanted events are at or after it.
    high := high + 1;
    WHILE low < high LOOP
        middle := (low + high) / 2;
        SELECT position, latest INTO found, seen FROM event_positions
            WHERE workspace_id = of_workspace AND position >= middle ORDER BY position LIMIT 1;
        IF found IS NULL OR seen >= wanted THEN
            high := middle;
        ELSE
            low := found + 1;
        END IF;
    END LOOP;
    RETURN low - 1;
END
$$;
COMMENT ON FUNCTION event_position_before IS 'A position after which all events made at or after the given time come.';
REVOKE ALL ON FUNCTION event_position_before FROM PUBLIC;
