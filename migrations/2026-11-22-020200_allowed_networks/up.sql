-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it. A constant default
-- rewrites nothing, and workspaces and keys are small tables.
SET LOCAL lock_timeout = '3s';

ALTER TABLE workspaces ADD COLUMN allowed_networks text[] NOT NULL DEFAULT '{}'
    CONSTRAINT workspaces_allowed_networks_check CHECK (cardinality(allowed_networks) <= 100);
COMMENT ON COLUMN workspaces.allowed_networks IS
    'Networks in CIDR notation from which keys and users may come; empty for any. Customers are not affected.';

ALTER TABLE api_keys ADD COLUMN allowed_networks text[] NOT NULL DEFAULT '{}'
    CONSTRAINT api_keys_allowed_networks_check CHECK (cardinality(allowed_networks) <= 100);
COMMENT ON COLUMN api_keys.allowed_networks IS 'The same for one key, beside those of the workspace.';
