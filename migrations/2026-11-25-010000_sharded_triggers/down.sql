SET LOCAL lock_timeout = '3s';

CREATE OR REPLACE FUNCTION note_deal_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, count(*), coalesce(sum(value), 0) FROM added
            WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, -count(*), -coalesce(sum(value), 0) FROM removed
            WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency;
    ELSE
        INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
            SELECT workspace_id, stage, status, currency, sum(deals), sum(worth) FROM (
                SELECT workspace_id, stage, status, currency, 1 AS deals, coalesce(value, 0) AS worth FROM added
                WHERE deleted_at IS NULL
                UNION ALL
                SELECT workspace_id, stage, status, currency, -1, -coalesce(value, 0) FROM removed
                WHERE deleted_at IS NULL
            ) AS moved
            GROUP BY workspace_id, stage, status, currency HAVING sum(deals) <> 0 OR sum(worth) <> 0;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION audit_log_is_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM gone LEFT JOIN workspaces ON workspaces.id = gone.workspace_id
            WHERE workspaces.erasing IS NOT TRUE) THEN
        RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;

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

DROP FUNCTION cycle_days(timestamptz, timestamptz, boolean);

CREATE OR REPLACE FUNCTION maintain_audit_partitions(at timestamptz, keep interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
    month timestamp;
    begins timestamptz;
    ends timestamptz;
    partition text;
    first_ends CONSTANT timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')::timestamptz
        FROM pg_class WHERE oid = to_regclass('audit_log_first'));
    old text[] := '{}';
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('audit partitions', 0)) THEN
        RETURN false;
    END IF;
    FOR step IN 0..3 LOOP
        month := date_trunc('month', at AT TIME ZONE 'UTC') + step * interval '1 month';
        begins := month AT TIME ZONE 'UTC';
        ends := (month + interval '1 month') AT TIME ZONE 'UTC';
        partition := 'audit_log_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN begins < first_ends OR to_regclass(quote_ident(partition)) IS NOT NULL;
        -- Attached rather than created as a partition, which would lock the whole table against reads.
        EXECUTE format('CREATE TABLE %1$I (LIKE audit_log INCLUDING CONSTRAINTS, PRIMARY KEY (workspace_id, id),
            CONSTRAINT month CHECK (created_at >= %2$L AND created_at < %3$L))', partition, begins, ends);
        EXECUTE format('WITH moved AS (DELETE FROM audit_log_default WHERE created_at >= %1$L AND created_at < %2$L RETURNING *)
            INSERT INTO %3$I SELECT * FROM moved', begins, ends, partition);
        EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, begins, ends);
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT month', partition);
        EXECUTE format('CREATE TRIGGER audit_log_stays BEFORE UPDATE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays()', partition);
        EXECUTE format('CREATE TRIGGER audit_log_is_erased AFTER DELETE ON %I REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_erased()', partition);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'A month in UTC.');
    END LOOP;
    IF keep IS NULL THEN
        RETURN true;
    END IF;
    FOR partition IN
        SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'audit_log'::regclass AND child.relname ~ '^audit_log_(first|[0-9]{4}_[0-9]{2})$'
        ORDER BY child.relname <> 'audit_log_first', child.relname
    LOOP
        EXIT WHEN keep + CASE partition WHEN 'audit_log_first' THEN first_ends
            ELSE (to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' END > at;
        old := old || partition;
    END LOOP;
    FOREACH partition IN ARRAY old LOOP
        EXECUTE format('DROP TABLE %I', partition);
    END LOOP;
    -- What is there came with a time outside of all months, such as that of a wrong clock.
    DELETE FROM audit_log_default WHERE created_at < at - keep;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    -- Nobody is made to wait for this: it is tried again within minutes.
    RETURN false;
END
$$;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION maintain_audit_partitions SET search_path = %I, pg_temp', current_schema());
END
$$;

CREATE OR REPLACE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Of erase_from_audit_log; audit_log_entry_stays checks what becomes of each row.
    IF TG_OP = 'UPDATE' AND coalesce(current_setting('audit_log.erasure', true), '') <> '' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE OR REPLACE FUNCTION audit_log_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND EXISTS (
        SELECT FROM person_erasures WHERE workspace_id = OLD.workspace_id AND finished_at IS NULL
            AND id::text = current_setting('audit_log.erasure', true)
            AND NEW.details = erased_audit_details(OLD.details, person_pattern(emails, names))
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

ALTER FUNCTION erased_audit_details(jsonb, text) STABLE;
