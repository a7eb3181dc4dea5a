-- The filters of deals by the day on which they closed, and by that on which they are expected to. The previous release can run on it: it does
-- not ask for these indexes.
--
-- To build one reads its table once, and waits for nothing but running writes, which wait for it.
SET LOCAL lock_timeout = '3s';

CREATE INDEX deals_by_close ON deals (workspace_id, actual_close_date) WHERE deleted_at IS NULL AND actual_close_date IS NOT NULL;
CREATE INDEX deals_by_expected_close ON deals (workspace_id, expected_close_date)
    WHERE deleted_at IS NULL AND expected_close_date IS NOT NULL;
