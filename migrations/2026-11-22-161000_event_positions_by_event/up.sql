-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The table is as old as
-- the log of this release, and has few rows when this runs.
SET LOCAL lock_timeout = '3s';

-- Partitions copy it, those that exist and those that are made from here on.
CREATE INDEX event_positions_event ON event_positions (workspace_id, event_id);
COMMENT ON INDEX event_positions_event IS 'Finds the positions of the events of one record.';
