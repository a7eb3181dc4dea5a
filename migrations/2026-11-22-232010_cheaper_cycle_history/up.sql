-- Both changes wait for nobody for long: no row is read or written.
SET LOCAL lock_timeout = '3s';

-- The rows follow issues, whose own key says that the cycle exists, and cycles are never removed before their issues. Checking
-- it again for each row was a third of what keeping the history costs a change of many issues.
ALTER TABLE cycle_history DROP CONSTRAINT cycle_history_cycle_fkey;
COMMENT ON COLUMN cycle_history.cycle_id IS 'No foreign key: that of the issue, which was in the cycle, has been checked.';

CREATE OR REPLACE FUNCTION note_cycle_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A task that comes back with its project keeps the time of its last change: then that of the deletion counts.
    today CONSTANT date := (greatest(NEW.updated_at, NEW.deleted_at, OLD.deleted_at) AT TIME ZONE 'UTC')::date;
    is_live CONSTANT boolean := NEW.deleted_at IS NULL;
    is_done CONSTANT boolean := NEW.deleted_at IS NULL AND NEW.status IN ('done', 'resolved', 'closed');
    stays CONSTANT boolean := NEW.cycle_id IS NOT DISTINCT FROM OLD.cycle_id;
    is_first_today boolean;
BEGIN
    IF OLD.cycle_id IS NOT NULL THEN
        INSERT INTO cycle_history AS known
            VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, today, stays AND is_live, stays AND is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done
        -- Only a row that was there before has one.
        RETURNING known.xmax = 0 INTO is_first_today;
        IF is_first_today AND NOT EXISTS (SELECT FROM cycle_history AS known
            WHERE known.workspace_id = OLD.workspace_id AND known.cycle_id = OLD.cycle_id AND known.issue_id = OLD.id
                AND known.day <> today)
        THEN
            INSERT INTO cycle_history
                SELECT OLD.workspace_id, OLD.cycle_id, OLD.id, made.day, made.is_in, made.is_done
                FROM cycle_days_of(OLD) AS made WHERE made.day <> today;
        END IF;
    END IF;
    IF NEW.cycle_id IS NOT NULL AND NOT stays THEN
        INSERT INTO cycle_history VALUES (NEW.workspace_id, NEW.cycle_id, NEW.id, today, is_live, is_done)
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done;
    END IF;
    RETURN NULL;
END
$$;
