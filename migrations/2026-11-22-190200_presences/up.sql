-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- Not logged: what a crash loses is true for 30 seconds only.
CREATE UNLOGGED TABLE presences (
    workspace_id uuid NOT NULL,
    record_id uuid NOT NULL,
    user_id uuid NOT NULL,
    state text NOT NULL CONSTRAINT presences_state_check CHECK (state IN ('looking', 'writing')),
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, record_id, user_id),
    CONSTRAINT presences_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id)
-- Its rows are updated all the time.
) WITH (fillfactor = 50);
CREATE INDEX presences_of_user ON presences (workspace_id, user_id);
-- Not by workspace: it is what finds those to be pruned.
CREATE INDEX presences_seen ON presences (seen_at);
COMMENT ON TABLE presences IS 'Who has a record open, and who is writing on it.';
COMMENT ON COLUMN presences.record_id IS 'Of whatever kind; nothing is read of a record that is not one of the workspace.';
COMMENT ON COLUMN presences.seen_at IS 'When their page last said so; after 30 seconds they are gone.';
