CREATE OR REPLACE FUNCTION note_deal_totals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part record;
BEGIN
    IF TG_TABLE_NAME <> 'deals' THEN
        -- On a shard.
        IF TG_OP = 'INSERT' THEN
            FOR part IN
                SELECT workspace_id, stage, status, currency, count(*) AS deals, coalesce(sum(value), 0) AS worth FROM added
                WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        ELSIF TG_OP = 'DELETE' THEN
            FOR part IN
                SELECT workspace_id, stage, status, currency, -count(*) AS deals, -coalesce(sum(value), 0) AS worth FROM removed
                WHERE deleted_at IS NULL GROUP BY workspace_id, stage, status, currency
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        ELSE
            FOR part IN
                SELECT workspace_id, stage, status, currency, sum(deals) AS deals, sum(worth) AS worth FROM (
                    SELECT workspace_id, stage, status, currency, 1 AS deals, coalesce(value, 0) AS worth FROM added
                    WHERE deleted_at IS NULL
                    UNION ALL
                    SELECT workspace_id, stage, status, currency, -1, -coalesce(value, 0) FROM removed
                    WHERE deleted_at IS NULL
                ) AS moved
                GROUP BY workspace_id, stage, status, currency HAVING sum(deals) <> 0 OR sum(worth) <> 0
            LOOP
                INSERT INTO deal_total_changes (workspace_id, stage, status, currency, deals, value)
                    VALUES (part.workspace_id, part.stage, part.status, part.currency, part.deals, part.worth);
            END LOOP;
        END IF;
    ELSIF TG_OP = 'INSERT' THEN
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
COMMENT ON FUNCTION note_deal_totals IS
    'Records how a statement changes the totals of deals: one row for each stage, status and currency that it touches.';
REVOKE ALL ON FUNCTION note_deal_totals FROM PUBLIC;
