-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

CREATE TABLE demo_workspaces (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    made_at timestamptz NOT NULL
);
COMMENT ON TABLE demo_workspaces IS 'Workspaces that the service filled with sample records.';
COMMENT ON COLUMN demo_workspaces.made_at IS 'What was created until then is part of the samples; what came later, people made.';

ALTER TABLE api_keys ADD COLUMN tools_used_at timestamptz;
COMMENT ON COLUMN api_keys.tools_used_at IS
    'When it was last used over the tool API, at most once a minute; null if never since this column exists.';
CREATE INDEX api_keys_used_by_tools ON api_keys (workspace_id) WHERE tools_used_at IS NOT NULL;
