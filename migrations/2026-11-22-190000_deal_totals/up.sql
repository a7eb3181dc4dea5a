-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The index and the first
-- totals each take about a second per million deals, during which deals can be read, but not written: nothing is missed.
SET LOCAL lock_timeout = '3s';

CREATE TABLE deal_totals (
    workspace_id uuid NOT NULL,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL,
    PRIMARY KEY (workspace_id, stage, status, currency)
-- Its rows are updated in place all the time.
) WITH (fillfactor = 50);
COMMENT ON TABLE deal_totals IS
    'How many live deals there are by stage, status and currency, and what they are worth, without deal_total_changes.
No foreign key: folding would wait for the erasure of a workspace, and that for the folding.';
COMMENT ON COLUMN deal_totals.deals IS 'May pass below 0 while a later change is folded before an earlier one.';

CREATE TABLE deal_total_changes (
    workspace_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    stage text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    deals bigint NOT NULL,
    value numeric NOT NULL,
    PRIMARY KEY (workspace_id, id)
-- It is emptied as fast as it is filled.
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE deal_total_changes IS
    'What is to be added to deal_totals. Rows are only added, so that whoever writes deals waits for nobody, and are folded
into the totals each second.';

CREATE FUNCTION note_deal_totals() RETURNS trigger LANGUAGE plpgsql AS $$
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
COMMENT ON FUNCTION note_deal_totals() IS
    'Notes what a statement changes about the totals of deals, one row for each stage, status and currency that it touches.';

-- They wait for whoever is writing deals, and keep others from it until the totals are there.
CREATE TRIGGER deals_added AFTER INSERT ON deals REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
CREATE TRIGGER deals_changed AFTER UPDATE ON deals REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
CREATE TRIGGER deals_removed AFTER DELETE ON deals REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
INSERT INTO deal_totals (workspace_id, stage, status, currency, deals, value)
    SELECT workspace_id, stage, status, currency, count(*), coalesce(sum(value), 0) FROM deals
    WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency;

-- The columns of the board. Only statements that name the status as a literal use it.
CREATE INDEX deals_on_board ON deals (workspace_id, stage, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND status = 'open';
