-- What the baseline changed.
SET LOCAL lock_timeout = '3s';

CREATE TABLE schema_functions (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    revision integer NOT NULL,
    hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- Nothing calls them.
DROP FUNCTION IF EXISTS cycle_days_of;
DROP FUNCTION IF EXISTS has_webhook_listeners;
DROP FUNCTION IF EXISTS enqueue_webhook_events(uuid, text[], text[], uuid[], text[], timestamptz[], bigint);
DROP FUNCTION IF EXISTS enqueue_webhook_events(uuid, text[], text[], uuid[], uuid[], text[], timestamptz[], bigint);

-- These hold for every row. Checking it lets reads and writes go on.
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_attempts_before_check;
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_content_check;
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_failed_reason_check;

-- The other functions are applied again, which takes them from everybody.
REVOKE ALL ON FUNCTION kb_lexemes FROM PUBLIC;
