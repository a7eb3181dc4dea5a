SET LOCAL lock_timeout = '3s';

CREATE TABLE cycle_history (
    workspace_id uuid NOT NULL,
    cycle_id uuid NOT NULL,
    issue_id uuid NOT NULL,
    day date NOT NULL,
    is_in boolean NOT NULL,
    is_done boolean NOT NULL,
    PRIMARY KEY (workspace_id, cycle_id, issue_id, day),
    CONSTRAINT cycle_history_cycle_fkey FOREIGN KEY (workspace_id, cycle_id) REFERENCES cycles (workspace_id, id),
    CONSTRAINT cycle_history_issue_fkey FOREIGN KEY (workspace_id, issue_id) REFERENCES issues (workspace_id, id),
    CONSTRAINT cycle_history_done_check CHECK (is_in OR NOT is_done)
);
COMMENT ON TABLE cycle_history IS
    'How issues stood in cycles at the end of each day (UTC) on which that changed: one row at most of an issue, a cycle and a day. '
    'Issues that were in a cycle before this table existed and have not changed since have no rows: the burn-up takes theirs from '
    'the issue.';
COMMENT ON COLUMN cycle_history.is_in IS 'Whether the issue was live and in the cycle.';

-- How an issue that has no rows stood in its cycle: in it since it was created, and done since it was completed.
CREATE FUNCTION cycle_days_of(issue issues) RETURNS TABLE (day date, is_in boolean, is_done boolean)
LANGUAGE sql STABLE AS $$
    SELECT made.day, issue.deleted_at IS NULL, issue.deleted_at IS NULL AND bool_or(made.is_done)
    FROM (VALUES ((issue.created_at AT TIME ZONE 'UTC')::date, false),
        ((coalesce(issue.completed_at, issue.resolved_at) AT TIME ZONE 'UTC')::date, true)) AS made (day, is_done)
    WHERE made.day IS NOT NULL
    GROUP BY made.day
$$;

CREATE FUNCTION note_cycle_history() RETURNS trigger LANGUAGE plpgsql AS $$
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
COMMENT ON FUNCTION note_cycle_history IS
    'Keeps cycle_history. Nobody waits for anybody by it: the rows are those of the issue that is locked already.';

-- Most writes of issues do not fire them.
CREATE TRIGGER issues_enter_cycles AFTER INSERT ON issues FOR EACH ROW WHEN (NEW.cycle_id IS NOT NULL)
    EXECUTE FUNCTION note_cycle_history();
CREATE TRIGGER issues_change_in_cycles AFTER UPDATE ON issues FOR EACH ROW
    WHEN (OLD.cycle_id IS DISTINCT FROM NEW.cycle_id OR NEW.cycle_id IS NOT NULL AND (
        (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
        OR (OLD.status IN ('done', 'resolved', 'closed')) <> (NEW.status IN ('done', 'resolved', 'closed'))))
    EXECUTE FUNCTION note_cycle_history();
