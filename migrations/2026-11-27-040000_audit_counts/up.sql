-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE audit_counts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    hour timestamptz NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid NOT NULL,
    action text NOT NULL,
    actor_name text NOT NULL,
    entries integer NOT NULL,
    left_out bigint NOT NULL,
    PRIMARY KEY (workspace_id, hour, actor_type, actor_id, action)
-- Its rows are updated all the time.
) WITH (fillfactor = 50);
-- Not by workspace: they find the hours that are over.
CREATE INDEX audit_counts_oldest ON audit_counts (hour);
CREATE INDEX audit_counts_left_out ON audit_counts (hour, workspace_id) WHERE left_out > 0;
COMMENT ON TABLE audit_counts IS
    'How many entries of the audit log each actor has made of each action in an hour; deleted soon after the hour.';
COMMENT ON COLUMN audit_counts.actor_id IS 'All zeros for an actor without an id.';
COMMENT ON COLUMN audit_counts.actor_name IS 'The name at the time of the last entry.';
COMMENT ON COLUMN audit_counts.left_out IS
    'Actions beyond the bound, which have no entry. After the hour, an entry of the audit log says how many there were.';
