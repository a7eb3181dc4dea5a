-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. A default that is a constant rewrites
-- nothing. The previous release can run on this.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN event_bytes_per_day bigint;
ALTER TABLE workspaces ADD CONSTRAINT workspaces_event_bytes_per_day_check CHECK (event_bytes_per_day >= 0);
COMMENT ON COLUMN workspaces.event_bytes_per_day IS 'Null: as the plan says.';

ALTER TABLE request_counts ADD COLUMN event_bytes bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN request_counts.event_bytes IS 'About how much changes added to the event log; written a few seconds late.';
CREATE INDEX request_counts_event_bytes ON request_counts (day, event_bytes DESC) WHERE event_bytes > 0;
