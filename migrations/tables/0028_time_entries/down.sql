SET LOCAL lock_timeout = '3s';

DELETE FROM console_undos WHERE kind = 'time_entry';
ALTER TABLE console_undos DROP CONSTRAINT console_undos_kind_check;
ALTER TABLE console_undos ADD CONSTRAINT console_undos_kind_check
    CHECK (kind IN ('contact', 'company', 'deal', 'project', 'cycle', 'task', 'ticket', 'article'));

DROP TABLE time_rates;
DROP TABLE time_entries;
ALTER TABLE workspaces DROP COLUMN time_overlaps_allowed;
ALTER TABLE workspaces DROP COLUMN time_locked_until;
ALTER TABLE workspaces DROP COLUMN time_zone;
