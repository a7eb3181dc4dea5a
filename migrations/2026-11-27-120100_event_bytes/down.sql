SET LOCAL lock_timeout = '3s';

DROP INDEX request_counts_event_bytes;
ALTER TABLE request_counts DROP COLUMN event_bytes;
ALTER TABLE workspaces DROP CONSTRAINT workspaces_event_bytes_per_day_check;
ALTER TABLE workspaces DROP COLUMN event_bytes_per_day;
