SET LOCAL lock_timeout = '3s';

CREATE OR REPLACE FUNCTION note_cycle_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A task that comes back with its project keeps the time of its last change: then that of the deletion counts.
    today CONSTANT date := (greatest(NEW.updated_at, NEW.deleted_at, OLD.deleted_at) AT TIME ZONE 'UTC')::date;
BEGIN
    IF OLD.cycle_id IS NOT NULL THEN
        IF NOT EXISTS (SELECT FROM cycle_history AS known
            WHERE known.workspace_id = OLD.workspace_id AND known.cycle_id = OLD.cycle_id AND known.issue_id = OLD.id)
        THEN
            INSERT INTO cycle_history
                SELECT OLD.workspace_id, OLD.cycle_id, OLD.id, made.day, made.is_in, made.is_done FROM cycle_days_of(OLD) AS made;
        END IF;
        IF NEW.cycle_id IS DISTINCT FROM OLD.cycle_id THEN
            INSERT INTO cycle_history VALUES (OLD.workspace_id, OLD.cycle_id, OLD.id, today, false, false)
            ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = false, is_done = false;
        END IF;
    END IF;
    IF NEW.cycle_id IS NOT NULL THEN
        INSERT INTO cycle_history VALUES (NEW.workspace_id, NEW.cycle_id, NEW.id, today, NEW.deleted_at IS NULL,
            NEW.deleted_at IS NULL AND NEW.status IN ('done', 'resolved', 'closed'))
        ON CONFLICT (workspace_id, cycle_id, issue_id, day) DO UPDATE SET is_in = EXCLUDED.is_in, is_done = EXCLUDED.is_done;
    END IF;
    RETURN NULL;
END
$$;

COMMENT ON COLUMN cycle_history.cycle_id IS NULL;
-- Checked for new rows; those that are there were checked as they were written, or their issues were.
ALTER TABLE cycle_history ADD CONSTRAINT cycle_history_cycle_fkey
    FOREIGN KEY (workspace_id, cycle_id) REFERENCES cycles (workspace_id, id) NOT VALID;
