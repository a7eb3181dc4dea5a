-- A migration that has to wait for a lock gives up rather than make everybody else queue behind it.
SET LOCAL lock_timeout = '3s';

-- For counting the active keys of a workspace; revoked ones are kept, and there may be any number of them.
CREATE INDEX api_keys_active ON api_keys (workspace_id, expires_at) WHERE revoked_at IS NULL;
