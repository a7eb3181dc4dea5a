CREATE OR REPLACE FUNCTION note_cycle_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A task restored with its project keeps the time of its last change. Then the time of the deletion counts.
    today CONSTANT date := (greatest(NEW.updated_at, NEW.deleted_at, OLD.deleted_at) AT TIME ZONE 'UTC')::date;
    is_live CONSTANT boolean := NEW.deleted_at IS NULL;
    is_done CONSTANT boolean := NEW.deleted_at IS NULL AND NEW.status IN ('done', 'resolved', 'closed');
    stays CONSTANT boolean := NEW.cycle_id IS NOT DISTINCT FROM OLD.cycle_id;
    is_first_today boolean;
    made record;
BEGIN
    IF OLD.cycle_id IS NOT NULL THEN
        INSERT INTO cycle_history AS known
            VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, today, stays AND is_live, stays AND is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done
        -- xmax is 0 unless the row existed before.
        RETURNING known.xmax = 0 INTO is_first_today;
        IF is_first_today AND NOT EXISTS (SELECT FROM cycle_history AS known
            WHERE known.workspace_id = OLD.workspace_id AND known.cycle_id = OLD.cycle_id AND known.issue_id = OLD.id
                AND known.day <> today)
        THEN
            -- At most two rows.
            FOR made IN
                SELECT * FROM cycle_days(OLD.created_at, coalesce(OLD.completed_at, OLD.resolved_at), OLD.deleted_at IS NULL) AS days
                WHERE days.day <> today
            LOOP
                INSERT INTO cycle_history VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, made.day, made.is_in, made.is_done);
            END LOOP;
        END IF;
    END IF;
    IF NEW.cycle_id IS NOT NULL AND NOT stays THEN
        INSERT INTO cycle_history VALUES (NEW.workspace_id, NEW.cycle_id, NEW.id, today, is_live, is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION note_cycle_history IS
    'Maintains cycle_history. It never waits: the rows belong to the issue, which is already locked.';
REVOKE ALL ON FUNCTION note_cycle_history FROM PUBLIC;
