-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. The table is new.
SET LOCAL lock_timeout = '3s';

CREATE TABLE last_backup (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    ended_at timestamptz NOT NULL
);
COMMENT ON TABLE last_backup IS 'One row, once `workspace-service backup` has written a backup of this database.';
